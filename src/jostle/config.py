"""Settings: what may stand in `jostle.toml` or under `[tool.jostle]`, and which value wins."""

from __future__ import annotations

import difflib
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import UsageError

FORMATS = ("text", "json", "html", "markdown")
FILE = "jostle.toml"


@dataclass(frozen=True)
class Setting:
    """One flag and the key of the same name.

    Args:
        name: Key in the file; the flag has dashes for underscores.
        kind: Type of the value.
        default: Value when neither flag nor file says anything.
        help: What it does.
        choices: Allowed values.
        low: Smallest value allowed, for numbers.
        high: Largest value allowed, for numbers.
    """

    name: str
    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def check(self, value: Any, source: str) -> Any:
        """The value, if it is of the right type.

        Raises:
            UsageError: Wrong type or outside what is allowed; names file, key and value.
        """
        number = self.kind is float and isinstance(value, int) and not isinstance(value, bool)
        if not number and (not isinstance(value, self.kind) or (isinstance(value, bool) and self.kind is not bool)):
            raise UsageError(f"Expected {self.name} in {source} to be {_TYPES[self.kind]}, but got {value!r}.")
        if self.choices and value not in self.choices:
            raise UsageError(
                f"Expected {self.name} in {source} to be one of {', '.join(self.choices)}, but got {value!r}."
            )
        # Asked this way round, since nan is neither below nor above anything.
        if not ((self.low is None or value >= self.low) and (self.high is None or value <= self.high)):
            limits = f"at least {self.low:g}" if self.high is None else f"from {self.low:g} to {self.high:g}"
            raise UsageError(f"Expected {self.name} in {source} to be {limits}, but got {value!r}.")
        if number and abs(value) > sys.float_info.max:
            raise UsageError(
                f"Expected {self.name} in {source} to be a number, but got one of {len(str(value))} digits."
            )
        return float(value) if number else value


_TYPES = {int: "a whole number", float: "a number", str: "text", bool: "true or false", list: "a list", dict: "a table"}

_RESAMPLES = Setting("resamples", int, 10_000, "Bootstrap replicates.", low=100, high=10_000_000)
_SEED = Setting("seed", int, 0, "Seed of variants and bootstrap.", low=0)
_MEASURES = (
    Setting("tolerance", float, 0.03, "Accuracy difference that would matter.", low=0.0001, high=0.9999),
    Setting("flip_tolerance", float, 0.10, "Mean pairwise flip rate that would matter.", low=0.0001, high=0.9999),
    _RESAMPLES,
    _SEED,
)
_FORMAT = Setting("format", str, "text", "Form of the report.", FORMATS)
_FAIL_ON = Setting(
    "fail_on", str, "never", "Exit 1 on this verdict (inconclusive trips on fragile too).",
    ("never", "inconclusive", "fragile"),
)  # fmt: skip
_MISSING = Setting("missing", str, "", "Items that lack a condition: error, intersect or pairwise.",
                   ("", "error", "intersect", "pairwise"))  # fmt: skip

_VARIANTS = (
    Setting("variants", str, "orig,para,pert,adv", "Kinds of variants, separated by commas."),
    Setting("operators", str, "", "Operators instead of kinds: names, or path/to/file.py:name."),
    Setting("side", str, "auto", "Side of a pair that is edited.", ("auto", "first", "second", "both")),
    Setting("rate", float, 0.0, "Share of words edited; 0 leaves it to each operator.", low=0.0, high=1.0),
    Setting("limit", int, 0, "Only the first so many rows, of each task; 0 takes all.", low=0),
)

_ENGINE = (
    Setting("engine", str, "local", "Where the work is done: in this process, or by Ray Data (extra `ray`).",
            ("local", "ray")),
    Setting("ray_address", str, "", "Ray cluster; otherwise RAY_ADDRESS, or a Ray started on this machine."),
    Setting("ray_workers", int, 0, "Most workers of Ray at once; 0: one a CPU.", low=0),
)  # fmt: skip

SECTIONS: Mapping[str, Sequence[Setting]] = {
    "run": (
        *_MEASURES, _FORMAT, _FAIL_ON,
        *_VARIANTS,
        Setting("decoding", str, "classify", "classify, or of greedy, sample and score for a generative model."),
        Setting("k", int, 10, "Samples of each prompt.", low=1, high=10_000),
        Setting("temperature", float, 1.0, "What logits are divided by before sampling.", low=0.0),
        Setting("top_p", float, 1.0, "Sampling keeps the likeliest tokens up to this probability.", low=0.0, high=1.0),
        Setting("max_new_tokens", int, 16, "Longest completion, in tokens.", low=1),
        Setting("prompts", str, "plain", "Wordings; the first for all variants, the others as conditions."),
        Setting("symbols", str, "letters", "Of letters, numbers, roman and words; the first for all variants."),
        Setting("label_orders", bool, False, "Ask the originals in every order of the labels too."),
        Setting("base_url", str, "", "OpenAI-compatible endpoint that serves --model."),
        Setting("self_check", int, 0, "Rerun so many prompts one by one and say how many answers differ.", low=0),
        Setting("max_length", int, 0, "Longest input in tokens, with what is written; 0: the model's.", low=0),
        Setting("token_budget", int, 0, "Tokens a batch, padding included; 0: 1024, or 8192 to write.", low=0),
        *_ENGINE,
        Setting("num_gpus", int, 0, "GPUs of Ray for the model, one worker on each; 0: it runs on CPUs.", low=0),
    ),
    "build": (
        *_VARIANTS,
        Setting("seed", int, 0, "Seed of the variants.", low=0),
        Setting("split", str, "validation", "Split that the rows go to."),
        Setting("processes", int, 1, "Processes; the rows are the same for any number.", low=1, high=256),
        *_ENGINE,
    ),
    "compare": (
        _RESAMPLES, _SEED, _FORMAT, _MISSING,
        Setting("reference", str, "", "Reference condition."),
        Setting("fail_on", str, "never", "Exit 1 if another file is surely worse than the first by more than "
                "--max-drop (regression), or if that is not excluded (unproven).", ("never", "regression", "unproven")),
        Setting("max_drop", float, 0.0, "Drop of accuracy or R that may be.", low=0.0, high=1.0),
    ),
    "history": (_FORMAT,),
    "import": (),
    "publish": (Setting("to", str, "", "Folder, or organisation or user of the Hub."),),
    "demo": (*_MEASURES, _FORMAT, _FAIL_ON),
    "report": (*_MEASURES, _FORMAT, _FAIL_ON, _MISSING, Setting("reference", str, "", "Reference condition.")),
    "pairs": (
        _RESAMPLES, _SEED, _FORMAT,
        Setting("collapse", float, 0.2, "Fall of confidence beyond which a right answer has collapsed.",
                low=0.0001, high=0.9999),
        Setting("abstain_below", float, 0.0, "Predictions below this confidence are abstentions, on both sides.",
                low=0.0, high=1.0),
        Setting("reference", str, "", "Condition that is the base, for outcomes."),
        Setting("group", str, "", "Task, model and decoding, for outcomes of several."),
        Setting("show", int, 10, "Failing pairs shown.", low=0),
    ),
    "audit": (
        _FORMAT,
        Setting("fail_on", str, "never", "Exit 1 on warnings (with --baseline: on new ones).", ("never", "warning")),
        Setting("skip", list, [], "Check to leave out; repeatable."),
        Setting("only", list, [], "Check to run alone; repeatable."),
        Setting("skip_duplicates", bool, False, "The same as --skip duplicates."),
        Setting("duplicate_threshold", float, 0.85, "Cosine from which two inputs are near-duplicates.", low=0, high=1),
        Setting("min_class_share", float, 0.10, "Share below which a class is small.", low=0, high=1),
        Setting("min_class_count", int, 5, "Count below which a class is small.", low=0),
    ),
    "gate": (
        Setting("critical", list, [], "Operators of which no pair may fail."),
        Setting("minimum", dict, {}, "Smallest rates, by measure."),
        Setting("bound", str, "point", "What must reach a minimum: the rate, or the low end of its interval.",
                ("point", "low")),
        Setting("weights", dict, {}, "Weight of each operator in the weighted rate."),
        Setting("max_new_failures", int, 0, "Most pairs that fail now and did not when pinned.", low=0),
        Setting("max_abstention", float, 1.0, "Largest share of pairs with an abstention.", low=0, high=1),
    ),
}  # fmt: skip


def find_file(start: Path) -> Path | None:
    """The settings file for a data file: upward from its folder; in one folder `jostle.toml` wins."""
    start = start.resolve()
    for folder in [start, *start.parents] if start.is_dir() else start.parents:
        if (folder / FILE).is_file():
            return folder / FILE
        pyproject = folder / "pyproject.toml"
        if pyproject.is_file() and "jostle" in _tool(_parse(pyproject)):
            return pyproject
    return None


def read_settings(path: Path) -> dict[str, dict[str, Any]]:
    """All sections of a settings file, checked.

    Raises:
        UsageError: Not TOML, an unknown section or key, a key of another section, or a wrong type.
    """
    content = _parse(path)
    if path.name == "pyproject.toml":
        content = _tool(content).get("jostle", {})
        if not isinstance(content, dict):
            raise UsageError(f"Expected [tool.jostle] in {path} to be a table, but got {content!r}.")
    sections: dict[str, dict[str, Any]] = {}
    for name, section in content.items():
        if not isinstance(section, dict):
            raise UsageError(_misplaced(name, f"{path}, before any section"))
        if name not in SECTIONS:
            raise UsageError(
                f"Expected a section of {', '.join(SECTIONS)} in {path}, but got [{name}]. {_like(name, SECTIONS)}"
            )
        known = {setting.name: setting for setting in SECTIONS[name]}
        for key in section:
            if key not in known:
                raise UsageError(_misplaced(key, f"{path}, section [{name}]", known))
        sections[name] = {key: known[key].check(value, str(path)) for key, value in section.items()}
    return sections


def _tool(pyproject: dict[str, Any]) -> dict[str, Any]:
    tool = pyproject.get("tool")
    return tool if isinstance(tool, dict) else {}


def _parse(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise UsageError(f"Expected TOML, but {path} is nested too deeply.") from None
    except ValueError as error:  # no TOML, no UTF-8, or a number with more digits than Python reads
        raise UsageError(f"Expected TOML, but {path} is not: {error}.") from None
    except OSError as error:
        raise UsageError(f"Expected a settings file, but {path} cannot be read: {error.strerror}.") from None


def _misplaced(key: str, place: str, known: Mapping[str, Setting] | None = None) -> str:
    """Message for a key that does not belong where it stands."""
    homes = [name for name, settings in SECTIONS.items() if key in {setting.name for setting in settings}]
    if homes:
        return f"Expected {key} in section {' or '.join(f'[{home}]' for home in homes)}, but it is in {place}."
    valid = known or {setting.name: setting for settings in SECTIONS.values() for setting in settings}
    return f"Expected a setting of {', '.join(valid)}, but {place} has {key!r}. {_like(key, valid)}"


def _like(word: str, known: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"Did you mean {close[0]!r}?" if close else ""
