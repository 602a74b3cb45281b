"""The tab Review without a browser: queue, decisions, file, and that the builder and the pair gate read it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from review_session import Session, agreement
from review_view import agreement_html, panel

from jostle.errors import InputError, UsageError
from jostle.pairs import read_pairs
from jostle.review_queue import Case, example_cases, read_cases
from jostle.reviews import APPROVED, REJECTED, UNSURE, read_reviews

Call = Callable[..., Any]
Write = Callable[[str, Any], Path]
SENTENCES = [
    {"idx": 0, "sentence": "It isn't the color of the sets that makes this film a favorite.", "label": 1},
    {"idx": 1, "sentence": "The humor is as gray as the weather, and it doesn't get better.", "label": 0},
]
BUILD = ("build", "--task", "sst2", "--operators", "typos")
QUESTION = {"idx": 0, "question": "Which is red?", "choices": ["a plum", "a leaf", "a tomato"], "answer": 2}
PAIRS = [
    {
        "id": name, "base_text": f"a fine film {name}", "edited_text": f"a dull film {name}", "base_label": "positive",
        "edited_label": "negative", "base_prediction": "positive", "edited_prediction": "positive",
        "operator": "antonym",
    }
    for name in ("p1", "p2", "p3")
]  # fmt: skip


def session_of(*paths: Path) -> Session:
    return Session(read_cases(paths))


def answered(session: Session, *statuses: str, reviewer: str = "Ana") -> Session:
    for status in statuses:
        session = session.decide(status, reviewer)
    return session


def exported(session: Session, path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in session.export(path, "Ana").read_text("utf-8").splitlines()]


@pytest.fixture
def built(write: Write, jostle: Call, tmp_path: Path) -> Path:
    data = write("items.jsonl", SENTENCES)
    done = jostle("build", "--task", "sst2", "--data", data, "--out", tmp_path / "built", "--operators", "typos")
    assert done.code == 0, done.err
    return tmp_path / "built"


# -- the queue


def test_every_variant_of_a_built_set_stands_beside_its_base(built: Path) -> None:
    pert = next((built / "sst2-pert").iterdir())
    alone = read_cases([pert])
    beside = read_cases([pert, next((built / "sst2-orig").iterdir())])
    assert alone == beside
    assert [case.key for case in alone] == ["sst2/validation/0/pert/typos", "sst2/validation/1/pert/typos"]
    assert [case.base["sentence"] for case in alone] == [row["sentence"] for row in SENTENCES]
    assert [(case.base_label, case.edited_label) for case in alone] == [("positive",) * 2, ("negative",) * 2]


def test_moved_options_are_put_back(write: Write, jostle: Call, tmp_path: Path) -> None:
    data = write("mcq.jsonl", [QUESTION])
    arguments = ("--task", "mcq", "--data", data, "--out", tmp_path / "o", "--operators", "cyclic_order")
    assert jostle("build", *arguments).code == 0
    paths = [path for path in (tmp_path / "o").rglob("*.parquet") if "orig" not in path.parts[-2]]
    case = read_cases(paths)[0]
    assert case.base["choices"] == "A. a plum\nB. a leaf\nC. a tomato"
    assert case.base_label == "C. a tomato"
    assert case.edited["choices"] != case.base["choices"]
    assert case.edited_label.endswith(". a tomato")


def test_an_edit_that_is_not_recorded_needs_its_original(write: Write, jostle: Call, tmp_path: Path) -> None:
    assert jostle("build", "--task", "sst2", "--data", "embedded", "--out", tmp_path / "o", "--limit", 2,
                  "--operators", "typos").code == 0  # fmt: skip
    para = next((tmp_path / "o" / "sst2-para").iterdir())
    with pytest.raises(InputError, match=r"original of 'sst2/validation/sst2-001/para/by_hand'.*-orig"):
        read_cases([para])
    assert len(read_cases([para, next((tmp_path / "o" / "sst2-orig").iterdir())])) == 2


def test_variants_of_a_run_have_the_ids_of_its_pairs(write: Write) -> None:
    rows = [
        {"item_id": "a", "condition": "orig", "operator": "", "relation": "invariant", "label": "positive",
         "sentence": "x"},
        {"item_id": "a", "condition": "pert/typos", "operator": "typos", "relation": "invariant", "label": "positive",
         "sentence": "y"},
    ]  # fmt: skip
    path = write("x", "").with_name("variants.parquet")
    pq.write_table(pa.Table.from_pylist(rows), path)
    (case,) = read_cases([path])
    assert (case.key, case.base, case.edited) == ("a / pert/typos", {"sentence": "x"}, {"sentence": "y"})


def test_pairs_need_no_predictions_to_be_reviewed(write: Write) -> None:
    bare = [{k: v for k, v in pair.items() if not k.endswith("_prediction")} for pair in PAIRS]
    cases = read_cases([write("pairs.jsonl", bare)])
    assert [case.key for case in cases] == ["p1", "p2", "p3"]
    assert {case.relation for case in cases} == {"changed"}
    assert cases == read_cases([write("predicted.jsonl", PAIRS)])


@pytest.mark.parametrize(
    ("name", "rows", "message"),
    [
        ("x.jsonl", [{"a": 1}], r"Expected a built data set .*x\.jsonl has a\."),
        ("x.jsonl", [{**PAIRS[0], "edited_text": None}], r"x\.jsonl, line 1 lacks one"),
        ("x.txt", "hello", "Expected a file of type"),
        ("x.jsonl", "", "Expected rows"),
    ],
)
def test_other_files_are_refused(write: Write, name: str, rows: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_cases([write(name, rows)])


def test_originals_alone_and_a_key_for_two_variants_are_refused(built: Path, write: Write) -> None:
    with pytest.raises(InputError, match="originals alone"):
        read_cases([next((built / "sst2-orig").iterdir())])
    first, second = write("a.jsonl", PAIRS[:1]), write("b.jsonl", [{**PAIRS[0], "edited_text": "another"}])
    assert len(read_cases([first, first])) == 1
    with pytest.raises(InputError, match="'p1' stands for two different"):
        read_cases([first, second])


def test_the_example_is_what_build_makes_of_the_embedded_items(jostle: Call, tmp_path: Path) -> None:
    assert jostle("build", "--task", "mnli", "--data", "embedded", "--out", tmp_path / "o", "--limit", 3,
                  "--operators", "typos").code == 0  # fmt: skip
    by_hand = {case.key: case for case in read_cases(sorted((tmp_path / "o").rglob("*.parquet")))}
    for case in example_cases("mnli", 3):
        assert by_hand[case.key] == case


# -- decisions


def test_answers_go_on_and_back_and_can_be_changed(write: Write, tmp_path: Path) -> None:
    session = answered(session_of(write("pairs.jsonl", PAIRS)), APPROVED, REJECTED)
    assert (session.at, dict(session.counts())) == (2, {"yes": 1, "no": 1})
    session = answered(session.move(-1), UNSURE, UNSURE)
    assert (session.at, session.case) == (3, None)
    assert session.decide(APPROVED, "Ana") == session
    assert session.move(-9).at == 0
    assert session.move(9).at == 3
    rows = exported(session, tmp_path / "r.jsonl")
    assert [(row["key"], row["status"], row["reviewer"]) for row in rows] == [
        ("p1", "approved", "Ana"), ("p2", "unsure", "Ana"), ("p3", "unsure", "Ana"),
    ]  # fmt: skip


def test_a_step_leaves_the_session_before_it_as_it_was(write: Write) -> None:
    session = session_of(write("pairs.jsonl", PAIRS))
    answered(session, APPROVED)
    assert (session.at, session.decisions) == (0, {})


def test_an_export_needs_a_decision_and_a_name(write: Write, tmp_path: Path) -> None:
    session = session_of(write("pairs.jsonl", PAIRS))
    with pytest.raises(InputError, match="Expected decisions"):
        session.export(tmp_path / "r.jsonl", "Ana")
    session = session.decide(APPROVED, "")
    with pytest.raises(UsageError, match="name of the reviewer"):
        session.export(tmp_path / "r.jsonl", " ")
    assert exported(session, tmp_path / "r.jsonl")[0]["reviewer"] == "Ana"


def test_a_review_goes_on_at_the_first_open_case(write: Write, tmp_path: Path) -> None:
    pairs = write("pairs.jsonl", PAIRS)
    answered(session_of(pairs), APPROVED).export(tmp_path / "r.jsonl", "")
    earlier = read_reviews(tmp_path / "r.jsonl")
    assert earlier is not None
    resumed, stale = session_of(pairs).resume(earlier)
    assert (resumed.at, stale) == (1, 0)
    assert resumed.decisions["p1"]["reviewer"] == "Ana"
    changed, stale = session_of(write("new.jsonl", [{**PAIRS[0], "edited_text": "other"}])).resume(earlier)
    assert (changed.at, changed.decisions, stale) == (0, {}, 1)


def test_decisions_outside_the_queue_are_kept(write: Write, tmp_path: Path) -> None:
    file = write("r.jsonl", [{"key": "elsewhere", "status": "rejected", "reviewer": "Bo", "date": "2026-01-02"},
                             {"key": "p2", "status": "unreviewed"}])  # fmt: skip
    earlier = read_reviews(file)
    assert earlier is not None
    resumed, stale = session_of(write("pairs.jsonl", PAIRS)).resume(earlier)
    assert (resumed.at, stale) == (0, 0)
    rows = exported(resumed.decide(APPROVED, "Ana"), tmp_path / "out.jsonl")
    assert {row["key"]: row["reviewer"] for row in rows} == {"elsewhere": "Bo", "p1": "Ana"}


# -- what reads the file


def test_round_trip_through_the_builder(built: Path, write: Write, jostle: Call, tmp_path: Path) -> None:
    session = session_of(next((built / "sst2-pert").iterdir()))
    reviews = answered(session, APPROVED, REJECTED).export(tmp_path / "r.jsonl", "")
    common = (*BUILD, "--data", tmp_path / "items.jsonl", "--reviews", reviews)
    assert jostle(*common, "--only-approved", "--out", tmp_path / "approved").code == 0
    kept = [row for path in (tmp_path / "approved").rglob("*.parquet") for row in pq.read_table(path).to_pylist()]
    (variant,) = [row for row in kept if row["kind"] != "orig"]
    assert (variant["key"], variant["review_status"], variant["reviewer"]) == (session.cases[0].key, "approved", "Ana")
    assert len(variant["reviewed_at"]) == len("2026-01-02")


def test_unsure_is_kept_but_not_approved(built: Path, jostle: Call, tmp_path: Path) -> None:
    session = session_of(next((built / "sst2-pert").iterdir()))
    reviews = answered(session, UNSURE, APPROVED).export(tmp_path / "r.jsonl", "")
    common = (*BUILD, "--data", tmp_path / "items.jsonl", "--reviews", reviews)
    assert jostle(*common, "--out", tmp_path / "all").code == 0
    assert jostle(*common, "--only-approved", "--out", tmp_path / "approved").code == 0
    for folder, expected in (("all", ["unsure", "approved"]), ("approved", ["approved"])):
        rows = pq.read_table(next((tmp_path / folder / "sst2-pert").iterdir())).to_pylist()
        assert [row["review_status"] for row in rows] == expected


def test_the_builder_refuses_a_review_of_another_text(built: Path, write: Write, jostle: Call, tmp_path: Path) -> None:
    reviews = answered(session_of(next((built / "sst2-pert").iterdir())), APPROVED).export(tmp_path / "r.jsonl", "")
    other = write("other.jsonl", [{**SENTENCES[0], "sentence": "It is not a favourite of anybody."}, SENTENCES[1]])
    done = jostle("build", "--task", "sst2", "--data", other, "--operators", "typos", "--reviews", reviews,
                  "--out", tmp_path / "o")  # fmt: skip
    assert done.code == 3
    assert "'sst2/validation/0/pert/typos' as it was reviewed" in done.err


def test_round_trip_through_the_pair_gate(write: Write, jostle: Call, tmp_path: Path) -> None:
    pairs = write("pairs.jsonl", PAIRS)
    common = ("pairs", "pin", pairs, "--corpus-revision", "c", "--model-revision", "m", "--out", tmp_path / "f.jsonl")
    assert jostle(*common).code == 3
    half = answered(session_of(pairs), APPROVED, REJECTED, UNSURE)
    done = jostle(*common, "--reviews", half.export(tmp_path / "half.jsonl", ""))
    assert (done.code, "1 of 2 are not" in " ".join(done.err.split())) == (3, True)
    whole = answered(half.move(-1), APPROVED)
    done = jostle(*common, "--reviews", whole.export(tmp_path / "whole.jsonl", ""))
    assert (done.code, "1 of 3 pairs are left out" in done.err) == (0, True)
    assert jostle("pairs", "check", tmp_path / "f.jsonl", "--predictions", pairs).code == 0
    pinned = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text("utf-8").splitlines()[1:]]
    assert [(row["id"], row["reviewed"]) for row in pinned] == [("p1", True), ("p3", True)]


def test_the_pair_gate_refuses_a_review_of_another_text(write: Write, jostle: Call, tmp_path: Path) -> None:
    reviews = answered(session_of(write("pairs.jsonl", PAIRS)), APPROVED).export(tmp_path / "r.jsonl", "")
    other = write("other.jsonl", [{**PAIRS[0], "edited_label": "neutral", "edited_prediction": "neutral"}])
    done = jostle("pairs", "pin", other, "--reviews", reviews, "--corpus-revision", "c", "--model-revision", "m",
                  "--out", tmp_path / "f.jsonl")  # fmt: skip
    assert (done.code, "'p1' as it was reviewed" in " ".join(done.err.split())) == (3, True)


@pytest.mark.slow
def test_a_review_of_a_run_is_read_with_its_outcomes(jostle: Call, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert jostle("run", "--task", "sst2", "--data", "embedded", "--limit", 3, "--operators", "typos", "--out", run,
                  "--model", "embedded", "--resamples", 100).code == 0  # fmt: skip
    session = session_of(run / "variants.parquet")
    assert [case.key for case in session.cases] == read_pairs(run).columns["id"].to_pylist()
    reviews = answered(session, *[APPROVED] * len(session.cases)).export(tmp_path / "r.jsonl", "")
    done = jostle("pairs", "pin", run, "--reviews", reviews, "--corpus-revision", "c", "--model-revision", "m",
                  "--out", tmp_path / "f.jsonl")  # fmt: skip
    assert done.code == 0, done.err


# -- agreement


def test_agreement_of_two_reviewers(write: Write, tmp_path: Path) -> None:
    rows = [{**PAIRS[0], "id": f"p{k}"} for k in range(4)]
    pairs = write("pairs.jsonl", rows)
    ours = answered(session_of(pairs), APPROVED, APPROVED, REJECTED, REJECTED)
    theirs = answered(session_of(pairs), APPROVED, REJECTED, REJECTED, REJECTED, reviewer="Bo")
    other = read_reviews(theirs.export(tmp_path / "bo.jsonl", ""))
    assert other is not None
    found = agreement(ours, "Ana", other)
    # p_o = 3/4; yes 2/4 and 1/4, no 2/4 and 3/4: p_e = 1/8 + 3/8 = 1/2; kappa = 1/2.
    assert found.kappa == {"kappa": 0.5, "agreement": 0.75, "n": 4}
    assert (found.names, found.differ) == (("Ana", "Bo"), [("p1", "yes", "no")])
    assert "kappa 0.500" in agreement_html(found)
    assert "p1: yes / no" in agreement_html(found)


def test_agreement_counts_what_both_have_seen_and_only_the_same_text(write: Write, tmp_path: Path) -> None:
    ours = answered(session_of(write("pairs.jsonl", PAIRS)), APPROVED, APPROVED)
    rows = [PAIRS[0], {**PAIRS[1], "edited_text": "another"}, PAIRS[2]]
    theirs = answered(session_of(write("theirs.jsonl", rows)), APPROVED, APPROVED, APPROVED, reviewer="Bo")
    other = read_reviews(theirs.export(tmp_path / "bo.jsonl", ""))
    assert other is not None
    found = agreement(ours, "", other)
    assert found.kappa["n"] == 1
    assert "not defined" in agreement_html(found)
    with pytest.raises(InputError, match="no decision on any"):
        agreement(session_of(write("again.jsonl", PAIRS)), "Ana", other)


# -- the page


def test_text_of_the_data_is_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    case = Case(f"k{evil}", {f"f{evil}": "a", "g": evil}, {f"f{evil}": evil, "g": "b"}, evil, evil, "changed", evil, "")
    session = Session([case])
    for shown in (panel(session), panel(session.decide(APPROVED, evil).move(-1))):
        assert "<script" not in shown
        assert "&lt;script&gt;" in shown
    other = read_reviews(session.decide(REJECTED, evil).export(tmp_path / "r.jsonl", evil))
    assert other is not None
    assert "<script" not in agreement_html(agreement(session.decide(APPROVED, evil), evil, other))


def test_the_edit_is_marked_on_both_sides_and_the_question_names_the_label() -> None:
    case = Case(
        "k", {"s": "a dull film"}, {"s": "a fine film"}, "negative", "positive", "changed", "contrast_antonym", ""
    )
    shown = panel(Session([case]))
    assert "a <del>dull</del> film" in shown
    assert "a <ins>fine</ins> film" in shown
    assert "Is <strong>positive</strong> now the right label?" in shown
    assert "the label changes from negative to positive" in shown
    assert "1 of 1" in shown
    kept = panel(Session([Case("k", {"s": "a"}, {"s": "b"}, "positive", "positive", "invariant", "typos", "")]))
    assert "Is <strong>positive</strong> still the right label?" in kept
