"""The Report tab on logs of other harnesses: several files of one model, and what their names and scores are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio
import pytest
import report_files
import tab_report
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError
from report_files import Given, read_uploads

from jostle.errors import InputError

pytestmark = pytest.mark.xdist_group("space")

Write = Callable[[str, Any], Path]
NAME = "samples_quiz_2026-01-0{}T00-00-00.jsonl"  # two runs of one task, as the harness names them


def sample(k: int, right: bool, **scores: float) -> dict[str, Any]:
    """A row of lm-evaluation-harness on a question with two options, the first of which is gold."""
    return {
        "doc_id": k,
        "doc": {"question": f"Is it {k}?"},
        "target": 0,
        "arguments": [["q", " no"], ["q", " yes"]],
        "resps": [],
        "filtered_resps": [["-1.0"], ["-2.0"]] if right else [["-2.0"], ["-1.0"]],
        "acc": float(right),
        **scores,
    }


@pytest.fixture
def logs(write: Write) -> list[Path]:
    """Two prompts on the same 40 questions, the second log in another order: 40 right, then 20."""
    first = [sample(k, True) for k in range(40)]
    return [write(NAME.format(1), first), write(NAME.format(2), [sample(k, k < 20) for k in reversed(range(40))])]


@pytest.fixture(scope="module")
def client(space_url: str) -> Client:
    return Client(space_url, verbose=False)


def ask(client: Client, first: list[Path], second: list[Path] | None = None, **given: str) -> Any:
    """The tab's answer through its API, settings as they stand."""
    files = [[handle_file(str(path)) for path in paths] if paths else None for paths in (first, second)]
    return client.predict(*files, 0.03, "", "", 0, api_name="/report", **given)


def drift_of(answer: Any) -> dict[str, Any]:
    measures = json.loads(Path(answer[2]["value"]).read_text("utf-8"))["measures"]
    (values,) = (measure["values"] for measure in measures if measure["name"] == "invariance_drift")
    return dict(values)


def test_two_logs_of_one_task_are_conditions_under_their_names(client: Client, logs: list[Path]) -> None:
    answer = ask(client, logs, names="orig, para/prompt2")
    values = drift_of(answer)
    assert values["accuracy_by_condition"] == {"orig": 1.0, "para/prompt2": 0.5}  # 40 and 20 of 40
    assert values["max_drift"] == 0.5
    assert "FRAGILE" in answer[0]


def test_two_logs_of_one_task_without_names_are_refused(client: Client, logs: list[Path]) -> None:
    with pytest.raises(AppError, match=r"both have .*acc.*Name each as a condition") as caught:
        ask(client, logs)
    assert "/" not in str(caught.value)  # no folder of the server


def test_one_log_shows_its_accuracy_and_no_drift(client: Client, logs: list[Path]) -> None:
    answer = ask(client, logs[1:])
    assert "NOT MEASURED" in answer[0]
    assert "needs at least 2 conditions" in answer[0]
    assert "0.500" in answer[0]
    assert drift_of(answer)["accuracy_by_condition"] == {"acc": 0.5}


def test_two_models_are_compared_on_their_logs(client: Client, logs: list[Path]) -> None:
    answer = ask(client, logs[:1], logs[1:])
    (made,) = json.loads(Path(answer[3]["value"]).read_text("utf-8"))
    assert made["values"]["accuracy_difference"] == -0.5  # the second, 0.5, less the first, 1
    assert f"{logs[0].name} is right more often" in answer[0]


def test_several_scores_are_noted_and_one_can_be_chosen(client: Client, write: Write) -> None:
    rows = [sample(k, True, acc_norm=1.0) for k in range(12)]
    log = write(NAME.format(1), rows)
    both = ask(client, [log])
    assert drift_of(both)["accuracy_by_condition"] == {"acc": 1.0, "acc_norm": 1.0}
    assert "Several scores of the same answers stand as conditions (acc, acc_norm)" in both[0]
    one = ask(client, [log], metrics="acc_norm")
    assert drift_of(one)["accuracy_by_condition"] == {"acc_norm": 1.0}
    assert "Several scores" not in one[0]


def test_items_matched_by_id(write: Write, logs: list[Path]) -> None:
    other = [{**sample(k, True), "doc": {"question": f"Could it be {k}?"}} for k in range(40)]
    files = [str(logs[0]), str(write(NAME.format(3), other))]
    with pytest.raises(InputError, match="Expected the same items"):
        read_uploads(files, Given("a, b"))
    assert read_uploads(files, Given("a, b", match="id")).to_pandas().item_ids.nunique() == 40


def test_items_that_one_log_lacks_are_counted_without_the_folders(write: Write, logs: list[Path]) -> None:
    short = write(NAME.format(3), [sample(k, True) for k in range(37)])
    outcomes = read_uploads([str(logs[0]), str(short)], Given("a, b"))
    assert outcomes.notes == [f"37 items are in all files; {logs[0].name} has 3 more."]
    assert outcomes.source == f"{logs[0].name}, {short.name}"


@pytest.mark.parametrize("names", ["orig", "a, b, c"])
def test_names_must_be_one_a_file(logs: list[Path], names: str) -> None:
    number = len(names.split(","))
    with pytest.raises(gradio.Error, match=f"Expected a condition name for each of 2 files .*but got {number}"):
        list(tab_report.make_report([str(path) for path in logs], None, 0.03, "", "", 0, names))


def test_too_many_files(logs: list[Path]) -> None:
    with pytest.raises(InputError, match=f"Expected at most {report_files.MOST_FILES} files, but got 11"):
        read_uploads([str(logs[0])] * (report_files.MOST_FILES + 1), Given())
