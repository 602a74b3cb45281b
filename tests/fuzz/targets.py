"""Every loader of files, with valid files of all its forms."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .seeds import (
    CHOICES,
    INPUTS,
    LOGS,
    OUTCOMES,
    PAIRS,
    RESULT_ROWS,
    REVIEWS,
    SENTENCES,
    SETTINGS,
    Files,
    as_csv,
    as_json,
    as_lines,
    as_parquet,
)


@dataclass(frozen=True)
class Target:
    """One loader.

    Args:
        read: Reads a path: the file, or the folder where the seed has several.
        seeds: Valid files by name.
    """

    read: Callable[[Path], Any]
    seeds: Sequence[Files]


def tables(name: str, rows: list[dict[str, Any]]) -> list[Files]:
    """Rows as JSON lines, JSON and parquet, and as csv where no cell is nested."""
    flat = not any(isinstance(cell, list | dict) for row in rows for cell in row.values())
    found: list[Files] = [{f"{name}.jsonl": as_lines(rows)}, {f"{name}.json": as_json(rows)}]
    found.append({f"{name}.parquet": as_parquet(rows)})
    return [*found, {f"{name}.csv": as_csv(rows)}] if flat else found


def _rows(path: Path) -> Any:
    from jostle.rows import read_rows

    return read_rows(path)


def _items(task: str) -> Callable[[Path], Any]:
    def read(path: Path) -> Any:
        from jostle.loading import load_items

        return load_items(path, task)

    return read


def _variants(path: Path) -> Any:
    from jostle.variant_files import VariantFile, load_variants

    names = {"sentence": "edited", "base.sentence": "sentence", "label": "label", "id": "idx", "condition": "how"}
    return load_variants(path, VariantFile("sst2", names))


VARIANTS = [{**row, "edited": f"{row['sentence']} or not", "how": "x"} for row in SENTENCES]


def _outcomes(path: Path) -> Any:
    from jostle.outcomes import read_outcomes

    return read_outcomes(path)


def _outcomes_of_jostle() -> list[Files]:
    """As `jostle run` writes them, with what it says about them."""
    about = {"source": "here", "notes": ["a note"], "counts": {"orig": {"left out": 1}}}
    return [*tables("o", OUTCOMES), {"o.parquet": as_parquet(OUTCOMES, {"jostle": json.dumps(about)})}]


def _results(path: Path) -> Any:
    """Read, and measured: what was read must be good for a report, or be refused."""
    from jostle.importers import read_results
    from jostle.report import build_report

    return build_report(read_results(path), n_resamples=100).to_dict()


def _run_folder() -> Files:
    texts = [
        {
            "item_id": f"i{k}",
            "condition": c,
            "operator": "",
            "relation": "invariant",
            "label": "pos",
            "sentence": "good",
        }
        for k in range(4)
        for c in ("orig", "pert/typos")
    ]
    return {"outcomes.parquet": as_parquet(OUTCOMES), "variants.parquet": as_parquet(texts)}


def _mapped(path: Path) -> Any:
    from jostle.importers import Reading, read_results

    return read_results(path, Reading(mapping={"item_ids": "id", "correct": "correct"}))


def _pairs(path: Path) -> Any:
    from jostle.pairs import measure_pairs, read_pairs

    return measure_pairs(read_pairs(path), n_resamples=100).to_dict()


def _fixtures(path: Path) -> Any:
    from jostle.pairs.fixtures import read_fixtures

    return read_fixtures(path)


def _pinned() -> Files:
    from jostle.pairs import pairs_from_dicts
    from jostle.pairs.fixtures import pin, write_fixtures

    with tempfile.TemporaryDirectory() as folder:
        path = write_fixtures(pin(pairs_from_dicts(PAIRS), "1", "2"), Path(folder) / "pinned.jsonl")
        return {"pinned.jsonl": path.read_bytes()}


def _settings(path: Path) -> Any:
    from jostle.config import read_settings

    return read_settings(path)


def _gate(path: Path) -> Any:
    from jostle.pairs.gate import load_gate

    return load_gate(path)


def _reviews(path: Path) -> Any:
    from jostle.reviews import read_reviews

    return read_reviews(path)


def _queue(path: Path) -> Any:
    from jostle.review_queue import read_cases

    return read_cases([path])


def _built() -> list[Files]:
    """Rows as `jostle build` writes them: originals and variants with their edits."""
    from jostle.builder.schema import original_row, variant_row
    from jostle.embedded_items import embedded_items
    from jostle.tasks import TASKS

    items, task = embedded_items("sst2", 3), TASKS["sst2"]
    rows = [original_row(item, task, "validation", 0) for item in items.items]
    return tables("b", [*rows, *(variant_row(variant, task, "validation") for variant in items.variants)])


def _split(path: Path) -> Any:
    from jostle.pairs.check_split import check_split

    return check_split(path, path)


def _audit(path: Path) -> Any:
    """Read, and checked: a check that fails on what was read is a fault too."""
    from jostle.audit import audit, load

    report = audit(load(path), options={"duplicates": {"near": False}})
    failed = [left for left in report.not_run if left.reason.startswith("failed")]
    assert not failed, failed
    return report.to_dict()


def _documents(path: Path) -> Any:
    from jostle.audit.corpus import documents

    return list(documents(path))


def _baseline(path: Path) -> Any:
    from jostle.audit.baseline import read_baseline

    return read_baseline(path)


def _audit_report() -> Files:
    finding = {"kind": "imbalance", "subject": "a", "severity": "warning", "fingerprints": ["ab", "cd"]}
    return {
        "old.json": as_json({"tool": {"name": "jostle"}, "checks": [{"name": "class_balance", "findings": [finding]}]})
    }


def _model_results(path: Path) -> Any:
    from jostle.audit.result_files import read_model_results

    return read_model_results([path])


WIDE = [{"id": k, "gold": "AB"[k % 2], "m1": "A", "m2": "B", "score": 0.5} for k in range(5)]


def _history(path: Path) -> Any:
    from jostle.history import history_section, read_history

    return history_section(read_history(path.parent if path.is_file() else path)[0])


def _report() -> Files:
    from jostle.report import build_report

    report = build_report({"orig": [True] * 9, "pert/x": [True] * 8 + [False]}, n_resamples=100).to_dict()
    return {"2026-01-31.json": json.dumps(report).encode()}


def targets() -> Mapping[str, Target]:
    """All loaders by name."""
    logs = [seed for seeds in LOGS.values() for seed in seeds]
    audits = [*tables("set", INPUTS), *tables("set", CHOICES), *tables("set", SENTENCES)]
    return {
        "rows": Target(_rows, [*tables("r", SENTENCES), {"r.tsv": as_csv(SENTENCES).replace(b",", b"\t")}]),
        "sentences": Target(_items("sst2"), tables("s", SENTENCES)),
        "choices": Target(_items("mcq"), tables("m", CHOICES)),
        "variants": Target(_variants, tables("v", VARIANTS)),
        "outcomes": Target(_outcomes, _outcomes_of_jostle()),
        "logs": Target(_results, [*logs, *tables("o", OUTCOMES), _run_folder()]),
        "mapped": Target(_mapped, tables("m", RESULT_ROWS)),
        "pairs": Target(_pairs, tables("p", PAIRS)),
        "fixtures": Target(_fixtures, [_pinned()]),
        "settings": Target(_settings, [{"jostle.toml": SETTINGS}]),
        "gate": Target(_gate, [{"gate.toml": SETTINGS}]),
        "reviews": Target(_reviews, tables("r", REVIEWS)),
        "review queue": Target(
            _queue, [*tables("p", PAIRS), *_built(), {"variants.parquet": _run_folder()["variants.parquet"]}]
        ),
        "split": Target(_split, tables("p", PAIRS)),
        "audit": Target(_audit, audits),
        "corpus": Target(_documents, [*audits, {"corpus.txt": b"one line\nanother line\n"}]),
        "baseline": Target(_baseline, [_audit_report()]),
        "model results": Target(_model_results, [*tables("w", WIDE), *tables("o", OUTCOMES)]),
        "history": Target(_history, [_report()]),
    }
