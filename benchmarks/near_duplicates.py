"""What the blocked search for near-duplicates costs beyond the embeddings, against the matrix product it cannot beat.

    OMP_NUM_THREADS=1 python benchmarks/near_duplicates.py --sizes 10000 50000 [--others ENV/bin/python ...]

Unit vectors of 384 numbers, one in ten a near-duplicate of another. Measured: numpy's whole product of the vectors with
themselves (the limit of a method that compares all pairs; up to 20,000 only, for its result takes n^2), our pairs and
clusters, their extra memory, and whether the pairs are those of all pairs in float64. `--others` names interpreters of
environments that have one of evallint, faiss or semhash, which get the same vectors; what an environment lacks is
skipped and said. The typo level is timed on texts. Results are kept in results/near_duplicates.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import resource
import subprocess
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jostle.measures.cosine_pairs import cosine_pairs, unit
from jostle.measures.duplicate_levels import duplicate_levels
from jostle.measures.links import Links

HERE = Path(__file__).parent
WORKER = HERE / "near_duplicates_worker.py"
RESULTS = HERE / "results" / "near_duplicates.json"
OTHERS = ("evallint", "faiss", "semhash")
THRESHOLD, DIMENSIONS, LARGEST_PRODUCT = 0.85, 384, 20_000
WORDS = 6000


def make(n: int, seed: int = 0) -> Any:
    """Unit vectors, every tenth close to the one before: cosine about 0.9."""
    rng = np.random.default_rng(seed)
    vectors = unit(rng.standard_normal((n, DIMENSIONS)))
    noise = unit(rng.standard_normal((n // 10, DIMENSIONS)))
    vectors[9::10][: len(noise)] = vectors[8::10][: len(noise)] + 0.48 * noise
    return unit(vectors)


def make_texts(n: int, seed: int = 0) -> list[str]:
    """Sentences of 8 to 20 made-up words of common and rare ones; every tenth repeats the one before with a slip."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("abcdefghijklmnoprstuvw"), rng.integers(2, 10))) for _ in range(WORDS)]
    ranks = rng.zipf(1.3, (n, 20)) % WORDS
    texts = [" ".join(words[k] for k in row[: rng.integers(8, 21)]) for row in ranks]
    for k in range(9, n, 10):
        at = int(rng.integers(1, len(texts[k - 1]) - 1))
        texts[k] = texts[k - 1][:at] + "q" + texts[k - 1][at:]
    return texts


def ours(vectors: Any) -> tuple[list[tuple[int, int]], int]:
    """Pairs and clusters, as the check finds them."""
    links, pairs = Links(len(vectors)), []
    for first, second, _ in cosine_pairs([vectors], THRESHOLD):
        links.join(first, second)
        pairs += list(zip(first.tolist(), second.tolist(), strict=True))
    return pairs, len(links.groups())


def brute(vectors: Any) -> set[tuple[int, int]]:
    """All pairs in float64, row by row."""
    exact = vectors.astype(np.float64)
    rows = (np.flatnonzero(exact[i + 1 :] @ exact[i] >= THRESHOLD) + i + 1 for i in range(len(exact)))
    return {(i, int(j)) for i, found in enumerate(rows) for j in found}


def best(run: Callable[[], object], runs: int) -> float:
    """CPU seconds of the fastest of several runs, for the machine may be shared."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def extra_memory(run: Callable[[], object]) -> float:
    """Largest MB in use during a run beyond those before; numpy tells tracemalloc of its arrays."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def measure(n: int, runs: int, others: list[str]) -> dict[str, Any]:
    """One size."""
    vectors = make(n)
    pairs, clusters = ours(vectors)
    found: dict[str, Any] = {"n": n, "pairs": len(pairs), "clusters": clusters}
    found["ours_s"] = best(lambda: ours(vectors), runs)
    found["ours_extra_mb"] = extra_memory(lambda: ours(vectors))
    if n <= LARGEST_PRODUCT:
        found["product_s"] = best(lambda: vectors @ vectors.T, runs)
        found["ratio_to_product"] = found["ours_s"] / found["product_s"]
        found["finds_all_pairs"] = set(pairs) == brute(vectors)
        found["others"] = {name: result for python in others for name, result in foreign(python, vectors).items()}
    return found


def foreign(python: str, vectors: Any) -> dict[str, Any]:
    """What the other tools of an environment need for the same vectors."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.npy"
        np.save(path, vectors)
        for name in OTHERS:
            command = [python, str(WORKER), name, str(path), str(THRESHOLD)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                print(f"{name}: not in {python}: {done.stderr.strip().splitlines()[-1:]}")
            else:
                found[name] = json.loads(done.stdout)
    return found


def levels(n: int) -> dict[str, Any]:
    """The levels that need no vectors, on texts."""
    texts = make_texts(n)
    start = time.process_time()
    found = duplicate_levels([texts])
    seconds = time.process_time() - start
    linked = sum({k - 1, k} <= set(c.members) for c in found.clusters["typo"] for k in c.members if k % 10 == 9)
    return {"n": n, "seconds": seconds, "slips_found": linked / (n // 10), "left_out": found.n_left_out}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--others", nargs="*", default=[], help="interpreters of environments with other tools")
    options = parser.parse_args()
    found = {
        "vectors": [measure(n, options.runs, options.others) for n in options.sizes],
        "texts": [levels(n) for n in options.sizes],
        "process_peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        "settings": {"threshold": THRESHOLD, "dimensions": DIMENSIONS, "threads": 1, "machine": platform.machine()},
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
