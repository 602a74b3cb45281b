"""`jostle compare`: what changed for sure, what the gate says, and who is best."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from statsmodels.stats.contingency_tables import mcnemar

from jostle.compare import build_comparison
from jostle.errors import InputError
from jostle.measures.options import Options
from jostle.outcomes import Outcomes

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
QUICK = Options(n_resamples=500, missing="pairwise")
FAST = ("--resamples", "500")
WIDE = (
    Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
    / "data" / "results" / "mmlu_pro_predictions_wide.parquet"
)  # fmt: skip


def rows(**conditions: Sequence[int]) -> list[dict[str, Any]]:
    """Outcome rows from right (1) and wrong (0) by condition."""
    return [
        {"item_ids": f"i{k:03d}", "conditions": name, "predictions": right, "references": 1}
        for name, side in conditions.items()
        for k, right in enumerate(side)
    ]


GOOD = rows(orig=[1] * 50 + [0] * 10, pert=[1] * 45 + [0] * 15)
BAD = rows(orig=[1] * 30 + [0] * 30, pert=[1] * 20 + [0] * 40)


def sides(**given: list[dict[str, Any]]) -> list[tuple[str, Outcomes]]:
    return [
        (name, Outcomes.from_columns(**{key: [row[key] for row in side] for key in side[0]}))
        for name, side in given.items()
    ]


def test_differences_by_hand() -> None:
    report = build_comparison(sides(a=GOOD, b=BAD), QUICK)
    (made,) = report.comparisons
    # a: (50 + 45) / 120, b: (30 + 20) / 120
    assert made.values["accuracy_difference"] == pytest.approx((50 - 95) / 120)
    # under orig 20 items are lost and none won, under pert 25
    expected = {"orig": mcnemar([[30, 20], [0, 10]], exact=True).pvalue,
                "pert": mcnemar([[20, 25], [0, 15]], exact=True).pvalue}  # fmt: skip
    assert made.values["mcnemar_p_value_by_condition"] == pytest.approx(expected)
    changed = report.changed["b"]
    assert len(changed) == 30  # i020 to i049: orig loses i030-i049, pert i020-i044
    assert {one.item for one in changed if set(one.lost) == {"orig", "pert"}} == {f"i{k:03d}" for k in range(30, 45)}
    assert report.ranks is None
    assert report.verdict == "worse"


def test_what_only_one_side_has_is_counted_not_compared() -> None:
    report = build_comparison(sides(a=GOOD, b=BAD[:70]), QUICK)
    (made,) = report.comparisons
    assert (made.values["n_unmatched_first"], made.values["n_unmatched_second"]) == (50, 0)


def test_other_variants_under_the_same_names_are_said() -> None:
    (a, one), (b, two) = sides(a=GOOD, b=BAD)
    cells = {(f"i{k:03d}", "pert"): f"text {k}" for k in range(60)}
    with_texts = [(a, replace(one, texts=cells)), (b, replace(two, texts={**cells, ("i003", "pert"): "txet 3"}))]
    (note,) = build_comparison(with_texts, QUICK).notes
    assert note.startswith("b: 1 items under a condition read otherwise than in a")
    assert build_comparison([with_texts[0], (b, replace(two, texts=cells))], QUICK).notes == []


def test_labels_that_name_no_gold_are_said_and_can_be_mapped(write: Write, jostle: Jostle) -> None:
    """A model with other label names would otherwise be worse by all of its accuracy, for sure."""
    words = [{**row, "predictions": ("no", "yes")[row["predictions"]], "references": "yes"} for row in GOOD]
    other = [{**row, "predictions": {"yes": "LABEL_1", "no": "LABEL_0"}[row["predictions"]]} for row in words]
    files = (write("a.jsonl", words), write("b.jsonl", other))
    done = jostle("compare", *files, *FAST, "--format", "json")
    (note,) = (text for text in json.loads(done.out)["notes"] if "counts as wrong" in text)
    assert note.startswith("b: every prediction counts as wrong, for none is a gold label")
    mapped = jostle(
        "compare", *files, *FAST, "--format", "json", "--label-map", "LABEL_1=yes", "--label-map", "LABEL_0=no"
    )
    report = json.loads(mapped.out)
    assert report["measures"][0]["values"]["accuracy_difference"] == 0
    assert not any("counts as wrong" in text for text in report["notes"])
    strange = jostle("compare", *files, *FAST, "--label-map", "LABEL_2=yes")
    assert strange.code == 2
    assert "but got 'LABEL_2'" in strange.err


def test_models_of_one_file_are_compared(write: Write, jostle: Jostle) -> None:
    both = [{**row, "models": name} for name, of in (("good", GOOD), ("bad", BAD)) for row in of]
    one = json.loads(jostle("compare", write("both.jsonl", both), *FAST, "--format", "json").out)
    files = (write("good.jsonl", GOOD), write("bad.jsonl", BAD))
    two = json.loads(jostle("compare", *files, *FAST, "--format", "json").out)
    assert one["source"] == ["good", "bad"]
    assert one["measures"] == two["measures"]
    alone = jostle("compare", files[0], *FAST)
    assert alone.code == 2
    assert "good.jsonl has 0 of them. Give a second file, or --map models=COLUMN." in alone.err


def test_another_gold_is_an_error() -> None:
    other = [{**row, "references": 0} for row in BAD]
    with pytest.raises(InputError, match=r"Expected one gold label for an item, but 120 items under a condition"):
        build_comparison(sides(a=GOOD, b=other), QUICK)


@pytest.mark.parametrize("given", [{"a": GOOD}, {}])
def test_one_file_is_no_comparison(given: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Expected two files or more"):
        build_comparison(sides(**given), QUICK)


def test_three_files_are_ranked() -> None:
    report = build_comparison(sides(bad=BAD, good=GOOD, same=GOOD), QUICK)
    assert report.ranks is not None
    assert report.ranks.chance_best.round(2).tolist() == [0.0, 0.5, 0.5]
    assert report.verdict == "better"


# -- the command


@pytest.fixture
def files(write: Write) -> tuple[Path, Path]:
    return write("good.jsonl", GOOD), write("bad.jsonl", BAD)


@pytest.mark.parametrize(
    ("order", "flags", "code"),
    [
        (("good", "bad"), (), 0),
        (("good", "bad"), ("--fail-on", "regression"), 1),
        (("bad", "good"), ("--fail-on", "regression"), 0),
        (("good", "bad"), ("--fail-on", "regression", "--max-drop", "0.6"), 0),
        (("good", "good"), ("--fail-on", "unproven"), 1),  # equal, but a small drop is not excluded
        (("good", "good"), ("--fail-on", "unproven", "--max-drop", "0.2"), 0),
        (("good",), (), 2),
    ],
)
def test_exit_codes(files: tuple[Path, Path], jostle: Jostle, order: Sequence[str], flags: Any, code: int) -> None:
    named = [f"--name={k}{name}={files[name == 'bad']}" for k, name in enumerate(order)]
    done = jostle("compare", *named, *FAST, *flags)
    assert done.code == code, done.err
    assert ("gate tripped" in done.err) == (code == 1)


def test_text_fits_80_columns_and_says_it_first(files: tuple[Path, Path], jostle: Jostle) -> None:
    done = jostle("compare", *files, *FAST)
    lines = done.out.splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert "bad is right less often than good" in " ".join(lines[:4])
    assert "What this comparison cannot tell you" in done.out


def test_json_is_one_strict_document(files: tuple[Path, Path], jostle: Jostle) -> None:
    done = jostle("compare", *files, *FAST, "--format", "json", "--fail-on", "regression")
    found = json.loads(done.out, parse_constant=pytest.fail)
    assert found["gate"] | {"incomplete": []} == {
        "fail_on": "regression", "max_drop": 0.0, "exit_code": 1, "tripped": True, "incomplete": [],
    }  # fmt: skip
    assert found["summary"]["verdict"] == "worse"
    assert found["limitations"]


def test_page_and_markdown_escape_what_is_in_the_files(write: Write, jostle: Jostle, tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>|x"
    named = [{**row, "item_ids": f"{evil}{row['item_ids']}", "conditions": evil + row["conditions"]} for row in GOOD]
    worse = [{**row, "predictions": 0} for row in named]
    paths = write("a.jsonl", named), write("b.jsonl", worse)
    out = tmp_path / "c.html"
    assert jostle("compare", *paths, *FAST, "--out", out).code == 0
    assert "<script>alert" not in out.read_text("utf-8")
    assert "&lt;script&gt;" in out.read_text("utf-8")
    markdown = jostle("compare", *paths, *FAST, "--format", "markdown").out
    assert "<script>alert" not in markdown
    assert "&lt;/script>\\|x" in markdown


@pytest.mark.skipif(not WIDE.is_file(), reason="needs the answers of others (JOSTLE_SHARED)")
def test_three_real_models(tmp_path: Path, jostle: Jostle) -> None:
    table = pq.read_table(WIDE).to_pandas().head(2000)
    models = ("Meta-Llama-3-70B", "Meta-Llama-3-8B", "Llama-2-7b-hf")
    paths = []
    for model in models:
        Outcomes.from_columns(
            predictions=table[model].tolist(), references=table["answer"].tolist(),
            item_ids=table["question_id"].tolist(), conditions=["orig"] * len(table),
        ).write(path := tmp_path / f"{model}.parquet")  # fmt: skip
        paths.append(path)
    found = json.loads(jostle("compare", *paths, *FAST, "--format", "json").out)
    right = {model: (table[model] == table["answer"]).to_numpy() for model in models}
    for made, model in zip(found["measures"], models[1:], strict=True):
        assert made["values"]["accuracy_difference"] == pytest.approx(right[model].mean() - right[models[0]].mean())
        both, lost = np.sum(right[models[0]] & right[model]), np.sum(right[models[0]] & ~right[model])
        won, neither = np.sum(~right[models[0]] & right[model]), np.sum(~right[models[0]] & ~right[model])
        p = mcnemar([[both, lost], [won, neither]], exact=True).pvalue
        assert made["values"]["mcnemar_p_value_by_condition"]["orig"] == pytest.approx(p)
    assert found["ranks"]["chance_best"][0] > 0.99
