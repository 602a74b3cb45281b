"""Sentences per second of the `pert` operators, side by side with nlpaug on the same sentences and machine.

    python benchmarks/operators.py --data path/to/glue

Compared is text in, text out: `perturb.texts(name, sentences)` against `augmenter.augment(sentences)`, for augmenters
that make the same kind of edit, each with its own default share of edited words. nlpaug draws from one global
generator, edits any word and gives strings only. Ours seed each sentence by its id, leave negations, names, numbers,
addresses and words that would become other words alone, and check each edit; the spans are there but not kept. Beside
it stands `perturb.expand`, which makes whole variants: items with edits, conditions and sides. nlpaug has no
counterpart to that.

CPU seconds, one thread, medians over runs of five passes each, in which both take turns. nlpaug goes into a virtual
environment of its own in a cache folder. Without --data the embedded items are used, repeated. The numbers are printed
and kept in results/operators.json. What limits them: docs/performance_operators.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from functools import partial
from pathlib import Path

from jostle import perturb
from jostle.embedded_items import embedded_items
from jostle.items import AnyItem, Item

NLPAUG = "1.1.11"
NEEDS = ("numpy", "pandas", "requests", "gdown")  # what nlpaug imports for the augmenters below
THEIRS = Path(__file__).with_name("nlpaug_worker.py")
RESULTS = Path(__file__).parent / "results" / "operators.json"
PASSES = 5
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


def cpu_seconds(work: Callable[[], object]) -> float:
    """CPU seconds that the work takes, over several passes: one alone takes milliseconds."""
    began = time.process_time()
    for _ in range(PASSES):
        work()
    return (time.process_time() - began) / PASSES


def consumed(items: list[AnyItem], names: list[str]) -> None:
    """Make all variants; each is thrown away at once."""
    for _ in perturb.expand(items, names):
        pass


def nlpaug_python(cache: Path) -> Path:
    """The interpreter of an environment with nlpaug, made when it is not there."""
    home = cache / f"nlpaug-{NLPAUG}"
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (home / "ready").exists():
        print(f"installing nlpaug {NLPAUG} into {home}", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", f"nlpaug=={NLPAUG}"], check=True)
        subprocess.run([*pip, *NEEDS], check=True)
        (home / "ready").touch()
    return python


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
        "texts": {op: cpu_seconds(partial(perturb.texts, op, texts, task=task)) for op in SAME_KIND},
        "expand": {op: cpu_seconds(partial(consumed, items, [op])) for op in SAME_KIND},
    }


def sst2_seconds(data: Path | None) -> float:
    """CPU seconds for all text operators of kind `pert` on as many sentences as the validation set of SST-2 holds."""
    texts = sentences("SST-2", data, SST2_ROWS)
    texts = (texts * (SST2_ROWS // len(texts) + 1))[:SST2_ROWS]
    items: list[AnyItem] = [Item(str(k), "sst2", {"sentence": text}) for k, text in enumerate(texts)]
    names = [name for name, op in perturb.available().items() if op.kind == "pert" and op.vary is None]
    consumed(items[:50], names)
    return cpu_seconds(partial(consumed, items, names))


def speeds(runs: list[Speeds], count: int) -> Speeds:
    """Sentences per second by name: the median over the runs."""
    return {name: count / statistics.median(run[name] for run in runs) for name in runs[0]}


def measured(args: argparse.Namespace) -> dict[str, object]:
    """All numbers: sentences per second by set, operator and augmenter, and seconds for SST-2."""
    sets = {name: sentences(name, args.data, args.limit) for name in SETS}
    python = nlpaug_python(args.cache)
    for name, texts in sets.items():
        ours(name, texts[:50])  # word lists are read once
    own: list[dict[str, dict[str, Speeds]]] = []
    other: list[dict[str, Speeds]] = []
    for _ in range(args.runs):
        own.append({name: ours(name, texts) for name, texts in sets.items()})
        other.append(theirs(python, sets))
    return {
        "source": "GLUE validation sets" if args.data else "embedded items",
        "runs": args.runs,
        "passes_per_run": PASSES,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "nlpaug": NLPAUG,
        "sets": {
            name: {
                "sentences": len(texts),
                "words_per_sentence": sum(len(text.split()) for text in texts) / len(texts),
                "texts_per_second": speeds([run[name]["texts"] for run in own], len(texts)),
                "expand_per_second": speeds([run[name]["expand"] for run in own], len(texts)),
                "nlpaug_per_second": speeds([run[name] for run in other], len(texts)),
            }
            for name, texts in sets.items()
        },
        "sst2_cpu_seconds": {"rows": SST2_ROWS, "median": statistics.median(sst2_seconds(args.data) for _ in range(3))},
    }


def table(name: str, result: dict[str, Speeds]) -> str:
    """The numbers of one set as text: one line for each operator and augmenter of the same kind."""
    own, expand, other = (result[f"{kind}_per_second"] for kind in ("texts", "expand", "nlpaug"))
    lines = [
        f"{name}: {result['sentences']} sentences of {result['words_per_sentence']:.0f} words; sentences per second",
        f"{'operator':15}{'expand':>10}{'texts':>10}  {'nlpaug':17}{'texts':>8}{'ratio':>7}",
    ]
    for operator, speed in own.items():
        for augmenter in SAME_KIND[operator] or ("",):
            rest = f"{augmenter:17}{other[augmenter]:8,.0f}{speed / other[augmenter]:7.1f}" if augmenter else "-"
            lines.append(f"{operator:15}{expand[operator]:10,.0f}{speed:10,.0f}  {rest}")
    return "\n".join(lines)


def main() -> int:
    """Measure, print and keep the numbers; 1 when SST-2 took longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = ", ".join(file for _, _, file in SETS.values())
    parser.add_argument("--data", type=Path, help=f"folder with {files}")
    parser.add_argument("--limit", type=int, default=1000, help="sentences of each set, at most")
    parser.add_argument("--runs", type=int, default=5, help="the median of these is given")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "jostle-benchmarks")
    result = measured(parser.parse_args())
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    sets, whole = result["sets"], result["sst2_cpu_seconds"]
    assert isinstance(sets, dict)
    assert isinstance(whole, dict)
    print("\n\n".join(table(name, numbers) for name, numbers in sets.items()))
    print(f"\nall on SST-2, {SST2_ROWS} rows: {whole['median']:.2f} CPU seconds (at most {SST2_SECONDS:.0f})")
    return int(whole["median"] > SST2_SECONDS)


if __name__ == "__main__":
    raise SystemExit(main())
