"""An older audit, to tell new findings from known ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..rows import parse_json, read_text
from .base import Case, Finding

Key = tuple[str, str, str]


@dataclass(frozen=True)
class Baseline:
    """The findings of an older audit.

    Args:
        source: Its file.
        known: Fingerprints of the cases by check, kind and subject of a finding.
        warnings: Those of them that are warnings.
    """

    source: str
    known: Mapping[Key, frozenset[str]]
    warnings: frozenset[Key] = frozenset()

    def knows(self, check: str, finding: Finding, cases: Sequence[str]) -> bool:
        """Whether the audit had this finding.

        One about a subject (a class) or about the whole set is known by its kind and subject; one about cases, if each
        of its cases had a finding of the kind before, in whatever groups.
        """
        about = subject(finding)
        key = (check, finding.kind, about)
        return key in self.known and (bool(about) or self.known[key].issuperset(cases))

    def gone(self, now: Collection[Key], checks: Collection[str]) -> Iterator[str]:
        """Warnings of checks that ran again and do not give them any more."""
        for check, kind, about in sorted(self.warnings.difference(now)):
            if check in checks:
                yield f"{check}: {kind}{' of ' + about if about else ''}"


def subject(finding: Finding) -> str:
    """What a finding is about, where that is no list of cases: its value `subject`, or the class."""
    return str(finding.values.get("subject", finding.values.get("class", "")))


def fingerprint(case: Case) -> str:
    """A case by its content: input and options.

    >>> one, other = Case("a", "2 + 2?", {"input": "2 + 2?"}), Case("b", "2 + 2?", {"input": "2 + 2?"}, label="x")
    >>> fingerprint(one) == fingerprint(other)
    True
    """
    parts = (case.text, *(case.choices or ()))
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


def read_baseline(path: Path) -> Baseline:
    """The findings of a report that `jostle audit --format json` wrote.

    Raises:
        InputError: It is none.
    """
    if not path.is_file():
        raise InputError(f"Expected the report of an audit, but {path} does not exist.")
    content = parse_json(read_text(path), str(path))
    checks = content.get("checks") if isinstance(content, dict) else None
    try:
        found = [(check["name"], finding) for check in checks or [] for finding in check["findings"]]
        known: dict[Key, frozenset[str]] = {}
        for name, finding in found:
            key = _key(name, finding)
            known[key] = known.get(key, frozenset()) | frozenset(finding["fingerprints"])
        warnings = frozenset(_key(name, finding) for name, finding in found if finding["severity"] == "warning")
    except (KeyError, TypeError, AttributeError):
        checks = None
    if checks is None:
        raise InputError(
            f"Expected the report of an audit, but {path} is none. "
            "Write one: jostle audit FILE --format json --out OLD.json."
        )
    return Baseline(str(path), known, warnings)


def _key(check: str, finding: Mapping[str, Any]) -> Key:
    return check, finding["kind"], finding["subject"]
