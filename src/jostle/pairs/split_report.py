"""What a train and a test file share, for people and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..measures.version import __version__
from .check_split import LIMITATIONS, Shared, SplitCheck
from .listing import Entry, Listing
from .overlap import THRESHOLD

PLACES = 3  # shown of each side


def headline(found: SplitCheck) -> str:
    """What was compared, and the counts."""
    sides = " and ".join(f"{source} ({n} rows)" for source, n in zip(found.sources, found.rows, strict=True))
    return f"{sides}: {counts(found)}."


def counts(found: SplitCheck) -> str:
    """The counts in one line."""
    same = sum(shared.similarity == 1 for shared in found.bases)
    near = len(found.bases) - same
    return f"on both sides: families {len(found.families)}, identical bases {same}, nearly identical bases {near}"


def listings(found: SplitCheck) -> list[Listing]:
    """The shared families and bases, what was not compared, and the limitations."""
    made = [
        Listing(
            f"Families on both sides ({len(found.families)})", [_family(shared, found) for shared in found.families]
        ),
        Listing(f"Bases on both sides ({len(found.bases)})", [_base(shared, found) for shared in found.bases]),
        Listing("Not compared", [Entry(note) for note in found.notes]),
        Listing("What this cannot tell you", [Entry(text) for text in LIMITATIONS]),
    ]
    return [listing for listing in made if listing.entries]


def _family(shared: Shared, found: SplitCheck) -> Entry:
    sides = zip(found.sources, shared.places, strict=True)
    return Entry(shared.names[0], [f"{source}: {_places(places)}" for source, places in sides])


def _base(shared: Shared, found: SplitCheck) -> Entry:
    sides = zip(found.sources, shared.places, shared.names, strict=True)
    alike = "identical" if shared.similarity == 1 else f"similarity {shared.similarity:.2f}"
    return Entry(alike, [f"{source}, {_places(places)}: {name:.200}" for source, places, name in sides])


def _places(places: Sequence[str]) -> str:
    rest = len(places) - PLACES
    return ", ".join(places[:PLACES]) + (f" and {rest} more" if rest > 0 else "")


def to_dict(found: SplitCheck) -> dict[str, Any]:
    """The JSON document of `jostle pairs --check-split`."""
    return {
        "tool": {"name": "jostle", "version": __version__},
        "source": {"train": found.sources[0], "test": found.sources[1]},
        "summary": {"text": counts(found), "n_train": found.rows[0], "n_test": found.rows[1]},
        "checks": [
            {"name": name, "findings": [_finding(shared) for shared in shown], "limitations": list(LIMITATIONS)}
            for name, shown in (("families", found.families), ("bases", found.bases))
        ],
        "notes": list(found.notes),
        "limitations": list(LIMITATIONS),
        "gate": {
            "fail_on": "overlap",
            "exit_code": found.exit_code,
            "tripped": bool(found.exit_code),
            "incomplete": [],
        },
        "signature": f"jostle={__version__}|check_split|threshold={THRESHOLD:g}",
    }


def _finding(shared: Shared) -> dict[str, Any]:
    sides = {side: {"text": shared.names[k], "places": shared.places[k]} for k, side in enumerate(("train", "test"))}
    return {**sides, "similarity": shared.similarity}
