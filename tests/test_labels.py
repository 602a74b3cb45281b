"""Labels that can never be right are warned of with an example, and never taken as alike."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jostle import build_report
from jostle.labels import label_warnings, map_labels
from jostle.outcomes import Outcomes, read_outcomes
from jostle.printable import printable

Jostle = Callable[..., Any]
Write = Callable[[str, Any], Path]


def warned(said: list[str | None], golds: list[str | None]) -> list[str]:
    return label_warnings(pa.array(said, pa.string()), pa.array(golds, pa.string()))


@pytest.mark.parametrize(
    ("said", "golds"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "unsure", None], ["a", "b"]),  # a wrong answer, and none
        (["a", "-1"], ["a", "b"]),
        ([None, "-1"], ["a"]),
        (["a"], [None, "-1"]),
        ([], []),
        (["0", "0"], ["1", "1"]),  # results that say right or wrong: all wrong
    ],
)
def test_labels_that_are_as_they_should_be(said: list[str | None], golds: list[str | None]) -> None:
    assert warned(said, golds) == []


@pytest.mark.parametrize("said", ["Positive", "positive ", " POSITIVE", "ｐｏｓｉｔｉｖｅ"])
def test_a_label_that_differs_by_case_or_space(said: str) -> None:
    (warning,) = warned([said, said, "negative"], ["positive", "negative", "positive"])
    assert warning.startswith("2 predictions count as wrong")
    assert f"{said!r} (gold 'positive')" in warning
    assert warning.endswith(f"--label-map '{said}=positive'")


def test_labels_of_which_none_is_a_gold_label() -> None:
    (warning,) = warned([f"LABEL_{k}" for k in range(5)], ["yes", "no"])
    assert "predicted 'LABEL_0', 'LABEL_1', 'LABEL_2' and 2 more; gold 'no', 'yes'." in warning
    assert warning.find("--label-map 'LABEL_0=LABEL'; ") > 0
    both = warned(["Yes", "LABEL_1"], ["yes", "no"])  # each kind is said
    assert [text.split(" count")[0] for text in both] == ["1 predictions", "every prediction"]


def test_gold_labels_that_differ_by_case_alone() -> None:
    (warning,) = warned(["a"], ["a", "A", "b"])
    assert "gold labels differ by case or spaces alone and count as different: 'A', 'a'" in warning


def test_a_map_renames_predictions_and_says_so() -> None:
    mapped, notes = map_labels(pa.array(["P", None, "n", "P"]), {"P": "pos"})
    assert mapped.to_pylist() == ["pos", None, "n", "pos"]
    assert notes == ["Predicted labels taken as gold labels: P -> pos."]


ROWS = [
    {"item_ids": f"i{k}", "conditions": condition, "predictions": said, "references": "positive"}
    for k in range(12)
    for condition, said in (("orig", "positive"), ("pert/x", "Positive"))
]


def test_the_report_warns_in_every_form_and_on_stderr(jostle: Jostle, write: Write) -> None:
    path = write("o.jsonl", ROWS)
    shown = "12 predictions count as wrong"
    for form in ("text", "markdown", "html"):
        done = jostle("report", path, "--format", form, "--resamples", 100)
        assert shown in done.out
        assert f"warning: {shown}" in done.err
    assert "--label-map 'Positive=positive'" in done.err
    document = json.loads(jostle("report", path, "--format", "json", "--resamples", 100).out)
    assert document["warnings"][0].startswith(shown)
    assert jostle("report", path, "--resamples", 100, "--quiet").err == ""
    call = ("report", path, "--resamples", 100, "--label-map", "Positive=positive")
    mapped = jostle(*call)
    assert (mapped.code, mapped.err) == (0, "")
    assert "Positive -> positive" in mapped.out
    assert "pert/x 12 1.000" in " ".join(mapped.out.split())
    strange = jostle("report", path, "--label-map", "Pos=positive")
    assert (strange.code, "--label-map of a predicted label ('Positive', 'positive')" in strange.err) == (2, True)


def test_each_group_is_held_to_its_own_gold_labels() -> None:
    columns: dict[str, Any] = {"item_ids": ["i", "i", "j", "j"], "conditions": ["orig", "pert/x"] * 2}
    outcomes = Outcomes.from_columns(
        predictions=["a", "a", "a", "a"], references=["a", "a", "b", "b"], tasks=["s", "s", "t", "t"], **columns
    )
    (warning,) = build_report(outcomes, n_resamples=100).warnings
    assert warning.startswith("task=t: every prediction counts as wrong, for none is a gold label: predicted 'a'")


@pytest.mark.parametrize("value", [1.5, -0.1])
def test_confidences_of_outcomes_are_held_to_0_and_1_by_line(write: Write, value: float) -> None:
    rows = [{**ROWS[0], "confidences": 0.5}, {**ROWS[1], "confidences": value}]
    with pytest.raises(ValueError, match=rf"confidences from 0 to 1 .*o\.jsonl, line 2 has {value}"):
        read_outcomes(write("o.jsonl", rows))
    rows[1]["confidences"] = None
    assert read_outcomes(write("o.jsonl", rows)).columns["confidences"].to_pylist()[0] == 0.5


def test_control_characters_are_written_out_and_the_rest_stays() -> None:
    every = "".join(map(chr, range(0x110))) + "é字\u2028"
    made = printable(every)
    assert not [c for c in made if (ord(c) < 32 or 127 <= ord(c) < 160) and c not in "\t\n"]
    assert made.endswith(every[160:])
    assert "\\x1b" in made
    assert printable("a\r\nb\tc") == "a\nb\tc"


def test_control_characters_in_a_message_do_not_reach_the_terminal(jostle: Jostle, write: Write) -> None:
    repeated = jostle("report", write("o.jsonl", [{**ROWS[0], "item_ids": "\x1b[2J"}] * 2))
    assert repeated.code == 3
    assert "\x1b" not in repeated.err
    done = jostle("report", "\x9b31mnone.json")
    assert (done.code, "\\x9b31mnone.json" in done.err) == (3, True)
