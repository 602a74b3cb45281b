"""Take the pictures of the Space and of a report that the README shows.

Start the Space (`python app.py` in spaces/jostle) and run `jostle demo`, which writes a report, then:
python docs/screenshots.py jostle-report.html [http://127.0.0.1:7860]
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent / "images"
WIDE, PHONE = {"width": 1200, "height": 900}, {"width": 400, "height": 800}


def jostle(page: Page) -> None:
    """The first example, jostled."""
    page.locator("#jostle-run").click()
    page.locator("#jostle-result .verdict").wait_for()


def report(page: Page) -> None:
    """The report on the example outcomes."""
    page.get_by_role("tab", name="Report").click()
    page.locator("#report-example").click()
    page.locator("#report-result .verdict").wait_for()


def review(page: Page) -> None:
    """The review of the embedded items, a few answers in."""
    page.get_by_role("tab", name="Review").click()
    page.locator("#review-example").click()
    for number, key in enumerate("ynyyu", start=1):
        page.get_by_text(f"{number} of ", exact=False).first.wait_for()
        page.keyboard.press(key)
    page.get_by_text("6 of ").first.wait_for()


def audit(page: Page) -> None:
    """The audit of a set with every flaw."""
    page.get_by_role("tab", name="Audit").click()
    page.locator("#audit-example").click()
    page.locator("#audit-result .verdict").wait_for()


TABS: Mapping[str, Callable[[Page], None]] = {"jostle": jostle, "report": report, "review": review, "audit": audit}


def main(written: Path, url: str = "http://127.0.0.1:7860") -> None:
    """The head of the report; every tab in light, and dark on a phone."""
    FOLDER.mkdir(exist_ok=True)
    program = shutil.which("chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport=WIDE)
        page.goto(written.resolve().as_uri())
        page.screenshot(path=FOLDER / "report.png")
        page.close()
        for name, steps in TABS.items():
            for size, theme, ending in ((WIDE, "light", ""), (PHONE, "dark", "_phone")):
                page = browser.new_page(viewport=size, color_scheme=theme)  # type: ignore[arg-type]
                page.goto(f"{url}/?__theme={theme}")
                steps(page)
                page.wait_for_timeout(500)  # transitions end
                page.screenshot(path=FOLDER / f"space_{name}{ending}.png")
                page.close()


if __name__ == "__main__":
    written, *url = sys.argv[1:]
    main(Path(written), *url)
