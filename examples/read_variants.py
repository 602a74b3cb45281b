"""Print variants drawn at random beside their originals, to be read by a person.

    python examples/read_variants.py --kind pert --n 200 sst2=sst2_validation.parquet mnli=mnli_validation.parquet

The draw is the same for the same seed. Each variant has passed the checks of `jostle build`.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from jostle.loading import load_items
from jostle.perturb import Variant, expand, of_kinds
from jostle.perturb.checks import failed_checks

MOST_ITEMS = 2000


def main() -> None:
    """Draw evenly over operators, then over items."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("files", nargs="+", metavar="TASK=FILE")
    parser.add_argument("--kind", required=True, choices=["para", "pert", "adv", "contrast"])
    parser.add_argument("--n", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    by_operator: dict[str, list[Variant]] = {}
    for name in arguments.files:
        task, _, path = name.partition("=")
        for variant in variants(task, Path(path), arguments.kind, rng):
            by_operator.setdefault(variant.operator, []).append(variant)
    share = -(-arguments.n // max(len(by_operator), 1))
    drawn = [v for found in by_operator.values() for v in rng.sample(found, min(share, len(found)))]
    for number, variant in enumerate(drawn, start=1):
        show(number, variant)


def variants(task: str, path: Path, kind: str, rng: random.Random) -> list[Variant]:
    """All variants of a random part of the file that pass the checks."""
    items = [item for item in load_items(path, task).items if item.label is not None]
    items = rng.sample(items, min(MOST_ITEMS, len(items)))
    made = expand(items, of_kinds(task, [kind]), seed=rng.randrange(1000))
    return [variant for variant in made if isinstance(variant, Variant) and not failed_checks(variant)]


def show(number: int, variant: Variant) -> None:
    """One variant, with the texts that changed side by side."""
    base = variant.base
    print(f"\n{number}. {variant.operator} | {base.task} {base.id} | {base.label} -> {variant.item.label}")
    for field, text in variant.base.fields.items():
        edited = variant.item.fields[field]
        print(f"   {field}: {text!r}" + ("" if edited == text else f"\n   {' ' * len(field)}> {edited!r}"))


if __name__ == "__main__":
    main()
