"""`jostle pairs`: forms, settings, exit codes, and what a gate decides."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
FAST = ("--resamples", "200")
M12 = [
    ("pos", "neg", "pos", "pos"), ("pos", "neg", "neg", "pos"), ("pos", "pos", "neg", "neg"),
    ("pos", "pos", "pos", "neg"), ("ent", "contra", "neutral", "contra"), ("ent", "contra", "neutral", "neutral"),
]  # fmt: skip
KEYS = ("base_label", "edited_label", "base_prediction", "edited_prediction")


def rows(**columns: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"p{k}", **dict(zip(KEYS, pair, strict=True)), **{name: values[k] for name, values in columns.items()}}
        for k, pair in enumerate(M12)
    ]


@pytest.fixture
def pairs(write: Write) -> Path:
    return write("pairs.jsonl", rows(operator=["negation"] * 2 + ["paraphrase"] * 2 + ["entity"] * 2))


@pytest.fixture
def measured(jostle: Jostle, pairs: Path) -> Callable[..., dict[str, Any]]:
    """The values of the measure, by the command."""

    def run(*flags: object, path: Path = pairs) -> dict[str, Any]:
        done = jostle("pairs", path, "--format", "json", *FAST, *flags)
        assert done.code == 0, done.err
        values: dict[str, Any] = json.loads(done.out)["measures"][0]["values"]
        return values

    return run


def test_m12_the_counters_are_those_of_the_case(measured: Callable[..., dict[str, Any]]) -> None:
    values = measured()
    assert (values["side_accuracy"], values["relation_accuracy"]) == (3 / 12, 3 / 6)
    counters = ("base_only_error", "edited_only_error", "both_wrong_expected_relation", "relation_failure")
    assert [values[key] for key in counters] == [1, 2, 2, 3]


def test_m12_a_pair_without_gold_is_named_with_its_line(jostle: Jostle, write: Write) -> None:
    broken = rows()
    broken[2]["base_label"] = None
    done = jostle("pairs", write("pairs.jsonl", broken))
    assert (done.code, done.out) == (3, "")
    assert "pairs.jsonl, line 3 (p2) has no base_label" in done.err


def test_m18_missing_confidences_are_null_and_counted(measured: Callable[..., dict[str, Any]], write: Write) -> None:
    text = [{**row, "base_confidence": b, "edited_confidence": e}
            for row, b, e in zip(rows()[:3], (0.9, "NaN", 0.8), (0.7, 0.6, None), strict=True)]  # fmt: skip
    values = measured(path=write("c.jsonl", text))
    assert values["mean_confidence_change"] == pytest.approx(-0.2)
    assert values["n_missing_confidence"] == 2
    assert values["collapse_rate"] is None  # no pair is right on both sides


def test_json_is_one_strict_document(jostle: Jostle, pairs: Path) -> None:
    done = jostle("pairs", pairs, "--format", "json", *FAST, "--show", "2")
    payload = json.loads(done.out, parse_constant=lambda token: pytest.fail(f"{token} is no JSON"))
    keys = {"tool", "source", "summary", "measures", "limitations", "gate", "signature", "failing", "failure_types"}
    assert keys <= set(payload)
    assert payload["measures"][0]["limitations"] == payload["limitations"] != []
    assert payload["gate"] == {"fail_on": "never", "exit_code": 0, "tripped": False, "incomplete": []}
    assert [(pair["id"], pair["sides"], pair["relation_kept"]) for pair in payload["failing"]] == [
        ("p0", "edited_only_error", "failed"), ("p1", "both_wrong", "kept"),
    ]  # fmt: skip
    assert (payload["summary"]["n_failures"], done.err) == (6, "")


def test_evidence_of_any_type_can_be_written(jostle: Jostle, tmp_path: Path) -> None:
    found = [{**row, "seen": date(2024, 5, k + 1), "parts": [k, None]} for k, row in enumerate(rows())]
    pq.write_table(pa.Table.from_pylist(found), tmp_path / "p.parquet")
    done = jostle("pairs", tmp_path / "p.parquet", "--format", "json", *FAST, "--show", "1")
    assert json.loads(done.out)["failing"][0]["evidence"] == {"seen": "2024-05-01", "parts": [0, None]}


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_every_form_can_go_to_a_file(jostle: Jostle, pairs: Path, tmp_path: Path, form: str) -> None:
    printed = jostle("pairs", pairs, "--format", form, *FAST)
    out = tmp_path / "report"
    written = jostle("pairs", pairs, "--format", form, *FAST, "--out", out)
    assert (printed.code, written.code, written.out) == (0, 0, "")
    assert out.read_text(encoding="utf-8") == printed.out
    assert "negation" in printed.out
    assert written.err == f"wrote {out}\n"


@pytest.mark.parametrize(
    ("name", "start"),
    [("r.html", "<!doctype html>"), ("r.HTM", "<!doctype html>"), ("r.json", "{"), ("r.md", "**[PAIRS]"),
     ("r.txt", "jostle"), ("r", "jostle")],
)  # fmt: skip
def test_the_name_of_the_file_says_the_form(jostle: Jostle, pairs: Path, tmp_path: Path, name: str, start: str) -> None:
    assert jostle("pairs", pairs, *FAST, "--out", tmp_path / name).code == 0
    assert (tmp_path / name).read_text("utf-8").lower().startswith(start.lower())
    assert jostle("pairs", pairs, *FAST, "--out", tmp_path / name, "--format", "text").code == 0
    assert (tmp_path / name).read_text("utf-8").startswith("jostle")


def test_the_name_of_the_file_wins_over_settings(jostle: Jostle, pairs: Path, tmp_path: Path, write: Write) -> None:
    write("jostle.toml", "[pairs]\nformat = 'html'\n")
    assert jostle("pairs", pairs, *FAST, "--out", tmp_path / "r.json").code == 0
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["tool"]["name"] == "jostle"
    assert jostle("pairs", pairs, *FAST, "--out", tmp_path / "r.txt").code == 0
    assert (tmp_path / "r.txt").read_text("utf-8").lower().startswith("<!doctype html>")


def test_a_form_that_a_command_does_not_have_is_not_written_as_text(
    jostle: Jostle, pairs: Path, tmp_path: Path
) -> None:
    pinned, out = tmp_path / "f.jsonl", tmp_path / "r.html"
    revisions = ("--corpus-revision", "c", "--model-revision", "m")
    assert jostle("pairs", "pin", pairs, *revisions, "--out", pinned, "--allow-unreviewed").code == 0
    for call in (("check", pinned, "--predictions", pairs), ("--check-split", pairs, pairs)):
        assert jostle("pairs", *call, "--out", out).code == 2
        assert not out.exists()
    assert jostle("pairs", "check", pinned, "--predictions", pairs, "--out", tmp_path / "r.json").code == 0
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["summary"]["n_newly_failing"] == 0
    assert jostle("pairs", "check", pinned, "--predictions", pairs, "--out", tmp_path / "r.md").code == 0
    assert (tmp_path / "r.md").read_text("utf-8").count("**Gate: exit 0**") == 1


def test_labels_that_match_no_gold_are_warned_of(jostle: Jostle, write: Write) -> None:
    shouted = [{**row, "edited_prediction": str(row["edited_prediction"]).upper()} for row in rows()]
    path = write("s.jsonl", shouted)
    n = 5  # POS and NEG twice each and CONTRA; NEUTRAL is no gold label however it is written
    for form in ("text", "markdown", "html", "json"):
        done = jostle("pairs", path, "--format", form, *FAST)
        assert f"{n} predictions count as wrong" in done.out
        assert f"warning: {n} predictions count as wrong, for they differ from a gold label by case" in done.err
    assert jostle("pairs", path, *FAST, "--quiet").err == ""
    mapped = jostle(
        "pairs", path, *FAST, "--label-map", "POS=pos", "--label-map", "NEG=neg", "--label-map", "CONTRA=contra"
    )
    assert (mapped.err, "Predicted labels taken as gold labels: " in mapped.out) == ("", True)


def test_same_seed_same_report(jostle: Jostle, write: Write) -> None:
    family = write("f.jsonl", rows(family=["f", "f", "f", "g", "g", "h"]))
    first, again, other = (jostle("pairs", family, *FAST, "--seed", seed).out for seed in (0, 0, 1))
    assert first == again
    assert first != other


def test_settings_may_stand_in_the_file(measured: Callable[..., dict[str, Any]], write: Write) -> None:
    right = {**dict(zip(KEYS, ("pos", "neg", "pos", "neg"), strict=True)), "base_confidence": 0.9}
    path = write("one.jsonl", [{**right, "edited_confidence": 0.6}, {**right, "edited_confidence": 0.9}])
    assert measured(path=path)["n_collapsed"] == 1
    write("jostle.toml", "[pairs]\ncollapse = 0.5\nabstain_below = 0.7\n")
    assert measured(path=path)["n_abstained"] == 1
    values = measured("--abstain-below", "0", path=path)
    assert (values["n_abstained"], values["n_collapsed"]) == (0, 0)


def test_weights(measured: Callable[..., dict[str, Any]], jostle: Jostle, pairs: Path) -> None:
    # relation kept: negation 1/2, paraphrase 1/2, entity 1/2; both right: none; sides 1/4, 1/4, 1/4
    assert measured()["operator_weighted_side_accuracy"] == pytest.approx(0.25)
    for flag, message in (("negatoin=3", "(entity, negation, paraphrase), but got 'negatoin'"),
                          ("negation=much", "--weight negation=NUMBER, but got 'much'"),
                          ("negation=-1", "0 or more for operator 'negation', but got -1")):  # fmt: skip
        done = jostle("pairs", pairs, *FAST, "--weight", flag)
        assert (done.code, done.out) == (2, "")
        assert message in done.err


def test_a_weight_moves_the_weighted_rate_alone(measured: Callable[..., dict[str, Any]], write: Write) -> None:
    path = write("w.jsonl", rows(operator=["x", "x", "y", "x", "x", "x"]))  # relation kept: x 2/5, y 1/1
    plain, heavy = measured(path=path), measured("--weight", "y=3", path=path)
    assert plain["operator_weighted_relation_accuracy"] == pytest.approx(0.7)
    assert heavy["operator_weighted_relation_accuracy"] == pytest.approx(0.85)  # (.4 + 3) / 4
    assert heavy["relation_accuracy"] == plain["relation_accuracy"] == 0.5


def test_a_threshold_needs_confidences(jostle: Jostle, pairs: Path) -> None:
    done = jostle("pairs", pairs, "--abstain-below", "0.5")
    assert (done.code, done.out) == (3, "")
    assert "pairs.jsonl, line 1 (p0)' has no base confidence" in done.err


@pytest.mark.parametrize("form", ["text", "markdown", "html", "json"])
def test_nothing_measured_exits_with_3(jostle: Jostle, write: Write, form: str) -> None:
    silent = [{**row, "edited_prediction": None} for row in rows()]
    done = jostle("pairs", write("s.jsonl", silent), "--format", form, *FAST)
    assert done.code == 3
    assert "not measured: every pair has an abstention" in done.err
    assert ("NOT MEASURED" in done.out) is True


def test_a_gate_trips_even_where_the_average_rises(jostle: Jostle, write: Write) -> None:
    gate = write("gate.toml", '[gate]\ncritical = ["negation"]\n[gate.minimum]\nrelation_accuracy = 0.5\n')
    good = dict(zip(KEYS, ("pos", "pos", "pos", "pos"), strict=True))
    old = [{**good, "operator": "negation"}, *({**row, "operator": "paraphrase"} for row in rows())]
    new = [{**old[0], "edited_prediction": "neg"}, *({**good, "operator": "paraphrase"} for _ in range(20))]
    before = jostle("pairs", write("old.jsonl", old), "--gate", gate, "--format", "json", *FAST)
    after = jostle("pairs", write("new.jsonl", new), "--gate", gate, "--format", "json", *FAST)
    rates = [json.loads(done.out)["measures"][0]["values"]["relation_accuracy"] for done in (before, after)]
    assert rates[0] < rates[1]
    assert (before.code, after.code) == (0, 1)
    assert "gate: tripped: critical negation: 1 of 1 pairs fail" in after.err
    assert json.loads(after.out)["gate"]["tripped"] is True


def test_a_critical_operator_without_pairs_is_not_measured(jostle: Jostle, write: Write, pairs: Path) -> None:
    gate = write("gate.toml", '[gate]\ncritical = ["negation", "dates"]\n')
    done = jostle("pairs", pairs, "--gate", gate, *FAST)
    assert done.code == 3
    assert "gate: not measured: critical dates" in done.err
    assert "gate: tripped: critical negation" in done.err


def test_a_file_or_a_split_to_check(jostle: Jostle, pairs: Path) -> None:
    for arguments in ((), (pairs, "--check-split", pairs, pairs)):
        done = jostle("pairs", *arguments)
        assert done.code == 2
        assert "Expected a FILE of pairs, or --check-split TRAIN TEST" in done.err


def test_help_names_the_subcommands(jostle: Jostle) -> None:
    done = jostle("pairs", "--help")
    assert done.code == 0
    assert "Pin reviewed pairs" in done.out
    assert "--corpus-revision" in jostle("pairs", "pin", "--help").out
