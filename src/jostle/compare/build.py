"""Several results files -> one comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow.compute as pc

from ..errors import InputError
from ..labels import label_warnings
from ..measures.inputs import to_rows
from ..measures.options import Options
from ..measures.ranks import LIMITATIONS as RANK_LIMITATIONS
from ..measures.ranks import Ranks, ranks
from ..measures.version import __version__
from ..outcomes import Outcomes
from ..report.compare import compare_outcomes
from ..report.model import Comparison
from .changed import changed_items
from .cube import common_cube
from .report import ComparisonReport

_THREE = 3  # an order of two models is their difference


def build_comparison(sides: Sequence[tuple[str, Outcomes]], options: Options) -> ComparisonReport:
    """Compare every file with the first, on the items and conditions that both have; of three or more, rank them.

    Args:
        sides: Name and outcomes of each file; differences are to the first.
        options: `n_resamples`, `seed`, `missing` and `reference` are used.

    Raises:
        InputError: Fewer than two files, two of one name, nothing in common, or another gold for the same item.
    """
    names = [name for name, _ in sides]
    if len(sides) < 2 or len(set(names)) < len(names):  # noqa: PLR2004
        raise InputError(f"Expected two files or more with names of their own, but got {', '.join(names)}.")
    first = sides[0]
    comparisons: list[Comparison] = []
    changed = {}
    for name, outcomes in sides[1:]:
        made = compare_outcomes(first[1], outcomes, (first[0], name), options)
        _check_golds(made)
        comparisons += made
        changed[name] = changed_items(first[1], outcomes)
    order, groups = _ranked(sides, options)
    limitations = [text for made in comparisons for text in made.limitations] + (
        list(RANK_LIMITATIONS) if order else []
    )
    return ComparisonReport(
        names=names,
        comparisons=comparisons,
        changed=changed,
        ranks=order,
        notes=[
            *(f"{name}: {note}" for name, outcomes in sides for note in outcomes.notes),
            *_label_notes(sides),
            *_other_texts(sides),
            *groups,
        ],
        limitations=list(dict.fromkeys(limitations)),
        signature=f"jostle={__version__}|{options.describe()}",
    )


def by_model(outcomes: Outcomes) -> list[tuple[str, Outcomes]]:
    """The rows of each model of one file under the model's name, in the order in which they come; none without names.

    >>> both = Outcomes.from_columns(
    ...     predictions=[1, 0], references=[1, 1], item_ids=["a", "a"], conditions=["orig", "orig"], models=["x", "y"]
    ... )
    >>> [(name, len(rows)) for name, rows in by_model(both)]
    [('x', 1), ('y', 1)]
    """
    models = outcomes.columns.get("models")
    names = [] if models is None else pc.unique(models).drop_null().to_pylist()
    return [
        (
            name,
            replace(outcomes, columns={key: of.filter(pc.equal(models, name)) for key, of in outcomes.columns.items()}),
        )
        for name in names
    ]


def relabel(sides: Sequence[tuple[str, Outcomes]], label_map: Mapping[str, str]) -> list[tuple[str, Outcomes]]:
    """The files with predicted labels under the names of the gold labels; each needs to predict only some of them.

    Raises:
        UsageError: A label of the map that no file has predicted.
    """
    predicted = [set(pc.unique(outcomes.columns["predictions"]).to_pylist()) for _, outcomes in sides]
    nowhere = label_map.keys() - set().union(*predicted)
    return [
        (name, outcomes.relabelled({key: gold for key, gold in label_map.items() if key in own or key in nowhere}))
        for (name, outcomes), own in zip(sides, predicted, strict=True)
    ]


def _label_notes(sides: Sequence[tuple[str, Outcomes]]) -> list[str]:
    """A note for each file whose labels are written so that right answers may count as wrong."""
    return [
        f"{name}: {text}"
        for name, outcomes in sides
        for text in label_warnings(outcomes.columns["predictions"], outcomes.columns["references"])
    ]


def _check_golds(made: Sequence[Comparison]) -> None:
    for one in made:
        if one.values["n_gold_differs"]:
            raise InputError(
                f"Expected one gold label for an item, but {one.values['n_gold_differs']} items under a condition have "
                f"another one in {one.second} than in {one.first}. Compare files of one version of the set."
            )


def _other_texts(sides: Sequence[tuple[str, Outcomes]]) -> list[str]:
    """A note for each file whose texts are known and are not those of the first: then the variants differ too."""
    first, texts = sides[0][0], sides[0][1].texts
    notes = []
    for name, outcomes in sides[1:]:
        differ = sum(text != texts[cell] for cell, text in outcomes.texts.items() if cell in texts)
        if differ:
            notes.append(
                f"{name}: {differ} items under a condition read otherwise than in {first} (another seed or version of "
                "the variants): the differences are those of models and variants together."
            )
    return notes


def _ranked(sides: Sequence[tuple[str, Outcomes]], options: Options) -> tuple[Ranks | None, list[str]]:
    """The order of three or more files, and a note where it cannot be told."""
    if len(sides) < _THREE:
        return None, []
    cube = common_cube([to_rows(outcomes.columns, options) for _, outcomes in sides])
    if cube is None:
        return None, ["no ranks: no item is in all files under a condition that all have"]
    x, conditions, families = cube
    return ranks(x, [name for name, _ in sides], conditions, np.asarray(families), options), []
