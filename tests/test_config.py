"""Settings files: what they may hold, and which of them is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.config import SECTIONS, find_file, read_settings
from jostle.errors import UsageError

Write = Callable[[str, Any], Path]

UNKNOWN_KEY = "[report]\ntolerence = 0.05\n"
WRONG_TYPE = '[report]\ntolerance = "0.05"\n'
UNKNOWN_SECTION = "[reports]\ntolerance = 0.05\n"


def test_c02_an_unknown_key_is_named_with_the_valid_ones(write: Write) -> None:
    with pytest.raises(UsageError) as caught:
        read_settings(write("jostle.toml", UNKNOWN_KEY))
    message = str(caught.value)
    assert "section [report] has 'tolerence'. Did you mean 'tolerance'?" in message
    assert all(setting.name in message for setting in SECTIONS["report"])


def test_c02_a_wrong_type_names_key_and_value(write: Write) -> None:
    with pytest.raises(UsageError, match=r"Expected tolerance in .*jostle\.toml to be a number, but got '0\.05'"):
        read_settings(write("jostle.toml", WRONG_TYPE))


def test_c02_an_unknown_section_lists_the_valid_ones(write: Write) -> None:
    with pytest.raises(UsageError, match=r"a section of run, .* but got \[reports\]\. Did you mean 'report'\?"):
        read_settings(write("jostle.toml", UNKNOWN_SECTION))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[report]\nmin_class_count = 3\n",
            r"Expected min_class_count in section \[audit\], but it is in .*\[report\]",
        ),
        ("tolerance = 0.05\n", r"in section \[run\] or \[demo\] or \[report\], but it is in .* before any section"),
        ("[report]\nfail-on = 'never'\n", r"has 'fail-on'\. Did you mean 'fail_on'\?"),
        ("nonsense = 1\n", r"before any section has 'nonsense'"),
    ],
)
def test_misplaced_keys(write: Write, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_settings(write("jostle.toml", text))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("resamples = 1e4", "a whole number, but got 10000.0"),
        ("resamples = true", "a whole number, but got True"),
        ("resamples = 99", "at least|from 100 to"),
        ("tolerance = 0", "from 0.0001 to 0.9999, but got 0"),
        ("tolerance = 1.0", "from 0.0001 to 0.9999, but got 1.0"),
        ("tolerance = nan", "from 0.0001 to 0.9999, but got nan"),
        ("tolerance = false", "a number, but got False"),
        ("seed = -1", "at least 0, but got -1"),
        ("fail_on = 'warning'", "one of never, inconclusive, fragile, but got 'warning'"),
        ("format = 'pdf'", "one of text, json, html, markdown"),
        ("reference = 3", "text, but got 3"),
    ],
)
def test_values_that_are_not_allowed(write: Write, line: str, message: str) -> None:
    with pytest.raises(UsageError, match=rf"Expected \w+ in .*jostle\.toml to be ({message})"):
        read_settings(write("jostle.toml", f"[report]\n{line}\n"))


def test_every_default_is_allowed_and_a_section_of_all_keys_is_read(write: Write) -> None:
    for settings in SECTIONS.values():
        for setting in settings:
            assert setting.check(setting.default, "default") == setting.default
    text = "[report]\ntolerance = 0.05\nresamples = 200\n[gate]\ncritical = ['negation']\n[gate.minimum]\nx = 0.9\n"
    assert read_settings(write("jostle.toml", text)) == {
        "report": {"tolerance": 0.05, "resamples": 200},
        "gate": {"critical": ["negation"], "minimum": {"x": 0.9}},
    }


def test_what_is_no_toml(write: Write, tmp_path: Path) -> None:
    for content in ("[report", b"\xff = 1"):
        with pytest.raises(UsageError, match=r"Expected TOML, but .*jostle\.toml is not"):
            read_settings(write("jostle.toml", content))
    with pytest.raises(UsageError, match=r"settings file, but .*no\.toml cannot be read"):
        read_settings(tmp_path / "no.toml")


def test_pyproject_holds_the_same_under_its_own_table(write: Write) -> None:
    path = write("pyproject.toml", "[project]\nname = 'x'\n[tool.jostle.report]\ntolerance = 0.05\n")
    assert read_settings(path) == {"report": {"tolerance": 0.05}}
    with pytest.raises(UsageError, match=r"\[tool\.jostle\] in .* to be a table, but got 3"):
        read_settings(write("pyproject.toml", "[tool]\njostle = 3\n"))


def test_the_file_is_found_upward_and_the_nearest_wins(write: Write, tmp_path: Path) -> None:
    data = write("a/b/results.json", "{}")
    assert tmp_path not in (find_file(data) or Path()).parents
    above = write("jostle.toml", "")
    assert find_file(data) == above
    nearer = write("a/pyproject.toml", "[tool.jostle]\n")
    assert find_file(data) == find_file(data.parent) == nearer
    write("a/b/pyproject.toml", "[project]\nname = 'other'\n")
    assert find_file(data) == nearer


def test_in_one_folder_jostle_toml_wins(write: Write) -> None:
    write("pyproject.toml", "[tool.jostle]\n")
    own = write("jostle.toml", "")
    assert find_file(own.parent) == own


@pytest.mark.parametrize("text", ["tool = 3\n", "[tool.other]\n", ""])
def test_a_pyproject_without_jostle_is_passed_over(write: Write, text: str) -> None:
    path = write("deep/pyproject.toml", text)
    own = write("jostle.toml", "")
    assert find_file(path.parent) == own
