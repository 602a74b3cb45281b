"""The pages of the metrics: each folder alone is a Space, and its page gives the numbers of its module."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import gradio as gr
import pytest
import yaml

from jostle.metric_page import CHARACTERS, EXAMPLE, ROWS, SETTINGS, read_file, read_table, shown, strict, theme, to_html

from ..gradio_api import call

pytestmark = pytest.mark.slow
NAMES = ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio")
Columns = dict[str, list[Any]]
Pages = dict[str, Any]
ALONE = """
import json, app
from metric_page import EXAMPLE
texts = [part["props"].get("value") for part in app.page.build().config["components"]]
assert app.page.card.strip() in texts and app.page.card.startswith("## What it is")
print(json.dumps(app.page.handle(EXAMPLE, None, *[None] * len(app.page.settings))[1]))
"""


def page_of(folder: Path, patch: pytest.MonkeyPatch) -> Any:
    """The page of a folder, built from the helper that lies in it."""
    patch.syspath_prepend(folder)
    patch.delitem(sys.modules, "metric_page", raising=False)
    return runpy.run_path(str(folder / "app.py"))["page"]


@pytest.fixture(scope="module")
def pages(repo: Path) -> Iterator[Pages]:
    """The page of each module."""
    with pytest.MonkeyPatch.context() as patch:
        yield {name: page_of(repo / "metrics" / name, patch) for name in NAMES}
        sys.modules.pop("metric_page", None)


@pytest.fixture(params=NAMES)
def page(request: pytest.FixtureRequest, pages: Pages) -> Any:
    """Each page in turn."""
    return pages[request.param]


def table(columns: Columns, delimiter: str = ",") -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))  # None is written as an empty cell
    return out.getvalue()


def front(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((folder / "README.md").read_text(encoding="utf-8").split("---\n")[1])
    return found


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_numbers_are_those_of_the_module(
    page: Any, modules: dict[str, Any], columns: Columns, families: list[int], delimiter: str
) -> None:
    full = columns | {"families": families, "confidences": [0.25, None, 0.5, 1] * (len(families) // 4)}
    html, data = page.handle(table(full, delimiter), None, *[None] * len(page.settings))
    expected = modules[page.name].compute(**full)
    assert data == strict(expected)
    assert f"<td>{shown(expected[page.first[0]])}</td>" in html


def test_a_file_gives_what_its_text_gives(page: Any, columns: Columns, tmp_path: Path) -> None:
    path = tmp_path / "outcomes.csv"
    path.write_bytes(b"\xef\xbb\xbf" + table(columns).encode())  # as spreadsheets write it
    assert repr(page.numbers("", str(path))) == repr(page.numbers(table(columns)))


def test_settings_reach_the_module(page: Any, modules: dict[str, Any], columns: Columns) -> None:
    short = {name: column[:-1] for name, column in columns.items()}  # the last item lacks adv/c
    values = {"missing": "intersect", "reference": "para/a", "tolerance": 0.2, "seed": 3}
    chosen = {name: values[name] for name in page.settings}
    data = page.handle(table(short), None, *chosen.values())[1]
    assert data == strict(modules[page.name].compute(**short, **chosen))
    assert "seed=3" in data["signature"]


def test_settings_are_options_that_the_module_uses(page: Any) -> None:
    unused = next(line for line in page.card.splitlines() if line.endswith("| | accepted and not used here |"))
    assert set(page.settings) <= set(SETTINGS) - set(re.findall(r"`(\w+)`", unused))


def test_first_keys_stand_on_top_and_exist(page: Any) -> None:
    result = page.numbers(EXAMPLE)
    assert set(page.first) <= set(result)
    keys = re.findall(r'<th scope="row">(.*?)</th>', to_html(result, page.first).replace("<wbr>", ""))
    assert tuple(keys[: len(page.first)]) == page.first
    assert sorted(keys) == sorted(result)


def test_example_by_hand(pages: Pages) -> None:
    """Three items: film falls in pert and adv, cast in para and adv, plot never; plot's negation is not followed.

    Accuracies are 1, 2/3, 2/3, 1/3; of 3 x 3 + 2 pairs 3 + 1 invariant and 1 changed keep the relation, and the
    one of `plot` that is changed does not: film 1 + 1, plot 3 + 0, cast 1 of 3, so 6 of 11.
    """
    results = {name: page.numbers(EXAMPLE) for name, page in pages.items()}
    assert results["flip_rate"]["flip_rate"] == pytest.approx(2 / 3)
    assert results["invariance_drift"]["max_drift"] == pytest.approx(1 - 1 / 3)
    assert results["robustness_ratio"]["robustness_ratio"] == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3)
    assert results["pair_consistency"]["relation_accuracy"] == pytest.approx(6 / 11)


def test_groups_become_columns(pages: Pages, columns: Columns) -> None:
    twice = {name: column * 2 for name, column in columns.items()}
    twice["models"] = ["<m>"] * len(columns["predictions"]) + ["n"] * len(columns["predictions"])
    html, data = pages["flip_rate"].handle(table(twice), None, "error", "", 0)
    assert set(data["by_group"]) == {"model=<m>", "model=n"}
    assert '<th scope="col">model=&lt;m&gt;</th><th scope="col">model=n</th>' in html
    rate = shown(data["by_group"]["model=n"]["flip_rate"])
    assert f'<th scope="row">flip_<wbr>rate</th><td>{rate}</td><td>{rate}</td>' in html
    assert "signature" in html


def test_values_are_escaped() -> None:
    html = to_html({"worst_condition": "<img src=x>", "rate": float("nan"), "dropped": []}, ())
    assert "<td>&lt;img src=x&gt;</td>" in html
    assert "<td>nan</td>" in html
    assert "<td>none</td>" in html


HEAD = "item_ids,conditions,references,predictions\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expected a table, but got nothing. Paste one, upload a file, or press Example."),
        (" \n", "Expected columns"),
        ("a,b,a\n1,2,3\n", "Expected distinct column names, but got 'a' more than once."),
        (HEAD + "1,orig,1,1\n2,orig,1\n", "Expected 4 cells, but line 3 has 3."),
        (HEAD + '1,orig,1,"1\n2,orig,1,1\n', "Expected a csv or tsv table, but line 3 is not"),
        (HEAD + "1,orig,1,0.5\n", "Expected `predictions`"),
        (HEAD + "1,orig,1,1\n1,orig,1,1\n", "Expected"),
        ("item_ids,conditions,label,predictions\n1,orig,1,1\n", "Expected columns .*'label'"),
        ("item_ids,conditions,references\n1,orig,1\n", "predictions is missing"),
        (HEAD.replace("\n", ",confidences\n") + "1,orig,1,1,high\n", "Expected `confidences` to be numbers"),
        (HEAD + "1,orig,1,1\n" * (ROWS + 1), "Expected at most 20,000 rows, but got 20,001. Load the module"),
        (HEAD + "".join(f"1,c{i},1,1\n" for i in range(101)), "Expected at most 100 conditions, but got 101."),
        ("tasks," + HEAD + "".join(f"t{i},1,orig,1,1\n" for i in range(101)), "at most 100 combinations"),
        ("x" * (CHARACTERS + 1), "Expected at most 5,000,000 characters, but got 5,000,001."),
    ],
)
def test_errors_say_what_is_wrong(pages: Pages, text: str, message: str) -> None:
    with pytest.raises(gr.Error) as caught:
        pages["flip_rate"].handle(text, None, "error", "", 0)
    assert re.search(message, unescape(str(caught.value.message)))


def test_limits_let_what_fits_pass() -> None:
    rows = "".join(f"1,c{i % 100},1,1\n" for i in range(ROWS))
    assert len(read_table(HEAD + rows)["item_ids"]) == ROWS


def test_messages_are_escaped(pages: Pages) -> None:
    with pytest.raises(gr.Error) as caught:
        pages["flip_rate"].handle(HEAD + "1,orig,1,1\n", None, "error", "<b>", 0)
    assert "&lt;b&gt;" in str(caught.value.message)
    assert "<b>" not in str(caught.value.message)


def test_labels_that_are_numbers_are_one_label_however_written(pages: Pages) -> None:
    """pandas writes whole numbers beside a gap as 1.0; the last of three answers is wrong, and one is none."""
    rows = "1,orig,1,1.0\n2,orig,0,0.0\n3,orig,-1,\n4,orig,1,0.0\n"
    result = pages["invariance_drift"].numbers(HEAD + rows)
    assert result["accuracy_by_condition"] == {"orig": pytest.approx(2 / 3)}
    assert result["n_unlabelled"] == 1


def test_names_beside_numbers_are_refused(pages: Pages) -> None:
    with pytest.raises(ValueError, match=r"number and text together .*'False' in `predictions`"):
        pages["flip_rate"].numbers(HEAD + "1,orig,1,True\n2,orig,0,False\n")


def test_answers_with_fractions_stay_text(pages: Pages) -> None:
    result = pages["invariance_drift"].numbers(HEAD + "1,orig,2.5,2.5\n2,orig,7,7.5\n")
    assert result["accuracy_by_condition"] == {"orig": 0.5}


def test_ids_stay_text(pages: Pages) -> None:
    assert pages["flip_rate"].numbers(HEAD + "7,orig,1,1\n007,orig,1,1\n")["n_rows"] == 2  # two items, not one twice


def test_two_tables_are_refused(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "outcomes.csv"
    path.write_text(EXAMPLE, encoding="utf-8")
    with pytest.raises(ValueError, match="Expected one table, but got a text and a file"):
        pages["flip_rate"].numbers(EXAMPLE, str(path))


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes(b"item_ids\ncaf\xe9\n")
    with pytest.raises(ValueError, match=r"but latin\.csv, line 2 has the byte 0xe9"):
        read_file(path)


def published(source: Path, to: Path) -> dict[str, Any]:
    """A copy of a folder with files for links, under another name, and how to run Python in it without jostle."""
    folder = shutil.copytree(source, to / "app", ignore=shutil.ignore_patterns("__pycache__"))
    assert not any(path.is_symlink() for path in folder.iterdir())
    hidden = to / "hidden"
    hidden.mkdir()
    (hidden / "jostle.py").write_text("raise ImportError('not installed here')", encoding="utf-8")
    # No warning is an error here: gradio and pandas have some of their own, about each other.
    return {"cwd": folder, "env": {**os.environ, "PYTHONPATH": str(hidden), "PYTHONUNBUFFERED": "1"}, "text": True}


def test_folder_alone_has_the_page(page: Any, tmp_path: Path) -> None:
    run = published(page.folder, tmp_path)
    ran = subprocess.run([sys.executable, "-c", ALONE], **run, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == strict(page.numbers(EXAMPLE))
    check = subprocess.run([sys.executable, "-c", "import jostle"], **run, capture_output=True, check=False)
    assert "not installed here" in check.stderr


def test_one_helper_for_all(page: Any, repo: Path) -> None:
    helper = page.folder / "metric_page.py"
    assert helper.is_symlink()
    assert helper.resolve() == repo / "src" / "jostle" / "metric_page.py"


def test_front_matter_and_requirements_name_one_gradio(page: Any) -> None:
    about = front(page.folder)
    assert (page.folder / about["app_file"]).is_file()
    assert about["sdk_version"] == gr.__version__
    lines = (page.folder / "requirements.txt").read_text(encoding="utf-8").split()
    assert lines == ["evaluate>=0.4.6", f"gradio=={gr.__version__}", "numpy>=2.0"]


def test_nothing_is_fetched_for_the_looks() -> None:
    assert theme()._stylesheets == []


@pytest.fixture(scope="module")
def url(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a published folder, started as the Hub starts it."""
    run = published(repo / "metrics" / "invariance_drift", tmp_path_factory.mktemp("space"))
    with subprocess.Popen(
        [sys.executable, "app.py"], **run, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        assert server.stdout
        try:
            lines = []
            for line in server.stdout:
                lines.append(line)
                if found := re.search(r"http://127\S+", line):
                    yield found.group()
                    break
            else:
                pytest.fail("".join(lines))
        finally:
            server.terminate()


def test_the_api_answers_visitors_at_once_as_one_by_one(url: str, pages: Pages, columns: Columns) -> None:
    jobs = [(table(columns), 1), (EXAMPLE, 2), (table(columns), 3), (EXAMPLE, 4)]
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(lambda job: call(url, "compute", job[0], None, 0.03, "error", "", job[1]), jobs))
    expected = [strict(pages["invariance_drift"].numbers(text, seed=seed)) for text, seed in jobs]
    assert [(kind, data[1]) for kind, data in found] == [("complete", result) for result in expected]


def test_the_api_says_what_is_wrong(url: str) -> None:
    kind, data = call(url, "compute", "", None, 0.03, "error", "", 0)
    assert kind == "error"
    assert "Expected a table, but got nothing" in data["error"]
