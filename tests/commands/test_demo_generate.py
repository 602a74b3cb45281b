"""`jostle demo --generate`: the protocol on embedded items, with order and symbols of the options."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jostle.commands.generative_flags import ALL
from jostle.embedded_items import embedded_items
from jostle.outcomes import read_outcomes
from jostle.predict.protocol import Advance, Completion, Decoding, Request, Stop

from ..predict import generate_models

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
TITLE = "Order and symbols of the options (greedy, original items)"


class FirstOption:
    """Answers the letter A whatever the order, and in words the label that is listed last."""

    name, revision, tokenizer = "first option", "1", None

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        for request in requests:
            listed = re.findall(r"^- (.*)$", request.prompt, re.MULTILINE)
            for sample in range(decoding.k):
                yield Completion(request.key, sample, listed[-1] if listed else "A")

    def manifest(self) -> dict[str, Any]:
        return {"model": self.name}


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Put a model in the place of the embedded one."""
    return lambda model: monkeypatch.setattr("jostle.predict.generate.load_generator", lambda name, **limits: model)


def demo(jostle: Call, folder: Path, *more: str) -> Any:
    return jostle("demo", "--generate", "--out", folder / "page.html", "--resamples", "200", *more)


def section_rows(text: str) -> dict[str, list[str]]:
    """Cells of the table of order and symbols, by task."""
    lines = text.split(TITLE)[1].splitlines()
    return {line.split()[0]: line.split()[1:] for line in lines if line.split()[:1] and line.split()[0] in ALL}


def test_a_model_that_always_says_a(jostle: Call, answering: Callable[[Any], None], tmp_path: Path) -> None:
    answering(FirstOption())
    done = demo(jostle, tmp_path)
    assert done.code == 0, done.err
    rows = section_rows(done.out)
    assert list(rows) == sorted(ALL)
    for task, cells in rows.items():
        # Letter A is each label once over the cyclic orders: accuracy is the share of that label among the 10 items.
        items = embedded_items(task, 10)
        gold = Counter(item.label for item in items.items)
        shares = [gold[label] / 10 for label in items.labels]
        assert cells[:2] == ["10", str(len(items.labels))]
        assert cells[2] == f"{max(shares) - min(shares):.2f}"
        # Every item changes its label with the order, all answers stand at A, and first and last label differ.
        assert cells[4:] == ["1.00", "1.00", "1.00", "0.00"]


def test_what_is_asked(jostle: Call, answering: Callable[[Any], None], tmp_path: Path) -> None:
    answering(FirstOption())
    done = demo(jostle, tmp_path, "--limit", "11")
    outcomes = read_outcomes(tmp_path / "jostle-demo" / "outcomes.parquet").to_arrow().to_pylist()
    counts = Counter((row["tasks"], row["decodings"], row["conditions"]) for row in outcomes)
    for task in ALL:
        orders = [f"labels/shift{k}" for k in range(1, len(embedded_items(task).labels))]
        asked = {"orig", "para/by_hand", "pert/typos", "adv/distractor", "symbols/words", *orders}
        assert {condition for of, _, condition in counts if of == task} == asked
        assert {counts[task, "greedy", condition] for condition in asked} == {11}
        assert {counts[task, "sample", condition] for condition in asked} == {110}
    assert "11 items of each of mnli, qqp, qnli, sst2, read greedily and sampled 10 times" in done.err


def test_forms_and_files(jostle: Call, answering: Callable[[Any], None], tmp_path: Path) -> None:
    answering(FirstOption())
    done = demo(jostle, tmp_path, "--format", "json", "--quiet")
    assert (done.code, done.err) == (0, "")
    groups = {measure["group"] for measure in json.loads(done.out)["measures"]}
    assert groups == {f"task={task}|decoding={mode}" for task in ALL for mode in ("greedy", "sample")}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jostle-demo", "page.html"]
    assert "task=mnli|decoding=sample" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert len(pq.read_table(tmp_path / "jostle-demo" / "variants.parquet")) > 0


def test_the_text_is_brief_and_80_columns_wide(jostle: Call, answering: Callable[[Any], None], tmp_path: Path) -> None:
    answering(FirstOption())
    lines = demo(jostle, tmp_path).out.splitlines()
    assert all(len(line) <= 80 for line in lines if not line.startswith(("jostle=", "jostle ")))
    assert len(lines) < 130
    assert sum(line.startswith("[INCONCLUSIVE] task=") or line.startswith("[FRAGILE] task=") for line in lines) == 8
    assert "Robustness by group" in lines
    assert "Items that flip most" not in "\n".join(lines)  # those are on the page


def test_a_model_whose_words_name_no_label_is_not_measured(
    jostle: Call, answering: Callable[[Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jostle.predict.generate import load_generator

    monkeypatch.setattr(generate_models, "LONGEST", 256)
    answering(load_generator(str(generate_models.save_model("llama", tmp_path / "model"))))
    done = demo(jostle, tmp_path)
    assert done.code == 3
    assert "no prediction could be read" in done.err
    rows = section_rows(done.out)
    assert list(rows) == sorted(ALL)
    # No label was read in any order, and none in words: of changes nothing is known, which is no 0.
    assert {tuple(cells[4:]) for cells in rows.values()} == {("-", "-", "1.00")}


def test_plain_demo_takes_a_limit(jostle: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: dict[str, Any] = {}
    monkeypatch.setattr("jostle.commands.run.run", lambda values: seen.update(values) or 0)
    assert jostle("demo", "--limit", "20", "--out", tmp_path / "page.html").code == 0
    assert (seen["limit"], seen["task"], seen["decoding"], seen["out"]) == (20, "sst2", "classify", None)


def test_unknown_symbols_are_a_usage_error(jostle: Call, answering: Callable[[Any], None], tmp_path: Path) -> None:
    answering(FirstOption())
    done = jostle("run", "--task", "sst2", "--data", "embedded", "--model", "x", "--decoding", "greedy", "--limit", "2",
                  "--symbols", "letters,greek", "--out", tmp_path)  # fmt: skip
    assert done.code == 2
    assert "letters, numbers, roman, words, but got 'greek'" in done.err


@pytest.mark.slow
@pytest.mark.xdist_group("smollm")
def test_the_embedded_model_from_start_to_end(tmp_path: Path) -> None:
    generate_models.need_smollm()
    command = [sys.executable, "-m", "jostle", "demo", "--generate", "--limit", "1", "--resamples", "200"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jostle-demo", "jostle-report.html"]
    rows = section_rows(done.stdout)
    assert list(rows) == sorted(ALL)
    greedy = [row for row in read_outcomes(tmp_path / "jostle-demo" / "outcomes.parquet").to_arrow().to_pylist()
              if row["decodings"] == "greedy"]  # fmt: skip
    assert sum(row["predictions"] is not None for row in greedy) > 0.9 * len(greedy)
