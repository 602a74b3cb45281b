"""What a whole build costs beyond the operators: checks, rows with their lineage, and parquet.

    python benchmarks/build.py --data path/to/glue

The raw loop of the operators is `perturb.expand` over all items, its variants thrown away unchecked. Beside it: the
same loop, one operator after another, which is the order of the build; the loop with the checks that decide whether a
variant is kept; and the folder written from rows that are there. CPU seconds, medians, in turns. Without --data the
embedded items are used, repeated. Kept in results/build.json.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from form import Row, in_turns, keep
from operators import sentences

from jostle import perturb
from jostle.builder import BuildPlan, Made, build_dataset, make_rows
from jostle.items import AnyItem, Item
from jostle.perturb.checks import failed_checks
from jostle.tasks import TASKS

TASK = TASKS["sst2"]
LOOP, IN_ORDER = "operators alone", "operators alone, one after another"
CHECKED, WRITTEN = "operators and checks", "arrow and parquet alone"
MOST = 1.2


def ways(items: list[AnyItem]) -> dict[str, Callable[[], object]]:
    """The build, and parts of it."""
    operators = [name for name, op in perturb.available().items() if op.covers(TASK.name) and op.vary is None]
    plan = BuildPlan(TASK, "validation", operators)
    rows = list(make_rows(items, plan))

    def loop() -> int:
        return sum(isinstance(made, perturb.Variant) for made in perturb.expand(items, operators))

    def in_order() -> int:
        return sum(isinstance(made, perturb.Variant) for name in operators for made in perturb.expand(items, [name]))

    def checked() -> int:
        made = (one for one in perturb.expand(items, operators) if isinstance(one, perturb.Variant))
        return sum(not failed_checks(variant) for variant in made)

    def write(made: Iterable[Made]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            build_dataset(made, TASK, "validation", Path(folder))

    whole = {"ours": lambda: write(make_rows(items, plan)), WRITTEN: lambda: write(rows)}
    return {LOOP: loop, IN_ORDER: in_order, CHECKED: checked, **whole}


def limit(taken: Mapping[str, float], variants: int) -> str:
    """What the parts take beside what the target leaves for them, in microseconds a variant."""
    names = ("ours", LOOP, IN_ORDER, WRITTEN)
    whole, loop, operators, written = (1e6 * taken[name] / variants for name in names)
    return (
        f"{variants:,} variants; microseconds for each: raw loop {loop:.0f}, build {whole:.0f}. Of those of the build, "
        f"{operators:.0f} are the operators', {written:.0f} arrow's and parquet's, {whole - operators - written:.0f} "
        f"those of checks and rows; {MOST} raw loops leave {MOST * loop - operators:.0f} for all but the operators. "
        "Why not less: docs/performance_operators.md"
    )


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with sst2_validation.parquet")
    parser.add_argument("--limit", type=int, default=1000, help="items, at most")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    texts = sentences("SST-2", options.data, options.limit)
    labels = TASK.labels
    items: list[AnyItem] = [Item(str(k), TASK.name, {"sentence": t}, labels[k % 2]) for k, t in enumerate(texts)]
    timed = ways(items)
    variants = int(str(timed[LOOP]()))
    for way in timed.values():
        way()  # word lists are read once
    taken = in_turns(timed, options.runs)
    note = limit(taken, variants)
    work, ours = f"build of all variants of {len(items):,} sentences", taken.pop("ours")
    loose = "Making a variant, and checking whether it is one, counted as the loop"
    rows = [
        Row(f"{work}, to the raw loop", ours, "s", taken, LOOP, 1 / MOST, note),
        Row(f"{work}, to the loop with checks", ours, "s", {CHECKED: taken[CHECKED]}, CHECKED, None, loose),
    ]
    keep("build", "A whole build against its operators", rows)


if __name__ == "__main__":
    main()
