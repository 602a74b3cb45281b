"""Flags of `jostle run` with a generative model: what they ask for, and what such a run cannot do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..predict.protocol import Decoding

ALL = ("mnli", "qqp", "qnli", "sst2")
STORE = "predictions.sqlite"
_CLASSIFIER_ONLY = ("variants_from", "gold_from_base", "label_map", "paraphraser", "adversary")
_LOCAL_ONLY = ("max_length", "token_budget", "self_check")


@dataclass(frozen=True)
class Ways:
    """How everything is asked: tasks, decodings, wordings and symbols."""

    tasks: Sequence[str]
    decodings: Sequence[Decoding]
    wordings: Sequence[str]
    symbols: Sequence[str]


def asked_ways(values: dict[str, Any]) -> Ways:
    """The ways that the flags ask for.

    Raises:
        UsageError: An unknown or repeated name, a flag that this run would pass over in silence, or --resume of a run
            that was never begun.
    """
    from ..predict.protocol import MODES, Decoding
    from ..tasks.prompts import SYMBOLS, WORDINGS

    modes: tuple[Any, ...] = _names(values, "decoding", MODES)
    _refuse_unused(values, modes)
    _check_data(values)
    if values.get("resume"):
        _must_have_begun(values["out"])
    common = {"max_new_tokens": values["max_new_tokens"], "seed": values["seed"]}
    sampling = {"k": values["k"], "temperature": values["temperature"], "top_p": values["top_p"]}
    decodings = [Decoding(mode, **common, **(sampling if mode == "sample" else {})) for mode in modes]
    tasks = ALL if values["task"] == "all" else (values["task"],)
    return Ways(tasks, decodings, _names(values, "prompts", WORDINGS), _names(values, "symbols", SYMBOLS))


def _names(values: dict[str, Any], name: str, known: Sequence[str]) -> tuple[str, ...]:
    """The names in a flag, each known and given once."""
    names = tuple(part.strip() for part in values[name].split(","))
    for k, one in enumerate(names):
        if one not in known:
            raise UsageError(f"Expected {_flag(name)} of {', '.join(known)}, but got {one!r}.")
        if one in names[:k]:
            raise UsageError(f"Expected every name in {_flag(name)} once, but got {one!r} twice.")
    return names


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse_unused(values: dict[str, Any], modes: Sequence[str]) -> None:
    how = f"--decoding {','.join(modes)}"
    for name in _CLASSIFIER_ONLY:
        if values.get(name):
            raise UsageError(f"Expected {_flag(name)} with --decoding classify, but got {how}. Leave one of them out.")
    if values["self_check"] and "greedy" not in modes:
        raise UsageError(f"Expected greedy among --decoding with --self-check, but got {how}.")
    if not values["base_url"]:
        return
    for name in _LOCAL_ONLY:
        if values[name]:
            raise UsageError(
                f"Expected {_flag(name)} with a local model, but got --base-url, whose server decides. Leave it out."
            )
    if "score" in modes:
        raise UsageError(
            "Expected --decoding greedy or sample with --base-url, but got score. Score with a local model."
        )


def _check_data(values: dict[str, Any]) -> None:
    task, data = values["task"], str(values["data"])
    if task == "custom":
        raise UsageError(
            f"Expected --task {', '.join((*ALL, 'mcq'))} or all with --decoding {values['decoding']}, but got custom, "
            "for whose labels there is no prompt. Use --decoding classify."
        )
    if task == "all" and "{task}" not in data and Path(data).is_file():
        raise UsageError(
            f"Expected a file for each task with --task all, but got {data} alone. Write {{task}} where their names "
            "differ, as in --data 'glue/{task}.parquet', or name one task."
        )


def _must_have_begun(out: Path) -> None:
    """Refuse to resume what was never begun: a mistyped folder would start all over."""
    if not (out / STORE).is_file():
        raise UsageError(
            f"Expected --resume with the folder of a run that was begun, but {out} holds no {STORE}. "
            "Name its folder in --out, or leave --resume out."
        )
