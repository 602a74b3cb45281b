"""Two results files compared, group by group, on the items and conditions that both have."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import InputError
from ..measures.inputs import by_group
from ..measures.options import GROUPS, Options
from ..measures.paired import LIMITATIONS
from ..outcomes import Outcomes
from .decodings import Group, compared
from .model import Comparison, ordered
from .sections import Section, comparison_section
from .table_rows import number, p_value

_Key = tuple[str | None, ...]


def compare_outcomes(first: Outcomes, second: Outcomes, names: tuple[str, str], options: Options) -> list[Comparison]:
    """Compare two files, such as those of two models or of one model before and after a change.

    A group of one file is compared with the group of the other that has its task, model and decoding. Columns in which
    each file has a single value do not count, so that one model can be compared with another.

    Args:
        first: Outcomes of the first file; differences are second minus first.
        second: Outcomes of the second.
        names: What the two are called.
        options: Those of `paired`.

    Raises:
        InputError: The files have no group, or no item under a condition, in common.
    """
    pairs = _pairs(_groups(first, options), _groups(second, options), names)
    try:
        found = compared([pair for _, pair in pairs], options)
    except ValueError as error:
        raise InputError(str(error)) from None
    if not any(values["n_cells"] for values in found):
        raise InputError(
            f"Expected items under the same conditions in {names[0]} and {names[1]}, but got none. Compare files of "
            "one set of items, with the same ids and condition names."
        )
    return [
        Comparison(name, *names, values, LIMITATIONS)
        for (name, _), values in zip(pairs, found, strict=True)
        if values["n_cells"]
    ]


def _groups(outcomes: Outcomes, options: Options) -> list[Group]:
    return [Group.of(name, arrays, options) for name, arrays in by_group(outcomes.columns)]


def _pairs(
    first: Sequence[Group], second: Sequence[Group], names: tuple[str, str]
) -> list[tuple[str, tuple[Group, Group]]]:
    """Groups of both sides that say the same where either side has several values, named by what they say."""
    columns = [name for name in GROUPS if any(len({g.key.get(name) for g in side}) > 1 for side in (first, second))]
    sides = [{tuple(group.key.get(name) for name in columns): group for group in side} for side in (first, second)]
    shared: list[_Key] = [key for key in sides[0] if key in sides[1]]
    if not shared:
        raise InputError(
            f"Expected a {' and '.join(name[:-1] for name in columns)} that {names[0]} and {names[1]} share, but got "
            f"{_listed(sides[0])} and {_listed(sides[1])}. Compare files of the same runs."
        )
    return [("|".join(str(value) for value in key), (sides[0][key], sides[1][key])) for key in shared]


def _listed(keys: object) -> str:
    assert isinstance(keys, dict)
    return "; ".join(", ".join(map(str, key)) for key in keys)


def comparison_sections(comparisons: Sequence[Comparison]) -> list[Section]:
    """The comparison as a table, and one of the conditions for each group."""
    return [comparison_section("The two files compared", comparisons), *map(_by_condition, comparisons)]


def _by_condition(made: Comparison) -> Section:
    change = made.values["accuracy_difference_by_condition"]
    raw, adjusted = (made.values[f"mcnemar_p_value{holm}_by_condition"] for holm in ("", "_holm"))
    rows = [
        [name, "-" if math.isnan(value) else f"{value:+.3f}", _p(raw[name]), _p(adjusted[name])]
        for name, value in ordered(change).items()
    ]
    of = f" of {made.group}" if made.group else ""
    return Section(
        f"Difference by condition{of}",
        ("condition", "diff.", "p", "Holm"),
        rows,
        "diff.: accuracy, second minus first, on the same items; p: exact McNemar test, - where answers are sampled or "
        "items come in families; Holm: over the conditions",
    )


def _p(value: float) -> str:
    return number(value) if math.isnan(value) else p_value(value)
