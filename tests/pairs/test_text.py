"""The report on the terminal and in Markdown: 80 columns, a count beside every rate, what fails and why."""

from __future__ import annotations

import io
import re
import unicodedata
from typing import Any

import pytest
from rich.console import Console

from jostle.errors import InputError
from jostle.pairs import PairReport, measure_pairs, pairs_from_dicts
from jostle.pairs.markdown import to_markdown
from jostle.pairs.sections import critical_operators
from jostle.pairs.text import print_pairs


def pair(k: int, right: bool, operator: str, **more: Any) -> dict[str, Any]:
    said = "neg" if right else "pos"
    golds = {"base_label": "pos", "edited_label": "neg", "base_prediction": "pos", "edited_prediction": said}
    return {"id": f"p{k}", "operator": operator, "family": f"f{k // 2}", **golds, **more}


ROWS = [pair(k, k < 95, "paraphrase_by_model") for k in range(100)] + [pair(100 + k, k > 0, "negation") for k in (0, 1)]


def text(report: PairReport, **how: Any) -> str:
    buffer = io.StringIO()
    print_pairs(report, Console(file=buffer, width=80, highlight=False), **how)
    return "\n".join(line.rstrip() for line in buffer.getvalue().split("\n"))


@pytest.fixture(scope="module")
def report() -> PairReport:
    return measure_pairs(pairs_from_dicts(ROWS), n_resamples=200, critical=["negation"])


def rows_of(printed: str, title: str) -> list[list[str]]:
    """Cells of the lines below a title, up to an empty line."""
    lines = printed[printed.index(f"\n{title}\n") :].split("\n")[2:]
    return [re.split(r"\s{1,}(?=\S)", line) for line in lines[: lines.index("")]]


def test_eighty_columns_and_every_part(report: PairReport) -> None:
    printed = text(report)
    assert max(len(line) for line in printed.split("\n")) <= 80
    for title in ("Accuracy", "Sides and relation (pairs)", "Counters", "By operator", "Families that fail most",
                  "Confidence and abstention", "What fails, and what it usually calls for", "Failing pairs (6 of 6)",
                  "What this report cannot tell you"):  # fmt: skip
        assert f"\n{title}\n" in printed
    assert "each passes one half" in " ".join(printed.split())


def test_a_rare_critical_operator_is_not_drowned(report: PairReport) -> None:
    printed = rows_of(text(report), "By operator")
    assert printed[1][:4] == ["negation", "(critical)", "2", "1"]  # first, with its two pairs and its failure
    assert printed[2][:3] == ["paraphrase_by_model", "100", "5"]
    accuracy = rows_of(text(report), "Accuracy")
    # 96 of 102 pairs keep their relation; the operators have 95/100 and 1/2, .725 together
    assert accuracy[1][:2] == ["all", "pairs"]
    assert accuracy[1][5] == "0.941"
    assert accuracy[3][:4] == ["each", "operator", "once", "2"]
    assert accuracy[3][6] == "0.725"


def test_what_fails_and_what_it_calls_for(report: PairReport) -> None:
    printed = " ".join(text(report, show=1).split())
    assert "gold changes, answer stays" in printed
    assert "more examples of these edits" in printed
    assert "Failing pairs (1 of 6) - p100: negation: critical, gold changes, answer stays; gold pos > neg, " in printed


def test_nothing_fails_quietly() -> None:
    printed = text(measure_pairs(pairs_from_dicts([pair(k, True, "negation") for k in range(80)]), n_resamples=100))
    assert "Failing pairs" not in printed
    assert "What fails" not in printed
    assert "Families that fail" not in printed
    assert "Warnings" not in printed
    assert "each operator once" not in printed  # one operator is all pairs


def test_nothing_measured_is_said() -> None:
    none = measure_pairs(pairs_from_dicts([]), n_resamples=100)
    assert "[NOT MEASURED] there are no pairs" in text(none)
    silent = measure_pairs(pairs_from_dicts([pair(0, True, "x", edited_prediction=None)]), n_resamples=100)
    assert "[NOT MEASURED] every pair has an abstention" in text(silent)
    assert "NOT MEASURED" in to_markdown(silent)


def test_few_families_are_warned_of() -> None:
    rows = [*ROWS[:18], *ROWS[-2:]]  # nine families of two paraphrases, and one of two negations
    made = measure_pairs(pairs_from_dicts(rows), n_resamples=100, weights={"negation": 3.0})
    assert made.warnings == ["only 10 families, and families, not pairs, are the observations"]
    assert all(text in to_markdown(made) for text in made.warnings)
    assert "operators, weighted" in text(made)


def test_operators_are_critical_by_name_or_when_all_their_pairs_are() -> None:
    rows = [pair(0, True, "a", critical=True), pair(1, True, "b", critical=True), pair(2, True, "b")]
    assert critical_operators(measure_pairs(pairs_from_dicts(rows), n_resamples=100)) == {"a"}
    assert critical_operators(measure_pairs(pairs_from_dicts(rows), n_resamples=100, critical=["b"])) == {"a", "b"}


def test_a_threshold_makes_abstentions_on_both_sides() -> None:
    rows = [pair(0, True, "x", base_confidence=0.9, edited_confidence=0.4), pair(1, True, "x", base_prediction=None,
                                                                                 edited_confidence=0.8)]  # fmt: skip
    made = measure_pairs(pairs_from_dicts(rows), n_resamples=100, threshold=0.5)
    assert (made.values["n_abstained_edited"], made.values["coverage"]) == (1, 0.0)
    assert made.pairs.rows[0].edited_abstained
    assert "answered pos > no answer" in text(made)
    assert "predictions below 0.5 are abstentions" in text(made)
    assert "|abstain_below=0.5" in made.signature
    with pytest.raises(InputError, match=r"abstain below 0\.5, but pair 'p7' has no base confidence"):
        measure_pairs(pairs_from_dicts([pair(7, True, "x")]), n_resamples=100, threshold=0.5)


NASTY = "\x1b[2J\x9b31m\x07[bold]no\r[/x]"


def test_control_characters_and_markup_of_data_are_shown_and_not_obeyed() -> None:
    rows = [pair(0, False, NASTY, id=f"p{NASTY}", family=f"f{NASTY}"), pair(1, True, NASTY, family=f"f{NASTY}"),
            pair(2, True, "x", edited_prediction=NASTY)]  # fmt: skip
    report = measure_pairs(pairs_from_dicts(rows), n_resamples=100)
    for printed in (text(report, gate=[NASTY]), to_markdown(report, gate=[NASTY])):
        assert not [c for c in printed if unicodedata.category(c) == "Cc" and c != "\n"]
        flat = "".join(printed.split()).replace("\\\\", "\\")
        assert flat.count(r"\x1b[2J\x9b31m\x07[bold]no\x0d[/x]") >= 4


def test_markdown_has_the_tables_and_escapes() -> None:
    rows = [pair(0, False, "a|b", id="<script>"), pair(1, True, "a|b")]
    written = to_markdown(measure_pairs(pairs_from_dicts(rows), n_resamples=100), gate=["passed: rule"])
    assert "<script>" not in written
    assert "| a\\|b | 2 | 1 |" in written
    assert "**Gate**\n\n- passed: rule" in written
    assert "**Failing pairs (1 of 1)**" in written
