"""Sentences per second of the `pert` operators, side by side with nlpaug on the same sentences and machine.

    python benchmarks/operators.py --data path/to/glue

Compared is text in, text out: `perturb.texts(name, sentences)` against `augmenter.augment(sentences)`, for augmenters
that make the same kind of edit, each with its own default share of edited words. nlpaug draws from one global
generator, edits any word and gives strings only. Ours seed each sentence by its id, leave negations, names, numbers,
addresses and words that would become other words alone, and check each edit; the spans are there but not kept. Beside
it stands `perturb.expand`, which makes whole variants: items with edits, conditions and sides. nlpaug has no
counterpart to that.

CPU seconds, one thread, medians over runs of five passes each, in which both take turns. nlpaug goes into a virtual
environment of its own. Of several augmenters of one kind the fastest counts. Without --data embedded items are used,
repeated. Kept in results/operators.json. What limits them: docs/performance_operators.md.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from environments import python_with
from form import Row, cpu_seconds, keep
from sentences import described

from jostle import perturb
from jostle.embedded_items import embedded_items
from jostle.items import AnyItem, Item

NLPAUG = "1.1.11"
NEEDS = ("numpy", "pandas", "requests", "gdown")  # what nlpaug imports for the augmenters below
THEIRS = Path(__file__).with_name("nlpaug_worker.py")
PASSES, WANTED = 5, 10.0
SST2_ROWS, SST2_SECONDS = 872, 5.0

# By set: its task, its field, and its file below --data.
SETS = {
    "SST-2": ("sst2", "sentence", "sst2_validation.parquet"),
    "QNLI sentences": ("qnli", "sentence", "qnli_validation.parquet"),
    "MNLI hypotheses": ("mnli", "hypothesis", "mnli_matched_validation.parquet"),
}
# Our operator, and the augmenters of nlpaug that make the same kind of edit (none for some).
SAME_KIND = {
    "typos": ("keyboard", "swap letters", "delete letters", "insert letters"),
    "misspellings": ("spelling",),
    "spelling": ("spelling",),
    "homoglyphs": ("ocr",),
    "letter_case": (),
    "whitespace": (),
    "punctuation": (),
    "emoji_noise": (),
    "filler_words": (),
}
Speeds = dict[str, float]


def sentences(name: str, data: Path | None, most: int) -> list[str]:
    """The first sentences of a set, or those of the embedded items repeated."""
    task, field, file = SETS[name]
    if data is None:
        own = [item.fields[field] for item in embedded_items(task).items]
        return (own * (most // len(own) + 1))[:most]
    import pyarrow.parquet as pq

    column: list[str] = pq.read_table(data / file)[field].to_pylist()
    return column[:most]


def consumed(items: list[AnyItem], names: list[str]) -> None:
    """Make all variants; each is thrown away at once."""
    for _ in perturb.expand(items, names):
        pass


def theirs(python: Path, sets: dict[str, list[str]]) -> dict[str, Speeds]:
    """CPU seconds by set and augmenter in one run."""
    given = json.dumps({"passes": PASSES, "sets": sets})
    done = subprocess.run(
        [str(python), str(THEIRS)], input=given, capture_output=True, text=True, check=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    seconds: dict[str, Speeds] = json.loads(done.stdout)
    return seconds


def ours(name: str, texts: list[str]) -> dict[str, Speeds]:
    """CPU seconds by operator in one run, for texts and for whole variants."""
    task, field, _ = SETS[name]
    items: list[AnyItem] = [Item(str(k), task, {field: text}) for k, text in enumerate(texts)]
    return {
        "texts": {op: cpu_seconds(partial(perturb.texts, op, texts, task=task), PASSES) for op in SAME_KIND},
        "expand": {op: cpu_seconds(partial(consumed, items, [op]), PASSES) for op in SAME_KIND},
    }


def sst2_seconds(data: Path | None) -> float:
    """CPU seconds for all text operators of kind `pert` on as many sentences as the validation set of SST-2 holds."""
    texts = sentences("SST-2", data, SST2_ROWS)
    texts = (texts * (SST2_ROWS // len(texts) + 1))[:SST2_ROWS]
    items: list[AnyItem] = [Item(str(k), "sst2", {"sentence": text}) for k, text in enumerate(texts)]
    names = [name for name, op in perturb.available().items() if op.kind == "pert" and op.vary is None]
    consumed(items[:50], names)
    return cpu_seconds(partial(consumed, items, names), PASSES)


def speeds(runs: list[Speeds], count: int) -> Speeds:
    """Sentences per second by name: the median over the runs."""
    return {name: count / statistics.median(run[name] for run in runs) for name in runs[0]}


def rows(args: argparse.Namespace) -> Iterator[Row]:
    """A row for each set and operator that nlpaug has a counterpart of, and one for all operators on SST-2."""
    sets = {name: sentences(name, args.data, args.limit) for name in SETS}
    python = python_with(f"nlpaug-{NLPAUG}", ("--no-deps", f"nlpaug=={NLPAUG}"), NEEDS)
    for name, texts in sets.items():
        ours(name, texts[:50])  # word lists are read once
    own: list[dict[str, dict[str, Speeds]]] = []
    other: list[dict[str, Speeds]] = []
    for _ in range(args.runs):
        own.append({name: ours(name, texts) for name, texts in sets.items()})
        other.append(theirs(python, sets))
    for name, texts in sets.items():
        made = speeds([run[name]["texts"] for run in own], len(texts))
        whole = speeds([run[name]["expand"] for run in own], len(texts))
        peers = speeds([run[name] for run in other], len(texts))
        for operator, augmenters in SAME_KIND.items():
            note = f"{described(texts)}; whole variants by `expand`: {whole[operator]:,.0f} a second"
            same = {f"nlpaug {augmenter}": peers[augmenter] for augmenter in augmenters}
            yield Row(f"{operator}, {name}", made[operator], "1/s", same, wanted=WANTED if same else None, note=note)
    seconds = statistics.median(sst2_seconds(args.data) for _ in range(3))
    most = {"the most it may take": SST2_SECONDS}
    yield Row("all surface operators, SST-2", seconds, "s", most, wanted=1.0, note=f"{SST2_ROWS} sentences")


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = ", ".join(file for _, _, file in SETS.values())
    parser.add_argument("--data", type=Path, help=f"folder with {files}")
    parser.add_argument("--limit", type=int, default=1000, help="sentences of each set, at most")
    parser.add_argument("--runs", type=int, default=5, help="the median of these is given")
    keep("operators", f"Surface operators and nlpaug {NLPAUG}", list(rows(parser.parse_args())))


if __name__ == "__main__":
    main()
