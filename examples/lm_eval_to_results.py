"""Turn lm-evaluation-harness sample logs of the same items into a results.json for `jostle report`.

Each metric of each log becomes a condition: the same model on the same questions, scored in another way. Items are
matched by their question and options, never by their place in the log.

    python examples/lm_eval_to_results.py samples_arc.jsonl.gz samples_generation.jsonl.gz --out results.json
    jostle report results.json
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def main() -> None:
    """Read the logs and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("logs", nargs="+", type=Path, help="samples_*.jsonl or samples_*.jsonl.gz")
    parser.add_argument("--out", type=Path, default=Path("results.json"))
    arguments = parser.parse_args()
    rows = [row for log in arguments.logs for row in rows_of(log)]
    arguments.out.write_text(json.dumps(rows), encoding="utf-8")
    print(f"wrote {len(rows)} rows in {len({row['condition'] for row in rows})} conditions to {arguments.out}")


def rows_of(log: Path) -> Iterator[dict[str, Any]]:
    """One row per sample and metric: condition, correct, id."""
    opener = gzip.open if log.suffix == ".gz" else open
    with opener(log, "rt", encoding="utf-8") as lines:
        for line in lines:
            sample = json.loads(line)
            for metric, correct in scores(sample):
                yield {"condition": metric, "correct": correct, "id": item_id(sample["doc"])}


def item_id(doc: dict[str, Any]) -> str:
    """What names an item in every log: its question and its options (some questions stand there twice)."""
    if "task_data" in doc:
        doc = json.loads(doc["task_data"])
    choices = doc["choices"]
    return " | ".join([doc["question"], *(choices["text"] if isinstance(choices, dict) else choices)])


def scores(sample: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Likelihood scores as they stand; a generation is right when its first character is the target letter."""
    for metric in ("acc", "acc_norm"):
        if metric in sample:
            yield metric, sample[metric] == 1
    if "unitxt_accuracy" in sample:
        yield "generation", sample["filtered_resps"][0].strip()[:1] == sample["target"]


if __name__ == "__main__":
    main()
