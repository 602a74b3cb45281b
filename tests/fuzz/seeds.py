"""One valid file or folder for each loader, to be damaged."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

Files = Mapping[str, bytes]


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def as_lines(rows: list[Any]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    stream = io.StringIO(newline="")
    table = csv.DictWriter(stream, list(rows[0]))
    table.writeheader()
    table.writerows(rows)
    return stream.getvalue().encode()


def as_parquet(rows: list[dict[str, Any]], metadata: Mapping[str, str] | None = None) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows).replace_schema_metadata(metadata), stream)
    return stream.getvalue()


OUTCOMES = [
    {
        "predictions": "pos",
        "references": ("pos", "neg")[k % 2],
        "item_ids": f"i{k}",
        "conditions": c,
        "confidences": 0.5,
    }
    for k in range(4)
    for c in ("orig", "pert/typos")
]
PAIRS = [
    {
        "id": f"p{k}", "base_text": "It is a good film.", "edited_text": "It is not a good film.", "base_label": "pos",
        "edited_label": "neg", "base_prediction": "pos", "edited_prediction": ("neg", "pos")[k % 2],
        "relation": "changed", "operator": "negation", "family": f"f{k % 2}", "base_confidence": 0.9,
        "edited_confidence": 0.7, "critical": False, "reviewed": True, "evidence": {"source": "a"},
    }
    for k in range(4)
]  # fmt: skip
CHOICES = [
    {"id": k, "question": f"What is {k} + 1?", "choices": ["1", "2", "3", "4"], "answer": k % 4, "topic": "sums"}
    for k in range(6)
]
SENTENCES = [
    {"idx": k, "sentence": f"a film that is good, number {k}", "label": k % 2, "family": "f"} for k in range(6)
]
INPUTS = [
    {"id": k, "input": f"Is {k} even?", "label": ("yes", "no")[k % 2], "ratings": [1, 2, 3], "answer": "yes"}
    for k in range(6)
]
REVIEWS = [
    {
        "key": f"sst2/validation/{k}/pert/typos",
        "status": "approved",
        "reviewer": "M",
        "date": "2026-11-30",
        "content": "ab",
    }
    for k in range(3)
]
SETTINGS = b"""[report]
tolerance = 0.02
resamples = 500
format = "json"
[audit]
skip = ["duplicates"]
min_class_count = 3
[gate]
critical = ["negation"]
bound = "low"
max_new_failures = 2
[gate.minimum]
relation_accuracy = 0.9
pair_accuracy = { value = 0.5, bound = "point" }
[gate.weights]
negation = 2.0
"""
RESULTS = {"shift0": [True, False, True], "shift1": [True, True, False]}
RESULT_ROWS = [
    {"condition": name, "correct": right, "id": f"q{k}"} for name, row in RESULTS.items() for k, right in enumerate(row)
]


def _lm_eval(k: int) -> dict[str, Any]:
    return {
        "doc_id": k,
        "doc": {"id": f"d{k}", "question": f"Question {k}?", "choices": {"text": ["yes", "no"], "label": ["A", "B"]}},
        "target": k % 2,
        "arguments": {f"gen_args_{j}": {"arg_0": "q", "arg_1": f" {t}"} for j, t in enumerate(("yes", "no"))},
        "resps": [[[-1.0, "False"]], [[-2.0, "False"]]],
        "filtered_resps": [["-1.0", "False"], ["-2.0", "False"]],
        "filter": "none",
        "doc_hash": f"hash {k}",
        "acc": 1.0 - k % 2,
        "acc_norm": 1.0,
    }


INSPECT = {
    "version": 2,
    "status": "success",
    "eval": {"task": "capitals", "model": "mockllm/model"},
    "samples": [
        {
            "id": k, "epoch": 1, "input": f"Capital {k}?", "choices": ["Rome", "Bonn"], "target": "A",
            "metadata": {"jostle_item": f"i{k}", "jostle_condition": "orig", "jostle_family": "f"},
            "scores": {"choice": {"value": "C", "answer": "A"}, "other": {"value": 0.5, "answer": "B"}},
        }
        for k in range(3)
    ],
}  # fmt: skip


def _inspect_archive() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("header.json", json.dumps({k: v for k, v in INSPECT.items() if k != "samples"}))
        for sample in INSPECT["samples"]:  # type: ignore[attr-defined]
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    return stream.getvalue()


def _helm() -> Files:
    instances: list[dict[str, Any]] = [
        {
            "id": f"id{k}",
            "input": {"text": f"Capital {k}?"},
            "references": [{"output": {"text": "Rome"}, "tags": ["correct"]}, {"output": {"text": "Bonn"}, "tags": []}],
            **({"perturbation": {"name": "typos"}} if k == 2 else {}),
        }
        for k in range(3)
    ]
    states = [
        {
            "instance": one,
            "train_trial_index": 0,
            "output_mapping": {"A": "Rome"},
            "result": {"completions": [{"text": "A"}]},
        }
        for one in instances
    ]
    stats = [
        {
            "instance_id": one["id"], "train_trial_index": 0,
            "stats": [{"name": {"name": "exact_match"}, "count": 1, "mean": 1.0}],
            **({"perturbation": one["perturbation"]} if "perturbation" in one else {}),
        }
        for one in instances
    ]  # fmt: skip
    spec = {
        "name": "capitals,model=m",
        "adapter_spec": {"model": "org/m"},
        "metric_specs": [{"args": {"names": ["exact_match"]}}],
    }
    return {
        "scenario_state.json": as_json({"request_states": states}),
        "per_instance_stats.json": as_json(stats),
        "run_spec.json": as_json(spec),
    }


OPENAI = [
    {"spec": {"eval_name": "capitals.v0", "completion_fns": ["gpt-x"]}},
    {"run_id": "r", "event_id": 0, "sample_id": "s.0", "type": "sampling",
     "data": {"prompt": [{"role": "user", "content": "Capital?"}], "sampled": ["Rome"]}},
    {"run_id": "r", "event_id": 1, "sample_id": "s.0", "type": "match",
     "data": {"correct": True, "expected": "Rome", "picked": "Rome"}},
    {"run_id": "r", "event_id": 2, "sample_id": "s.1", "type": "metrics", "data": {"match": 1, "f1": 0.5}},
    {"final_report": {"accuracy": 0.5}},
]  # fmt: skip
PROMPTFOO = {
    "evalId": "e",
    "results": {
        "version": 3,
        "results": [
            {
                "testIdx": t, "promptIdx": p, "provider": {"id": "m:x"}, "prompt": {"raw": ".", "label": f"prompt {p}"},
                "vars": {"question": f"Question {t}?"}, "success": t == p, "gradingResult": {"pass": t == p},
            }
            for t in range(2)
            for p in range(2)
        ],
    },
}  # fmt: skip
EVALLINT = {"source": "set.jsonl", "summary": {"n_findings": 1}, "checks": [{"check": "imbalance", "findings": []}]}
# By importer: files or folders that it takes; the first name of several is what is given to it.
LOGS: Mapping[str, list[Files]] = {
    "evallint": [{"report.json": as_json(EVALLINT)}],
    "helm": [_helm()],
    "inspect_log": [{"log.json": as_json(INSPECT)}, {"log.eval": _inspect_archive()}],
    "lm_eval": [
        {"samples_a.jsonl": as_lines([_lm_eval(k) for k in range(3)])},
        {"samples_a.jsonl.gz": gzip.compress(as_lines([_lm_eval(k) for k in range(3)]), mtime=0)},
    ],
    "openai_evals": [{"run.jsonl": as_lines(OPENAI)}],
    "promptfoo": [{"results.json": as_json(PROMPTFOO)}],
    "results_json": [
        {"results.json": as_json(RESULTS)},
        {"results.json": as_json(RESULT_ROWS)},
        {"results.jsonl": as_lines(RESULT_ROWS)},
    ],
}
