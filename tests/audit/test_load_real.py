"""Public sets load, or are refused with the message that helps, where the folder with them is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jostle.audit import load
from jostle.csv_rows import CsvForm
from jostle.errors import InputError
from jostle.items import MCQItem
from jostle.loading import load_items

DATA = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder with public data sets is not here")
MMLU = CsvForm(("question", "A", "B", "C", "D", "answer"))
LOADED = {
    "audit/mmlu_redux.parquet": (3831, "input choices answer"),
    "audit/vader_movie_snippets.parquet": (7043, "input id"),
    "glue/mnli_matched_validation.parquet": (6577, "premise hypothesis label id"),
    "glue/mnli_mismatched_textfooler1000.parquet": (663, "premise hypothesis label"),
    "glue/qnli_validation.parquet": (3643, "question sentence label id"),
    "glue/sst2_validation.parquet": (577, "input label id"),
    "mcq/ARC-Challenge-Dev.jsonl": (200, "input choices answer id"),
    "mcq/HumanEval.jsonl": (125, "input expected id"),
    "mcq/aqua_test.json": (171, "input choices answer"),
    "mcq/commonsenseqa_dev_rand_split.jsonl": (795, "input choices answer id"),
    "mcq/evallint_sample_evalset.jsonl": (20, "input label expected id"),
    "mcq/gsm8k_test.jsonl": (880, "input expected"),
    "mcq/hellaswag_val_rows100_600.jsonl": (500, "input label id"),
    "mcq/inspect_popularity.jsonl": (66, "input"),
    "mcq/mmlu_dev.parquet": (195, "input choices answer"),
    "mcq/mt_bench_question.jsonl": (54, "turns label expected id"),
    "mcq/openbookqa_test.jsonl": (349, "input choices answer id"),
}
HEADERLESS = "Name its columns: --columns question,A,B,C,D,answer"
NO_INPUT = "Name it: --map input=COLUMN"
REFUSED = {
    "audit/raw_messy/mmlu_redux_anatomy.csv": "--delimiter ';'",
    "audit/raw_messy/mmlu_redux_moral_scenarios.csv": "Expected UTF-8 text",
    "mcq/TruthfulQA.csv": "'Type' and 'Category' could each be it.*--map label=Type",
    "mcq/inspect_bias_detection.jsonl": "--map turns=input",
    "mcq/inspect_theory_of_mind.jsonl": "--map turns=input",
    **{f"mcq/mmlu_{name}_test.csv": HEADERLESS for name in (
        "anatomy", "astronomy", "college_computer_science", "econometrics", "high_school_geography", "virology")},
    "variants/advglue_dev.parquet": NO_INPUT,
    "variants/breaking_nli.parquet": "'category' and 'gold_label' could each be it",
    "variants/cad_imdb_pairs.parquet": NO_INPUT,
    "variants/cad_nli_pairs.parquet": NO_INPUT,
    "variants/checklist_sentiment_suite.parquet": NO_INPUT,
    "variants/promptbench_adv_prompts.parquet": NO_INPUT,
}  # fmt: skip
CORRECTED = {
    "mcq/TruthfulQA.csv": ({"label": "Category", "answers": "Correct Answers"}, CsvForm(), 526),
    "mcq/inspect_bias_detection.jsonl": ({"turns": "input"}, CsvForm(), 64),
    "mcq/mmlu_virology_test.csv": ({}, MMLU, 166),
    "audit/raw_messy/mmlu_redux_anatomy.csv": ({}, CsvForm(delimiter=";"), 100),
    "mcq/hellaswag_val_rows100_600.jsonl": ({"choices": "endings", "answer": "label"}, CsvForm(), 500),
    "variants/breaking_nli.parquet": ({"label": "gold_label"}, CsvForm(), 5553),
    "variants/advglue_dev.parquet": ({"input": "text_a", "label": "label"}, CsvForm(), 517),
}


def test_every_file_of_these_folders_is_named() -> None:
    folders = ("audit", "audit/raw_messy", "glue", "mcq", "variants")
    files = {str(path.relative_to(DATA)) for folder in folders for path in (DATA / folder).iterdir() if path.is_file()}
    assert files == {*LOADED, *REFUSED}


@pytest.mark.parametrize("name", LOADED)
def test_loads(name: str) -> None:
    n, fields = LOADED[name]
    evalset = load(DATA / name)
    assert (len(evalset), " ".join(evalset.field_map)) == (n, fields)
    if "choices" in fields:
        assert all(case.choices and case.gold in case.choices for case in evalset.cases)


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(InputError, match=REFUSED[name]) as refused:
        load(DATA / name)
    assert Path(name).name in str(refused.value)


@pytest.mark.parametrize("name", CORRECTED)
def test_loads_when_told(name: str) -> None:
    mapping, form, n = CORRECTED[name]
    evalset = load(DATA / name, mapping, form=form)
    assert len(evalset) == n
    assert all(case.text for case in evalset.cases)


@pytest.mark.parametrize("name", [name for name, (_, fields) in LOADED.items() if "choices" in fields])
def test_run_reads_the_same_questions(name: str) -> None:
    items, cases = load_items(DATA / name, "mcq").items, load(DATA / name).cases
    assert all(isinstance(item, MCQItem) for item in items)
    assert [item.answer_index for item in items if isinstance(item, MCQItem)] == [case.answer_index for case in cases]
    assert [item.choices for item in items if isinstance(item, MCQItem)] == [case.choices for case in cases]
