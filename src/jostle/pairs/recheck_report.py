"""What became of pinned pairs, for people and for JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..measures.version import __version__
from .decide import NOT_MEASURED, SHOWN, Decision, Ruling, new_failure_ruling
from .fixtures import Fixtures, as_json, outcome
from .listing import Entry, Listing
from .recheck import LIMITATIONS, TRACES, Change, Recheck
from .rows import PairRow

LONGEST = 300  # characters of a piece of evidence on the terminal


def headline(found: Recheck, fixtures: Fixtures, now: Mapping[str, str], source: str) -> str:
    """One paragraph: what was compared with what, and the counts."""
    revisions = ", ".join(f"{name} {value}" for name, value in now.items() if value) or "revisions not given"
    return (
        f"{source}: pinned with corpus {fixtures.corpus_revision}, model {fixtures.model_revision}; now {revisions}. "
        f"{len(fixtures.pairs)} pairs pinned: {counts(found)}."
    )


def counts(found: Recheck) -> str:
    """The counts in one line."""
    parts = [
        f"{len(found.newly_failing)} newly failing",
        f"{len(found.newly_fixed)} newly fixed",
        f"{found.n_still_failing} still failing",
        f"{found.n_still_passing} still passing",
        f"{len(found.missing)} without a new prediction",
    ]
    return ", ".join([*parts, *([f"{found.unpinned} new ones not pinned"] if found.unpinned else [])])


def ruled(found: Recheck, most: int, source: str) -> Decision:
    """Whether too many pairs newly fail, and whether all were compared."""
    rulings = [new_failure_ruling(most, found.new_failures)]
    if found.missing:
        detail = f"{len(found.missing)} missing"
        rulings.append(
            Ruling(
                "a new prediction for every pinned pair",
                NOT_MEASURED,
                detail,
                found.missing[:SHOWN],
                len(found.missing),
            )
        )
    return Decision(source, rulings)


def listings(found: Recheck, decision: Decision) -> list[Listing]:
    """The changed pairs, the missing ones, the ruling and the limitations."""
    made = [
        Listing("Warnings", [Entry(text) for text in found.warnings]),
        Listing(
            f"Newly failing ({len(found.newly_failing)})", [_entry(change, True) for change in found.newly_failing]
        ),
        Listing(f"Newly fixed ({len(found.newly_fixed)})", [_entry(change, False) for change in found.newly_fixed]),
        Listing(f"Without a new prediction ({len(found.missing)})", [Entry(name) for name in found.missing]),
    ]
    gate = Listing(f"Gate: exit {decision.exit_code}", [Entry(line) for line in decision.lines])
    return [*(listing for listing in made if listing.entries), gate,
            Listing("What this cannot tell you", [Entry(text) for text in LIMITATIONS])]  # fmt: skip


def _entry(change: Change, trace: bool) -> Entry:
    pinned, now = change.pinned, change.now
    details = [f"base: {pinned.base_text}"] if pinned.base_text else []
    details += [f"edited: {pinned.edited_text}"] if pinned.edited_text else []
    for side in ("base", "edited"):
        said = [_said(row, side) for row in (pinned, now)]
        details.append(f"{side}: gold {getattr(pinned, f'{side}_label')}, pinned {said[0]}, now {said[1]}")
    details += [TRACES[change.retrieved]] if trace else []
    for name, state in change.evidence.items():
        details.append(f"{name}: {state}")
        if state != "same":
            details += [f"  pinned: {_short(pinned, name)}", f"  now: {_short(now, name)}"]
        elif trace:
            details.append(f"  pinned and now: {_short(pinned, name)}")
    return Entry(f"{pinned.id}{f' [{pinned.operator}]' if pinned.operator else ''}", details)


def _said(row: PairRow, side: str) -> str:
    if getattr(row, f"{side}_abstained"):
        return "no answer"
    confidence = getattr(row, f"{side}_confidence")
    return f"{getattr(row, f'{side}_prediction')}{'' if confidence is None else f' ({confidence:.2f})'}"


def _short(row: PairRow, name: str) -> str:
    if row.evidence.get(name) is None:
        return "none"
    text = as_json(row.evidence[name])
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text)} characters)"


def to_dict(
    found: Recheck, fixtures: Fixtures, now: Mapping[str, str], sources: Sequence[str], decision: Decision
) -> dict[str, Any]:
    """The JSON document of `jostle pairs check`."""
    document = {
        "tool": {"name": "jostle", "version": __version__},
        "source": {"fixtures": sources[0], "predictions": sources[1]},
        "summary": {
            "text": counts(found),
            "n_pinned": len(fixtures.pairs),
            "n_newly_failing": len(found.newly_failing),
            "n_newly_fixed": len(found.newly_fixed),
            "n_still_failing": found.n_still_failing,
            "n_still_passing": found.n_still_passing,
            "n_missing": len(found.missing),
            "n_unpinned": found.unpinned,
        },
        "revisions": {
            "pinned": {"corpus": fixtures.corpus_revision, "model": fixtures.model_revision},
            "now": dict(now),
        },
        "newly_failing": [_change(change) for change in found.newly_failing],
        "newly_fixed": [_change(change) for change in found.newly_fixed],
        "missing": list(found.missing),
        "warnings": list(found.warnings),
        "limitations": list(LIMITATIONS),
        "gate": decision.to_dict(),
        "signature": f"jostle={__version__}|pairs_check|pinned_by={fixtures.version}",
    }
    clean: dict[str, Any] = json.loads(as_json(document))  # evidence may hold dates
    return clean


def _change(change: Change) -> dict[str, Any]:
    pinned = asdict(change.pinned)
    keys = [key for key in pinned if key.startswith(("base_", "edited_")) and not key.endswith(("_text", "_label"))]
    shared = {key: value for key, value in pinned.items() if key not in (*keys, "evidence")}
    states = {
        name: {**{key: getattr(row, key) for key in keys}, "outcome": outcome(row), "evidence": dict(row.evidence)}
        for name, row in (("pinned", change.pinned), ("now", change.now))
    }
    return {**shared, **states, "evidence": dict(change.evidence), "retrieved_evidence": change.retrieved}
