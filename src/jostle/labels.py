"""Predicted labels beside gold labels: those that can never be right, and those that a reader says are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from .errors import UsageError

UNLABELLED = "-1"
SHOWN = 3  # labels named in a warning
_WRONG_AND_RIGHT = {"0", "1"}  # results that only say what was right


def label_warnings(predictions: pa.Array, golds: pa.Array) -> list[str]:
    """What in the writing of labels makes answers count as wrong that may be right; nothing is taken as alike.

    Args:
        predictions: Predicted labels as text; null or -1 is no answer.
        golds: Gold labels as text; null or -1 is none.

    A prediction that is no gold label and looks like none is only a wrong answer, unless no prediction is one.

    >>> label_warnings(pa.array(["Positive"]), pa.array(["positive"]))[0][:60]
    '1 predictions count as wrong, for they differ from a gold la'
    >>> label_warnings(pa.array(["positive", "unsure"]), pa.array(["positive", "negative"]))
    []
    """
    counts = {one["values"]: one["counts"] for one in pc.value_counts(predictions).to_pylist()}
    said = {label: n for label, n in counts.items() if label not in (None, UNLABELLED)}
    known = sorted(set(pc.unique(golds).to_pylist()) - {None, UNLABELLED})
    if not said or not known:
        return []
    return [*_twice(known), *_near(said, known), *_disjoint(said, known)]


def _twice(known: Collection[str]) -> Iterator[str]:
    by_form: dict[str, list[str]] = {}
    for label in known:
        by_form.setdefault(_form(label), []).append(label)
    for alike in by_form.values():
        if len(alike) > 1:
            yield (
                f"gold labels differ by case or spaces alone and count as different: {_named(alike)}. If they mean the "
                "same, write them alike in the file."
            )


def _near(said: Mapping[str, int], known: Collection[str]) -> Iterator[str]:
    gold_of = {_form(label): label for label in known}
    near = {label: gold_of[_form(label)] for label in said if label not in known and _form(label) in gold_of}
    if near:
        shown = list(near.items())[:SHOWN]
        examples = [f"{label!r} (gold {gold!r})" for label, gold in shown]
        more = f" and {len(near) - SHOWN} more" if len(near) > SHOWN else ""
        yield (
            f"{sum(said[label] for label in near)} predictions count as wrong, for they differ from a gold label by "
            f"case or spaces: {', '.join(examples)}{more}. If they mean the same, say so: "
            f"{' '.join(_flag(label, gold) for label, gold in shown)}"
        )


def _disjoint(said: Mapping[str, int], known: Collection[str]) -> Iterator[str]:
    if not said.keys().isdisjoint(known) or said.keys() | set(known) <= _WRONG_AND_RIGHT:
        return
    if {_form(label) for label in said} <= {_form(label) for label in known}:
        return  # said already
    yield (
        f"every prediction counts as wrong, for none is a gold label: predicted {_named(sorted(said))}; gold "
        f"{_named(known)}. If they are the same classes, say which is which: {_flag(min(said), 'LABEL')}; "
        "labels within a longer text are read off it by jostle.extract_label"
    )


def _form(label: str) -> str:
    """A label without case, width and spacing, to find those that look alike."""
    return " ".join(unicodedata.normalize("NFKC", label).split()).casefold()


def _named(labels: Collection[str]) -> str:
    shown = [repr(label) for label in labels][:SHOWN]
    return ", ".join(shown) + (f" and {len(labels) - SHOWN} more" if len(labels) > SHOWN else "")


def _flag(label: str, gold: str) -> str:
    return f"--label-map '{label}={gold}'"


def map_labels(predictions: pa.Array, label_map: Mapping[str, str]) -> tuple[pa.Array, list[str]]:
    """Predictions with the labels that the gold labels have, and a note of what was taken for what.

    Args:
        predictions: Predicted labels as text.
        label_map: Gold label by predicted label.

    Raises:
        UsageError: A label of the map that was never predicted.
    """
    if not label_map:
        return predictions, []
    there = sorted(set(pc.unique(predictions).to_pylist()) - {None})
    strange = [label for label in label_map if label not in there]
    if strange:
        raise UsageError(
            f"Expected --label-map of a predicted label ({_named(there) or 'there is none'}), but got {strange[0]!r}."
        )
    encoded = predictions.dictionary_encode()
    names = [label_map.get(label, label) for label in encoded.dictionary.to_pylist()]
    mapped = pa.array(names, pa.string()).take(encoded.indices)
    return mapped, [f"Predicted labels taken as gold labels: {', '.join(f'{a} -> {b}' for a, b in label_map.items())}."]
