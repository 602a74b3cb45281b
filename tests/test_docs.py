"""Made pages are what the generator makes, every block of every page runs, and prints what is shown.

A block after a line `<!-- needs ... -->` is not run. Pages in `OWN` have a test of their own, or doctests.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from jostle.modules import modules_folder
from jostle.report.build import measure_modules

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
OWN = {
    "README.md": "test_readme.py",
    "CONTRIBUTING.md": "test_contributing.py",
    "docs/data.md": "test_docs_data.py",
    "docs/gate.md": "pairs/test_gate_docs.py",
    "docs/pairs.md": "pairs/test_docs.py",
    "docs/inspect.md": "integrations/test_inspect_cli.py",
    "docs/policies.md": "test_policies.py",
    "docs/install.md": "packaging/test_wheel.py",
}
MADE = {
    "docs/api.md",
    *(f"docs/measures/{path.name}" for path in (DOCS / "measures").iterdir()),
}  # doctests run elsewhere
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *DOCS.rglob("*.md"),
        *ROOT.glob("dataset_builders/*/*.md"),
    )
)
FENCE = re.compile(r"(<!-- needs [^\n]*-->\n)?^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
LANGUAGES = {"bash", "bibtex", "json", "python", "text", "toml", "yaml"}
SHOWN = {"docs/ci.md", "docs/compare.md", "docs/importers.md", "docs/reviews.md"}  # what their commands print


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and code of the blocks of a page that need nothing."""
    found = FENCE.findall((ROOT / page).read_text(encoding="utf-8"))
    return [(language, code) for needs, language, code in found if not needs]


def to_run() -> Iterator[Any]:
    """Pages whose blocks run here; those with commands are slow."""
    for page in PAGES:
        languages = {language for language, _ in blocks(page)}
        if page not in OWN and page not in MADE and languages & {"bash", "python"}:
            yield pytest.param(page, marks=[pytest.mark.slow] if "bash" in languages else [])


def command(code: str, folder: Path) -> str:
    """What a block of commands prints; one that fails fails the test."""
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    bash = ["bash", "-euo", "pipefail", "-c", code]
    done = subprocess.run(bash, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("page", [*to_run()])
def test_blocks_of_a_page_print_what_it_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    names: dict[str, object] = {}
    printed = ""
    for language, code in blocks(page):
        if language == "bash":
            printed = command(code, tmp_path)
        elif language == "python":
            exec(compile(code, page, "exec"), names)
            expected = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
            assert capsys.readouterr().out.splitlines() == expected
        elif language == "text" and page in SHOWN:
            assert [part for part in code.strip().split("\n\n") if part not in printed] == []


def test_every_block_says_what_it_is() -> None:
    """A block without a language would run nowhere; docs/data.md shows files, and its own test reads them."""
    found = {(page, language) for page in PAGES if page != "docs/data.md" for language, _ in blocks(page)}
    assert {(page, language) for page, language in found if language not in LANGUAGES} == set()


def test_tests_that_pages_have_of_their_own_are_there() -> None:
    for page, name in OWN.items():
        assert Path(page).name in (ROOT / "tests" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_links_point_somewhere(page: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if link.startswith(("http:", "https:")):
            continue
        target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            heads = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}, link


def test_the_index_has_every_page() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")} - {"README.md"}
    assert {page for page in pages if f"({page})" not in index} == set()
    assert "(docs/README.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_that_are_made_are_up_to_date(generator: ModuleType) -> None:
    pages: dict[str, str] = generator.pages()
    assert {path for path, text in pages.items() if (DOCS / path).read_text(encoding="utf-8") != text} == set(), (
        "run: python docs/generate.py"
    )
    assert {f"docs/{path}" for path in pages} - {"docs/operators.md"} == MADE


def test_every_measure_has_a_page(generator: ModuleType) -> None:
    modules = {path.name for path in modules_folder().iterdir() if (path / f"{path.name}.py").is_file()}
    assert set(generator.MEASURES) == modules | {module.NAME for module in measure_modules()}


def test_the_reference_has_no_name_without_words(generator: ModuleType) -> None:
    sections = re.split(r"^### ", generator.api_page(), flags=re.MULTILINE)[1:]
    assert len(sections) > 60
    bare = [part.partition("\n")[0] for part in sections if not re.sub(r"```.*?```", "", part, flags=re.DOTALL)[40:]]
    assert bare == []
