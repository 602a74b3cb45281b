"""The Space in a real browser: what a person sees, and what the page must never do."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from jostle.outcomes import read_outcomes

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("space")]

WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 400, "height": 800}
TABS = {"Jostle": "#jostle-run", "Report": "#report-example", "Review": "#review-example", "Audit": "#audit-example"}
DONE = ", ".join([*(f"#{tab}-result .verdict" for tab in ("jostle", "report", "audit")), "#review-panel progress"])
PAIRS = [
    {"id": f"p{k}", "base_text": f"a fine film {k}", "edited_text": f"a dull film {k}", "base_label": "positive",
     "edited_label": "negative"}
    for k in range(3)
]  # fmt: skip
SCRIPT = "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'>"
Open = Callable[..., Page]
expect.set_options(timeout=30_000)  # the first answer waits for the model to be read


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        assert not os.environ.get("CI"), "CI installs chromium"
        pytest.skip("no chromium on this machine")
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, space_url: str) -> Iterator[Open]:
    """Open the Space in a session of its own; afterwards no page has asked another host, or thrown an error."""
    asked: set[str] = set()
    errors: list[str] = []
    contexts = []

    def opened(theme: str = "light", size: dict[str, int] = WIDE, tab: str = "Jostle") -> Page:
        context = browser.new_context(viewport=size, color_scheme=theme, accept_downloads=True)  # type: ignore[arg-type]
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("request", lambda request: asked.add(urlsplit(request.url).hostname or ""))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{space_url}/?__theme={theme}")
        page.get_by_role("tab", name=tab, exact=True).click()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert asked <= {"127.0.0.1", "localhost", ""}  # "": what the page holds itself, such as data:
    assert errors == []


def uploaded(page: Page, label: str, *paths: Path) -> None:
    """Give files to the upload box of that label."""
    box = page.get_by_test_id("block-label").filter(has_text=label, visible=True).locator("xpath=..")
    box.locator("input[type=file]").set_input_files(list(paths))


def review(page: Page, number: int) -> None:
    """Wait for the case of that number."""
    expect(page.locator("#review-panel")).to_contain_text(f"{number} of ")


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(page.evaluate("document.documentElement.scrollWidth - window.innerWidth"))


# -- main paths


def test_jostle_one_item(open_page: Open) -> None:
    page = open_page()
    page.locator("#jostle-run").click()
    result = page.locator("#jostle-result")
    expect(result.locator(".verdict")).to_be_visible()
    assert result.locator("ins").count() >= 3
    expect(result).to_contain_text("positive")


def items(n: int) -> list[dict[str, Any]]:
    """Sentences with gold labels, a column of which has another name."""
    words = (("clever", 1), ("boring", 0))
    return [{"text": f"Act {k} of the story is {words[k % 2][0]}.", "label": words[k % 2][1]} for k in range(n)]


def file_mode(page: Page, path: Path) -> None:
    """Give the Jostle tab a file of items and start."""
    page.get_by_role("tab", name="A file of items").click()
    uploaded(page, "Items with gold labels", path)
    page.get_by_text(path.stem).first.wait_for()
    page.get_by_label("Columns, where they have other names").fill("sentence=text")
    page.locator("#batch-run").click()


def test_jostle_a_file(open_page: Open, write: Callable[[str, Any], Path], tmp_path: Path) -> None:
    page = open_page()
    rows = "".join(f"{item['text']},{item['label']}\n" for item in items(12))
    file_mode(page, write("acts.csv", f"text,label\n{rows}"))
    result = page.locator("#jostle-result")
    expect(result.locator("progress")).to_be_visible()
    expect(result.locator(".verdict")).to_contain_text("INCONCLUSIVE", timeout=90_000)
    flips = result.locator("table").filter(has_text="flip").first
    expect(flips.locator("tr").filter(has_text="pert/").first).to_be_visible()
    with page.expect_download() as outcomes:
        page.get_by_text("Outcomes (parquet)").click()
    outcomes.value.save_as(path := tmp_path / "outcomes.parquet")
    assert set(read_outcomes(path).columns) >= {"predictions", "references", "item_ids", "conditions"}


def test_cancel_stops_a_file_and_the_next_run_goes_through(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    page = open_page()
    file_mode(page, write("many.jsonl", items(300)))
    result = page.locator("#jostle-result")
    expect(result.locator("progress")).to_be_visible()
    page.locator("#batch-cancel").click()
    expect(result.locator(".verdict")).to_contain_text("Cancelled")
    page.get_by_role("button", name="Clear", exact=True).locator("visible=true").first.click()
    file_mode(page, write("few.jsonl", items(6)))  # the app is usable again
    expect(result.locator(".verdict")).to_contain_text("INCONCLUSIVE", timeout=60_000)
    page.get_by_role("tab", name="One item").click()
    page.locator("#jostle-run").click()
    expect(result.locator("ins").nth(2)).to_be_visible()


def test_report_on_the_example(open_page: Open) -> None:
    page = open_page(tab="Report")
    page.locator("#report-example").click()
    expect(page.locator("#report-result .verdict")).to_contain_text("INCONCLUSIVE")
    with page.expect_download() as html:
        page.get_by_text("Report as HTML").click()
    assert "What this report cannot tell you" in html.value.path().read_text("utf-8")


def test_report_on_the_log_of_a_harness(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    page = open_page(tab="Report")
    keys = {"doc_id": 0, "target": 0, "arguments": {"a": {"arg_1": " x"}, "b": {"arg_1": " longer"}}, "resps": []}
    rows = [
        {
            **keys,
            "doc": {"question": f"Is it {k}?"},
            "filtered_resps": [["-1.0"], ["-2.0"]],
            "acc": 1.0,
            "acc_norm": 0.0,
        }
        for k in range(40)
    ]
    uploaded(page, "Results", write("samples_quiz.jsonl", rows))
    page.get_by_text("samples_quiz").first.wait_for()
    page.locator("#report-run").click()
    expect(page.locator("#report-result .verdict")).to_contain_text("FRAGILE")
    expect(page.locator("#report-result")).to_contain_text("acc_norm")


def test_review_with_the_keyboard_and_export(open_page: Open) -> None:
    page = open_page(tab="Review")
    page.locator("#review-example").click()
    for number, key in enumerate(("y", "n", "u", "ArrowLeft"), start=1):
        review(page, number)
        page.keyboard.press(key)
    review(page, 3)
    expect(page.locator("#review-panel")).to_contain_text("3 decided: 1 yes, 1 no, 1 unsure")
    expect(page.locator("#review-panel")).to_contain_text("Answered unsure")
    page.get_by_label("Reviewer").fill("Any name")  # letters that are keys elsewhere
    review(page, 3)
    page.locator("#review-export").click()
    with page.expect_download() as file:
        page.locator("a[download='reviews.jsonl']").click()
    rows = [json.loads(line) for line in file.value.path().read_text("utf-8").splitlines()]
    assert [row["status"] for row in rows] == ["approved", "rejected", "unsure"]
    assert {row["reviewer"] for row in rows} == {"Any name"}


def test_keys_can_be_switched_off(open_page: Open) -> None:
    page = open_page(tab="Review")
    page.locator("#review-example").click()
    review(page, 1)
    page.locator("#review-keys input").uncheck()
    page.keyboard.press("y")
    page.locator("#review-no").click()
    review(page, 2)
    expect(page.locator("#review-panel")).to_contain_text("1 decided: 0 yes, 1 no, 0 unsure")


def test_review_goes_on_and_compares(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    page = open_page(tab="Review")
    uploaded(page, "Data set, variants or pairs", write("pairs.jsonl", PAIRS))
    review(page, 1)
    page.get_by_text("Go on from an earlier file").click()
    mine = [
        {"key": "p0", "status": "approved", "reviewer": "Ana"},
        {"key": "p1", "status": "rejected", "reviewer": "Ana"},
    ]
    uploaded(page, "Go on from an earlier review file", write("mine.jsonl", mine))
    review(page, 3)
    theirs = [{"key": row["key"], "status": "approved", "reviewer": "Bo"} for row in mine]
    uploaded(page, "Another reviewer's file", write("theirs.jsonl", theirs))
    # Bo says yes to both: p_o = 1/2 = p_e, so kappa is 0.
    expect(page.locator("#review-agreement")).to_contain_text("Cohen's kappa 0.000")
    expect(page.locator("#review-agreement")).to_contain_text("p1: no / yes")


def test_audit_with_a_corrected_field_map(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    page = open_page(tab="Audit")
    rows = [{"question": f"What is {k} + {k}?", "prompt": "Answer.", "label": "ab"[k % 2]} for k in range(40)]
    uploaded(page, "Evaluation set", write("sums.jsonl", [*rows, rows[0]]))
    expect(page.locator("#audit-columns")).to_contain_text("--map input=")  # question or prompt?
    page.locator("#audit-fields textarea, #audit-fields input").fill("input=question, label=label")
    page.locator("#audit-run").click()
    result = page.locator("#audit-result")
    expect(result.locator(".verdict")).to_contain_text("WARNINGS", timeout=90_000)
    expect(result).to_contain_text("input <- 'question'")
    expect(result).to_contain_text("case_41")
    expect(result).to_contain_text("What this check cannot tell you")
    with page.expect_download() as data:
        page.get_by_text("Audit as JSON").click()
    found = json.loads(data.value.path().read_text("utf-8"))
    assert found["field_map"] == {"input": "question", "label": "label"}
    assert found["summary"]["n_cases"] == 41


# -- errors


@pytest.mark.parametrize(
    ("tab", "label", "button"),
    [
        ("Report", "Results", "#report-run"),
        ("Review", "Data set, variants or pairs", None),
    ],
)
def test_a_bad_file_is_told_without_the_folders_of_the_server(
    open_page: Open, write: Callable[[str, Any], Path], tab: str, label: str, button: str | None
) -> None:
    page = open_page(tab=tab)
    uploaded(page, label, write("bad.json", '{"open": '))
    if button:
        page.get_by_text("bad.json").or_(page.get_by_text("bad")).first.wait_for()
        page.locator(button).click()
    toast = page.get_by_test_id("toast-body")
    expect(toast).to_contain_text("Expected")
    expect(toast).to_contain_text("bad.json")
    assert "/uploads" not in toast.inner_text()


def test_an_export_without_a_name_says_what_to_do(open_page: Open) -> None:
    page = open_page(tab="Review")
    page.locator("#review-example").click()
    review(page, 1)
    page.locator("#review-yes").click()
    review(page, 2)
    page.locator("#review-export").click()
    expect(page.get_by_test_id("toast-body")).to_contain_text("Fill in Reviewer")


def test_script_in_uploaded_text_shows_as_text(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    page = open_page(tab="Review")
    evil = {**PAIRS[0], "edited_text": SCRIPT, "edited_label": SCRIPT, "id": SCRIPT, "operator": "${window.hit = 1}"}
    uploaded(page, "Data set, variants or pairs", write("pairs.jsonl", [evil]))
    expect(page.locator("#review-panel")).to_contain_text("<script>window.hit = 1</script>")
    expect(page.locator("#review-panel")).to_contain_text("${window.hit = 1}")
    assert page.evaluate("window.hit") is None


def test_script_in_uploaded_predictions_shows_as_text(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    rows = [
        {
            "item_ids": f"{SCRIPT}{k}",
            "conditions": condition,
            "predictions": SCRIPT if k % 2 else "b",
            "references": SCRIPT,
        }
        for k in range(20)
        for condition in ("orig", f"pert/{SCRIPT}")
    ]
    page = open_page(tab="Report")
    uploaded(page, "Results", write("outcomes.jsonl", rows))
    page.get_by_text("outcomes").first.wait_for()
    page.locator("#report-run").click()
    expect(page.locator("#report-result .verdict")).to_be_visible()
    expect(page.locator("#report-result")).to_contain_text("<script>window.hit = 1</script>")
    assert page.evaluate("window.hit") is None


def test_script_in_an_uploaded_set_shows_as_text(open_page: Open, write: Callable[[str, Any], Path]) -> None:
    rows = [{"question": SCRIPT, "label": SCRIPT, "id": f"{SCRIPT}{k}", "answer": SCRIPT} for k in range(20)]
    page = open_page(tab="Audit")
    uploaded(page, "Evaluation set", write("set.jsonl", rows))
    page.get_by_text("20 cases").first.wait_for()
    page.locator("#audit-run").click()
    expect(page.locator("#audit-result .verdict")).to_be_visible()
    expect(page.locator("#audit-result")).to_contain_text("<script>window.hit = 1</script>")
    assert page.evaluate("window.hit") is None


# -- sessions, screens, access


def test_two_sessions_do_not_see_each_other(open_page: Open) -> None:
    first, second = open_page(tab="Review"), open_page(tab="Review")
    for page in (first, second):
        page.locator("#review-example").click()
        review(page, 1)
    for number in (1, 2):
        first.keyboard.press("y")
        review(first, number + 1)
    second.keyboard.press("n")
    review(second, 2)
    expect(first.locator("#review-panel")).to_contain_text("2 decided: 2 yes, 0 no")
    expect(second.locator("#review-panel")).to_contain_text("1 decided: 0 yes, 1 no")


def test_two_sessions_at_once_each_get_their_own_item(open_page: Open) -> None:
    pages = [open_page(), open_page()]
    words = ("lantern", "harbour")
    for page, word in zip(pages, words, strict=True):
        page.get_by_label("Sentence").fill(f"It isn't a bad {word}, and the color of it is good.")
    for page in pages:
        page.locator("#jostle-run").click()
    for page, own, other in zip(pages, words, reversed(words), strict=True):
        expect(page.locator("#jostle-result")).to_contain_text(own)
        assert other not in page.locator("#jostle-result").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("tab", TABS)
def test_a_phone_needs_no_sideways_scroll(open_page: Open, tab: str, theme: str) -> None:
    page = open_page(theme, PHONE, tab)
    assert overflow(page) == 0
    page.locator(TABS[tab]).click()
    page.locator(DONE).first.wait_for()
    assert overflow(page) == 0


def test_dark_mode_is_dark(open_page: Open) -> None:
    light, dark = (open_page(theme) for theme in ("light", "dark"))
    shade = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0)"
    assert light.evaluate(shade) > 600
    assert dark.evaluate(shade) < 150


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("tab", TABS)
def test_axe_finds_no_contrast_failure(open_page: Open, tab: str, theme: str) -> None:
    page = open_page(theme, tab=tab)
    assert violations(page) == []
    page.locator(TABS[tab]).click()
    page.locator(DONE).first.wait_for()
    page.wait_for_timeout(500)  # a fading spinner has no contrast
    assert violations(page) == []


def violations(page: Page) -> list[tuple[str, str]]:
    """What axe finds, but for what gradio's own frame does, which no theme can change."""
    found = Axe().run(page).response["violations"]
    return [
        (one["id"], node["html"][:200]) for one in found for node in one["nodes"] if one["id"] != "image-redundant-alt"
    ]


def test_axe_itself_fires(open_page: Open) -> None:
    page = open_page()
    page.evaluate("document.querySelector('h1').style.color = '#eee'")
    assert "color-contrast" in {name for name, _ in violations(page)}


def test_every_answer_is_reached_by_tab(open_page: Open) -> None:
    page = open_page(tab="Review")
    page.locator("#review-example").click()
    review(page, 1)
    reached = []
    for _ in range(30):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id"))
    order = [name for name in reached if name.startswith("review-")]
    assert order[:5] == ["review-yes", "review-no", "review-unsure", "review-back", "review-next"]
