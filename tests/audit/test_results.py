"""Results of models from files: wide and long tables, matched to the cases of a set."""

from __future__ import annotations

import os
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jostle.audit.base import Case, EvalSet, NotRun
from jostle.audit.discrimination import DiscriminationCheck
from jostle.audit.result_files import read_model_results
from jostle.audit.results import content_key, match_cases
from jostle.errors import InputError
from jostle.outcomes import Outcomes

Write = Callable[[str, Any], Path]
DATA = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data"
with_data = pytest.mark.skipif(not DATA.is_dir(), reason="the folder with public data sets is not here")


def cases(ids: Sequence[str], texts: Sequence[str] = ()) -> EvalSet:
    texts = texts or ids
    return EvalSet([Case(i, t, {"input": t}) for i, t in zip(ids, texts, strict=True)], {}, "test")


def outcomes(path: Path, **columns: Sequence[Any]) -> Path:
    rows = {"item_ids": ["a", "b"], "references": [1, 0], "conditions": ["orig"] * len(columns["predictions"])}
    return Outcomes.from_columns(**(rows | columns)).write(path)


def test_wide_answers_beside_golds(write: Write) -> None:
    path = write(
        "wide.csv", "question_id,subject,answer,small,large\n7,law,A,A,A\n8,law,B,,B\n9,art,C,A,C\n10,art,,A,B\n"
    )
    found = read_model_results([path])
    assert (found.items, found.models) == (["7", "8", "9"], ["small", "large"])
    assert found.verdicts.right.tolist() == [[1, 1], [0, 1], [0, 1]]  # an answer that is missing is wrong
    assert found.verdicts.count.tolist() == [[1, 1], [1, 1], [1, 1]]
    assert (found.n_unparsed, found.golds) == (1, ["A", "B", "C"])
    assert found.answers["small"] == ["A", None, "A"]
    assert found.notes == [
        f"{path}: 2 columns are models: small, large",
        f"{path}: 1 rows have no gold and are left out",
    ]


def test_wide_letters_against_numbers(write: Write) -> None:
    rows = [{"id": "a", "answer": 0, "m": "A", "n": "B"}, {"id": "b", "answer": 2, "m": "C", "n": "2"}]
    found = read_model_results([write("wide.jsonl", rows)])
    assert found.answers == {"m": ["0", "2"], "n": ["1", "2"]}
    assert found.verdicts.right.tolist() == [[1, 0], [1, 1]]


def test_wide_options_take_letters_numbers_and_texts(write: Write) -> None:
    rows = [
        {"question": "Sky?", "choices": ["red", "blue"], "answer": "blue", "m": "B", "n": "blue"},
        {"question": "Grass?", "choices": ["green", "pink"], "answer": "green", "m": "1", "n": "yellow"},
    ]
    found = read_model_results([write("wide.jsonl", rows)])
    assert found.golds == ["1", "0"]
    assert found.answers == {"m": ["1", "1"], "n": ["1", None]}
    assert found.keys == [content_key("sky?", ["Red", "Blue"]), content_key("Grass?", ["green", "pink"])]


def test_wide_correctness_needs_no_gold(write: Write) -> None:
    path = write("wide.csv", "id,topic,small,large,judge\na,law,False,true,0.4\nb,art,True,true,0.5\nc,art,,true,\n")
    found = read_model_results([path])
    assert found.models == ["small", "large", "judge"]
    assert found.verdicts.right.tolist() == [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
    assert found.verdicts.count.tolist() == [[1, 1, 1], [1, 1, 1], [0, 1, 0]]  # a missing verdict is missing
    assert read_model_results([path], ["judge", "small"], pass_threshold=0.4).verdicts.right[0].tolist() == [1, 0]


def test_labels_that_are_zero_and_one_are_answers_where_there_is_a_gold(write: Write) -> None:
    rows = [{"id": k, "label": k % 2, "m": 0, "n": k % 2} for k in range(4)]
    assert read_model_results([write("wide.jsonl", rows)]).verdicts.right.tolist() == [[1, 1], [0, 1], [1, 1], [0, 1]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("answer,m\nA,A\nB,B\n", "a distinct id of every item .* or with its text"),
        ("id,answer,m\n1,A,A\n1,B,B\n", "a distinct id of every item"),
        ("id,answer,topic\n1,A,law\n2,B,art\n", "a wide table with a column for each model, .* in 'answer', but"),
        ("id,topic\n1,law\n2,art\n", "and one of golds .* but .* has id, topic. Columns of true / false need no gold"),
    ],
)
def test_wide_tables_that_say_too_little(write: Write, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_model_results([write("wide.csv", content)])


def test_a_model_that_no_file_has(write: Write) -> None:
    path = write("wide.csv", "id,answer,m,n\n1,A,A,B\n2,B,A,B\n")
    with pytest.raises(InputError, match="Expected results of the model 'q', but the files have m"):
        read_model_results([path], ["m", "q"])


def test_long_files_are_models_by_their_names_and_orig_is_taken(tmp_path: Path) -> None:
    one = outcomes(tmp_path / "small.parquet", predictions=[1, 1])
    columns: dict[str, Sequence[Any]] = {
        "predictions": [1, 0, 0, None], "references": [1, 0, 1, 0], "item_ids": ["a", "b"] * 2,
        "conditions": ["orig"] * 2 + ["pert/typos"] * 2,
    }  # fmt: skip
    two = outcomes(tmp_path / "large.parquet", **columns)
    found = read_model_results([one, two])
    assert (found.models, found.items) == (["small", "large"], ["a", "b"])
    assert found.verdicts.right.tolist() == [[1, 1], [0, 1]]
    assert found.answers == {"small": ["1", "1"], "large": ["1", "0"]}
    assert found.n_unparsed == 0  # the answer that could not be read is of another condition


def test_a_folder_of_a_run_is_named_by_the_folder(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    outcomes(tmp_path / "tiny" / "outcomes.parquet", predictions=[1, 0])
    assert read_model_results([tmp_path / "tiny"]).models == ["tiny"]


def test_models_decodings_and_samples_of_one_long_file(tmp_path: Path) -> None:
    columns: dict[str, Sequence[Any]] = {
        "predictions": [1, 1, 2, 1, 0], "references": [1] * 5, "item_ids": ["a"] * 5, "models": ["m"] * 5,
        "decodings": ["greedy", *["sample"] * 4], "samples": [0, 0, 1, 2, 3],
    }  # fmt: skip
    found = read_model_results([outcomes(tmp_path / "o.parquet", **columns)])
    assert found.models == ["m greedy", "m sample"]
    assert (found.verdicts.right.tolist(), found.verdicts.count.tolist()) == ([[1, 2]], [[1, 4]])
    assert found.answers["m sample"] == ["1"]  # two of four


def test_files_of_one_model_are_its_repeats(tmp_path: Path) -> None:
    paths = [outcomes(tmp_path / f"{k}.parquet", predictions=[1, k], models=["m"] * 2) for k in (0, 1)]
    found = read_model_results(paths)
    assert (found.verdicts.right.tolist(), found.verdicts.count.tolist()) == ([[2], [1]], [[2], [2]])


def test_several_tasks_and_conditions_without_orig_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"results of one task, but .* has x, y"):
        read_model_results([outcomes(tmp_path / "o.parquet", predictions=[1, 0], tasks=["x", "y"])])
    columns: dict[str, Sequence[Any]] = {"predictions": [1, 0], "item_ids": ["a", "a"], "conditions": ["s1", "s2"]}
    with pytest.raises(InputError, match=r"o\.parquet: Expected a condition 'orig'"):
        read_model_results([outcomes(tmp_path / "o.parquet", **columns)])


def test_a_results_json_of_an_importer_is_read(write: Write) -> None:
    rows = [{"condition": "orig", "correct": k > 0, "id": k} for k in range(2)]
    found = read_model_results([write("small.json", rows), write("large.json", rows)])
    assert found.models == ["small", "large"]
    assert found.verdicts.right.tolist() == [[0, 0], [1, 1]]


def test_matching_by_id(write: Write) -> None:
    found = read_model_results([write("w.csv", "id,answer,m,n\nb,A,A,B\na,B,A,B\nz,B,B,B\n")])
    matched = match_cases(found, cases(["a", "b", "c"]).cases)
    assert (matched.by, matched.rows.tolist()) == ("id", [1, 0, -1])
    assert matched.verdicts.count.tolist() == [[1, 1], [1, 1], [0, 0]]
    assert (matched.n_unmatched_cases, matched.n_unmatched_items) == (1, 1)


def test_matching_by_text_where_ids_are_others_or_none(write: Write) -> None:
    rows = [{"idx": k, "text": text, "label": "x", "m": "x"} for k, text in enumerate(["One  more", "Two", "two"])]
    found = read_model_results([write("w.jsonl", rows)])
    matched = match_cases(found, cases(["0", "1", "9"], ["TWO", "two", "one more"]).cases)
    # by id 2 of 3, by text all, equal texts in their order
    assert (matched.by, matched.rows.tolist()) == ("text", [1, 2, 0])
    assert matched.n_unmatched_cases == matched.n_unmatched_items == 0


def test_gold_that_differs_is_counted_and_said(write: Write) -> None:
    rows = [{"id": k, "answer": 0, "m": "A", "n": "AB"[k % 2]} for k in range(3)]
    choice = [
        Case(str(k), "?", {"input": "?"}, label="01"[k == 0], choices=("x", "y"), answer_index=int(k == 0))
        for k in range(3)
    ]
    result = DiscriminationCheck(results=[write("w.jsonl", rows)]).run(EvalSet(choice, {}, "test"))
    assert result.stats["n_gold_differs"] == 1
    assert result.limitations[-1] == "1 cases have another gold in the results, and were scored by that one."


def test_the_check_on_files(write: Write) -> None:
    text = "id,answer,large,small\n" + "".join(f"c{k},A,A,{'B' if k < 9 else 'A'}\n" for k in range(12))
    text += "c12,B,C,C\nc13,B,A,B\n"  # at the floor; the weaker alone is right
    result = DiscriminationCheck(results=[write("w.csv", text)]).run(cases([f"c{k}" for k in range(15)]))
    stats = result.stats
    assert (stats["models"], stats["order"]) == (["small", "large"], "accuracy")
    # 9 against 1: p = 2 (1 + 10) / 2^10 = .021
    assert stats["pairs"][0]["p_value"] == pytest.approx(22 / 1024)
    assert (stats["n_ceiling"], stats["floor_case_ids"], stats["inverted_case_ids"]) == (3, ["c12"], ["c13"])
    assert (stats["n_missing"], stats["missing_case_ids"], stats["n_unmatched_cases"]) == (1, ["c14"], 1)
    assert stats["matched_by"] == "id"
    said = next(finding.message for finding in result.findings if finding.kind == "not_measured")
    assert said == "1 of 15 cases are not measured, for want of a score of every model; 1 are not in the results."
    given = DiscriminationCheck(results=[write("w.csv", text)], models=["large", "small"])
    assert given.run(cases([f"c{k}" for k in range(14)])).stats["n_inverted"] == 9


def test_one_model_and_no_match_are_no_result(write: Write) -> None:
    one = write("one.csv", "id,answer,m\na,A,A\nb,B,B\n")
    with pytest.raises(NotRun, match="two or more models, but the files have one: m") as caught:
        DiscriminationCheck(results=[one]).run(cases(["a", "b"]))
    assert caught.value.incomplete
    two = write("two.csv", "id,answer,m,n\na,A,A,A\nb,B,B,B\n")
    with pytest.raises(NotRun, match="none of the 2 cases is in the results, by id or by text"):
        DiscriminationCheck(results=[two]).run(cases(["x", "y"]))
    with pytest.raises(InputError, match=r"but gone\.csv does not exist"):
        DiscriminationCheck(results=["gone.csv"]).run(cases(["a"]))


def test_a_model_that_lacks_all_cases_is_named(write: Write) -> None:
    path = write("w.csv", "id,m,n\na,True,True\nb,False,True\nc,True,False\n")
    other = write("v.csv", "id,q\nx,True\n")
    with pytest.raises(NotRun, match=r"q lacks 3 of 3\. Leave that model out"):
        DiscriminationCheck(results=[path, other]).run(cases(["a", "b", "c"]))


@with_data
def test_mmlu_pro_over_29_models() -> None:
    found = read_model_results([DATA / "results" / "mmlu_pro_predictions_wide.parquet"])
    assert (len(found.models), len(found.items)) == (29, 8061)
    import pyarrow.parquet as pq

    frame = pq.read_table(DATA / "results" / "mmlu_pro_predictions_wide.parquet").to_pandas()
    shares = [(frame[model] == frame["answer"]).mean() for model in found.models]
    assert np.allclose(found.verdicts.right.mean(axis=0), shares)
    assert found.n_unparsed == int(frame[list(found.models)].isna().to_numpy().sum())
    stats = DiscriminationCheck(results=found).run(found.evalset()).stats
    right = frame[list(found.models)].eq(frame["answer"], axis=0)
    assert stats["n_ceiling"] == int(right.all(axis=1).sum())
    assert stats["n_floor"] == int((~right.any(axis=1)).sum())
    assert stats["inverted_rule"] == "item_rest"


@with_data
def test_mmlu_redux_matches_its_models_by_content() -> None:
    from jostle.audit import load

    result = DiscriminationCheck(results=[DATA / "results" / "mmlu_redux_14models.parquet"]).run(
        load(DATA / "audit" / "mmlu_redux.parquet")
    )
    stats = result.stats
    assert (stats["n_models"], stats["matched_by"], stats["n_gold_differs"]) == (14, "text", 0)
    assert stats["n_unmatched_cases"] == 31
    assert stats["non_discriminating_share"] > 0.5


@with_data
def test_floor_cases_of_mmlu_redux_are_where_experts_found_flaws() -> None:
    import pyarrow.parquet as pq

    path = DATA / "results" / "mmlu_redux_14models.parquet"
    found = read_model_results([path])
    stats = DiscriminationCheck(results=found).run(found.evalset()).stats
    flawed = dict(
        zip(found.items, (kind != "ok" for kind in pq.read_table(path)["error_type"].to_pylist()), strict=True)
    )

    def share(ids: Sequence[str]) -> float:
        return round(float(np.mean([flawed[name] for name in ids])), 3)

    # the figures of docs/discrimination.md
    assert [share(ids) for ids in (found.items, stats["floor_case_ids"], stats["ceiling_case_ids"])] == [
        0.068,
        0.414,
        0.029,
    ]
    assert (len(stats["inverted_case_ids"]), share(stats["inverted_case_ids"])) == (36, 0.111)


@with_data
def test_the_table_of_the_docs_is_what_the_script_prints(capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).resolve().parents[2]
    script = runpy.run_path(str(root / "benchmarks" / "discrimination.py"))
    script["main"]([str(DATA / "results" / "mmlu_pro_predictions_wide.parquet")])
    page = (root / "docs" / "discrimination.md").read_text(encoding="utf-8").splitlines()
    printed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert len(printed) > 30
    assert [line for line in printed if line not in page] == []
