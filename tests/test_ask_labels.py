"""Labels that an operator sets before options: shown, read back, and counted as the same places."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.ask import Asked, ask, outcomes_of, same_prompts, summed
from jostle.items import Item, MCQItem
from jostle.perturb import expand, find
from jostle.predict.protocol import Completion
from jostle.run import plan

# Gold (place 2 of 3) is Rome; the labels stay when options move, so that after one shift it stands at place 1.
ITEM = MCQItem("Capital of Italy?", ("Paris", "Rome", "Bonn"), 1, id="q")
CONDITIONS = ("orig", "pert/labels_numbers", "pert/labels_roman")


def asked(symbols: str = "letters", item: MCQItem = ITEM) -> dict[str, Asked]:
    planned = plan([item], list(expand([item], [find("option_labels")], 0)))
    return {one.condition: one for one in ask(planned, "mcq", symbols=(symbols,))}


def outcomes(prompts: dict[str, Asked], text: dict[str, str]) -> dict[str, dict[str, Any]]:
    done = [Completion(one.request.key, 0, text[condition]) for condition, one in prompts.items()]
    rows = outcomes_of(list(prompts.values()), done, "mcq", "m", "greedy").to_arrow().to_pylist()
    return {row["conditions"]: row for row in rows}


def test_the_prompt_shows_the_labels_of_the_variant() -> None:
    prompts = asked()
    assert tuple(prompts) == CONDITIONS
    assert "A. Paris\nB. Rome\nC. Bonn\n\nReply with the letter of one" in prompts["orig"].request.prompt
    assert "1. Paris\n2. Rome\n3. Bonn\n\nReply with the number" in prompts["pert/labels_numbers"].request.prompt
    assert "i. Paris\nii. Rome\niii. Bonn\n\nReply with the numeral" in prompts["pert/labels_roman"].request.prompt
    assert same_prompts(list(prompts.values())) == {}


@pytest.mark.parametrize(
    ("answers", "label", "place"),
    [(("B", "2", "ii"), "1", "B"), (("C.", "3.", "iii."), "2", "C"), (("It is Paris.",) * 3, "0", "A")],
)
def test_answers_are_read_by_the_labels_shown(answers: tuple[str, ...], label: str, place: str) -> None:
    rows = outcomes(asked(), dict(zip(CONDITIONS, answers, strict=True)))
    for condition in CONDITIONS:
        row = rows[condition]
        assert (row["predictions"], row["references"]) == (label, "1"), condition
        assert (row["answer_positions"], row["positions"]) == (place, "B"), condition


def test_a_label_of_another_condition_is_no_answer() -> None:
    rows = outcomes(asked(), {"orig": "2", "pert/labels_numbers": "B", "pert/labels_roman": "B"})
    assert [rows[condition]["predictions"] for condition in CONDITIONS] == [None] * 3


def test_scored_answers_are_the_labels_shown() -> None:
    answers = {condition: one.request.answers for condition, one in asked().items()}
    assert answers["pert/labels_numbers"] == {"0": " 1", "1": " 2", "2": " 3"}
    assert answers["pert/labels_roman"] == {"0": " i", "1": " ii", "2": " iii"}


def test_gold_moves_with_its_option_and_labels_stay() -> None:
    planned = plan([ITEM], list(expand([ITEM], [find("cyclic_order")], 0)))
    places = {one.condition: one.gold_position for one in ask(planned, "mcq")}
    assert places == {"orig": "B", "shift1": "A", "shift2": "C"}


def test_labels_in_other_orders_of_a_task_are_at_their_places() -> None:
    planned = plan([Item("s", "sst2", {"sentence": "A joy."}, "positive")], [])
    for symbols, names in {"words": ("1", "2"), "roman": ("i", "ii"), "letters": ("A", "B")}.items():
        places = {one.condition: one.gold_position for one in ask(planned, "sst2", symbols=(symbols,), orders=True)}
        assert places == {"orig": names[1], "labels/shift1": names[0]}


def test_labels_that_the_prompt_has_already_make_no_other_prompt() -> None:
    prompts = list(asked("numbers").values())
    assert same_prompts(prompts) == {"pert/labels_numbers": {"identical input": 1}}
    assert {one.gold_position for one in prompts} == {"2"}


def test_symbols_do_not_hide_the_labels_of_a_variant() -> None:
    prompts = asked("words")
    assert "- Paris\n- Rome" in prompts["orig"].request.prompt
    assert "1. Paris\n2. Rome" in prompts["pert/labels_numbers"].request.prompt
    assert {one.gold_position for one in prompts.values()} == {"2"}


def test_counts_are_added_by_condition_and_reason() -> None:
    parts = [{"a": {"x": 1, "y": 2}}, {"a": {"x": 3}, "b": {"x": 1}}, {}]
    assert summed(parts) == {"a": {"x": 4, "y": 2}, "b": {"x": 1}}
