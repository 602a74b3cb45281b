"""docs/policies.md: one test for each row, by the name that stands in it."""

from __future__ import annotations

import math
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from jostle import MCQItem, all_cyclic_variants, extract_label, load, pair_report
from jostle.errors import InputError
from jostle.labels import label_warnings
from jostle.measures.drift import drift
from jostle.measures.flips import flips
from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.measures.pairs import pairs
from jostle.measures.ratio import ratio

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "policies.md").read_text(encoding="utf-8")
MOODS = ["negative", "positive"]
TIE = ["yes", "no", "yes", "no"]


def compute(measure: Any, predictions: list[Any], references: list[Any], conditions: list[str], **more: Any) -> Any:
    """A measure on rows of one item, or of `item_ids`; with samples where a condition comes twice."""
    options = Options.of({name: more.pop(name) for name in list(more) if name not in ("item_ids", "samples")})
    columns = {"predictions": predictions, "references": references, "conditions": conditions} | more
    columns.setdefault("item_ids", ["a"] * len(predictions))
    return measure(to_rows(normalise(columns, options), options), options)


def sampled(measure: Any, orig: list[Any], gold: str = "yes", kinds: tuple[str, ...] = ("para/x",)) -> Any:
    """One item: several samples of the original, and one right answer under each other condition."""
    conditions = ["orig"] * len(orig) + list(kinds)
    samples = [*range(len(orig)), *[0] * len(kinds)]
    return compute(measure, orig + [gold] * len(kinds), [gold] * len(conditions), conditions, samples=samples)


def test_the_page_names_these_tests() -> None:
    named = re.findall(r"\| `(\w+)` \|$", PAGE, re.MULTILINE)
    here = [name.removeprefix("test_") for name in globals() if name.startswith("test_")]
    assert named == [name for name in here if name != "the_page_names_these_tests"]
    assert len(re.findall(r"^\| (?!case|---)", PAGE, re.MULTILINE)) == len(named)


def test_drift_takes_the_mean_of_samples() -> None:
    assert sampled(drift, TIE)["accuracy_by_condition"] == {"orig": 0.5, "para/x": 1.0}


def test_an_exact_half_is_left_out_of_flips() -> None:
    found = sampled(flips, TIE, kinds=("para/x", "pert/y"))
    assert (found["n_unstable"], found["flip_rate"]) == (1, 0.0)
    assert sampled(flips, [*TIE, "no"], kinds=("para/x", "pert/y"))["flip_rate"] == 1.0  # 3 of 5 are wrong


def test_a_tie_is_worth_its_share_in_the_ratio() -> None:
    kinds = ("para/x", "pert/x", "adv/x")
    found = sampled(ratio, TIE, kinds=kinds)
    assert (found["n_ties"], found["accuracy_orig"]) == (1, 1 / 2)
    three = sampled(ratio, ["yes", "no", "perhaps"], kinds=kinds)
    assert three["accuracy_orig"] == pytest.approx(1 / 3)
    assert sampled(ratio, ["no", "perhaps"], kinds=kinds)["undefined_reason"].endswith("is 0")  # the gold is not in it


def test_a_tie_is_an_abstention_in_pairs() -> None:
    found = sampled(pairs, TIE)
    assert (found["n_abstained_base"], found["base_only_error"], found["relation_failure"]) == (1, 1, 1)


def test_ties_do_not_depend_on_order_or_gold() -> None:
    kinds = ("para/x", "pert/x", "adv/x")
    for measure, key in ((drift, "max_drift"), (flips, "n_unstable"), (ratio, "accuracy_orig"), (pairs, "n_pairs")):
        runs = {sampled(measure, list(order), gold, kinds)[key] for order in permutations(TIE) for gold in TIE[:2]}
        assert len(runs) == 1


def test_none_is_never_elected() -> None:
    kinds = ("para/x", "pert/x", "adv/x")
    votes = [None] * 6 + ["yes"] * 4
    assert sampled(ratio, votes, kinds=kinds)["accuracy_orig"] == 1.0
    assert sampled(drift, votes)["accuracy_by_condition"]["orig"] == 0.4


def test_all_samples_unparsed_are_wrong() -> None:
    kinds = ("para/x", "pert/x", "adv/x")
    assert sampled(ratio, [None, None], kinds=kinds)["undefined_reason"] == (
        "accuracy on the originals of the matched items is 0"
    )
    assert sampled(pairs, [None, None])["n_abstained_base"] == 1


def test_a_repeated_row_is_an_error() -> None:
    with pytest.raises(ValueError, match="item 'a'"):
        compute(flips, ["yes", "no"], ["yes", "yes"], ["orig", "orig"])


def test_equal_models_invert_nothing() -> None:
    columns = {"item_ids": [0, 1, 0, 1], "models": ["small", "small", "large", "large"]}
    found = load("discrimination").compute(
        predictions=[1, 0, 0, 1], references=[1] * 4, conditions=["orig"] * 4, **columns
    )
    assert found["accuracy_by_model"] == {"large": 0.5, "small": 0.5}
    assert (found["n_inverted"], found["n_discriminating"]) == (0, 2)


def test_a_denied_label_is_no_label() -> None:
    found = extract_label("Not positive.", MOODS)
    assert (found.label, found.reason) == (None, "negated")


def test_a_denied_label_is_the_other_where_asked() -> None:
    assert extract_label("Not positive.", MOODS, negated="other").label == "negative"


def test_of_three_there_is_no_other() -> None:
    found = extract_label("Not positive.", [*MOODS, "neutral"], negated="other")
    assert (found.label, found.reason) == (None, "negated")


def test_a_label_that_is_a_denial_is_read() -> None:
    assert extract_label("They are not duplicates.", ["duplicate", "not_duplicate"]).label == "not_duplicate"


def test_what_is_said_beats_what_is_denied() -> None:
    assert extract_label("This is not positive, it is negative.", MOODS).label == "negative"


def test_neither_is_no_label() -> None:
    assert extract_label("neither positive nor negative", MOODS).label is None


def test_a_letter_beats_a_text() -> None:
    assert extract_label("B", ["A", "B"], options={"A": "B", "B": "C"}).label == "B"


def test_equal_texts_are_ambiguous() -> None:
    options = {"A": "Rome", "B": "Rome", "C": "Oslo"}
    assert extract_label("Rome", list(options), options=options).reason == "ambiguous"
    assert extract_label("B", list(options), options=options).label == "B"


def test_the_longest_text_wins() -> None:
    options = {"A": "New York", "B": "New York City", "C": "York"}
    assert extract_label("New York City", list(options), options=options).label == "B"


def test_letter_against_text_is_ambiguous() -> None:
    options = {"A": "New York", "B": "Rome"}
    assert extract_label("B. New York", list(options), options=options).reason == "ambiguous"


def test_a_gold_that_stands_twice_is_refused() -> None:
    with pytest.raises(InputError, match="distractor equals gold"):
        list(all_cyclic_variants(MCQItem("Capital of Italy?", ["Rome", "Rome", "Oslo"], answer_index=0)))


def test_options_that_point_are_not_rotated() -> None:
    for pointing in ("All of the above", "A and B"):
        with pytest.raises(InputError, match="order-dependent options"):
            list(all_cyclic_variants(MCQItem("Which is even?", ["2", "4", pointing], answer_index=2)))


def test_case_is_a_warning_not_a_guess() -> None:
    (line,) = label_warnings(pa.array(["Positive", "negative"]), pa.array(["positive", "negative"]))
    assert line.startswith("1 predictions count as wrong")
    assert "Positive=positive" in line
    found = compute(drift, ["Positive", "positive"], ["positive"] * 2, ["orig", "x"])
    assert found["accuracy_by_condition"] == {"orig": 0.0, "x": 1.0}


def test_numbers_and_their_text_are_one() -> None:
    for label in (1, "1", 1.0, True, np.int8(1)):
        assert compute(drift, [label, 1], [1, 1], ["orig", "x"])["accuracy_by_condition"] == {"orig": 1.0, "x": 1.0}


def test_numbers_against_names_are_an_error() -> None:
    with pytest.raises(ValueError, match="number and text together"):
        compute(drift, [1, 0], ["yes", "no"], ["orig", "x"])
    found = compute(drift, [1, 0], ["no", "no"], ["orig", "x"], label_names=["yes", "no"])
    assert found["accuracy_by_condition"] == {"orig": 1.0, "x": 0.0}


def test_text_of_a_bool_is_an_error() -> None:
    with pytest.raises(ValueError, match="the text 'true' in `predictions`"):
        compute(drift, ["true", "true"], [True, True], ["orig", "x"])


def test_fractions_and_logits_are_refused() -> None:
    with pytest.raises(ValueError, match=r"got 0\.9 in row 1"):
        compute(drift, [1.0, 0.9], [1, 1], ["orig", "x"])
    with pytest.raises(ValueError, match="argmax"):
        compute(drift, np.zeros((2, 3)), [1, 1], ["orig", "x"])  # type: ignore[arg-type]


def test_no_gold_is_left_out() -> None:
    found = compute(flips, [1, 1, 0, 0], [1, 1, -1, None], ["orig", "x"] * 2, item_ids=["a", "a", "b", "b"])
    assert (found["n_scored"], found["n_unlabelled"], found["n_items"]) == (2, 2, 1)


def test_no_prediction_is_wrong() -> None:
    found = compute(drift, [-1, None, 1, 1], [1, 1, 1, 1], ["orig", "x"] * 2, item_ids=["a", "a", "b", "b"])
    assert found["accuracy_by_condition"] == {"orig": 0.5, "x": 0.5}
    assert found["n_unparsed"] == 2
    silent = compute(drift, [-1, -1, 1, 1], [-1, -1, 1, 1], ["orig", "x"] * 2, item_ids=["a", "a", "b", "b"])
    assert (silent["n_scored"], silent["accuracy_by_condition"]["orig"]) == (2, 1.0)  # -1 and -1 are no match


def test_minus_one_can_be_a_class() -> None:
    found = compute(drift, [-1, 1], [-1, -1], ["orig", "x"], unlabelled=())
    assert found["accuracy_by_condition"] == {"orig": 1.0, "x": 0.0}


def test_unparsed_rows_are_some_of_the_wrong() -> None:
    found = compute(drift, [None, 1], [1, 1], ["orig", "x"])
    assert (found["n_unparsed"], found["n_scored"], found["accuracy_by_condition"]["orig"]) == (1, 2, 0.0)


def test_rows_are_scored_or_unlabelled() -> None:
    found = compute(drift, [None, 1, 0, None], [1, 1, -1, -1], ["orig", "x"] * 2, item_ids=["a", "a", "b", "b"])
    assert found["n_rows"] == found["n_scored"] + found["n_unlabelled"] == 4
    assert found["n_unparsed"] == 1  # the one without a gold is not counted again


def test_the_table_of_pairs_adds_up() -> None:
    pair = {"base_label": "a", "edited_label": "b"}
    answers = [("a", "b"), ("a", "a"), ("b", "b"), ("b", "a")]  # right, edited wrong, base wrong, both wrong
    found = pair_report([{**pair, "base_prediction": x, "edited_prediction": y} for x, y in answers])
    cells = [count for row in found["table"].values() for count in row.values()]
    assert sum(cells) == found["n_pairs"] == 4
    assert (found["base_only_error"], found["edited_only_error"], found["relation_failure"]) == (1, 1, 2)
    assert found["table"]["edited_only_error"] == {"failed": 1, "kept": 0}  # in both counters


def test_both_wrong_can_keep_the_relation() -> None:
    pair = {"base_label": "a", "edited_label": "b", "base_prediction": "b", "edited_prediction": "a"}
    found = pair_report([pair])
    assert found["both_wrong_expected_relation"] == 1
    assert (found["relation_accuracy"], found["pair_accuracy"]) == (1.0, 0.0)


def test_two_abstentions_are_no_agreement() -> None:
    pair = {"base_label": "a", "edited_label": "a", "base_prediction": None, "edited_prediction": None}
    found = pair_report([pair])
    assert (found["relation_failure"], found["side_accuracy"]) == (1, 0.0)


def test_lost_and_won_are_the_flips() -> None:
    columns = {"item_ids": ["a", "b", "c", "d"] * 2}
    found = compute(flips, [1, 1, 0, 0, 0, 1, 1, 0], [1] * 8, ["orig"] * 4 + ["x"] * 4, **columns)
    lost, won = found["right_to_wrong_by_condition"]["x"], found["wrong_to_right_by_condition"]["x"]
    assert (lost, won, found["n_flipped"]) == (1, 1, 2)
    assert found["flip_rate_by_condition"]["x"] == (lost + won) / 4


def test_a_dropped_item_is_in_no_figure() -> None:
    columns = {"item_ids": ["a", "b", "a", "b", "a"], "missing": "intersect"}
    found = compute(drift, [1, 0, 1, 0, 1], [1] * 5, ["orig", "orig", "x", "x", "y"], **columns)
    assert (found["dropped"], found["n_dropped"], found["n_items"]) == (["b"], 1, 1)
    assert found["accuracy_by_condition"] == {"orig": 1.0, "x": 1.0, "y": 1.0}
    assert not math.isnan(found["max_drift"])
