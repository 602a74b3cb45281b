"""Pinned pairs inside a team's own test suite."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jostle.pairs import pairs_from_dicts
from jostle.pairs.fixtures import pin, write_fixtures

pytest_plugins = "pytester"

# The plugin may be registered by its entry point already: that one is blocked, so that it is there just once.
PLUGIN = ("-p", "no:jostle", "-p", "jostle.pytest_plugin", "-p", "no:cacheprovider")
TEXTS = {"a good day": "yes", "not a good day": "no", "a fine day": "yes"}


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pairs = [
        {
            "id": name, "base_text": "a good day", "base_label": "yes", "base_prediction": "yes", "edited_text": text,
            "edited_label": TEXTS[text], "edited_prediction": TEXTS[text], "operator": operator, "reviewed": True,
            "edited_passages": ["x"],
        }
        for name, text, operator in (("neg", "not a good day", "negation"), ("para", "a fine day", "paraphrase"))
    ]  # fmt: skip
    write_fixtures(pin(pairs_from_dicts(pairs), "c1", "m1"), pytester.path / "data" / "pinned.jsonl")
    return pytester


def run(suite: pytest.Pytester, body: str, mark: str = '"data/pinned.jsonl"') -> pytest.RunResult:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    suite.makepyfile(f"import pytest\n\n@pytest.mark.jostle({mark})\ndef test_pinned(jostle):\n{lines}")
    return suite.runpytest(*PLUGIN, "--strict-markers")


KEYWORD = 'jostle.check(lambda text: "no" if "not" in text else "yes")'
ALWAYS = 'jostle.check(lambda text: "yes")'


def test_a_predictor_that_holds_passes(suite: pytest.Pytester) -> None:
    run(suite, KEYWORD).assert_outcomes(passed=1)


def test_newly_failing_pairs_are_listed(suite: pytest.Pytester) -> None:
    result = run(suite, ALWAYS)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*AssertionError: *", "*Newly failing (1)*", "*- neg [[]negation[]]*"])
    result.stdout.fnmatch_lines(["*edited: gold no, pinned no, now yes*"])
    result.stdout.no_fnmatch_line("*- para*")
    result.stdout.no_fnmatch_line("*pinned.py:*")  # the traceback ends in the team's own test


def test_as_many_as_the_mark_allows(suite: pytest.Pytester) -> None:
    run(suite, ALWAYS, '"data/pinned.jsonl", max_new_failures=1').assert_outcomes(passed=1)


def test_pairs_are_offered_and_predictions_are_taken(suite: pytest.Pytester) -> None:
    body = """
assert [pair.id for pair in jostle.pairs] == ["neg", "para"]
rows = [{"id": pair.id, "base_prediction": "yes", "edited_prediction": pair.edited_label} for pair in jostle.pairs]
assert jostle.check(predictions=rows).n_still_passing == 2
with pytest.raises(AssertionError, match="para"):
    jostle.check(predictions=rows[:1])
"""
    run(suite, body).assert_outcomes(passed=1)


def test_predictions_from_a_file(suite: pytest.Pytester) -> None:
    (suite.path / "new.csv").write_text("id,base_prediction,edited_prediction\nneg,yes,no\npara,yes,no\n")
    result = run(suite, 'jostle.check(predictions="new.csv")')
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*- para [[]paraphrase[]]*"])


def test_confidence_and_evidence_of_a_predictor_are_kept(suite: pytest.Pytester) -> None:
    body = """
jostle.check(lambda text: {"label": "yes", "confidence": 0.75, "evidence": {"passages": ["y"]}})
"""
    result = run(suite, body)
    result.stdout.fnmatch_lines(["*pinned no, now yes (0.75)*", "*retrieved evidence changed*"])
    refused = run(suite, 'jostle.check(lambda text: {"lable": "yes"})')
    refused.stdout.fnmatch_lines(["*Expected a label or a dict with label, confidence, evidence*"])


@pytest.mark.parametrize(
    ("mark", "body", "message"),
    [
        ("", "pass", "*Expected @pytest.mark.jostle(*but got arguments*"),
        ('"data/pinned.jsonl", max_failures=1', "pass", "*but got arguments*max_failures*"),
        ('"none.jsonl"', "pass", "*none.jsonl does not exist*"),
        ('"data/pinned.jsonl", max_new_failures=-1', "pass", "*whole number of at least 0, but got -1*"),
        ('"data/pinned.jsonl"', "jostle.check()", "*Expected either a function or `predictions=`*"),
    ],
)
def test_misuse_says_what_was_expected(suite: pytest.Pytester, mark: str, body: str, message: str) -> None:
    result = run(suite, body, mark)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([message])


@pytest.mark.parametrize(
    ("signature", "body", "found"),
    [
        ("jostle", "assert len(jostle.pairs) == 2", "it never calls it"),
        ("jostle", "with pytest.raises(ValueError):\n        jostle.check()", "it never calls it"),
        ("", "pass", "it does not use the fixture `jostle`"),
    ],
)
def test_a_marked_test_that_compares_nothing_fails(
    suite: pytest.Pytester, signature: str, body: str, found: str
) -> None:
    mark = '@pytest.mark.jostle("data/pinned.jsonl")'
    suite.makepyfile(f"import pytest\n\n{mark}\ndef test_it({signature}):\n    {body}\n")
    result = suite.runpytest(*PLUGIN, "--strict-markers")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"*Expected jostle.check(...) in a test marked @pytest.mark.jostle, but {found}*"])


def test_a_check_by_another_fixture_counts_and_a_failure_stays_what_it_was(suite: pytest.Pytester) -> None:
    head = 'import pytest\n\npytestmark = pytest.mark.jostle("data/pinned.jsonl")\n\n@pytest.fixture\n'
    code = f"def held(jostle):\n    {KEYWORD}\n\ndef test_it(held):\n    pass\n\ndef test_skips(jostle):\n"
    suite.makepyfile(f'{head}{code}    pytest.skip("x")\n\ndef test_fails(jostle):\n    assert 1 == 2\n')
    result = suite.runpytest(*PLUGIN)
    result.assert_outcomes(passed=1, skipped=1, failed=1)
    result.stdout.no_fnmatch_line("*Expected jostle.check*")


def test_without_a_mark(suite: pytest.Pytester) -> None:
    suite.makepyfile("def test_it(jostle):\n    pass\n")
    result = suite.runpytest(*PLUGIN)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*Expected @pytest.mark.jostle(*but got none*"])


def test_the_path_is_relative_to_the_test_file_then_to_the_root(suite: pytest.Pytester) -> None:
    code = f'import pytest\n\n@pytest.mark.jostle("{{}}")\ndef test_it(jostle):\n    {KEYWORD}\n'
    (suite.path / "data" / "test_beside.py").write_text(code.format("pinned.jsonl"))
    (suite.path / "data" / "test_root.py").write_text(code.format("data/pinned.jsonl"))
    suite.makeini("[pytest]\n")
    suite.runpytest(*PLUGIN, "data").assert_outcomes(passed=2)


def test_starting_pytest_with_the_plugin_imports_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, pytest\n"
        "pytest.main(['-p', 'no:jostle', '-p', 'jostle.pytest_plugin', '--co', '-q', '.'])\n"
        "heavy = {'numpy', 'pyarrow', 'torch', 'datasets', 'evaluate', 'click', 'rich'} & set(sys.modules)\n"
        "own = {name for name in sys.modules if name.startswith('jostle.')} - {'jostle.pytest_plugin'}\n"
        "print('imported', sorted(heavy - {'rich'}), sorted(own))\n"
    )
    env = {"PATH": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert "imported [] []" in done.stdout
