"""Runs in an environment of its own: another tool's search for near-duplicates on given vectors, as JSON."""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

NAME, PATH, THRESHOLD, RUNS = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
VECTORS = np.load(PATH)


def evallint() -> tuple[float, int]:
    """Its check with the vectors in place of its encoder."""
    from evallint.checks.duplicates import DuplicateCheck
    from evallint.schema import EvalCase, EvalSet

    cases = [EvalCase(id=str(k), input=f"text {k}") for k in range(len(VECTORS))]
    check = DuplicateCheck(threshold=THRESHOLD, embedder=lambda texts: VECTORS)
    cases = EvalSet(cases=cases)
    start = time.process_time()
    result = check.run(cases)
    return time.process_time() - start, result.stats["n_clusters"]


def faiss() -> tuple[float, int]:
    """A flat index and a range search: exact."""
    import faiss as library

    library.omp_set_num_threads(1)
    start = time.process_time()
    index = library.IndexFlatIP(VECTORS.shape[1])
    index.add(VECTORS)
    limits, _, _ = index.range_search(VECTORS, THRESHOLD)
    return time.process_time() - start, int((limits[-1] - len(VECTORS)) // 2)


def semhash() -> tuple[float, int]:
    """Its deduplication by approximate neighbours."""
    from semhash import SemHash

    class Encoder:
        def encode(self, texts: Any, **_: object) -> Any:
            return VECTORS[[int(text) for text in texts]]

    texts = [str(k) for k in range(len(VECTORS))]
    start = time.process_time()
    result = SemHash.from_records(records=texts, model=Encoder()).self_deduplicate(threshold=THRESHOLD)
    return time.process_time() - start, len(result.filtered)


runs = [{"evallint": evallint, "faiss": faiss, "semhash": semhash}[NAME]() for _ in range(RUNS)]
# of this program alone: getrusage counts what the parent had when it started this one (Linux)
peak = int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="utf-8"))[1]) / 1e3
seconds = statistics.median(taken for taken, _ in runs)
print(json.dumps({"seconds": seconds, "found": runs[0][1], "process_peak_mb": peak}))
