"""Texts in, texts out: the same as one by one."""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from jostle import perturb
from jostle.errors import JostleError, UsageError
from jostle.items import Item
from jostle.perturb import Change, Operator, Passage, Variant, apply, texts
from jostle.perturb.contract import operator_from

SHARED = Path(os.environ.get("JOSTLE_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
OPERATORS = perturb.available()
TEXT_OPERATORS = [name for name, operator in OPERATORS.items() if operator.vary is None]
SENTENCES = [
    "The color of the theater wasn't what I'd expect, but it's a marvelous old building.",
    "it 's a  charming , if uneven , film that does n't organize its favorite ideas . \n",
    "We believe that the separate government will receive 1,250 letters, and not 12 (see https://a.org/x_y).",
    "It rains.",
    "\tHe said \u201cit\u2019s realized\u201d \u2014 caf\u00e9, na\u00efve, stra\u00dfe and \u0130zmir believe.  ",
    "\u8fd9\u90e8\u7535\u5f71",
    "",
    " ",
    "`a b` {x} [MASK] <br> word.word 09:30 believed believe1 believe",
]


def one_by_one(name: str, rows: list[str], seed: int, ids: list[str], task: str = "custom") -> list[str | None]:
    results = [
        apply(name, Item(key, task, {"text": text}), seed=seed, side="both")
        for key, text in zip(ids, rows, strict=True)
    ]
    return [result.text if isinstance(result, Variant) else None for result in results]


@pytest.mark.parametrize("name", TEXT_OPERATORS)
@pytest.mark.parametrize("task", ["custom", "mcq", "sst2"])
def test_same_text_as_apply(name: str, task: str) -> None:
    ids = [f"row-{k}" for k in range(len(SENTENCES))]
    for seed in range(5):
        assert texts(name, SENTENCES, seed=seed, ids=ids, task=task) == one_by_one(name, SENTENCES, seed, ids, task)


@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_same_text_as_apply_on_real_sentences(name: str) -> None:
    path = SHARED / "data" / "glue" / "qnli_validation.parquet"
    if not path.exists():
        pytest.skip("no GLUE data")
    pq = pytest.importorskip("pyarrow.parquet")
    rows = pq.read_table(path)["sentence"].to_pylist()[:200]
    assert texts(name, rows, seed=3) == one_by_one(name, rows, 3, [str(k) for k in range(len(rows))])


def test_plain_texts_come_out_as_apply_gives_them() -> None:
    (alone,) = texts("typos", ["a wonderful quiet morning"], ids=["7"])
    variant = apply("typos", "a wonderful quiet morning", item_id="7")
    assert isinstance(variant, Variant)
    assert alone == variant.text


def test_other_texts_and_their_order_do_not_matter() -> None:
    ids = [str(k) for k in range(len(SENTENCES))]
    forward = texts("typos", SENTENCES, ids=ids)
    backward = texts("typos", SENTENCES[::-1], ids=ids[::-1])
    assert forward == backward[::-1]
    assert texts("typos", SENTENCES[2:3], ids=["2"]) == forward[2:3]


def test_rate_and_parameters_reach_the_operator() -> None:
    assert texts("letter_case", ["small words", "12"], style="upper") == ["SMALL WORDS", None]
    (few,), (many,) = texts("typos", [SENTENCES[0]], rate=0.01), texts("typos", [SENTENCES[0]], rate=1.0)
    changed = [
        sum(a != b for a, b in zip(SENTENCES[0].split(), edited.split(), strict=True))
        for edited in (few, many)
        if edited
    ]
    assert changed[0] == 1
    assert changed[1] > 3


def test_operator_on_options_applies_to_no_text() -> None:
    assert texts("cyclic_order", ["a", "b"]) == [None, None]


def test_wrong_arguments_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="Expected one id for each of 2 texts, but got 1"):
        texts("typos", ["a", "b"], ids=["1"])
    with pytest.raises(UsageError, match="Expected parameters of typos"):
        texts("typos", ["a"], colour="red")
    with pytest.raises(UsageError, match="Expected an operator out of"):
        texts("typo", ["a"])
    with pytest.raises(UsageError, match="Expected `rate`"):
        texts("typos", ["a"], rate=0)


class Toy:
    """An operator that asks for the changes it is given."""

    KIND, RELATION, TASKS, PROMISE, LIMITATIONS = "pert", "invariant", ("*",), "Same.", ("A toy.",)

    def __init__(self, *changes: Change) -> None:
        self.changes = list(changes)

    def edits(self, passage: Passage, rng: random.Random, rate: float) -> list[Change]:
        return self.changes


def toy(*changes: Change) -> Operator:
    return operator_from("toy", Toy(*changes))


def wrong() -> Iterator[tuple[Operator, str]]:
    yield toy(Change(0, 99, "x")), "apart and within the text"
    yield toy(Change(0, 3, "x"), Change(2, 4, "y")), "apart and within the text"
    yield toy(Change(4, 6, "x")), "outside protected spans"


@pytest.mark.parametrize(("operator", "message"), list(wrong()))
def test_bounds_and_protected_spans_are_checked(operator: Operator, message: str) -> None:
    with pytest.raises(JostleError, match=message):
        texts(operator, ["see https://a.org now"])


def test_changes_are_sorted_and_those_without_effect_give_none() -> None:
    assert texts(toy(Change(2, 3, "x"), Change(0, 1, "y")), ["abc"]) == ["ybx"]
    assert texts(toy(Change(0, 1, "a")), ["abc"]) == [None]
    assert texts(toy(Change(0, 1, "ab"), Change(1, 3, "c")), ["abbc"[:1] + "bc"]) == [None]
