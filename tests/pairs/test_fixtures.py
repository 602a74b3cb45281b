"""Pinned pairs: what is pinned, and what a later run is held to."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError, UsageError
from jostle.pairs import pairs_from_dicts, read_pairs
from jostle.pairs.answers import read_answers
from jostle.pairs.fixtures import pin, read_fixtures, write_fixtures
from jostle.pairs.recheck import Recheck, recheck

Write = Callable[[str, Any], Path]
Call = Callable[..., Any]


def pair(name: str, said: str = "ab", gold: str = "ab", **extra: Any) -> dict[str, Any]:
    return {
        "id": name, "base_text": f"base of {name}", "edited_text": f"edit of {name}",
        "base_label": gold[0], "edited_label": gold[1],
        "base_prediction": said[0].strip("-") or None, "edited_prediction": said[1].strip("-") or None,
        "operator": "negation", "reviewed": True, **extra,
    }  # fmt: skip


PINNED = [pair("stays"), pair("breaks", passages=["one"]), pair("mends", said="aa"), pair("wrong", said="ba")]
NEW = [pair("stays"), pair("breaks", said="aa", passages=["two"]), pair("mends"), pair("wrong", said="bb")]


def checked(pinned: list[dict[str, Any]], new: list[dict[str, Any]], retrieved: tuple[str, ...] = ()) -> Recheck:
    return recheck(pin(pairs_from_dicts(pinned), "c1", "m1"), pairs_from_dicts(new), retrieved)


def test_every_pair_is_in_one_of_four_states() -> None:
    found = checked(PINNED, NEW)
    assert found.new_failures == ["breaks"]
    assert [change.pinned.id for change in found.newly_fixed] == ["mends"]
    assert (found.n_still_failing, found.n_still_passing, found.missing, found.unpinned) == (1, 1, [], 0)


def test_an_unchanged_run_changes_nothing() -> None:
    found = checked(PINNED, PINNED)
    assert (found.newly_failing, found.newly_fixed, found.missing) == ([], [], [])
    assert (found.n_still_failing, found.n_still_passing) == (2, 2)


def test_missing_and_unpinned_pairs_are_told_apart() -> None:
    found = checked(PINNED, [*NEW[1:], pair("other")])
    assert (found.missing, found.unpinned, found.new_failures) == (["stays"], 1, ["breaks"])


def test_a_pair_that_is_no_longer_answered_fails() -> None:
    assert checked([pair("x")], [pair("x", said="a-")]).new_failures == ["x"]
    assert checked([pair("x", said="a-")], [pair("x")]).newly_fixed[0].now.edited_prediction == "b"
    assert checked([pair("x")], [pair("x", edited_abstained=True)]).new_failures == ["x"]


@pytest.mark.parametrize(
    ("before", "after", "states", "overall"),
    [
        ({"passages": ["p"]}, {"passages": ["q"]}, {"passages": "changed"}, "changed"),
        ({"passages": ["p"]}, {"passages": ["p"]}, {"passages": "same"}, "same"),
        ({"passages": ["p"]}, {}, {"passages": "absent"}, "absent"),
        ({}, {"passages": ["p"]}, {"passages": "absent"}, "absent"),
        ({}, {}, {}, "absent"),
        ({"passages": [1], "draft": "x"}, {"passages": [1], "draft": "y"},
         {"passages": "same", "draft": "changed"}, "same"),
        ({"draft": "x"}, {"draft": "y"}, {"draft": "changed"}, "absent"),
        ({"base_context": "x", "edited_context": "y"}, {"base_context": "x", "edited_context": "z"},
         {"base_context": "same", "edited_context": "changed"}, "changed"),
    ],
)  # fmt: skip
def test_evidence_says_whether_retrieval_can_be_the_cause(
    before: dict[str, Any], after: dict[str, Any], states: dict[str, str], overall: str
) -> None:
    (change,) = checked([pair("x", **before)], [pair("x", said="aa", **after)]).newly_failing
    assert (change.evidence, change.retrieved) == (states, overall)


def test_retrieved_evidence_may_be_named() -> None:
    (change,) = checked([pair("x", hits=[1])], [pair("x", said="aa", hits=[2])], ("hits",)).newly_failing
    assert change.retrieved == "changed"


def test_an_unknown_name_of_retrieved_evidence_is_refused_with_the_known_ones(jostle: Call, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--retrieved\) of the columns hits, rank, but got 'hit'"):
        checked([pair("x", hits=[1])], [pair("x", evidence={"rank": 2})], ("hits", "hit"))
    fixtures = pinned_file(tmp_path)
    done = jostle("pairs", "check", fixtures, "--predictions", fixtures, "--retrieved", "passage")
    assert done.code == 3  # a file of fixtures is no file of predictions
    new = tmp_path / "new.jsonl"
    new.write_text("".join(json.dumps(row) + "\n" for row in NEW), "utf-8")
    done = jostle("pairs", "check", fixtures, "--predictions", new, "--retrieved", "passage")
    assert (done.code, "of the columns passages, but got 'passage'" in done.err) == (2, True)


@pytest.mark.parametrize("key", ["base_text", "edited_text", "base_label", "edited_label"])
def test_a_pair_whose_text_or_gold_differs_is_refused_by_name(key: str) -> None:
    with pytest.raises(InputError, match=f"pair 'x' as it was pinned, but its {key} is 'c' and was"):
        checked([pair("x")], [pair("x", **{key: "c"})])


def test_texts_that_one_side_lacks_are_not_compared() -> None:
    bare = {key: value for key, value in pair("x", said="aa").items() if not key.endswith("_text")}
    assert checked([pair("x")], [bare]).new_failures == ["x"]
    assert checked([bare], [pair("x")]).newly_fixed


def test_unreviewed_pairs_are_refused_with_their_number_and_the_first(write: Write) -> None:
    rows = [pair("a"), pair("b", reviewed=False), pair("c", reviewed=None)]
    path = write("pairs.jsonl", rows)
    with pytest.raises(InputError, match=r"2 of 3 are not, the first .*pairs\.jsonl, line 2 \(.*b.*\)"):
        pin(read_pairs(path), "c1", "m1")
    assert len(pin(read_pairs(path), "c1", "m1", allow_unreviewed=True).pairs) == 3
    with pytest.raises(InputError, match="1 of 1 are not"):
        pin(pairs_from_dicts([{key: value for key, value in pair("a").items() if key != "reviewed"}]), "c1", "m1")


def test_nothing_to_pin() -> None:
    with pytest.raises(InputError, match="Expected pairs to pin, but the set has none"):
        pin(pairs_from_dicts([]), "c1", "m1")


def test_a_file_of_fixtures_keeps_everything_and_is_the_same_for_any_row_order(write: Write, tmp_path: Path) -> None:
    rows = [*PINNED, pair("full", said="a-", family="f", relation="changed", base_confidence=0.5, critical=True,
                          evidence={"passages": ["ä\u2028"], "score": 0.5})]  # fmt: skip
    path = write("pairs.jsonl", rows)
    first = write_fixtures(pin(read_pairs(path), "c1", "m1"), tmp_path / "a.jsonl")
    second = write_fixtures(pin(pairs_from_dicts(rows[::-1]), "c1", "m1"), tmp_path / "b.jsonl")
    assert first.read_text("utf-8").split("\n")[1:] == second.read_text("utf-8").split("\n")[1:]
    back = read_fixtures(first)
    assert (back.corpus_revision, back.model_revision, back.source) == ("c1", "m1", "pairs.jsonl")
    assert back.source_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    by_id = {row.id: row for row in read_pairs(path).rows}
    assert {row.id: row for row in back.pairs.rows} == by_id
    header, *lines = [json.loads(line) for line in first.read_text("utf-8").split("\n") if line]
    assert (header["jostle_fixtures"], header["n_pairs"]) == (2, 5)
    assert {line["id"]: line["outcome"] for line in lines}["wrong"] == {
        "base_right": False, "edited_right": False, "relation_kept": True,
    }  # fmt: skip


def test_evidence_from_parquet_survives(tmp_path: Path) -> None:
    row = pair("x", when=datetime.datetime(2024, 5, 1, tzinfo=datetime.UTC), score=float("nan"), passages=["p"])
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "pairs.parquet")
    pairs = read_pairs(tmp_path / "pairs.parquet")
    fixtures = read_fixtures(write_fixtures(pin(pairs, "c1", "m1"), tmp_path / "f.jsonl"))
    broken = pairs_from_dicts([{**row, "edited_prediction": "a"}])
    (change,) = recheck(fixtures, broken).newly_failing
    assert change.evidence == {"when": "same", "passages": "same", "score": "absent"}


def swapped(text: str) -> str:
    """A pair in the place of another: every line is whole, and one pair less is held to."""
    lines = text.split("\n")
    return "\n".join([*lines[:2], lines[1], *lines[3:]])


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda text: text.replace("edit of stays", "edit of Stays"), r"f\.jsonl, line 4 \(pair 'stays'\) was edited"),
        (lambda text: text.replace('"edited_label": "b"', '"edited_label": "c"', 1), r"line 2 \(pair 'breaks'\) was"),
        # `wrong` was pinned as answered b, a: a pair that passed now would newly fail, and this hides it.
        (lambda text: text.replace('"base_prediction": "b"', '"base_prediction": "a"'), r"line 5 \(pair 'wrong'\) was"),
        (lambda text: text.replace('"base_right": false', '"base_right": true'), r"line 5 \(pair 'wrong'\) was edited"),
        (lambda text: text.replace('"critical": false', '"critical": true', 1), r"line 2 \(pair 'breaks'\) was edited"),
        (lambda text: text.replace('["one"]', '["two"]'), r"line 2 \(pair 'breaks'\) was edited"),
        (
            lambda text: text.replace('"model_revision": "m1"', '"model_revision": "m2"'),
            r"header in .*f\.jsonl, line 1",
        ),
        (swapped, "or the list of pairs below it was edited"),
        (lambda text: "\n".join(text.split("\n")[:-2]), "Expected 4 pairs in .*, but got 3"),
        (lambda text: text.replace('"jostle_fixtures": 2', '"jostle_fixtures": 1'), "but got format 1. Pin the pairs"),
        (lambda text: "\n".join(text.split("\n")[1:]), "but got another first line"),
    ],
)
def test_a_file_that_was_edited_is_refused(tmp_path: Path, edit: Callable[[str], str], message: str) -> None:
    path = write_fixtures(pin(pairs_from_dicts(PINNED), "c1", "m1"), tmp_path / "f.jsonl")
    before = path.read_text("utf-8")
    path.write_text(edit(before), "utf-8")
    assert path.read_text("utf-8") != before
    with pytest.raises(InputError, match=message):
        read_fixtures(path)


def test_predictions_by_id_take_texts_and_golds_from_the_pins(write: Write) -> None:
    fixtures = pin(pairs_from_dicts(PINNED), "c1", "m1")
    rows = [
        {key: row[key] for key in ("id", "base_prediction", "edited_prediction", "passages") if key in row}
        for row in NEW
    ]
    found = recheck(fixtures, read_answers(write("new.jsonl", rows), fixtures))
    assert found.new_failures == ["breaks"]
    assert found.newly_failing[0].retrieved == "changed"
    csv = "id,base_prediction,edited_prediction\nstays,a,b\nbreaks,a,\nmends,a,b\nwrong,a,a\nextra,a,a\n"
    found = recheck(fixtures, read_answers(write("new.csv", csv), fixtures))
    assert (found.new_failures, found.missing, found.n_still_failing) == (["breaks"], [], 1)


def test_short_predictions_under_other_names(write: Write, jostle: Call, tmp_path: Path) -> None:
    fixtures = pinned_file(tmp_path)
    csv = "key,said,then\nstays,a,b\nbreaks,a,a\nmends,a,b\nwrong,B,b\nother,a,b\n"
    call = ("pairs", "check", fixtures, "--predictions", write("new.csv", csv), "--map", "id=key",
            "--map", "base_prediction=said", "--map", "edited_prediction=then")  # fmt: skip
    done = jostle(*call)
    text = " ".join(done.out.split())
    assert (done.code, "1 newly failing, 1 newly fixed, 1 still failing, 1 still passing" in text) == (1, True)
    assert "1 new ones not pinned" not in done.out  # rows of no pinned pair are left out
    assert "'B' (gold 'b')" in done.err
    assert "Warnings" in done.out
    assert jostle(*call, "--label-map", "B=b").err == ""
    strange = jostle(*call, "--map", "family=nope")
    assert (strange.code, "Expected a column 'nope' (--map family=nope)" in strange.err) == (2, True)
    refused = jostle("pairs", "check", fixtures, "--predictions", tmp_path / "new.csv", "--map", "id=key")
    assert (refused.code, "Expected a column 'base_label'" in refused.err) == (3, True)


def test_what_is_wrong_in_short_predictions_has_its_line(write: Write, jostle: Call, tmp_path: Path) -> None:
    header = "id,base_prediction,edited_prediction,base_confidence\n"
    for cell in ("1.5", "-2", "high", "inf"):
        new = write("new.csv", f"{header}other,a,b,0.5\nstays,a,b,{cell}\n")
        done = jostle("pairs", "check", pinned_file(tmp_path), "--predictions", new)
        assert (done.code, "new.csv, line 3 (stays) has" in done.err) == (3, True)


def test_numbers_as_labels_are_the_same_in_every_file(write: Write, tmp_path: Path) -> None:
    rows = [{**pair("1"), "base_label": 0, "edited_label": 1, "base_prediction": 0, "edited_prediction": 1}]
    path = write_fixtures(pin(pairs_from_dicts(rows), "c1", "m1"), tmp_path / "f.jsonl")
    fixtures = read_fixtures(path)
    new = write("new.jsonl", [{"id": 1, "base_prediction": 0, "edited_prediction": 1}])
    assert recheck(fixtures, read_answers(new, fixtures)).n_still_passing == 1


def test_an_outcomes_table_is_pinned_and_checked(write: Write, jostle: Call, tmp_path: Path) -> None:
    def outcomes(name: str, said: str) -> Path:
        return write(name, [
            {"item_ids": "i", "conditions": "orig", "references": "a", "predictions": said[0]},
            {"item_ids": "i", "conditions": "negation", "references": "b", "predictions": said[1]},
        ])  # fmt: skip

    fixtures = tmp_path / "f.jsonl"
    arguments = ("--corpus-revision", "c1", "--model-revision", "m1", "--out", fixtures)
    refused = jostle("pairs", "pin", outcomes("old.jsonl", "ab"), *arguments)
    assert (refused.code, fixtures.exists()) == (3, False)
    assert "1 of 1 are not" in refused.err
    assert jostle("pairs", "pin", tmp_path / "old.jsonl", *arguments, "--allow-unreviewed").code == 0
    done = jostle("pairs", "check", fixtures, "--predictions", outcomes("new.jsonl", "aa"))
    assert done.code == 1
    assert "i / negation [negation]" in done.out


def pinned_file(tmp_path: Path) -> Path:
    return write_fixtures(pin(pairs_from_dicts(PINNED), "c1", "m1"), tmp_path / "f.jsonl")


def test_the_command_lists_failures_with_their_evidence(write: Write, jostle: Call, tmp_path: Path) -> None:
    fixtures, new = pinned_file(tmp_path), write("new.jsonl", NEW)
    done = jostle("pairs", "check", fixtures, "--predictions", new, "--corpus-revision", "c2")
    text = " ".join(done.out.split())
    assert done.code == 1
    assert "4 pairs pinned: 1 newly failing, 1 newly fixed, 1 still failing, 1 still passing, 0 without" in text
    assert "pinned with corpus c1, model m1; now corpus c2." in text
    assert "retrieved evidence changed: look at the retrieval or the data first" in text
    assert 'passages: changed pinned: ["one"] now: ["two"]' in text
    assert "edited: gold b, pinned b, now a" in text
    assert all(len(line) <= 80 or " " not in line.strip() for line in done.out.splitlines())
    document = json.loads(jostle("pairs", "check", fixtures, "--predictions", new, "--format", "json").out)
    assert document["summary"]["n_newly_failing"] == 1
    (failing,) = document["newly_failing"]
    assert failing["pinned"]["evidence"], failing["now"]["evidence"] == ({"passages": ["one"]}, {"passages": ["two"]})
    assert (failing["retrieved_evidence"], failing["now"]["edited_prediction"]) == ("changed", "a")
    assert document["gate"]["rules"][0]["pairs"] == ["breaks"]
    markdown = jostle(
        "pairs", "check", fixtures, "--predictions", new, "--format", "markdown", "--out", tmp_path / "r.md"
    )
    assert (markdown.code, markdown.out) == (1, "")
    assert "**Newly failing (1)**\n\n- breaks [negation]\n" in (tmp_path / "r.md").read_text("utf-8")


def test_exit_codes_of_check(write: Write, jostle: Call, tmp_path: Path) -> None:
    fixtures, new = pinned_file(tmp_path), write("new.jsonl", NEW)
    same = write("same.jsonl", PINNED)
    assert jostle("pairs", "check", fixtures, "--predictions", same).code == 0
    assert jostle("pairs", "check", fixtures, "--predictions", new, "--max-new-failures", 1).code == 0
    missing = jostle("pairs", "check", fixtures, "--predictions", write("few.jsonl", NEW[1:]))
    assert missing.code == 3  # although a pair newly fails as well
    assert "1 missing: stays" in " ".join(missing.out.split())
    other = jostle("pairs", "check", fixtures, "--predictions", write("other.jsonl", [pair("stays", base_text="x")]))
    assert (other.code, "pair 'stays' as it was pinned" in other.err) == (3, True)
    assert jostle("pairs", "check", new, "--predictions", new).code == 3
    assert jostle("pairs", "check", fixtures).code == 2
    assert jostle("pairs", "check", fixtures, "--predictions", new, "--max-new-failures", -1).code == 2


def test_the_number_allowed_is_of_flag_then_gate_file_then_settings(write: Write, jostle: Call, tmp_path: Path) -> None:
    call = ("pairs", "check", pinned_file(tmp_path), "--predictions", write("new.jsonl", NEW))
    write("jostle.toml", "[gate]\nmax_new_failures = 1\n")
    assert jostle(*call).code == 0
    assert jostle(*call, "--no-config").code == 1
    gate = write("gate.toml", "[gate]\nmax_new_failures = 0\n")
    assert jostle(*call, "--gate", gate).code == 1
    assert jostle(*call, "--gate", gate, "--max-new-failures", 1).code == 0


def test_a_gate_with_pins_in_the_report(write: Write, jostle: Call, tmp_path: Path) -> None:
    new = write("new.jsonl", NEW)
    gate = write("gate.toml", "[gate]\nmax_new_failures = 0\n")
    call = ("pairs", new, "--resamples", 100, "--gate", gate)
    assert jostle(*call).code == 3
    done = jostle(*call, "--fixtures", pinned_file(tmp_path))
    assert (done.code, "max_new_failures 0: 1 newly failing" in " ".join(done.out.split())) == (1, True)


def test_help_of_the_group_and_of_its_commands(jostle: Call) -> None:
    shown = jostle("pairs", "--help")
    assert shown.code == 0
    assert "pin " in shown.out
    assert "check " in shown.out
    assert "--check-split" in shown.out
    assert "--corpus-revision" in jostle("pairs", "pin", "--help").out
    assert " pairs check [OPTIONS] FIXTURES" in jostle("pairs", "check", "--help").out
    assert jostle("pairs", "pin", "x.jsonl").code == 2
