"""The frame: fields, seeds, edits, reasons."""

import random
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from jostle.errors import JostleError, UsageError
from jostle.items import AnyItem, Item, MCQItem
from jostle.perturb import Change, Edit, NotApplicable, Passage, Variant, apply, expand
from jostle.perturb.base import reordered
from jostle.perturb.contract import Operator, operator_from


def toy(function: object, **stated: object) -> Operator:
    base = {
        "KIND": "para",
        "RELATION": "invariant",
        "TASKS": ("*",),
        "PROMISE": "Same.",
        "LIMITATIONS": ("A toy.",),
    }
    return operator_from("toy", SimpleNamespace(**(base | stated), edits=function))


def replacing(old: str, new: str) -> Operator:
    def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change]:
        at = passage.text.find(old)
        return [] if at < 0 else [Change(at, at + len(old), new)]

    return toy(edits)


def edited(result: Variant | NotApplicable) -> Variant:
    assert isinstance(result, Variant), result
    return result


def test_b05_text_outside_the_edit_is_byte_identical() -> None:
    text = "it 's a  charming , if uneven , film . \n"
    variant = edited(apply(replacing("charming", "delightful"), text))
    assert variant.text == "it 's a  delightful , if uneven , film . \n"
    # "it 's a  " has nine characters, "charming" eight.
    assert variant.edits == (Edit("text", 9, 17, "charming", "delightful"),)
    assert variant.restore().fields["text"] == text


def test_b10_editing_the_hypothesis_leaves_the_premise() -> None:
    fields = {"premise": "I kept the <SPLIT> sign; keep the receipt.", "hypothesis": "keep the receipt."}
    item = Item("7", "mnli", fields)
    variant = edited(apply(replacing("keep", "retain"), item, side="auto"))
    assert dict(variant.item.fields) == fields | {"hypothesis": "retain the receipt."}
    assert variant.side == "second"
    assert variant.edits == (Edit("hypothesis", 0, 4, "keep", "retain"),)
    assert variant.restore() == variant.base == item


@pytest.mark.parametrize(
    ("side", "recorded", "fields"),
    [
        ("auto", "second", {"hypothesis"}),
        ("first", "first", {"premise"}),
        ("second", "second", {"hypothesis"}),
        ("both", "both", {"premise", "hypothesis"}),
    ],
)
def test_side_is_a_parameter_and_is_recorded(side: str, recorded: str, fields: set[str]) -> None:
    item = Item("1", "mnli", {"premise": "a cat sat", "hypothesis": "the cat ran"})
    variant = edited(apply(replacing("cat", "dog"), item, side=side))
    assert variant.side == recorded
    assert {edit.field for edit in variant.edits} == fields


@pytest.mark.parametrize(
    ("task", "fields", "expected"),
    [
        ("sst2", ("sentence",), "sentence"),
        ("qqp", ("question1", "question2"), "question2"),
        ("qnli", ("question", "sentence"), "sentence"),
    ],
)
def test_auto_side_follows_the_task(task: str, fields: tuple[str, ...], expected: str) -> None:
    item = Item("1", task, dict.fromkeys(fields, "a cat"))
    variant = edited(apply(replacing("cat", "dog"), item))
    assert {edit.field for edit in variant.edits} == {expected}


def test_side_records_what_was_edited_not_what_was_asked() -> None:
    item = Item("1", "mnli", {"premise": "a cow", "hypothesis": "a cat"})
    assert edited(apply(replacing("cat", "dog"), item, side="both")).side == "second"


def test_third_field_is_recorded_by_name() -> None:
    item = Item("1", "custom", {"a": "x", "b": "x", "c": "cat"})
    assert edited(apply(replacing("cat", "dog"), item)).side == "c"


def test_missing_second_field_is_a_reason() -> None:
    result = apply("typos", Item("1", "sst2", {"sentence": "a good film"}), side="second")
    assert isinstance(result, NotApplicable)
    assert result.reason == "no second field"


def test_question_of_a_multiple_choice_item_is_edited() -> None:
    item = MCQItem("What color is honey?", ("Gold", "Gray color"), 0, id="1")
    variant = edited(apply("spelling", item))
    assert variant.item == MCQItem("What colour is honey?", ("Gold", "Gray color"), 0, id="1", family="1")
    assert variant.text == "What colour is honey?"
    assert variant.restore() == item


def test_unknown_side_operator_and_rate_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="Expected `side` to be one of auto, first, second, both, but got 'left'"):
        apply("typos", "some text", side="left")
    with pytest.raises(UsageError, match=r"Expected an operator out of .*typos.*, but got 'typo'"):
        apply("typo", "some text")
    for rate in (0, -0.1, 1.5, float("nan")):
        with pytest.raises(UsageError, match="Expected `rate`"):
            apply("typos", "some text", rate=rate)


def test_nothing_to_change_is_never_a_variant() -> None:
    same = toy(lambda passage, rng, rate: [Change(0, 1, passage.text[0])])
    swap = toy(lambda passage, rng, rate: [Change(0, 1, "ab"), Change(1, 3, "c")])
    for operator, text in ((same, "abc"), (replacing("zebra", "x"), "abc"), (swap, "abbc"[:1] + "bc")):
        result = apply(operator, text, item_id="9")
        assert result == NotApplicable("nothing to change", "toy", "para/toy", "9")


def test_changes_that_change_nothing_are_no_edits() -> None:
    operator = toy(lambda passage, rng, rate: [Change(2, 3, "x"), Change(0, 1, "a")])
    assert edited(apply(operator, "abc")).edits == (Edit("text", 2, 3, "c", "x"),)


@pytest.mark.parametrize("changes", [[Change(-1, 1, "x")], [Change(2, 9, "x")], [Change(0, 2, "x"), Change(1, 3, "y")]])
def test_changes_out_of_place_are_the_operators_fault(changes: list[Change]) -> None:
    with pytest.raises(JostleError, match="apart and within the text"):
        apply(toy(lambda passage, rng, rate: changes), "abc")


def shuffling(function: object) -> Operator:
    stated = {
        "KIND": "pert",
        "RELATION": "invariant",
        "TASKS": ("mcq",),
        "PROMISE": "Same.",
        "LIMITATIONS": ("A toy.",),
    }
    return operator_from("shuffle", SimpleNamespace(**stated, vary=function))


def test_any_order_of_options_is_restored() -> None:
    item = MCQItem("Q?", ("a", "b", "c", "d"), 1, id="1").rotate(1)
    variant = edited(apply(shuffling(lambda item, rng: reordered(item, (3, 0, 2, 1))), item))
    assert isinstance(variant.item, MCQItem)
    assert (variant.item.choices, variant.item.answer_letter) == (("d", "a", "c", "b"), "D")
    assert variant.restore() == item


def test_item_operator_may_not_edit_texts() -> None:
    operator = shuffling(lambda item, rng: item.with_fields({"question": "Other?"}))
    with pytest.raises(JostleError, match="to move options only"):
        apply(operator, MCQItem("Q?", ("a", "b"), 0, id="1"))


def test_protected_spans_are_refused_by_the_engine() -> None:
    with pytest.raises(JostleError, match="outside protected spans"):
        apply(replacing("org", "com"), "see https://example.org now")


def test_seed_item_and_field_all_count() -> None:
    text = "the quick brown foxes jumped over seven sleeping dogs without barking loudly"
    results = {edited(apply("typos", text, seed=s, item_id=i)).text for s in range(4) for i in ("a", "b")}
    assert len(results) > 4
    item = Item("1", "custom", {"a": text, "b": text})
    both = edited(apply("typos", item)).item.fields
    assert both["a"] != both["b"]


def test_text_of_an_item_of_several_fields_is_not_defined() -> None:
    variant = edited(apply(replacing("cat", "dog"), Item("1", "mnli", {"premise": "a", "hypothesis": "cat"})))
    with pytest.raises(AttributeError, match="item of one field"):
        _ = variant.text


def test_expand_is_lazy_and_names_conditions() -> None:
    def stream() -> Iterator[AnyItem]:
        yield MCQItem("What's the color?", ("Red", "Blue", "Gray"), 0, id="1")
        raise AssertionError("read too early")

    results = expand(stream(), ["cyclic_order", "spelling"], seed=0)
    found = [next(results) for _ in range(3)]
    assert [variant.condition for variant in found] == ["shift1", "shift2", "pert/spelling"]


def test_expand_gives_one_reason_for_an_item_that_does_not_fit() -> None:
    (result,) = expand([Item("1", "sst2", {"sentence": "a film"})], ["cyclic_order"], seed=0)
    assert result == NotApplicable("not a multiple-choice item", "cyclic_order", "pert/cyclic_order", "1")


def test_operator_for_other_tasks_is_not_applied() -> None:
    operator = toy(lambda passage, rng, rate: [Change(0, 1, "x")], TASKS=("qqp",))
    result = apply(operator, Item("1", "sst2", {"sentence": "a film"}))
    assert isinstance(result, NotApplicable)
    assert result.reason == "not for this task"


def test_reason_of_the_operator_reaches_the_caller() -> None:
    result = apply(toy(lambda passage, rng, rate: NotApplicable("too short")), "abc", item_id="4")
    assert result == NotApplicable("too short", "toy", "para/toy", "4")
