"""Labels are matched by name, never by place."""

from __future__ import annotations

import itertools

import pytest

from jostle.errors import ModelError, UsageError
from jostle.predict.labels import align_labels
from jostle.tasks import TASKS

MNLI = TASKS["mnli"].labels


@pytest.mark.parametrize("order", list(itertools.permutations(MNLI)))
def test_r01_every_order_of_the_model_is_matched_by_name(order: tuple[str, ...]) -> None:
    assert align_labels(order, MNLI) == list(order)
    assert align_labels([name.upper() for name in order], MNLI) == list(order)


@pytest.mark.parametrize("generic", ["LABEL_0 LABEL_1 LABEL_2", "label 0|label 1|label 2", "Label0 Label1 Label2"])
def test_r01_generic_names_are_refused_unless_mapped(generic: str) -> None:
    names = generic.split("|") if "|" in generic else generic.split()
    with pytest.raises(ModelError, match=rf"but {', '.join(names)} are generic\. Say which is which: --label-map "):
        align_labels(names, MNLI)
    given = dict(zip(names, ("contradiction", "entailment", "neutral"), strict=True))
    assert align_labels(names, MNLI, given) == ["contradiction", "entailment", "neutral"]


def test_r01_one_generic_name_is_enough_to_refuse() -> None:
    with pytest.raises(ModelError, match="are generic"):
        align_labels(["negative", "LABEL_1"], ["negative", "positive"])
    with pytest.raises(ModelError, match="are generic"):
        align_labels(["LABEL_0", "LABEL_1"], ["LABEL_0", "LABEL_1", "LABEL_2"])


@pytest.mark.parametrize(
    "names", [["Not Duplicate", "DUPLICATE"], ["not-duplicate", "duplicate"], ["NotDuplicate", "Duplicate"]]
)
def test_case_spaces_hyphens_and_underscores_do_not_count(names: list[str]) -> None:
    assert align_labels(names, TASKS["qqp"].labels) == ["not_duplicate", "duplicate"]


@pytest.mark.parametrize("names", [["bad", "good"], ["negative", "neutral", "positive"], ["entailment", "positive"]])
def test_names_that_do_not_match_are_refused(names: list[str]) -> None:
    with pytest.raises(ModelError, match=r"to be negative, positive, but .* do not match"):
        align_labels(names, TASKS["sst2"].labels)


def test_a_map_over_the_rule() -> None:
    assert align_labels(["NEG", "positive"], TASKS["sst2"].labels, {"NEG": "negative"}) == ["negative", "positive"]
    swapped = {"negative": "positive", "positive": "negative"}
    assert align_labels(["negative", "positive"], TASKS["sst2"].labels, swapped) == ["positive", "negative"]


@pytest.mark.parametrize("given", [{"NOPE": "negative"}, {"negative": "bad"}])
def test_a_map_to_or_from_a_label_that_does_not_exist(given: dict[str, str]) -> None:
    ((name, label),) = given.items()
    with pytest.raises(UsageError, match=rf"negative, positive on the left and .* but got {name}={label}"):
        align_labels(["negative", "positive"], TASKS["sst2"].labels, given)


def test_two_outputs_of_one_label() -> None:
    with pytest.raises(ModelError, match="a label of its own, but got"):
        align_labels(["Positive", "positive"], ["negative", "positive"])
    with pytest.raises(ModelError, match="a label of its own, but got"):
        align_labels(["a", "b"], ["negative", "positive"], {"a": "positive", "b": "positive"})


def test_a_task_without_names_of_its_own_takes_the_models() -> None:
    assert align_labels(["sports", "politics"], []) == ["sports", "politics"]
    assert align_labels(["LABEL_0", "LABEL_1"], [], {"LABEL_0": "sports"}) == ["sports", "LABEL_1"]
