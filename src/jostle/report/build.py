"""Outcomes -> report: run every measure over every group."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow.compute as pc

from .. import measures as measures_package
from ..errors import InputError
from ..importers.results_json import from_results
from ..labels import label_warnings
from ..measures.align import align
from ..measures.encode import to_text
from ..measures.flips import majority
from ..measures.inputs import by_group
from ..measures.options import Options
from ..measures.table import Rows
from ..measures.version import __version__
from ..outcomes import Outcomes
from .decodings import Group, compare_decodings
from .model import Flip, Measure, Report
from .unparsed import adjusted, unparsed_warnings

Results = Outcomes | Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]
_FLIPS_KEPT = 200


def measure_modules() -> Iterator[ModuleType]:
    """The modules of `jostle.measures` that are measures, by name."""
    for info in pkgutil.iter_modules(measures_package.__path__):
        if info.name == "columns":  # needs `datasets`, and is for the evaluate modules only
            continue
        module = importlib.import_module(f"{measures_package.__name__}.{info.name}")
        if hasattr(module, "MEASURE"):
            yield module


def build_report(
    results: Results,
    tolerance: float = 0.03,
    n_resamples: int = 10_000,
    seed: int = 0,
    families: Mapping[str, str] | Sequence[str] | None = None,
    *,
    flip_tolerance: float = 0.10,
    missing: str | None = None,
    reference: str | None = None,
) -> Report:
    """Measure whether a score holds across conditions.

    Args:
        results: `{condition: [bool, ...]}` with equal lengths, rows with `condition`, `correct` and maybe `id`, or
            `Outcomes`.
        tolerance: Accuracy difference that would matter.
        n_resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.
        families: What is resampled together: family by item id, or one family per position of the lists.
        flip_tolerance: Mean pairwise flip rate that would matter.
        missing: `error`, `intersect` or `pairwise`; pairwise by default where there is a reference condition.
        reference: Reference condition; `orig` where present by default.

    Raises:
        InputError: The results are of no known form, or items are missing and nothing says what to compare with.

    >>> report = build_report({"orig": [True, False, True], "pert/typos": [True, True, True]})
    >>> report.verdict, report.values("invariance_drift")["verdict_reason"]
    ('inconclusive', 'fewer than 10 items (3)')
    """
    outcomes = results if isinstance(results, Outcomes) else from_results(results)
    columns = dict(outcomes.columns)
    if families is not None:
        columns["families"] = _families(columns["item_ids"].to_pylist(), families)
    has_reference = reference is not None or "orig" in pc.unique(columns["conditions"]).to_pylist()
    try:
        options = Options.of(
            {
                "tolerance": tolerance,
                "flip_tolerance": flip_tolerance,
                "n_resamples": n_resamples,
                "seed": seed,
                "missing": missing or ("pairwise" if has_reference else "error"),
                "reference": reference,
            }
        )
        return _measure(outcomes, columns, options)
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{outcomes.source}: {error}" if outcomes.source else str(error)) from None


def _measure(outcomes: Outcomes, columns: Mapping[str, Any], options: Options) -> Report:
    modules = list(measure_modules())
    groups = [Group.of(name, arrays, options) for name, arrays in by_group(columns)]
    measures = [
        Measure(m.NAME, m.MEASURE(group.rows, options), m.LIMITATIONS, group.name) for group in groups for m in modules
    ]
    measures = adjusted(measures)
    return Report(
        source=outcomes.source,
        measures=measures,
        notes=outcomes.notes,
        left_out=outcomes.counts,
        flips={group.name: _flips(group.rows, options, outcomes.texts) for group in groups},
        signature=f"jostle={__version__}|{options.describe()}",
        comparisons=compare_decodings(groups, options),
        warnings=[*_label_warnings(columns), *unparsed_warnings(measures)],
    )


def _label_warnings(columns: Mapping[str, Any]) -> list[str]:
    """What in the writing of the labels of a group can make right answers count as wrong."""
    return [
        f"{name + ': ' if name else ''}{text}"
        for name, arrays in by_group(columns)
        for text in label_warnings(arrays["predictions"], arrays["references"])
    ]


def _families(items: Sequence[str], families: Mapping[str, str] | Sequence[str]) -> Any:
    if isinstance(families, Mapping):
        absent = [item for item in items if item not in families]
        if absent:
            raise InputError(f"Expected a family for every item, but item {absent[0]!r} has none.")
        return to_text([families[item] for item in items], "families").values
    positions = {item: k for k, item in enumerate(dict.fromkeys(items))}
    if len(positions) != len(families):
        raise InputError(f"Expected one family for each of {len(positions)} items, but got {len(families)}.")
    return to_text([families[positions[item]] for item in items], "families").values


def _flips(rows: Rows, options: Options, texts: Mapping[tuple[str, str], str]) -> list[Flip]:
    """The items that flip, those with most changes first."""
    table = align(rows, options.missing, options.reference)
    state, _ = majority(table)
    wrong, right = (state == 0).sum(axis=1), (state == 1).sum(axis=1)
    changed = np.minimum(wrong, right)
    order = np.lexsort((np.arange(len(changed)), -changed))[:_FLIPS_KEPT]
    return [
        Flip(
            table.items[i],
            {name: int(state[i, c]) for c, name in enumerate(table.conditions)},
            texts.get((table.items[i], "orig"), ""),
        )
        for i in order
        if changed[i]
    ]
