"""Decodings compared, unparsed rates and their warnings, in every form of the report."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from statsmodels.stats.multitest import multipletests

from jostle import Report, build_report
from jostle.outcomes import Outcomes
from jostle.report.markdown import escape, to_markdown
from jostle.report.page import to_html
from jostle.report.sections import overview, unparsed_section
from jostle.report.text import print_report

CONDITIONS = {"orig": 0.9, "para/x": 0.85, "pert/x": 0.8, "adv/x": 0.6}
COLUMNS = ("predictions", "references", "item_ids", "conditions", "tasks", "models", "decodings", "samples")


def protocol(
    tasks: tuple[str, ...] = ("mnli", "sst2"),
    models: tuple[str, ...] = ("m",),
    decodings: tuple[str, ...] = ("greedy", "sample"),
    unparsed: float = 0.0,
) -> Outcomes:
    """Sixty items a task; samples are right where greedy is, but for one in ten; `adv/x` of mnli may be unparsed."""
    rng = np.random.default_rng(5)
    rows: list[tuple[Any, ...]] = []
    for task in tasks:
        for k, ease in enumerate(rng.random(60)):
            gold = k % 2
            for model in models:
                for decoding in decodings:
                    for condition, level in CONDITIONS.items():
                        for sample in range(5 if decoding == "sample" else 1):
                            right = (ease < level) != (decoding == "sample" and rng.random() < 0.1)
                            answer: int | None = gold if right else 1 - gold
                            if (task, condition) == ("mnli", "adv/x") and rng.random() < unparsed:
                                answer = None
                            rows.append((answer, gold, f"{task}-{k}", condition, task, model, decoding, sample))
    return Outcomes.from_columns(source="run", **dict(zip(COLUMNS, zip(*rows, strict=True), strict=True)))


def report(**how: Any) -> Report:
    return build_report(protocol(**how), n_resamples=300)


def as_text(made: Report) -> str:
    buffer = io.StringIO()
    print_report(made, Console(file=buffer, width=80, no_color=True, highlight=False))
    return buffer.getvalue()


def test_decodings_of_one_task_and_model_are_compared() -> None:
    made = report(models=("m", "n"))
    assert [(c.group, c.first, c.second) for c in made.comparisons] == [
        (f"task={task}|model={model}", "greedy", "sample") for task in ("mnli", "sst2") for model in ("m", "n")
    ]
    assert {c.values["n_cells"] for c in made.comparisons} == {240}
    for comparison in made.comparisons:
        sides = [
            made.values("robustness_ratio", f"{comparison.group}|decoding={side}")["robustness_ratio"]
            for side in ("greedy", "sample")
        ]
        assert [comparison.values[f"robustness_ratio_{k}"] for k in ("first", "second")] == pytest.approx(sides)


def test_three_decodings_are_compared_two_by_two() -> None:
    made = report(tasks=("sst2",), decodings=("greedy", "sample", "score"))
    pairs = [(c.group, c.first, c.second) for c in made.comparisons]
    assert pairs == [("", "greedy", "sample"), ("", "greedy", "score"), ("", "sample", "score")]


def test_p_values_are_adjusted_over_the_comparisons() -> None:
    found = [c.values for c in report(tasks=("mnli", "qqp", "sst2")).comparisons]
    for name in ("accuracy", "robustness_ratio"):
        expected = multipletests([values[f"{name}_p_value"] for values in found], method="holm")[1]
        assert [values[f"{name}_p_value_holm"] for values in found] == pytest.approx(expected.tolist())


@pytest.mark.parametrize("how", [{"decodings": ("sample",)}, {"decodings": ("sample",), "models": ("m", "n")}])
def test_other_groups_are_not_compared(how: dict[str, Any]) -> None:
    made = report(**how)
    assert made.comparisons == []
    assert "Decodings compared" not in as_text(made)
    assert made.to_dict()["comparisons"] == []


def test_payload_of_a_comparison() -> None:
    payload = report(tasks=("sst2",)).to_dict()
    json.dumps(payload, allow_nan=False)
    (comparison,) = payload["comparisons"]
    assert set(comparison) == {"group", "first", "second", "values", "limitations"}
    assert comparison["limitations"]
    assert set(comparison["limitations"]) <= set(payload["limitations"])
    assert comparison["values"]["mcnemar_p_value_by_condition"]["orig"] is None  # samples on one side


def test_groups_stand_side_by_side() -> None:
    made = report()
    robustness, answers, decodings = overview(made)
    ratio = made.values("robustness_ratio", "task=mnli|decoding=sample")
    row = next(row for row in robustness.rows if row[0] == "mnli|sample")
    assert (row[1], row[5], row[7]) == tuple(
        f"{ratio[key]:.2f}" for key in ("accuracy_orig", "robustness_ratio", "robustness_ratio_above_chance")
    )
    floors = {row[0]: row[-1] for row in answers.rows}
    assert floors["mnli|greedy"] == "-"
    # two samples, each turned with chance .1, differ with chance 2 x .1 x .9 = .18
    assert float(floors["mnli|sample"]) == pytest.approx(0.18, abs=0.02)
    assert [row[:3] for row in decodings.rows] == [
        ["mnli: greedy, sample", "acc.", "60"],
        ["", "R", "60"],
        ["sst2: greedy, sample", "acc.", "60"],
        ["", "R", "60"],
    ]


def test_what_only_one_decoding_has_is_said() -> None:
    columns = protocol(tasks=("sst2",)).to_arrow().to_pylist()
    kept = [row for row in columns if row["decodings"] == "greedy" or row["conditions"] != "pert/x"]
    made = build_report(Outcomes.from_columns(**{name: [row[name] for row in kept] for name in COLUMNS}),
                        n_resamples=300)  # fmt: skip
    section = overview(made)[-1]
    assert "left out: 60 items under a condition that only one side has" in section.legend
    assert [row[1] for row in section.rows] == ["acc."]  # without one kind there is no R


def test_unparsed_answers_that_differ_are_a_warning_in_every_form() -> None:
    made = report(unparsed=0.3)
    values = made.values("unparsed_rate", "task=mnli|decoding=greedy")
    assert [text[: text.index(":")] for text in made.warnings] == [
        "task=mnli|decoding=greedy", "task=mnli|decoding=sample"
    ]  # fmt: skip
    share, change = values["unparsed_rate_by_condition"]["adv/x"], values["accuracy_difference_by_condition"]["adv/x"]
    assert f"adv/x has {share:.1%} unparsed answers, orig 0.0% on the same 60 items (p" in made.warnings[0]
    assert f"up to {min(share, -change):.3f} of its accuracy difference of {change:+.3f}" in made.warnings[0]
    text, page, markdown = as_text(made), to_html(made), to_markdown(made)
    assert text.index("Warnings") < text.index("Robustness by group") < text.index("Unparsed answers by condition")
    assert made.to_dict()["warnings"] == list(made.warnings)
    for warning in made.warnings:
        assert warning in " ".join(text.split())
        assert f"<li>{warning}</li>".replace("'", "&#39;") in page
        assert f"**Warning**: {escape(warning)}" in markdown


def test_a_warning_that_explains_no_drop_says_so() -> None:
    names = [("orig", k) for k in range(40)] + [("adv/x", k) for k in range(40)]
    answers = [0] * 40 + [None] * 20 + [1] * 20  # all wrong, then half unparsed and half right
    made = build_report(
        Outcomes.from_columns(predictions=answers, references=[1] * 80, item_ids=[str(k) for _, k in names],
                              conditions=[name for name, _ in names]), n_resamples=300)  # fmt: skip
    assert "adv/x has 50.0% unparsed answers, orig 0.0%" in made.warnings[0]
    assert "they do not make its accuracy difference of +0.500" in made.warnings[0]


def test_without_unparsed_answers_there_is_neither_warning_nor_table() -> None:
    made = report()
    assert made.warnings == []
    assert unparsed_section(made, made.groups[0]) is None
    rates = made.values("unparsed_rate", made.groups[0])["unparsed_rate_by_condition"]
    assert rates == dict.fromkeys(CONDITIONS, 0.0)
    for form in (as_text(made), to_html(made), to_markdown(made)):
        assert "Unparsed answers by condition" not in form
        assert "Warning" not in form


def test_p_values_of_unparsed_rates_are_adjusted_over_all_groups() -> None:
    made = report(unparsed=0.05)
    values = [made.values("unparsed_rate", group) for group in made.groups]
    raw, adjusted = (
        [p for v in values for p in v[f"{key}_by_condition"].values()] for key in ("p_value", "p_value_holm")
    )
    assert len(raw) == 12  # four groups, three variants each
    assert adjusted == pytest.approx(multipletests(raw, method="holm")[1].tolist())


def test_the_tables_show_all_and_fit_80_columns() -> None:
    made = report(models=("a/rather-long-organisation/with-a-model-of-a-long-name", "n"), unparsed=0.3)
    text = as_text(made)
    wide = [line for line in text.splitlines() if len(line.rstrip()) > 80 and not line.startswith("jostle=")]
    assert wide == []
    plain = " ".join(text.split())
    for section in overview(made):
        assert all(cell in plain for row in section.rows for cell in row[1:])
    page, markdown = to_html(made), to_markdown(made)
    for title in ("Robustness by group", "Answers by group", "Decodings compared", "Unparsed answers by condition"):
        assert f"<h2>{title}</h2>" in page
        assert f"**{title}**" in markdown
