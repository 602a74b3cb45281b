"""Flag over file over default, through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
RESULTS = {"shift0": [True] * 12, "shift1": [True] * 12}
C02 = {
    "unknown key": ("[report]\ntolerence = 0.05\n", "tolerence", "tolerance"),
    "wrong type": ('[report]\ntolerance = "0.05"\n', "tolerance", "a number"),
    "unknown section": ("[reports]\ntolerance = 0.05\n", "[reports]", "report"),
}


@pytest.fixture
def results(write: Write) -> Path:
    return write("results.json", RESULTS)


@pytest.fixture
def signature(jostle: Jostle, results: Path) -> Callable[..., str]:
    """The options that a report says it was made with."""

    def run(*flags: object) -> str:
        done = jostle("report", results, "--format", "json", *flags)
        assert done.code == 0, done.err
        text: str = json.loads(done.out)["signature"]
        return text

    return run


@pytest.mark.parametrize("case", C02)
@pytest.mark.parametrize("name", ["jostle.toml", "pyproject.toml"])
def test_c02_a_bad_file_is_a_hard_error(jostle: Jostle, write: Write, results: Path, case: str, name: str) -> None:
    text, *named = C02[case]
    write(name, text if name == "jostle.toml" else text.replace("[", "[tool.jostle."))
    done = jostle("report", results)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("Error: Expected ")
    assert all(word.strip("[]") in done.err for word in named)
    assert name in done.err


def test_the_file_wins_over_the_default(signature: Callable[..., str], write: Write) -> None:
    assert "|resamples=10000|tolerance=0.03|" in signature()
    write("jostle.toml", "[report]\ntolerance = 0.05\nresamples = 200\n")
    assert "|resamples=200|tolerance=0.05|" in signature()


def test_a_typed_flag_wins_even_where_it_equals_the_default(signature: Callable[..., str], write: Write) -> None:
    write("jostle.toml", "[report]\ntolerance = 0.05\nresamples = 200\n")
    assert "|resamples=200|tolerance=0.03|" in signature("--tolerance", "0.03")


def test_jostle_toml_wins_in_one_folder(signature: Callable[..., str], write: Write) -> None:
    write("pyproject.toml", "[tool.jostle.report]\nresamples = 300\n")
    assert "|resamples=300|" in signature()
    write("jostle.toml", "[report]\nresamples = 200\n")
    assert "|resamples=200|" in signature()


def test_config_and_no_config(signature: Callable[..., str], write: Write) -> None:
    write("jostle.toml", "[report]\nresamples = 200\n")
    other = write("other/settings.toml", "[report]\nresamples = 400\n")
    assert "|resamples=400|" in signature("--config", other)
    assert "|resamples=10000|" in signature("--no-config")


def test_settings_of_other_commands_do_not_reach_this_one(signature: Callable[..., str], write: Write) -> None:
    write("jostle.toml", "[run]\nresamples = 200\n")
    assert "|resamples=10000|" in signature()


def test_the_gate_can_stand_in_the_file(jostle: Jostle, write: Write) -> None:
    fragile = write("fragile.json", {"shift0": [True] * 60, "shift1": [True] * 30 + [False] * 30})
    write("jostle.toml", '[report]\nfail_on = "fragile"\nresamples = 200\n')
    assert jostle("report", fragile).code == 1
    assert jostle("report", fragile, "--fail-on", "never").code == 0


@pytest.mark.parametrize("flags", [["--config", "no.toml"], ["--tolerance", "0"], ["--tolerance", "nan"]])
def test_bad_flags_are_usage_errors(jostle: Jostle, results: Path, flags: list[str]) -> None:
    done = jostle("report", results, *flags)
    assert (done.code, done.out) == (2, "")


def test_both_gates_at_once(jostle: Jostle, results: Path) -> None:
    done = jostle("report", results, "--fail-on", "never", "--fail-on-fragile")
    assert done.code == 2
    assert "but got both" in done.err
    assert jostle("report", results, "--fail-on", "fragile", "--fail-on-fragile").code == 0
