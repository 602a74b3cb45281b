"""The Space through its API, and its parts without a browser."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import app
import batch
import gradio
import one_item
import pytest
import shared
import tab_audit
import tab_jostle
import tab_report
from gradio_client import Client, handle_file
from gradio_client.exceptions import AppError
from item_view import finer, jostled_html, marked, summary
from steps import Result, Step, Stop, in_steps
from theme import theme

from jostle.errors import InputError, UsageError
from jostle.outcomes import read_outcomes
from jostle.perturb import Edit
from jostle.predict.embedded import EMBEDDED_ID

pytestmark = pytest.mark.xdist_group("space")

Write = Callable[[str, Any], Path]
OPERATORS = ["typos", "contractions", "contrast_antonym", "option_permutation"]
REVIEWS = [
    {"sentence": f"The {thing} is {word}.", "label": label}
    for thing in ("story", "cast", "music", "ending", "dialogue", "pace")
    for word, label in (("clever", 1), ("boring", 0))
]
RESULTS = {"orig": [True] * 12, "pert/x": [True] * 6 + [False] * 6}
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def client(space_url: str) -> Client:
    return Client(space_url, verbose=False)


def jostle_api(client: Client, text: str, seed: int) -> Any:
    return client.predict("sst2", [text], OPERATORS, seed, "positive", "", "", api_name="/jostle")


def report_api(client: Client, first: Path | None, second: Path | None = None) -> Any:
    files = [[handle_file(str(path))] if path else None for path in (first, second)]
    return client.predict(*files, 0.03, "", "", 0, api_name="/report")


def item_of(text: str = "It is a clever film.", gold: str = "positive") -> Any:
    return one_item.make_item("sst2", [text], gold=gold)


def last(steps: Any) -> Any:
    return list(steps)[-1]


# -- sessions


@pytest.mark.slow
def test_case_s02_sessions_see_their_own_results_alone(space_url: str) -> None:
    clients = [Client(space_url, verbose=False) for _ in range(2)]
    inputs = [("fine film", 1), ("dull film", 2)]
    serial = [jostle_api(client, *given) for client, given in zip(clients, inputs, strict=True)]
    for found, (text, _) in zip(serial, inputs, strict=True):
        noun = text.split()[0]
        assert all(noun[0] in row["fields"]["sentence"] for row in found["variants"])
    assert serial[0]["variants"] != serial[1]["variants"]
    # Both at once, several times over: as one after the other.
    jobs = [client.submit("sst2", [text], OPERATORS, seed, "positive", "", "", api_name="/jostle")
            for _ in range(4) for client, (text, seed) in zip(clients, inputs, strict=True)]  # fmt: skip
    assert [job.result(timeout=120) for job in jobs] == serial * 4


def test_case_s02_seeds_are_passed_down_and_parallel_calls_equal_serial_ones() -> None:
    given = [("It isn't a fine film.", 1), ("It isn't a dull film.", 2)] * 4
    state = random.getstate()

    def run(text: str, seed: int) -> Any:
        return one_item.jostle_item(item_of(text), OPERATORS, EMBEDDED_ID, seed).to_dict()

    serial = [run(*one) for one in given]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda one: run(*one), given)) == serial
    assert random.getstate() == state


def test_only_the_weights_are_shared() -> None:
    first, second = (one_item.classifier_for("sst2", EMBEDDED_ID)[0] for _ in range(2))
    assert first is not None
    assert second is not None
    assert first is not second
    assert first.model is second.model


# -- one item


@pytest.mark.slow
def test_api_of_one_item(client: Client) -> None:
    found = jostle_api(client, "It isn't a clever film.", 0)
    rows = {row["condition"]: row for row in found["variants"]}
    assert rows["para/contractions"]["fields"]["sentence"] == "It is not a clever film."
    assert rows["para/contractions"]["state"] in ("holds", "flips")
    assert 0.5 <= found["prediction"]["confidence"] <= 1  # the likelier of two labels
    assert found["counts"] == {state: [row["state"] for row in found["variants"]].count(state)
                               for state in {row["state"] for row in found["variants"]}}  # fmt: skip


def test_api_says_what_is_wrong(client: Client) -> None:
    with pytest.raises(AppError, match=r"Expected a text as the sentence, but got nothing"):
        jostle_api(client, "  ", 0)
    with pytest.raises(AppError, match=r"Expected a model out of jostle/minilm-l6-sst, but got .*other/model"):
        client.predict("sst2", ["a film"], OPERATORS, 0, "", "", "other/model", api_name="/jostle")


def test_states_of_variants() -> None:
    found = one_item.jostle_item(item_of(), OPERATORS, EMBEDDED_ID, 0)
    states = {one.variant.operator: (one.answer, one.state) for one in found.variants}
    answer, state = states["contrast_antonym"]  # "a stupid film"
    assert answer is not None
    assert (answer.label, state) == ("negative", "follows")
    assert found.answer is not None
    typos, state = states["typos"]
    assert typos is not None
    assert state == ("holds" if typos.label == found.answer.label else "flips")
    assert [(one.operator, one.reason) for one in found.left_out] == [
        ("option_permutation", "not a multiple-choice item")
    ]


def flipped(state: str) -> one_item.Jostled:
    """The item with every variant in that state."""
    found = one_item.jostle_item(item_of(), ["typos", "letter_case"], EMBEDDED_ID, 0)
    return replace(found, variants=[replace(one, state=state) for one in found.variants])


@pytest.mark.parametrize(
    ("state", "look", "title"),
    [
        ("flips", "fragile", "The answer flips in 2 of 2 variants"),
        ("holds", "invariant", "The answer holds in all 2 variants"),
        ("does not follow", "fragile", "The answer does not follow 2 contrast edits"),
        ("follows", "invariant", "The answer follows"),
    ],
)
def test_summary_in_words(state: str, look: str, title: str) -> None:
    assert summary(flipped(state))[:2] == (look, title)


def test_a_flip_is_named_in_words_and_the_text_is_escaped() -> None:
    found = one_item.jostle_item(item_of(f"A {SCRIPT} clever film."), ["letter_case"], EMBEDDED_ID, 0)
    html = jostled_html(replace(found, variants=[replace(one, state="flips") for one in found.variants]))
    assert "FLIPS: positive → " in html
    assert "<script" not in html.lower()
    assert "&lt;script&gt;" in html


def test_edits_are_marked_where_they_are() -> None:
    edits = [Edit("text", 2, 6, "good", "gooood"), Edit("text", 11, 11, "", "!")]
    assert marked("a good film", edits) == "a <del>good</del><ins>gooood</ins> film<ins>!</ins>"


def test_an_edit_of_spaces_is_cut_to_the_spaces_and_others_stay_whole() -> None:
    assert finer([Edit("text", 4, 9, " a b ", "  a  b ")]) == [
        Edit("text", 4, 5, " ", "  "), Edit("text", 6, 7, " ", "  "),
    ]  # fmt: skip
    word = [Edit("text", 0, 4, "good", "GOOD")]
    assert finer(word) == word


def test_a_task_that_the_model_has_no_labels_for_is_varied_but_not_predicted() -> None:
    item = one_item.make_item("mnli", ["All 12 students passed.", "Some students didn't pass."])
    found = one_item.jostle_item(item, ["contractions"], EMBEDDED_ID, 0)
    assert [one.state for one in found.variants] == [""]
    assert "No model for this task was chosen" in found.note
    assert summary(found)[1] == "1 variant, none predicted"


def test_a_model_with_the_labels_of_the_task_is_asked(tiny_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = str(tiny_model("CONTRADICTION", "NEUTRAL", "ENTAILMENT"))
    monkeypatch.setenv(shared.MODELS_VARIABLE, f"{EMBEDDED_ID}, {folder}")
    item = one_item.make_item("mnli", ["All 12 students passed.", "Some students didn't pass."])
    found = one_item.jostle_item(item, ["contractions"], folder, 0)
    assert found.answer is not None
    assert found.answer.label in ("entailment", "neutral", "contradiction")
    assert [one.state for one in found.variants] in (["holds"], ["flips"])
    assert Path(folder).name in dict(shared.model_choices())  # the folders of the server are its own matter


def test_multiple_choice_shows_where_the_options_went() -> None:
    item = one_item.make_item("mcq", ["Which planet is closest to the sun?"], "Venus\nMercury\n\nEarth", "B")
    found = one_item.jostle_item(item, ["cyclic_order"], EMBEDDED_ID, 0)
    html = jostled_html(found)
    assert found.note.startswith("No model for multiple choice was chosen")
    # shift1: Mercury, Earth, Venus
    assert '<b>A</b> Mercury <span class="soft">was B</span> <span class="chip">right answer</span>' in html


@pytest.mark.parametrize(
    ("task", "texts", "options", "gold", "expected"),
    [
        ("other", ["x"], "", "", "Expected a task out of sst2"),
        ("sst2", ["x" * 2001], "", "", "Expected at most 2,000 characters as the sentence, but got 2,001"),
        ("sst2", ["x"], "", "neutral", "Expected a gold label out of negative, positive, but got 'neutral'"),
        ("mnli", ["x"], "", "", "Expected the texts premise, hypothesis, but got 1"),
        ("mcq", ["x"], "one", "", "Expected 2 to 10 options, one a line, but got 1"),
        ("mcq", ["x"], "one\ntwo", "C", "Expected a right option out of A, B, but got 'C'"),
    ],
)
def test_forms_that_are_no_item(task: str, texts: list[str], options: str, gold: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        one_item.make_item(task, texts, options, gold)


def test_no_operator() -> None:
    with pytest.raises(InputError, match="Expected at least one operator"):
        one_item.jostle_item(item_of(), [], EMBEDDED_ID, 0)


# -- a file


@pytest.mark.slow
def test_a_file_gives_the_outcomes_of_the_command_line(
    client: Client, write: Write, jostle: Any, tmp_path: Path
) -> None:
    data = write("items.jsonl", REVIEWS)
    operators = ["synonyms", "typos"]
    out = client.predict("sst2", handle_file(str(data)), "", EMBEDDED_ID, 3, ["synonyms"], ["typos"], [], [],
                         api_name="/jostle_file")  # fmt: skip
    done = jostle("run", "--task", "sst2", "--data", data, "--model", "embedded", "--seed", 3, "--out",
                  tmp_path / "out", "--operators", ",".join(operators), "--quiet")  # fmt: skip
    assert done.code == 0, done.err
    ours, theirs = (read_outcomes(path) for path in (out[2]["value"], tmp_path / "out" / "outcomes.parquet"))
    assert ours.to_arrow().to_pylist() == theirs.to_arrow().to_pylist()
    assert ours.counts == theirs.counts
    assert "INCONCLUSIVE" in out[0]


def test_rows_beyond_the_limit_are_left_out_and_named(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "LIMITS", replace(shared.LIMITS, rows=5))
    items = batch.read_items(write("items.jsonl", REVIEWS), "sst2", "")
    assert len(items.items) == 5
    assert "left out: rows beyond the first 5 (7)" in items.describe()
    assert items.source == "items.jsonl"


def test_columns_of_other_names(write: Write) -> None:
    data = write("items.jsonl", [{"text": row["sentence"], "gold": row["label"]} for row in REVIEWS])
    assert batch.read_items(data, "sst2", "sentence=text, label = gold").field_map == {
        "sentence": "text",
        "label": "gold",
    }
    with pytest.raises(InputError, match="Expected columns as field=column"):
        batch.read_items(data, "sst2", "sentence")


def test_a_file_without_a_model_for_it_gives_variants(write: Write) -> None:
    data = write("items.csv", "question,choices,answer\nWhich is red?,\"['a plum', 'a leaf', 'a tomato']\",2\n")
    found = batch.run_batch(batch.read_items(data, "mcq", ""), ["cyclic_order"], EMBEDDED_ID, 0, lambda _, __: None)
    assert found.report is None
    assert "2 variants, none predicted" in batch.batch_notes_html(found)  # three options, so two other orders
    assert [row["choices"] for row in batch.rows_of(found)] == [
        ["a plum", "a leaf", "a tomato"], ["a leaf", "a tomato", "a plum"], ["a tomato", "a plum", "a leaf"],
    ]  # fmt: skip


def test_errors_do_not_show_the_folders_of_the_server(client: Client, write: Write) -> None:
    bad = write("items.csv", "sentence,label\nfine,7\n")
    with pytest.raises(AppError) as caught:
        client.predict(
            "sst2", handle_file(str(bad)), "", EMBEDDED_ID, 0, [], ["typos"], [], [], api_name="/jostle_file"
        )
    assert "items.csv, line 2" in str(caught.value)
    assert "/" not in str(caught.value).replace("/jostle", "")


def test_messages_are_escaped() -> None:
    assert shared.message(InputError(SCRIPT)) == "&lt;script&gt;alert(1)&lt;/script&gt;"


def test_too_large_a_file(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "LIMITS", replace(shared.LIMITS, megabytes=0))
    with pytest.raises(InputError, match="Expected a file of at most 0 MB"):
        shared.checked_file(str(write("a.csv", "a\n")), "items")
    with pytest.raises(InputError, match="Expected a file with items, but got none"):
        shared.checked_file(None, "items")


# -- steps


def test_steps_say_how_far_the_work_is_and_give_its_result() -> None:
    def work(tell: Any) -> int:
        tell(0.5, "half")
        time.sleep(0.6)
        return 7

    *steps, result = in_steps(work, seconds=60, stop=Stop())
    assert Step(0.5, "half") in steps
    assert result == Result(7)


@pytest.mark.parametrize("closed", [True, False], ids=["page left", "cancelled"])
def test_work_ends_when_nobody_waits_for_it(closed: bool) -> None:
    told: list[float] = []

    def work(tell: Any) -> None:
        for k in range(1000):
            told.append(k)
            tell(k / 1000, "on")
            time.sleep(0.02)

    stop = Stop()
    steps = in_steps(work, seconds=60, stop=stop)
    assert isinstance(next(steps), Step)
    if closed:
        steps.close()
    else:
        stop.asked = True
        assert list(steps) == [None]
    time.sleep(0.2)
    n = len(told)
    time.sleep(0.2)
    assert len(told) == n < 1000


def test_work_ends_at_its_time_limit() -> None:
    def work(tell: Any) -> None:
        while True:
            tell(0.25, "predicting")
            time.sleep(0.02)

    with pytest.raises(UsageError, match=r"Expected a run of at most 0.1 seconds, but got no further than 25%"):
        list(in_steps(work, seconds=0.1, stop=Stop()))


def test_cancel_is_for_the_run_of_its_own_session(write: Write) -> None:
    items = batch.read_items(write("items.jsonl", REVIEWS), "sst2", "")
    mine, other = Stop(), Stop()
    tab_jostle._cancelled(mine)
    assert last(tab_jostle._batch(mine, items, ["typos"], EMBEDDED_ID, 0))[0] == tab_jostle.CANCELLED
    assert "verdict" in last(tab_jostle._batch(other, items, ["typos"], EMBEDDED_ID, 0))[0]
    tab_jostle._asked(mine)  # the next run of the session
    assert mine == Stop()


# -- report


def test_report_has_the_numbers_of_the_command_line(client: Client, write: Write, jostle: Any) -> None:
    path = write("results.json", json.dumps(RESULTS))
    html, page, data, comparison = report_api(client, path)
    ours = json.loads(Path(data["value"]).read_text("utf-8"))
    theirs = json.loads(jostle("report", path, "--format", "json").out)
    assert ours.pop("source") == "results.json"
    theirs.pop("source")
    assert ours == theirs
    assert "FRAGILE" in html
    assert "What this report cannot tell you" in html
    assert Path(page["value"]).read_text("utf-8").startswith("<!doctype html>")
    assert comparison["visible"] is False


def test_two_files_are_compared(client: Client, write: Write) -> None:
    first = write("first.json", json.dumps(RESULTS))
    second = write("second.json", json.dumps({name: [True] * 12 for name in RESULTS}))
    html, _, _, comparison = report_api(client, first, second)
    # second minus first: orig 0, pert/x 6/12, mean 0.25
    (made,) = json.loads(Path(comparison["value"]).read_text("utf-8"))
    assert made["values"]["accuracy_difference"] == pytest.approx(0.25)
    assert "second.json is right more often" in html
    assert "+0.250" in html


def test_no_clear_difference_is_said(client: Client, write: Write) -> None:
    path = write("results.json", json.dumps(RESULTS))
    html = report_api(client, path, write("same.json", json.dumps(RESULTS)))[0]
    assert "No clear difference" in html


def test_report_escapes_what_is_in_the_file(client: Client, write: Write) -> None:
    rows = [{"condition": name, "correct": (k + len(name)) % 2 == 0, "id": f"{k}{SCRIPT}"}
            for name in ("orig", f"pert/{SCRIPT}") for k in range(12)]  # fmt: skip
    html = report_api(client, write("rows.jsonl", rows))[0]
    assert "<script" not in html.lower()
    assert "&lt;script&gt;" in html


def test_report_refuses_in_words(client: Client, write: Write) -> None:
    with pytest.raises(AppError, match="Expected a file with results, but got none"):
        report_api(client, None)
    with pytest.raises(AppError, match="Expected outcome columns predictions"):
        report_api(client, write("other.csv", "a,b\n1,2\n"))


def test_too_many_outcomes(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_report, "LIMITS", replace(shared.LIMITS, outcomes=23))
    path = str(write("results.json", json.dumps(RESULTS)))
    with pytest.raises(gradio.Error, match=r"Expected at most 23 rows, but results\.json has 24"):
        last(tab_report.make_report([path], None, 0.03, "", "", 0))


def samples(score: Callable[[int], float]) -> list[dict[str, Any]]:
    """Rows of an lm-evaluation-harness log."""
    keys = {"doc_id": 0, "target": "yes", "arguments": {}, "resps": [["yes"]], "filtered_resps": ["yes"]}
    return [{**keys, "doc": {"question": f"Is it {k}?"}, "exact_match": score(k)} for k in range(40)]


def test_logs_of_a_harness_are_conditions(client: Client, write: Write) -> None:
    logs = [
        write("samples_a_2026-01-01T00-00-00.jsonl", samples(lambda k: 1.0)),
        write("samples_b_2026-01-01T00-00-00.jsonl", list(reversed(samples(lambda k: float(k < 20))))),
    ]
    files = [handle_file(str(path)) for path in logs]
    html, _, data, _ = client.predict(files, None, 0.03, "", "", 0, api_name="/report")
    measures = json.loads(Path(data["value"]).read_text("utf-8"))["measures"]
    (drift,) = (measure["values"] for measure in measures if measure["name"] == "invariance_drift")
    assert drift["accuracy_by_condition"] == {"a": 1.0, "b": 0.5}  # 20 of 40
    assert "FRAGILE" in html
    alone = report_api(client, logs[0])[0]
    assert "NOT MEASURED" in alone
    assert "needs at least 2 conditions" in alone


def test_a_small_archive_of_a_large_file_is_refused(tmp_path: Path) -> None:
    packed = tmp_path / "samples.jsonl.gz"
    with gzip.open(packed, "wb") as file:
        for _ in range(shared.LIMITS.megabytes + 2):
            file.write(b" " * 1_000_000)
    assert packed.stat().st_size < 1e6
    with pytest.raises(InputError, match=f"Expected a file of at most {shared.LIMITS.megabytes} MB"):
        shared.checked_file(str(packed), "results")


def test_the_example_is_read(client: Client) -> None:
    assert "INCONCLUSIVE" in client.predict(api_name="/report_example")[0]


# -- the app


def test_tabs(client: Client) -> None:
    labels = [one["props"]["label"] for one in client.config["components"] if one["type"] == "tabitem"]
    assert [name for name in labels if name in app.TABS] == list(app.TABS)
    assert client.config["analytics_enabled"] is False


@pytest.mark.slow
def test_the_queue_is_limited() -> None:
    # In a process of its own: gradio leaves event loops of the apps that it builds to the garbage collector.
    code = "import app; made = app.build_app(); print(made._queue.max_size)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(app.__file__).parent, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [str(shared.LIMITS.queue)], done.stderr


def test_fonts_are_those_of_the_system() -> None:
    assert not theme()._stylesheets


def test_models_are_those_that_the_operator_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(shared.MODELS_VARIABLE, raising=False)
    assert shared.allowed_models() == [EMBEDDED_ID]
    monkeypatch.setenv(shared.MODELS_VARIABLE, " org/one,, org/two,org/one")
    assert shared.allowed_models() == ["org/one", "org/two"]
    with pytest.raises(UsageError, match="Expected a model out of org/one, org/two, but got 'jostle/minilm-l6-sst'"):
        shared.classifier_of(EMBEDDED_ID)


@pytest.mark.parametrize("example", tab_jostle.EXAMPLES, ids=lambda example: example.name)
def test_examples_give_variants(example: Any) -> None:
    item = one_item.make_item(example.task, example.texts, example.options, example.gold)
    names = [name for group in tab_jostle.operator_names(example.task) for name in group]
    assert len(one_item.jostle_item(item, names, EMBEDDED_ID, 0).variants) >= 10


# -- audit


def audit_api(client: Client, path: Path, fields: str = "", skip: tuple[str, ...] = ()) -> Any:
    return client.predict(handle_file(str(path)), fields, None, list(skip), 0.85, 0.1, 5, api_name="/audit")


@pytest.mark.slow
def test_audit_has_the_numbers_of_the_command_line(client: Client, write: Write, jostle: Any) -> None:
    rows = [{"text": f"Item {k // 2} of the list.", "label": "ab"[k % 2]} for k in range(40)]
    path = write("set.jsonl", rows)
    html, page, data = audit_api(client, path)
    ours = json.loads(Path(data["value"]).read_text("utf-8"))
    theirs = json.loads(jostle("audit", path, "--format", "json").out)
    assert ours.pop("source") == "set.jsonl"
    theirs.pop("source")
    assert ours == theirs
    assert "contradict" in html
    assert Path(page["value"]).read_text("utf-8").startswith("<!doctype html>")


def test_the_field_map_is_shown_and_can_be_corrected(client: Client, write: Write) -> None:
    rows = [{"input": f"text {k}", "gold": "a", "note": f"<b>{k}</b>"} for k in range(4)]
    path = write("set.jsonl", rows)
    fields, seen = client.predict(handle_file(str(path)), api_name="/audit_fields")
    assert "input=input" in fields
    assert "4 cases" in seen
    corrected = json.loads(Path(audit_api(client, path, "input=note")[2]["value"]).read_text("utf-8"))
    assert corrected["field_map"]["input"] == "note"
    with pytest.raises(AppError, match="Expected --map to name a field of"):
        audit_api(client, path, "inputs=note")


def test_audit_does_not_tell_the_folders_of_the_server(client: Client, write: Write) -> None:
    rows = [{"question": f"q{k}", "choices": ["a", "b"], "answer": "A" if k else "E"} for k in range(4)]
    path = write("set.jsonl", rows)
    seen = client.predict(handle_file(str(path)), api_name="/audit_fields")[1]
    html, page, data = audit_api(client, path)
    for text in (seen, html, *(Path(file["value"]).read_text("utf-8") for file in (page, data))):
        assert "set.jsonl, line 1 has" in text
        assert "/set.jsonl" not in text


def test_audit_escapes_what_is_in_the_file(client: Client, write: Write) -> None:
    html = audit_api(client, write("set.jsonl", [{"input": SCRIPT, "id": f"{SCRIPT}{k}"} for k in range(3)]))[0]
    assert "<script" not in html.lower()
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("path", ["/etc/hostname", "app.py", "../../pyproject.toml", "hf://datasets/org/name/a.csv"])
def test_a_path_of_the_server_is_not_read(client: Client, path: str) -> None:
    """The interface takes uploads alone; whoever calls the API with another path gets an error."""
    given = {"path": path, "meta": {"_type": "gradio.FileData"}}
    with pytest.raises((AppError, ValueError, OSError)) as refused:
        client.predict(given, "", None, [], 0.85, 0.1, 5, api_name="/audit")
    assert "cases" not in str(refused.value)


def test_a_set_that_is_too_large_to_audit(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_audit, "LIMITS", replace(shared.LIMITS, cases=2))
    path = str(write("set.jsonl", [{"input": f"text {k}"} for k in range(3)]))
    with pytest.raises(gradio.Error, match=r"Expected at most 2 cases, but set\.jsonl has 3"):
        last(tab_audit.make_audit(path, "", None, [], 0.85, 0.1, 5))
