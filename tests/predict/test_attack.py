"""The attack on a classifier: what it tries, when it stops, and what it gives back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError, UsageError
from jostle.items import Item
from jostle.perturb import NotApplicable, Variant
from jostle.perturb.protect import protected_spans
from jostle.predict.attack import Attacked, Settings, attack, summarise
from jostle.predict.classify import Classifier, Encoded, load_classifier

np = pytest.importorskip("numpy")
LABELS = ("negative", "positive")
TEXT = "the quiet harbour looks wonderful every morning"


class Rule:
    """A classifier by rule: the logit of `positive` is the sum of the weights of the words it knows."""

    labels = LABELS

    def __init__(self, weights: Mapping[str, float], bias: float = -1.0) -> None:
        self.weights, self.bias = weights, bias
        self.inputs: list[tuple[str, ...]] = []
        self.calls = 0

    def encode(self, rows: Sequence[tuple[str, ...]]) -> Any:
        return Encoded(rows, range(len(rows)), [])  # type: ignore[arg-type]

    def probabilities(self, encoded: Any) -> Any:
        self.calls += 1
        self.inputs += encoded.sequences
        words = [" ".join(row).split() for row in encoded.sequences]
        logits = np.array([self.bias + sum(self.weights.get(word, 0.0) for word in row) for row in words])
        positive = 1 / (1 + np.exp(-logits))
        return np.stack([1 - positive, positive], axis=1)


def item(text: str = TEXT, label: str | None = "positive", name: str = "1") -> Item:
    return Item(name, "sst2", {"sentence": text}, label)


def run(
    model: Rule, items: Sequence[Item], valid: Callable[[Variant], bool] | None = None, **how: Any
) -> list[Attacked]:
    keep = valid or (lambda variant: True)
    return list(attack(model, items, keep, Settings(**how)))  # type: ignore[arg-type]


def variant_of(result: Attacked) -> Variant:
    assert isinstance(result.variant, Variant), result
    return result.variant


def reason_of(result: Attacked) -> str:
    assert isinstance(result.variant, NotApplicable), result
    assert not result.success
    assert result.edits == ()
    return result.variant.reason


def test_the_most_important_word_is_attacked_first_and_the_first_flip_ends_it() -> None:
    model = Rule({"wonderful": 3.0, "quiet": 0.2})
    (result,) = run(model, [item()])
    assert result.success
    assert [edit.original for edit in result.edits] == ["wonderful"]
    # The original, one input without each of five words (not "the", not "every"), twelve slips of the first word.
    assert result.queries == 1 + 5 + 12 == len(model.inputs)
    assert model.inputs[0] == (TEXT,)
    ranked = ("quiet", "harbour", "looks", "wonderful", "morning")
    without = [" ".join(word for word in TEXT.split() if word != left_out) for left_out in ranked]
    assert [text.strip() for (text,) in model.inputs[1:6]] == without


def test_variant_is_one_of_the_frame() -> None:
    (result,) = run(Rule({"wonderful": 3.0}), [item()], seed=7)
    variant = variant_of(result)
    assert (variant.condition, variant.operator, variant.kind) == ("adv/targeted", "targeted", "adv")
    assert (variant.relation, variant.side, variant.seed) == ("invariant", "first", 7)
    assert variant.restore() == variant.base == item()
    assert variant.item.label == "positive"


def test_two_words_where_one_is_not_enough() -> None:
    (result,) = run(Rule({"wonderful": 2.0, "quiet": 1.5}), [item()], rate=0.3)
    assert result.success
    assert {edit.original for edit in result.edits} == {"wonderful", "quiet"}


def test_item_that_holds_keeps_the_strongest_variant() -> None:
    # Seven words x 0.1: one edit at most, and both words would be needed.
    (result,) = run(Rule({"wonderful": 2.0, "quiet": 1.5}), [item()], rate=0.1)
    assert not result.success
    assert [edit.original for edit in variant_of(result).edits] == ["wonderful"]


class Trap(Rule):
    """Two slips of `storm`: the first looks better, but only the second falls together with a slip of `boats`."""

    chances: Mapping[str, float] = {"storm boats": 0.9, "boats": 0.7, "storm ": 0.8}
    slips: tuple[str, ...] = ()

    def probabilities(self, encoded: Any) -> Any:
        positive = np.array([self._positive(text) for (text,) in encoded.sequences])
        return np.stack([1 - positive, positive], axis=1)

    def _positive(self, text: str) -> float:
        if text in self.chances:
            return self.chances[text]
        first, second = text.split()
        if first != "storm" and first not in self.slips:
            self.slips = (*self.slips, first)
        if second == "boats":
            return 0.55 if first == self.slips[0] else 0.6
        return 0.4 if first == self.slips[1] else 0.7


def test_wider_beam_finds_what_greed_misses() -> None:
    (greedy,) = run(Trap({}), [item("storm boats")], rate=1.0, per_word=2)
    assert not greedy.success
    (wide,) = run(Trap({}), [item("storm boats")], rate=1.0, per_word=2, width=2)
    assert wide.success
    assert len(wide.edits) == 2


@pytest.mark.parametrize(
    ("text", "label", "weights", "how", "reason"),
    [
        (TEXT, "negative", {"wonderful": 3.0}, {}, "already wrong"),
        (TEXT, None, {}, {}, "no gold label"),
        ("not one of 12", "negative", {}, {}, "no candidates"),
        (TEXT, "positive", {"wonderful": 3.0}, {"budget": 6}, "budget spent"),
        (TEXT, "positive", {"wonderful": 3.0}, {"budget": 3}, "budget spent"),
        (TEXT, "positive", {"wonderful": 3.0}, {"side": "second"}, "no second field"),
    ],
)
def test_no_variant(text: str, label: str | None, weights: dict[str, float], how: dict[str, Any], reason: str) -> None:
    model = Rule(weights)
    (result,) = run(model, [item(text, label)], **how)
    assert reason_of(result) == reason
    assert result.queries == len(model.inputs) <= how.get("budget", 1000)


def test_invalid_variants_are_never_shown_to_the_model() -> None:
    model = Rule({"wonderful": 3.0, "quiet": 1.5})
    seen: list[Variant] = []

    def keeps_wonderful(variant: Variant) -> bool:
        seen.append(variant)
        return "wonderful" in variant.text

    (result,) = run(model, [item()], keeps_wonderful, rate=1.0)
    assert not result.success
    tried = [text for (text,) in model.inputs[6:]]
    assert all("wonderful" in text for text in tried)
    assert any("wonderful" not in variant.text for variant in seen)
    (nothing,) = run(Rule({"wonderful": 3.0}), [item()], lambda variant: False)
    assert reason_of(nothing) == "no candidates"


def test_result_does_not_depend_on_the_other_items() -> None:
    texts = [f"{TEXT} {word}" for word in ("again", "lately", "somehow", "indeed", "quietly")] * 9
    items = [item(text, name=str(k)) for k, text in enumerate(texts)]
    weights = {"wonderful": 2.0, "quiet": 1.0, "morning": 0.7}
    together = run(Rule(weights), items, rate=0.5)
    alone = [run(Rule(weights), [one], rate=0.5)[0] for one in items]
    assert together == alone
    assert [result.item_id for result in together] == [one.id for one in items]
    assert together == run(Rule(weights), items, rate=0.5)
    assert together != run(Rule(weights), items, rate=0.5, seed=1)


def test_searches_share_batches() -> None:
    items = [item(name=str(k)) for k in range(20)]
    model = Rule({"wonderful": 3.0})
    results = run(model, items)
    assert model.calls == 3  # originals, words left out, slips of the first word
    assert sum(result.queries for result in results) == len(model.inputs)


def test_names_numbers_negations_and_protected_spans_stay() -> None:
    text = "Berlin never sold seventeen tickets at ops@example.org without 12 boats"
    (result,) = run(Rule({}, bias=1.0), [item(text)], rate=1.0)
    variant = variant_of(result)
    assert {edit.original for edit in variant.edits} <= {"sold", "tickets", "boats"}
    for start, end in protected_spans(text):
        assert text[start:end] in variant.text


def test_operators_offer_words() -> None:
    model = Rule({"colour": 3.0})
    (result,) = run(model, [item("the colour stays")], letters=False, operators=("spelling",), rate=0.4)
    assert result.success
    assert variant_of(result).text == "the color stays"
    both = run(Rule({"colour": 3.0}), [item("the colour stays")], operators=("spelling",), rate=0.4)
    assert both[0].queries == 1 + 2 + 13  # twelve slips and the other spelling


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"width": 0}, "`width` to be at least 1, but got 0"),
        ({"budget": 0}, "`budget` to be at least 1, but got 0"),
        ({"per_word": -1}, "`per_word` to be at least 1, but got -1"),
        ({"rate": 0.0}, "`rate` to be above 0 and at most 1, but got 0.0"),
        ({"side": "left"}, "`side` to be one of auto, first, second, both, but got 'left'"),
        ({"letters": False}, "letters or operators to try, but got neither"),
        ({"operators": ("nonsense",)}, "an operator out of"),
        ({"operators": ("cyclic_order",)}, "operators that edit texts and keep the label, but got 'cyclic_order'"),
    ],
)
def test_settings_out_of_range(how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(Rule({}), [item()], **how)


def test_label_that_the_model_does_not_have() -> None:
    with pytest.raises(InputError, match="gold label of item '1' to be one of negative, positive, but got 'neutral'"):
        run(Rule({}), [item(label="neutral")])


def test_summary() -> None:
    reasons = ("already wrong", "no candidates", "budget spent", "no gold label")
    others = [Attacked(reason, False, k, NotApplicable(reason)) for k, reason in enumerate(reasons)]
    success, failure = (
        run(Rule({"wonderful": 3.0}), [item(), item("fine")], rate=1.0)[0],
        run(Rule({}, 1.0), [item()])[0],
    )
    summary = summarise([*others, success, failure])
    # Attacked: no candidates (1 query), budget spent (2), the success (18) and the failure.
    assert (summary.attacked, summary.succeeded, summary.success_rate) == (4, 1, 0.25)
    assert summary.mean_queries == (1 + 2 + 18 + failure.queries) / 4
    assert summary.reasons == Counter(reasons)


def test_summary_of_nothing_is_not_a_number() -> None:
    summary = summarise([])
    assert summary.attacked == 0
    assert str(summary.success_rate) == str(summary.mean_queries) == "nan"


def test_a_real_classifier(tiny_model: Callable[..., Path]) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    classifier: Classifier = load_classifier(str(tiny_model(*LABELS)), LABELS)
    texts = ["a slow film.", "the cast looks warm.", "bright plots sell tickets."]
    items = [item(text, label, f"{k}{label}") for k, text in enumerate(texts) for label in LABELS]
    results = list(attack(classifier, items, settings=Settings(rate=1.0)))
    assert sum(isinstance(r.variant, NotApplicable) and r.variant.reason == "already wrong" for r in results) == 3
    for result in results:
        if isinstance(result.variant, Variant):
            texts_of = tuple(result.variant.item.fields.values())
            (label,) = classifier.classify(classifier.encode([texts_of])).labels
            assert result.success == (label != result.variant.base.label)
    assert summarise(results).attacked == 3
