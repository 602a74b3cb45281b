"""`jostle run`: choices of data, operators and labels, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
Run = Callable[..., Any]
ROWS = [
    {"sentence": f"It isn't a {word} film .", "label": k % 2} for k, word in enumerate(["dull", "long", "cold", "fun"])
]
OWN = """
KIND = "pert"
RELATION = "invariant"
TASKS = ("sst2",)
PROMISE = "A comma more changes no meaning."
LIMITATIONS = ("For the test.",)


def comma(passage, rng, rate):
    return [(len(passage.text), len(passage.text), ",")]
"""


@pytest.fixture
def run(jostle: Jostle, tiny_model: Callable[..., Path], write: Write, tmp_path: Path) -> Run:
    def call(*flags: object, rows: Any = ROWS, labels: tuple[str, ...] = ("negative", "positive")) -> Any:
        where = {"--task": "sst2", "--data": write("data.jsonl", rows), "--model": tiny_model(*labels)}
        where |= {"--out": tmp_path / "out", "--resamples": 200}
        return jostle(
            "run", *(part for flag, value in where.items() if flag not in flags for part in (flag, value)), *flags
        )

    return call


def conditions(folder: Path) -> list[str]:
    names: list[str] = pq.read_table(folder / "outcomes.parquet")["conditions"].to_pylist()
    return names


def test_a_dry_run_writes_nothing_and_says_what_would_be_done(run: Run, tmp_path: Path) -> None:
    done = run("--dry-run", "--operators", "typos,whitespace")
    assert done.code == 0
    assert not (tmp_path / "out").exists()
    lines = done.out.splitlines()
    assert lines[0].split() == ["items", "4"]
    assert lines[1].startswith("variants   8 in 2 conditions: pert/typos, pert/whitespace")
    assert "distinct inputs of 12 rows" in lines[2]
    assert lines[3].startswith("time       about 0 s here")
    assert "items for a verdict of INVARIANT: about " in lines[4]


def test_operators_by_name(run: Run, tmp_path: Path) -> None:
    assert run("--operators", "typos, contractions").code == 0
    assert set(conditions(tmp_path / "out")) == {"orig", "pert/typos", "para/contractions"}


def test_kinds_of_variants(run: Run, tmp_path: Path) -> None:
    assert run("--variants", "orig,para").code == 0
    assert {name.split("/")[0] for name in conditions(tmp_path / "out")} == {"orig", "para"}


def test_an_operator_of_ones_own(run: Run, write: Write, tmp_path: Path) -> None:
    done = run("--operators", f"{write('own.py', OWN)}:comma")
    assert done.code == 0, done.err
    assert set(conditions(tmp_path / "out")) == {"orig", "pert/comma"}
    texts = pq.read_table(tmp_path / "out" / "variants.parquet").to_pylist()
    assert [row["sentence"] for row in texts if row["condition"] == "pert/comma"] == [f"{r['sentence']}," for r in ROWS]


def test_limit(run: Run, tmp_path: Path) -> None:
    assert run("--limit", "2").code == 0
    assert conditions(tmp_path / "out").count("orig") == 2


def test_unlabelled_items_are_counted(run: Run, tmp_path: Path) -> None:
    done = run("--format", "json", rows=[*ROWS, {"sentence": "No label .", "label": -1}])
    assert "1 of 5 items have no gold label and are left out" in done.err
    assert "1 items without a gold label were left out." in json.loads(done.out)["notes"]
    assert conditions(tmp_path / "out").count("orig") == 4


def test_no_gold_label_at_all(run: Run) -> None:
    done = run(rows=[{"sentence": "x", "label": -1}])
    assert (done.code, done.out) == (3, "")
    assert "none of the 1 items has one" in done.err


CUSTOM = ("--task", "custom", "--map", "text=body", "--map", "label=topic")
TOPICS = [{"body": f"It isn't {word} .", "topic": "sports" if k % 2 else "news"} for k, word in enumerate("abcdef")]


def test_a_custom_task_takes_the_labels_of_the_model(run: Run, tmp_path: Path) -> None:
    done = run(*CUSTOM, rows=TOPICS, labels=("news", "sports"))
    assert done.code == 0, done.err
    assert "field map: text <- 'body'" in done.err
    assert set(pq.read_table(tmp_path / "out" / "outcomes.parquet")["predictions"].to_pylist()) <= {"news", "sports"}


def test_a_custom_task_has_no_options_to_move(run: Run, tmp_path: Path) -> None:
    left_out = json.loads(run(*CUSTOM, "--format", "json", rows=TOPICS, labels=("news", "sports")).out)["left_out"]
    assert "pert/cyclic_order" not in left_out
    assert "para/contractions" in left_out
    asked = run(*CUSTOM, "--operators", "cyclic_order", "--format", "json", rows=TOPICS, labels=("news", "sports"))
    assert "pert/cyclic_order" in json.loads(asked.out)["left_out"]  # asked for by name, its reason is an answer


def test_a_custom_task_whose_labels_the_model_never_gives(run: Run) -> None:
    rows = [{**row, "topic": k % 2} for k, row in enumerate(TOPICS)]
    done = run(*CUSTOM, rows=rows, labels=("news", "sports"))
    assert done.code == 3
    assert "out of the model's news, sports, but got '0'. Say which is which: --label-map news=..." in done.err
    mapped = run(*CUSTOM, "--label-map", "news=0", "--label-map", "sports=1", rows=rows, labels=("news", "sports"))
    assert mapped.code == 0, mapped.err
    assert "label map: news -> 0" in mapped.err


def test_r01_generic_labels_are_refused_until_mapped(run: Run) -> None:
    done = run(labels=("LABEL_0", "LABEL_1"))
    assert done.code == 3
    assert "LABEL_0, LABEL_1 are generic" in done.err
    given = ("--label-map", "LABEL_0=negative", "--label-map", "LABEL_1=positive")
    assert run(*given, labels=("LABEL_0", "LABEL_1")).code == 0


@pytest.mark.parametrize(
    ("flags", "code", "found"),
    [
        (["--data", "no.jsonl"], 3, "no.jsonl does not exist"),
        (["--data", "no-such-org/no-such-set"], 3, "no-such-org/no-such-set cannot be loaded"),
        (["--model", "no-such-folder"], 3, "no-such-folder, which is neither"),
        (["--model", "."], 3, "cannot be loaded"),
        (["--operators", "no_such"], 2, "but got 'no_such'"),
        (["--operators", "no.py:x"], 2, "path/to/file.py:name"),
        (["--variants", "orig,paraphrase"], 2, "but got 'paraphrase'"),
        (["--map", "sentence"], 2, "Expected --map NAME=VALUE"),
        (["--map", "text=sentence"], 2, "--map to name a field of sentence, label"),
        (["--label-map", "good=positive"], 2, "but got good=positive"),
        (["--rate", "2"], 2, "from 0 to 1, but got 2.0"),
        (["--max-length", "2"], 2, "Raise --max-length"),
        (["--limit", "-1"], 2, "at least 0, but got -1"),
    ],
)  # fmt: skip
def test_what_is_refused(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: list[str], code: int, found: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*flags)
    assert (done.code, done.out) == (code, "")
    assert found in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "out").exists()


def test_an_out_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    done = run()
    assert done.code == 3
    assert "Expected to write" in done.err


def test_r02_edits_lost_to_truncation_are_in_the_report(run: Run) -> None:
    rows = [{"sentence": f"{'a ' * 20}it isn't good", "label": k % 2} for k in range(4)]
    done = run("--operators", "contractions", "--max-length", "10", "--format", "json", rows=rows)
    assert json.loads(done.out)["left_out"]["para/contractions"] == {"truncated": 4, "edit lost to truncation": 4}
    assert done.code == 3
