"""Sentences per second of the `pert` operators, side by side with nlpaug on the same sentences and machine.

    python benchmarks/operators.py --data path/to/glue

CPU seconds, one thread, median over runs in which both take turns. nlpaug goes into a virtual environment of its own
in a cache folder. Without --data the embedded items are used. The numbers are printed and kept in
results/operators.json.
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
from collections.abc import Iterable, Sequence
from pathlib import Path

from jostle import perturb
from jostle.embedded_items import embedded_items
from jostle.items import AnyItem, Item

NLPAUG = "1.1.11"
NEEDS = ("numpy", "pandas", "requests", "gdown")  # what nlpaug imports for the augmenters below
THEIRS = Path(__file__).with_name("nlpaug_worker.py")
RESULTS = Path(__file__).parent / "results" / "operators.json"
SST2_ROWS, SST2_SECONDS = 872, 5.0

# Our operator, its parameters, and the augmenter of nlpaug that makes the same kind of edit ("" where there is none).
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
    "number_format": (),
}


def sentences(data: Path | None, most: int) -> list[str]:
    """Hypotheses of MNLI, or those of the embedded items repeated."""
    if data is None:
        own = [item.fields["hypothesis"] for item in embedded_items("mnli").items]
        return (own * (most // len(own) + 1))[:most]
    import pyarrow.parquet as pq

    column: list[str] = pq.read_table(data / "mnli_matched_validation.parquet")["hypothesis"].to_pylist()
    return column[:most]


def sst2(data: Path | None) -> list[AnyItem]:
    """As many sentences as the validation set of SST-2 holds."""
    if data is None:
        texts = [item.fields["sentence"] for item in embedded_items("sst2").items]
    else:
        import pyarrow.parquet as pq

        texts = pq.read_table(data / "sst2_validation.parquet")["sentence"].to_pylist()
    repeated = (texts * (SST2_ROWS // len(texts) + 1))[:SST2_ROWS]
    return [Item(str(k), "sst2", {"sentence": text}) for k, text in enumerate(repeated)]


def cpu_seconds(items: Sequence[AnyItem], operators: Iterable[str]) -> float:
    """CPU seconds that all variants take; each is thrown away at once."""
    began = time.process_time()
    for _ in perturb.expand(items, operators):
        pass
    return time.process_time() - began


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


def theirs(python: Path, texts: list[str]) -> dict[str, float]:
    """CPU seconds of each augmenter in one run."""
    done = subprocess.run(
        [str(python), str(THEIRS)], input=json.dumps(texts), capture_output=True, text=True, check=True,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def measured(args: argparse.Namespace) -> dict[str, object]:
    """All numbers: sentences per second by operator and augmenter, and seconds for SST-2."""
    texts = sentences(args.data, args.limit)
    items = [Item(str(k), "mnli", {"premise": "", "hypothesis": text}) for k, text in enumerate(texts)]
    python = nlpaug_python(args.cache)
    own: dict[str, list[float]] = {name: [] for name in SAME_KIND}
    other: dict[str, list[float]] = {}
    names = [
        name for name, operator in perturb.available().items() if operator.kind == "pert" and operator.vary is None
    ]
    all_of_sst2 = []
    cpu_seconds(items[:50], names)  # word lists are read once
    for _ in range(args.runs):
        for name, runs in own.items():
            runs.append(cpu_seconds(items, [name]))
        for name, seconds in theirs(python, texts).items():
            other.setdefault(name, []).append(seconds)
        all_of_sst2.append(cpu_seconds(sst2(args.data), names))
    return {
        "sentences": len(texts),
        "source": "MNLI validation_matched, hypotheses" if args.data else "embedded items",
        "runs": args.runs,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "nlpaug": NLPAUG,
        "sentences_per_second": {name: len(texts) / statistics.median(runs) for name, runs in own.items()},
        "nlpaug_sentences_per_second": {name: len(texts) / statistics.median(runs) for name, runs in other.items()},
        "sst2_cpu_seconds": {"operators": len(names), "rows": SST2_ROWS, "median": statistics.median(all_of_sst2)},
    }


def table(result: dict[str, object]) -> str:
    """The numbers as text: one line for each operator and augmenter of the same kind."""
    own, other = result["sentences_per_second"], result["nlpaug_sentences_per_second"]
    assert isinstance(own, dict)
    assert isinstance(other, dict)
    lines = [f"{'operator':15}{'sentences/s':>12}  {'nlpaug':17}{'sentences/s':>12}{'ratio':>7}"]
    for name, speed in own.items():
        for augmenter in SAME_KIND[name] or ("",):
            rest = f"{augmenter:17}{other[augmenter]:12,.0f}{speed / other[augmenter]:7.1f}" if augmenter else "-"
            lines.append(f"{name:15}{speed:12,.0f}  {rest}")
    whole = result["sst2_cpu_seconds"]
    assert isinstance(whole, dict)
    lines.append(
        f"SST-2, {whole['rows']} sentences, {whole['operators']} operators: {whole['median']:.2f} CPU seconds "
        f"(at most {SST2_SECONDS:.0f})"
    )
    return "\n".join(lines)


def main() -> int:
    """Measure, print and keep the numbers; 1 when SST-2 took longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, help="folder with mnli_matched_validation.parquet and sst2_validation.parquet"
    )
    parser.add_argument("--limit", type=int, default=2000, help="sentences")
    parser.add_argument("--runs", type=int, default=3, help="the median of these is given")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "jostle-benchmarks")
    result = measured(parser.parse_args())
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(table(result))
    whole = result["sst2_cpu_seconds"]
    assert isinstance(whole, dict)
    return int(whole["median"] > SST2_SECONDS)


if __name__ == "__main__":
    raise SystemExit(main())
