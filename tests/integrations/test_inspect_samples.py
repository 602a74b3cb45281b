"""What samples of Inspect AI become: targets read once, and moved with their options."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser

from jostle.errors import InputError
from jostle.importers.inspect_log import CONDITION, CONDITIONS, ITEM
from jostle.integrations._inspect_expand import names_of
from jostle.integrations._inspect_samples import option_mark, read_sample, target_places
from jostle.integrations.inspect_ai import cyclic_variant_samples, invariance_task
from jostle.items import MCQItem

from .inspect_models import sums

CITIES = ["Rome", "Paris", "Oslo", "Bern"]


def orders(sample: Sample, **more: Any) -> list[Sample]:
    return list(invariance_task(sums(1, dataset=[sample], **more)).dataset)


def texts(sample: Sample) -> set[str]:
    """Texts of the options that the target names by Inspect's marks."""
    assert sample.choices is not None
    marks = [option_mark(k) for k in range(len(sample.choices))]
    values = [sample.target] if isinstance(sample.target, str) else sample.target
    return {sample.choices[marks.index(mark)] for value in values for mark in value.split(",")}


def test_i03_a_text_target_is_resolved_once_and_moves_with_its_option() -> None:
    samples = orders(Sample(input="Capital of France?", choices=CITIES, target="Paris"))
    # Paris stands second; each shift moves every option one place to the front.
    assert [sample.target for sample in samples] == ["B", "A", "D", "C"]
    assert [texts(sample) for sample in samples] == [{"Paris"}] * 4


def test_i03_both_letters_move_in_every_shift() -> None:
    samples = orders(Sample(input="Which are primes below 4?", choices=["2", "3", "4", "6"], target=["A", "B"]))
    assert [sample.target for sample in samples] == [["A", "B"], ["D", "A"], ["C", "D"], ["B", "C"]]
    assert [texts(sample) for sample in samples] == [{"2", "3"}] * 4
    joined = orders(Sample(input="Which are primes below 4?", choices=["2", "3", "4", "6"], target="B,A"))
    assert [sample.target for sample in joined] == ["B,A", "A,D", "C,D", "B,C"]


def test_i03_without_choices_a_sample_passes_through_and_is_counted() -> None:
    from inspect_ai.scorer import match
    from inspect_ai.solver import generate

    samples = [
        Sample(input="Name a prime.", target="7", metadata={"level": 1}),
        Sample(input="Capital of France?", choices=CITIES, target="Paris", id="c"),
    ]
    task = invariance_task(sums(1, dataset=samples, solver=generate(), scorer=match()))
    assert task.dataset[0] == samples[0].model_copy(update={"id": "1"})
    assert task.metadata == {
        "jostle": {"n_items": 1, "passed_through": {"no choices": 1}, "left_out": {}, "not_applicable": {}}
    }
    # The scorer compares texts, and the text of the right option is the same everywhere.
    assert [sample.target for sample in task.dataset][1:] == ["Paris"] * 4


def test_i03_a_task_of_multiple_choice_leaves_out_what_it_would_stop_at() -> None:
    samples = [Sample(input="Name a prime.", target="7"), *sums(2).dataset, Sample(input="?", choices=CITIES)]
    task = invariance_task(sums(1, dataset=samples))
    assert len(task.dataset) == 6
    assert task.metadata is not None
    assert task.metadata["jostle"]["left_out"] == {"no choices": 1, "no target": 1}


def test_i03_beyond_z_the_label_rule_is_the_frameworks() -> None:
    from inspect_ai._util.answer import answer_character

    assert [option_mark(k) for k in range(60)] == [answer_character(k) for k in range(60)]
    many = [f"town {k}" for k in range(36)]
    samples = orders(Sample(input="Which?", choices=many, target="10"))
    assert len(samples) == 36
    assert {frozenset(texts(sample)) for sample in samples} == {frozenset({"town 35"})}
    assert samples[1].target == "9"


def test_other_scorers_keep_the_form_of_their_targets() -> None:
    from inspect_ai.scorer import match

    def targets(target: str) -> list[str | list[str]]:
        from inspect_ai.solver import generate

        sample = Sample(input="Which?", choices=CITIES, target=target)
        return [one.target for one in orders(sample, solver=generate(), scorer=match())]

    assert targets("AC") == ["AC", "BD", "AC", "BD"]
    assert targets("b") == ["b", "A", "D", "C"]
    assert targets("oslo") == ["oslo"] * 4


@pytest.mark.parametrize(
    ("target", "choices", "expected"),
    [
        ("C", CITIES, ([2], False)),
        (" paris", CITIES, ([1], True)),
        ("C, A", CITIES, ([2, 0], False)),
        ("AD", CITIES, ([0, 3], False)),
        ("Bad", ["Bad", "Good", "Dear", "Poor"], ([0], True)),  # by letters it would be B, A and D
        ("bad", CITIES, ([], False)),
        ("A", ["B", "A"], ([0], False)),  # as choice() reads it, whatever the options say
        ("E", CITIES, ([], False)),
        ("0", CITIES, ([], False)),
        ("²", CITIES, ([], False)),
        ("Paris", ["Paris", "Paris"], ([], False)),
        ("", CITIES, ([], False)),
    ],
)
def test_what_a_target_names(target: str, choices: list[str], expected: tuple[list[int], bool]) -> None:
    assert target_places(target, choices) == expected


@given(st.integers(2, 40), st.data())
def test_the_gold_texts_are_the_same_in_every_order(count: int, data: st.DataObject) -> None:
    places = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=3))
    choices = [f"text {k}" for k in range(count)]
    target = [option_mark(place) for place in sorted(places)]
    samples = orders(Sample(input="Which?", choices=choices, target=target))
    assert len(samples) == count
    assert all(texts(sample) == {f"text {place}" for place in places} for sample in samples)


def test_options_that_point_at_others_or_repeat_the_gold_stay_in_their_order() -> None:
    samples = [
        Sample(input="Which?", choices=["Rome", "Paris", "both of the above"], target="A"),
        Sample(input="Which?", choices=["4", "5", "4"], target="A"),
        Sample(input="Which two?", choices=["4", "5", "4", "6"], target=["B", "C"]),
    ]
    task = invariance_task(sums(1, dataset=samples))
    assert [sample.id for sample in task.dataset] == ["1::orig", "2::orig", "3::orig"]
    assert task.metadata is not None
    counts = task.metadata["jostle"]["not_applicable"]
    assert counts["pert/cyclic_order"] == {"order-dependent options": 1, "distractor equals gold": 1}
    assert counts["shift1"] == {"distractor equals gold": 1}


def test_further_conditions_edit_what_the_user_says() -> None:
    said = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content="What is the capital of France?")]
    sample = Sample(input=said, choices=CITIES, target="B", id="x", metadata={"level": 1})
    task = invariance_task(sums(1, dataset=[sample]), ["whitespace"], cyclic=False)
    original, edited = task.dataset
    assert edited.input[0].text == "Be brief."
    assert edited.input[1].text == "What  is  the  capital  of  France?"
    assert (original.input, sample.input) == (said, said)
    assert edited.id == "x::pert/whitespace"
    assert edited.metadata is not None
    assert {name: edited.metadata[name] for name in ("level", ITEM, CONDITION, CONDITIONS)} == {
        "level": 1, ITEM: "x", CONDITION: "pert/whitespace", CONDITIONS: 2,
    }  # fmt: skip


def test_seeds_are_conditions_of_what_draws() -> None:
    sample = Sample(input="Which of these towns is the capital of France?", choices=CITIES, target="B", id="x")
    task = invariance_task(sums(1, dataset=[sample]), ["typos", "whitespace"], seeds=(0, 1))
    conditions = [(one.metadata or {})[CONDITION] for one in task.dataset]
    assert conditions == ["orig", "shift1", "shift2", "shift3", "pert/typos", "pert/whitespace", "pert/typos/seed1"]
    assert task.metadata is not None
    assert task.metadata["jostle"]["not_applicable"] == {"pert/whitespace/seed1": {"the same as with another seed": 1}}


def test_operators_are_named_once_and_keep_the_label() -> None:
    assert [operator.name for operator in names_of(["cyclic_order", "typos"], cyclic=True)] == ["cyclic_order", "typos"]
    for wrong in (["contrast_negation"], []):
        with pytest.raises(ValueError, match="Expected operators that keep the gold label, but got"):
            names_of(wrong, cyclic=False)


def test_cyclic_variants_of_one_item() -> None:
    item = MCQItem("Capital of France?", tuple(CITIES), 1)
    samples = cyclic_variant_samples(item, group_id="g")
    assert [sample.id for sample in samples] == ["g::orig", "g::shift1", "g::shift2", "g::shift3"]
    assert [sample.target for sample in samples] == ["B", "A", "D", "C"]
    assert {(sample.metadata or {})[ITEM] for sample in samples} == {"g"}
    assert all(f"{sample.target}. Paris" in str(sample.input) for sample in samples)
    with pytest.raises(InputError, match="Expected an item with `group_id`, but"):
        cyclic_variant_samples(item)
    with pytest.raises(InputError, match="Expected an item with answer, but"):
        cyclic_variant_samples(MCQItem("Which?", ("a", "b"), None, "x"))


def test_a_sample_without_text_is_rotated_and_not_edited() -> None:
    from inspect_ai.model import ContentImage, ContentText

    picture = ChatMessageUser(content=[ContentText(text="Which?"), ContentImage(image="data:image/png;base64,AA==")])
    source = read_sample(Sample(input=[picture], choices=CITIES, target="B"), "p", marks=True)
    assert not isinstance(source, str)
    task = invariance_task(sums(1, dataset=[source.sample]), ["whitespace"])
    assert [one.target for one in task.dataset] == ["B", "A", "D", "C"]
    assert all(one.input == [picture] for one in task.dataset)
