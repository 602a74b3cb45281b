"""Train and test sides that share no family."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ..errors import InputError, UsageError
from ..rows import whole

Row = TypeVar("Row")


def split_families(rows: Sequence[Row], test_share: float, seed: int = 0) -> tuple[list[Row], list[Row]]:
    """Split rows into train and test so that no family has rows on both sides.

    Families are walked through in an order drawn from the seed and their names, and one goes to the test side when
    there is room for it in `test_share` of the rows; at last the smallest one left goes there too when that comes
    nearer. So the share is missed by at most half of the smallest family in train, unless a side would be empty: each
    gets one family at least, however large. Which family goes where depends on seed, names and sizes alone, not on
    the order of the rows.

    Args:
        rows: Mappings with the key `family`, or objects with that attribute (items). A row without a family is its
            own: it is named by its `id`, or else by its content, so that equal rows stay together.
        test_share: Wanted share of rows on the test side, between 0 and 1.
        seed: Another seed draws another split.

    Returns:
        The train rows and the test rows, each in the order they came in.

    Raises:
        UsageError: `test_share` is not between 0 and 1.
        InputError: There are fewer than two families.

    Limitations: labels and operators are not balanced; texts that are alike but have different families are not
    found here (`jostle pairs --check-split` finds them).

    >>> rows = [{"id": k, "family": name} for k, name in enumerate("aabbbcd")]
    >>> train, test = split_families(rows, test_share=0.3, seed=0)
    >>> len(train), len(test), {row["family"] for row in train} & {row["family"] for row in test}
    (5, 2, set())
    """
    if isinstance(test_share, bool) or not 0 < test_share < 1:
        raise UsageError(f"Expected `test_share` to be between 0 and 1, but got {test_share!r}.")
    names = [family_name(row) for row in rows]
    sizes = Counter(names)
    if len(sizes) < 2:  # noqa: PLR2004 - one for each side
        found = f"all {len(rows)} rows are of family {names[0]!r}" if names else "there are no rows"
        raise InputError(f"Expected at least 2 families to split, but {found}.")
    chosen = _pack(sizes, test_share * len(names), seed)
    sides: tuple[list[Row], list[Row]] = ([], [])
    for row, name in zip(rows, names, strict=True):
        sides[name in chosen].append(row)
    return sides


def family_name(row: Any) -> str:
    """Family of a row: its `family`, else its `id`, else a fingerprint of its content."""
    for key in ("family", "id"):
        value = whole(row.get(key) if isinstance(row, Mapping) else getattr(row, key, None))
        if value not in (None, ""):
            return str(value)
    content = json.dumps(dict(row), sort_keys=True, default=repr) if isinstance(row, Mapping) else repr(row)
    return _digest(content)


def _pack(sizes: Mapping[str, int], wanted: float, seed: int) -> set[str]:
    """The families of the test side."""
    order = sorted(sizes, key=lambda name: (_digest(f"{seed}\n{name}"), name))
    chosen: set[str] = set()
    room = wanted
    for name in order:
        if sizes[name] <= room and len(chosen) < len(order) - 1:
            chosen.add(name)
            room -= sizes[name]
    left = [name for name in order if name not in chosen]
    smallest = min(left, key=lambda name: sizes[name])  # it is larger than the room, or it would have gone in
    if not chosen or (sizes[smallest] - room < room and len(left) > 1):
        chosen.add(smallest)
    return chosen


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
