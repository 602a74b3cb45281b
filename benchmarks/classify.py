"""CPU seconds for the labels of 1,000 items and their variants: `pipeline` of transformers, and ours.

    python benchmarks/classify.py --data path/to/glue

The embedded sentiment classifier in float32 on one thread; all ways give the same labels, which is checked. Every item
is there four times: as it is, with another case, with other white space, and with typos. This classifier, like most
uncased ones, gets the same tokens for the first three, and we run equal tokens once; so the share of rows left is told,
and four variants of different tokens are measured too. CPU seconds, medians, in turns. Without --data the texts of the
embedded items are taken. Kept in results/classify.json.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from form import Row, in_turns, keep
from products import products
from sentences import FILES, described, sentences

from jostle import perturb
from jostle.predict.classify import Classifier, Encoded, load_classifier
from jostle.predict.embedded import EMBEDDED_ID

SURFACE = ("letter_case", "whitespace", "typos")
DIFFERENT = ("typos", "filler_words", "emoji_noise")
BATCH = 32
ONE_BY_ONE, LIMIT = "`pipeline` one by one", "products of the weights alone, all rows"
OURS, EVERY_ROW = "ours", "ours, every row run"


def variants(texts: list[str], operators: tuple[str, ...]) -> list[str]:
    """All texts as they are and after each operator; a text to which it does not apply stays."""
    edited = [perturb.texts(name, texts, task="sst2") for name in operators]
    return texts + [other or text for column in edited for text, other in zip(texts, column, strict=True)]


def every_row(encoded: Encoded) -> Encoded:
    """The same inputs without the sharing of equal ones."""
    sequences = [encoded.sequences[k] for k in encoded.of_row]
    return Encoded(sequences, range(len(sequences)), encoded.truncated)


def pipeline_ways(classifier: Classifier, rows: list[str]) -> dict[str, Callable[[], list[str]]]:
    """Labels by `pipeline`: one by one, in batches as they come, and in batches of like length."""
    from transformers import pipeline

    pipe = pipeline("text-classification", model=classifier.model, tokenizer=classifier.tokenizer, device="cpu")
    order = sorted(range(len(rows)), key=lambda k: -len(rows[k]))

    def batched(texts: list[str]) -> list[str]:
        return [found["label"] for found in pipe(texts, batch_size=BATCH)]

    def by_length() -> list[str]:
        found = dict(zip(order, batched([rows[k] for k in order]), strict=True))
        return [found[k] for k in range(len(rows))]

    return {
        ONE_BY_ONE: lambda: [pipe(text)[0]["label"] for text in rows],
        f"`pipeline`, {BATCH} a batch": lambda: batched(rows),
        f"`pipeline`, {BATCH} a batch, sorted by length": by_length,
    }


def our_ways(classifier: Classifier, rows: list[str]) -> dict[str, Callable[[], Any]]:
    """Labels by our runner, from the texts on, with equal inputs run once and without."""
    texts = [(row,) for row in rows]
    return {
        OURS: lambda: classifier.classify(classifier.encode(texts)).labels,
        EVERY_ROW: lambda: classifier.classify(every_row(classifier.encode(texts))).labels,
    }


def measured(classifier: Classifier, texts: list[str], runs: int) -> list[Row]:
    """The rows: both halves for variants some of which share tokens, and one for variants that do not."""
    rows = variants(texts, SURFACE)
    ways = our_ways(classifier, rows) | pipeline_ways(classifier, rows)
    labels = {name: list(way()) for name, way in ways.items()}
    assert all(found == labels[OURS] for found in labels.values()), "the labels differ"
    encoded = classifier.encode([(row,) for row in rows])
    tokens = [sequence["input_ids"] for sequence in every_row(encoded).sequences]
    taken = in_turns(ways | {LIMIT: products(classifier.model, tokens, classifier.token_budget)}, runs)
    ours, whole = taken.pop(OURS), taken.pop(EVERY_ROW)
    left = f"{len(encoded.sequences) / len(rows):.0%} of the rows are run, the others have the tokens of one of them"
    note = f"{described(texts)}, as they are and after {', '.join(SURFACE)}; labels identical"
    return [
        Row("classifier, every row run", whole, "s", taken, ONE_BY_ONE, 2.0, note),
        Row("classifier, equal tokens run once", ours, "s", taken, ONE_BY_ONE, 4.0, f"{note}; {left}"),
        different(classifier, texts, runs),
    ]


def different(classifier: Classifier, texts: list[str], runs: int) -> Row:
    """The same for operators after which tokens differ."""
    rows = variants(texts, DIFFERENT)
    ways = {OURS: our_ways(classifier, rows)[OURS], ONE_BY_ONE: pipeline_ways(classifier, rows)[ONE_BY_ONE]}
    assert list(ways[OURS]()) == ways[ONE_BY_ONE](), "the labels differ"
    taken = in_turns(ways, runs)
    share = len(classifier.encode([(row,) for row in rows]).sequences) / len(rows)
    note = f"{described(texts)}, as they are and after {', '.join(DIFFERENT)}; {share:.0%} of the rows are run"
    return Row("classifier, variants of different tokens", taken.pop(OURS), "s", taken, ONE_BY_ONE, 2.0, note)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help=f"folder with {FILES}")
    parser.add_argument("--limit", type=int, default=1000, help="items, at most")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    classifier = load_classifier(EMBEDDED_ID, ())
    rows = measured(classifier, sentences(options.data, options.limit), options.runs)
    keep("classify", "Labels of 1,000 items and their variants", rows)


if __name__ == "__main__":
    main()
