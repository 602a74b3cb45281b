"""What a whole build costs beyond the operators: checks, rows with their lineage, and parquet.

    python benchmarks/build.py --data path/to/glue

The loop of the operators, `perturb.expand` over all items with its variants thrown away, is the limit. Beside it: the
promise of every variant checked, the rows made of those that keep it, and the folder written. CPU seconds, medians, in
turns. Without --data the embedded items are used, repeated. Kept in results/build.json.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

from form import Row, in_turns, keep
from operators import sentences

from jostle import perturb
from jostle.builder import BuildPlan, build_dataset, make_rows
from jostle.items import AnyItem, Item
from jostle.perturb.checks import failed_checks
from jostle.tasks import TASKS

TASK = TASKS["sst2"]
LOOP, CHECKED, ROWS = "operators alone", "operators and checks", "operators, checks and rows"


def ways(items: list[AnyItem]) -> dict[str, Callable[[], object]]:
    """The build, and the parts of it, each with those before it."""
    operators = [name for name, op in perturb.available().items() if op.covers(TASK.name) and op.vary is None]
    plan = BuildPlan(TASK, "validation", operators)

    def loop() -> int:
        return sum(isinstance(made, perturb.Variant) for made in perturb.expand(items, operators))

    def checked() -> int:
        made = (one for one in perturb.expand(items, operators) if isinstance(one, perturb.Variant))
        return sum(not failed_checks(variant) for variant in made)

    def build() -> None:
        with tempfile.TemporaryDirectory() as folder:
            build_dataset(make_rows(items, plan), TASK, "validation", Path(folder))

    return {"ours": build, LOOP: loop, CHECKED: checked, ROWS: lambda: list(make_rows(items, plan))}


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
    for work in timed.values():
        work()  # word lists are read once
    taken = in_turns(timed, options.runs)
    note = f"{len(items):,} items; each part with those before it. Checking every variant is what the rest costs most"
    row = Row("build of a data set with all operators", taken.pop("ours"), "s", taken, LOOP, 1 / 1.2, note)
    keep("build", "A whole build against its operators", [row])


if __name__ == "__main__":
    main()
