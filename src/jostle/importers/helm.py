"""HELM run folders: `scenario_state.json` (what was asked and answered) and `per_instance_stats.json` (the scores)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, as_written_by
from ..outcomes import Outcomes
from ..rows import parse_json, read_text
from ._scored import Reading, Scored, item_name, to_outcomes

_STATE, _STATS, _SPEC = "scenario_state.json", "per_instance_stats.json", "run_spec.json"
_MAIN = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")


def matches(path: Path) -> bool:
    """A folder with the two files, or one of them."""
    folder = path if path.is_dir() else path.parent
    return (path.is_dir() or path.name in (_STATE, _STATS)) and all(
        (folder / name).is_file() for name in (_STATE, _STATS)
    )


def read(path: Path, reading: Reading) -> Outcomes:
    """The perturbations of the run are conditions, `orig` being none; without any, its scores are.

    An instance bears the name of its unperturbed text. Trials with other in-context examples are samples. Scores are
    those that the metrics of the run name; with perturbations the first of them that is there, or the metric asked for.

    Raises:
        InputError: A file is missing or damaged, or has no score that is right or wrong.
    """
    folder = path if path.is_dir() else path.parent
    state, stats, spec = (_json(folder / name) for name in (_STATE, _STATS, _SPEC))
    with as_written_by("HELM", str(folder)):
        return _outcomes(folder, str(path), state, stats, spec, reading)


def _outcomes(folder: Path, source: str, state: Any, stats: Any, spec: Any, reading: Reading) -> Outcomes:
    asked = {_key(s["instance"]["id"], s["instance"], s): s for s in state["request_states"]}
    contents = {
        s["instance"]["id"]: _content(s["instance"]) for s in asked.values() if not _perturbation(s["instance"])
    }
    names = reading.metrics or _named(spec)
    skipped: Counter[str] = Counter()
    scored = []
    perturbed = any(_perturbation(one) for one in stats)
    for one in stats:
        found = list(_scores(one, names, skipped))
        for name, right in found[:1] if perturbed and not reading.metrics else found:
            scored.append(_one(one, name, right, asked, contents, perturbed, reading))
    if not scored:
        raise InputError(f"Expected scores of {', '.join(names)} that are right or wrong, but {folder} has none.")
    about = {"task": str(spec.get("name", folder.name)).split(",")[0], "model": spec["adapter_spec"].get("model", "")}
    return to_outcomes(scored, source, about, {"log": dict(sorted(skipped.items()))} if skipped else {})


def _json(path: Path) -> Any:
    if not path.is_file():
        raise InputError(f"Expected a HELM run, but {path} is missing.")
    return parse_json(read_text(path), str(path))


def _named(spec: Mapping[str, Any]) -> tuple[str, ...]:
    """Scores that the metrics of the run name, those that compare with the gold first."""
    names = [name for metric in spec.get("metric_specs", []) for name in metric.get("args", {}).get("names", [])]
    return tuple(name for name in _MAIN if name in names) + tuple(name for name in names if name not in _MAIN)


def _perturbation(instance: Mapping[str, Any]) -> str:
    return str((instance.get("perturbation") or {}).get("name", ""))


def _content(instance: Mapping[str, Any]) -> str:
    """Input and options, right or wrong, by line."""
    return "\n".join([instance["input"]["text"], *(one["output"]["text"] for one in instance["references"])])


def _key(instance_id: str, instance: Mapping[str, Any], trial: Mapping[str, Any]) -> tuple[str, str, int]:
    return instance_id, _perturbation(instance), int(trial.get("train_trial_index", 0))


def _scores(one: Mapping[str, Any], names: tuple[str, ...], skipped: Counter[str]) -> Iterator[tuple[str, bool]]:
    means = {stat["name"]["name"]: stat["mean"] for stat in one["stats"] if stat.get("count")}
    for name in names:
        if name not in means:
            continue
        if means[name] in (0, 1):
            yield name, means[name] == 1
        else:
            skipped[f"{name} is not right or wrong"] += 1


def _one(
    one: Mapping[str, Any], name: str, right: bool, asked: Mapping[Any, Any], contents: Mapping[str, str],
    perturbed: bool, reading: Reading,
) -> Scored:  # fmt: skip
    key = _key(one["instance_id"], one, one)
    state = asked.get(key, {})
    content = contents.get(one["instance_id"], "")
    item = item_name(content) if content and reading.match == "content" else one["instance_id"]
    prediction, reference = _answers(state)
    condition = (key[1] or "orig") if perturbed else name
    text = _content(state["instance"]) if state else content
    return Scored(item, condition, right, prediction, reference, str(key[2]), text)


def _answers(state: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Answer and gold as letters where options were shown; else as texts."""
    if not state or not state.get("result", {}).get("completions"):
        return None, None
    answer = state["result"]["completions"][0]["text"].strip() or None
    gold = [one["output"]["text"] for one in state["instance"]["references"] if "correct" in one.get("tags", [])]
    letters = {text: letter for letter, text in (state.get("output_mapping") or {}).items()}
    return answer, next(iter(letters.get(text, text) for text in gold), None)
