"""What the blocked search for near-duplicates costs beyond the embeddings, against others and the matrix product.

    python benchmarks/near_duplicates.py --sizes 10000 50000

Unit vectors of 384 numbers, one in ten a near-duplicate of another. Ours finds pairs and clusters; its pairs are
compared with those of all pairs in float64. The product of the vectors with themselves is the limit of a method that
compares every two. evallint, faiss and semhash get the same vectors in environments of their own; the first and the
last at up to 20,000 only. The typo level is timed on texts. CPU seconds, medians. Kept in results/near_duplicates.json.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import subprocess
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from environments import python_with
from form import Row, cpu_seconds, in_turns, keep

from jostle.measures.cosine_pairs import cosine_pairs, unit
from jostle.measures.duplicate_levels import duplicate_levels
from jostle.measures.links import Links

WORKER = Path(__file__).with_name("near_duplicates_worker.py")
# Arguments of pip: evallint states a newer Python than it needs, numpy needs the one it states.
OTHERS = {
    "evallint": (
        ("numpy", "click", "rich"),
        ("--no-deps", "--ignore-requires-python", "evallint==0.17.0"),
    ),
    "faiss": (("faiss-cpu==1.15.1",),),
    "semhash": (("semhash==0.5.0",),),
}
AT_ANY_SIZE, LARGEST = ("faiss",), 20_000  # the others and the check by all pairs stop there
THRESHOLD, DIMENSIONS, BLOCK, WORDS = 0.85, 384, 512, 6000
PRODUCT = "matrix product"


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


def ours(vectors: Any) -> list[tuple[int, int]]:
    """Pairs and clusters, as the check finds them."""
    links, pairs = Links(len(vectors)), []
    for first, second, _ in cosine_pairs([vectors], THRESHOLD):
        links.join(first, second)
        pairs += list(zip(first.tolist(), second.tolist(), strict=True))
    links.groups()
    return pairs


def brute(vectors: Any) -> set[tuple[int, int]]:
    """All pairs in float64, row by row."""
    exact = vectors.astype(np.float64)
    rows = (np.flatnonzero(exact[i + 1 :] @ exact[i] >= THRESHOLD) + i + 1 for i in range(len(exact)))
    return {(i, int(j)) for i, found in enumerate(rows) for j in found}


def product(vectors: Any) -> None:
    """The product of all vectors with all, in blocks, since at 50,000 the whole would take 10 GB."""
    block = np.empty((BLOCK, len(vectors)), dtype=np.float32)
    for top in range(0, len(vectors), BLOCK):
        rows = vectors[top : top + BLOCK]
        np.matmul(rows, vectors.T, out=block[: len(rows)])


def extra_memory(run: Callable[[], object]) -> float:
    """Largest MB in use during a run beyond those before; numpy tells tracemalloc of its arrays."""
    tracemalloc.start()
    run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def measure(n: int, runs: int) -> list[Row]:
    """One size: against the product, and against others."""
    vectors = make(n)
    pairs = ours(vectors)
    if n <= LARGEST:
        assert set(pairs) == brute(vectors), "the pairs differ from those of all pairs in float64"
    others = foreign(vectors, runs, [name for name in OTHERS if n <= LARGEST or name in AT_ANY_SIZE])
    taken = in_turns({"ours": lambda: ours(vectors), PRODUCT: lambda: product(vectors)}, runs)
    peers = {PRODUCT: taken[PRODUCT]} | {name: found["seconds"] for name, found in others.items()}
    note = f"{len(pairs)} pairs, {extra_memory(lambda: ours(vectors)):.0f} MB beside the vectors; others: " + ", ".join(
        f"{name} {found['found']} found, peak {found['process_peak_mb']:.0f} MB" for name, found in others.items()
    )
    work = f"near-duplicates of {n:,} given vectors"
    rows = [Row(f"{work}, to the limit", taken["ours"], "s", {PRODUCT: taken[PRODUCT]}, PRODUCT, 1 / 1.3, note)]
    if "evallint" in peers:
        rows.append(Row(work, taken["ours"], "s", peers, "evallint", 10.0, f"{note}; {_limit(peers)}"))
    else:
        rows.append(Row(work, taken["ours"], "s", peers, "faiss", None, note))
    return rows


def _limit(peers: dict[str, float]) -> str:
    """What being ten times as fast as evallint would come to."""
    products = peers["evallint"] / peers[PRODUCT]
    return (
        f"evallint takes {products:.1f} products of all vectors, so a tenth of it is {products / 10:.2f} of one; "
        "bounds from a third of the dimensions spare most of the product, but not that much"
    )


def foreign(vectors: Any, runs: int, names: list[str]) -> dict[str, Any]:
    """What the other tools need for the same vectors."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.npy"
        np.save(path, vectors)
        for name in names:
            python = python_with(f"duplicates-{name}", *OTHERS[name])
            command = [str(python), str(WORKER), name, str(path), str(THRESHOLD), str(runs)]
            found[name] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return found


def levels(n: int, runs: int) -> Row:
    """The levels that need no vectors, on texts."""
    texts = make_texts(n)
    found = duplicate_levels([texts])
    linked = sum({k - 1, k} <= set(c.members) for c in found.clusters["typo"] for k in c.members if k % 10 == 9)
    seconds = sorted(cpu_seconds(lambda: duplicate_levels([texts])) for _ in range(runs))[runs // 2]
    note = f"{linked / (n // 10):.0%} of the slips found, {found.n_left_out:,} pairs left out; no peer"
    return Row(f"typo and exact levels of {n:,} texts", seconds, "s", {}, note=note)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    rows = [row for n in options.sizes for row in measure(n, options.runs)]
    rows += [levels(n, options.runs) for n in options.sizes]
    keep("near_duplicates", f"Near-duplicates at a cosine of {THRESHOLD}", rows)


if __name__ == "__main__":
    main()
