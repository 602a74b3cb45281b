"""Licence, citation and changelog agree with the package."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

from jostle.measures.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_licence_is_the_one_that_is_named() -> None:
    text = read("LICENSE")
    assert (PROJECT["license"], PROJECT["license-files"]) == ("Apache-2.0", ["LICENSE"])
    assert "Version 2.0, January 2004" in text
    assert re.findall(r"^   (\d)\. ", text, re.MULTILINE) == [str(k) for k in range(1, 10)]
    cards = [*ROOT.glob("metrics/*/README.md"), *ROOT.glob("spaces/*/README.md")]
    assert {re.search(r"^license: (\S+)$", card.read_text("utf-8"), re.MULTILINE)[1] for card in cards} == {
        "apache-2.0"
    }  # type: ignore[index]


def test_the_citation_is_complete_and_of_this_version() -> None:
    citation = yaml.safe_load(read("CITATION.cff"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(
        citation
    )  # what the format asks for
    assert (citation["version"], citation["license"]) == (__version__, PROJECT["license"])
    assert [author["name"] for author in citation["authors"]] == ["The jostle authors"]


def test_the_changelog_begins_with_this_version() -> None:
    assert re.findall(r"^## (\S+)", read("CHANGELOG.md"), re.MULTILINE)[0] == __version__
