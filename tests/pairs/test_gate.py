"""The gate decides the exit code by its rules, whatever the average does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import UsageError
from jostle.pairs import measure_pairs, pairs_from_dicts
from jostle.pairs.decide import Decision, decide, judge
from jostle.pairs.gate import RATES, Gate, Minimum, load_gate

Write = Callable[[str, Any], Path]
Call = Callable[..., Any]

# Per pair: operator, golds, predictions. Of 10 pairs 8 keep the relation, and both sides are right in 8.
PAIRS = [("paraphrase", "ab"[k % 2] * 2, "ab"[k % 2] * 2) for k in range(6)]
PAIRS += [("paraphrase", "aa", "ab"), ("number", "ab", "ab"), ("negation", "ab", "aa"), ("negation", "ab", "ab")]


def dicts(pairs: list[tuple[str, str, str]], **extra: Any) -> list[dict[str, Any]]:
    return [
        {
            "id": f"p{k}", "operator": operator, "base_label": gold[0], "edited_label": gold[1],
            "base_prediction": None if said[0] == "-" else said[0],
            "edited_prediction": None if said[1] == "-" else said[1], **extra,
        }
        for k, (operator, gold, said) in enumerate(pairs)
    ]  # fmt: skip


def decided(gate: Gate, rows: list[dict[str, Any]], new_failures: list[str] | None = None) -> Decision:
    report = measure_pairs(pairs_from_dicts(rows), n_resamples=100, weights=gate.weights)
    return decide(gate, report.values, judge(report.pairs, report.data), new_failures)


def test_a_critical_operator_trips_on_a_single_failure_and_names_the_pair() -> None:
    decision = decided(Gate(critical=["negation"]), dicts(PAIRS))
    assert decision.exit_code == 1
    assert decision.lines == ["tripped: critical negation: 1 of 2 pairs fail: p8"]
    assert decided(Gate(critical=["number"]), dicts(PAIRS)).exit_code == 0


def test_a_critical_failure_trips_although_the_average_rises() -> None:
    # Before: 3 of 10 wrong, none of them negation. After: 1 of 10 wrong, and that is negation.
    before = dicts([("paraphrase", "aa", "ab")] * 3 + [("negation", "ab", "ab")] * 7)
    after = dicts([("paraphrase", "aa", "aa")] * 3 + [("negation", "ab", "ab")] * 6 + [("negation", "ab", "aa")])
    rates = [measure_pairs(pairs_from_dicts(rows), n_resamples=100).values["pair_accuracy"] for rows in (before, after)]
    assert rates == [0.7, 0.9]
    gate = Gate(critical=["negation"], minimum=[Minimum("pair_accuracy", 0.7)])
    assert [decided(gate, rows).exit_code for rows in (before, after)] == [0, 1]


def test_both_sides_wrong_with_the_relation_kept_is_a_critical_failure_too() -> None:
    assert decided(Gate(critical=["negation"]), dicts([("negation", "ab", "ba")])).exit_code == 1


def test_no_answer_is_a_critical_failure() -> None:
    assert decided(Gate(critical=["negation"]), dicts([("negation", "ab", "a-")])).exit_code == 1


def test_a_critical_operator_without_pairs_is_not_measured_and_that_wins() -> None:
    decision = decided(Gate(critical=["negation", "antonym"]), dicts(PAIRS))
    assert decision.exit_code == 3
    assert decision.lines == [
        "not measured: critical antonym: there is no pair of this operator (operators: negation, number, paraphrase)",
        "tripped: critical negation: 1 of 2 pairs fail: p8",
    ]
    block = decision.to_dict()
    assert block | {"rules": []} == {
        "fail_on": "gate", "exit_code": 3, "tripped": True, "incomplete": [decision.lines[0]],
        "source": "", "rules": [],
    }  # fmt: skip
    assert block["rules"][0]["pairs"] == ["p8"]


def test_pairs_marked_as_critical_in_their_file() -> None:
    rows = dicts(PAIRS)
    rows[7]["critical"] = True  # right
    assert decided(Gate(max_abstention=0.5), rows).exit_code == 0
    rows[6]["critical"] = True  # wrong
    decision = decided(Gate(max_abstention=0.5), rows)
    assert decision.exit_code == 1
    assert decision.lines[0] == "tripped: pairs marked critical: 1 of 2 pairs fail: p6"


@pytest.mark.parametrize(
    ("value", "bound", "code"), [(0.8, "point", 0), (0.81, "point", 1), (0.8, "low", 1), (0.48, "low", 0)]
)
def test_a_minimum_holds_the_rate_or_its_lower_bound(value: float, bound: str, code: int) -> None:
    # Relation kept in 8 of 10 pairs; Wilson's interval for 8 of 10 is .490 to .943 (statsmodels: 0.4902, 0.9433).
    decision = decided(Gate(minimum=[Minimum("relation_accuracy", value, bound)]), dicts(PAIRS))
    assert decision.exit_code == code
    what = "the rate" if bound == "point" else "the lower bound"
    assert f"0.800 (95% CI 0.490-0.943), {what} counts" in decision.lines[0]
    assert decision.rulings[0].pairs == (["p6", "p8"] if code else ())


@pytest.mark.parametrize(
    ("rate", "pairs"),
    [("sensitivity_accuracy", ["p8"]), ("invariance_accuracy", ["p6"]), ("side_accuracy", ["p6", "p8"]),
     ("invariance_pair_accuracy", ["p6"]), ("family_mean_relation_accuracy", ["p6", "p8"])],
)  # fmt: skip
def test_a_minimum_names_the_pairs_that_lower_it(rate: str, pairs: list[str]) -> None:
    assert decided(Gate(minimum=[Minimum(rate, 0.99)]), dicts(PAIRS)).rulings[0].pairs == pairs


def test_a_minimum_of_pairs_that_are_not_there_is_not_measured() -> None:
    rows = dicts([("paraphrase", "aa", "aa")])
    decision = decided(Gate(minimum=[Minimum("sensitivity_accuracy", 0.5)]), rows)
    assert (decision.exit_code, decision.lines) == (
        3,
        ["not measured: minimum sensitivity_accuracy 0.5: there is no pair to measure it on"],
    )


def test_every_rate_of_the_gate_is_measured() -> None:
    values = measure_pairs(pairs_from_dicts(dicts(PAIRS)), n_resamples=100).values
    for rate in RATES:
        assert {rate, f"{rate}_ci_low", f"{rate}_ci_high"} <= values.keys()
        assert decided(Gate(minimum=[Minimum(rate, 0.0)]), dicts(PAIRS)).exit_code == 0


def test_weights_count_in_the_operator_weighted_rate() -> None:
    # Relation kept: paraphrase 6/7, number 1, negation 1/2. Negation 3, others 1: (6/7 + 1 + 3/2) / 5 = .671.
    gate = Gate(minimum=[Minimum("operator_weighted_relation_accuracy", 0.68)], weights={"negation": 3})
    assert decided(gate, dicts(PAIRS)).exit_code == 1
    # Equal weights: (6/7 + 1 + 1/2) / 3 = .786.
    assert decided(Gate(minimum=gate.minimum), dicts(PAIRS)).exit_code == 0


def test_weights_alone_are_no_gate() -> None:
    decision = decided(Gate(weights={"negation": 3}), dicts(PAIRS))
    assert (decision.exit_code, decision.lines) == (
        3,
        ["not measured: any rule: the gate has only weights, which hold nothing back"],
    )


def test_a_weight_of_an_operator_that_no_pair_has_is_an_error(write: Write, jostle: Call) -> None:
    pairs = write("pairs.jsonl", dicts(PAIRS))
    gate = write("gate.toml", "[gate]\nmax_abstention = 1.0\n[gate.weights]\nnegatoin = 3\n")
    done = jostle("pairs", pairs, "--gate", gate, "--resamples", 100)
    assert done.code == 2
    assert "[gate.weights] of" in done.err
    assert "operators of the pairs (negation, number, paraphrase), but got 'negatoin'" in done.err
    done = jostle("pairs", pairs, "--weight", "negatoin=3")
    assert (done.code, "Expected --weight to name operators" in done.err) == (2, True)
    with pytest.raises(UsageError, match="`weights` to name operators of the pairs"):
        measure_pairs(pairs_from_dicts(dicts(PAIRS)), weights={"x": 1.0})


def test_abstention_and_new_failures_have_maxima() -> None:
    rows = dicts([("negation", "ab", "a-"), *[("negation", "ab", "ab")] * 9])
    assert decided(Gate(max_abstention=0.1), rows).exit_code == 0
    decision = decided(Gate(max_abstention=0.09), rows)
    assert decision.lines == ["tripped: max_abstention 0.09: 1 of 10 pairs have an abstention (0.100): p0"]
    assert decided(Gate(max_new_failures=1), rows, ["p1"]).exit_code == 0
    assert decided(Gate(max_new_failures=0), rows, ["p1"]).exit_code == 1
    assert decided(Gate(max_new_failures=0), rows).exit_code == 3


def test_more_than_ten_pairs_are_counted() -> None:
    decision = decided(Gate(critical=["negation"]), dicts([("negation", "ab", "aa")] * 13))
    assert decision.lines[0].endswith("p8, p9 and 3 more")
    assert decision.to_dict()["rules"][0]["n_pairs"] == 13


@pytest.mark.parametrize("rows", [[], dicts(PAIRS)])
def test_an_empty_gate_and_empty_pairs_measure_nothing(rows: list[dict[str, Any]]) -> None:
    assert decided(Gate(), rows).exit_code == 3
    gate = Gate(critical=["negation"], minimum=[Minimum("pair_accuracy", 0)], max_abstention=1.0)
    assert len(decided(gate, []).incomplete) == 3


FULL = """
[gate]
critical = ["negation", "number", "negation"]
bound = "low"
max_new_failures = 2
max_abstention = 0.1
[gate.minimum]
relation_accuracy = 0.9
pair_accuracy = { value = 1, bound = "point" }
[gate.weights]
negation = 3
"""


def test_a_gate_file_is_read(write: Write) -> None:
    path = write("gate.toml", FULL)
    assert load_gate(path) == Gate(
        critical=["negation", "number"],
        minimum=[Minimum("relation_accuracy", 0.9, "low"), Minimum("pair_accuracy", 1.0, "point")],
        weights={"negation": 3.0},
        max_new_failures=2,
        max_abstention=0.1,
        source=str(path),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[gate]\ncritcal = ['negation']\n", r"has 'critcal'\. Did you mean 'critical'\?"),
        ("[gates]\ncritical = []\n", r"a section of .*gate.* but got \[gates\]"),
        ("critical = ['negation']\n", r"Expected critical in section \[gate\], but it is in .*before any section"),
        ("[gate]\ncritical = 'negation'\n", "critical in .* to be a list, but got 'negation'"),
        ("[gate]\ncritical = [1]\n", "critical in .* to list names of operators, but got 1"),
        ("[gate]\nminimum = 0.9\n", "minimum in .* to be a table, but got 0.9"),
        ("[gate.minimum]\naccuracy = 0.9\n", "a rate of side_accuracy, .* but got 'accuracy'"),
        ("[gate.minimum]\npair_accuracy = 90\n", "minimum.pair_accuracy in .* from 0 to 1, but got 90"),
        ("[gate.minimum]\npair_accuracy = nan\n", "from 0 to 1, but got nan"),
        ("[gate.minimum]\npair_accuracy = true\n", "from 0 to 1, but got True"),
        ("[gate.minimum]\npair_accuracy = '0.9'\n", "from 0 to 1, but got '0.9'"),
        ("[gate.minimum]\npair_accuracy = { bound = 'low' }\n", "the keys value and bound, but got bound"),
        ("[gate.minimum]\npair_accuracy = { value = 1, bond = 'low' }\n", "keys value and bound, but got value, bond"),
        ("[gate.minimum]\npair_accuracy = { value = 1, bound = 'high' }\n", "one of point, low, but got 'high'"),
        ("[gate]\nbound = 'high'\n", "bound in .* one of point, low, but got 'high'"),
        ("[gate.weights]\nnegation = -1\n", "weights.negation in .* at least 0, but got -1"),
        ("[gate.weights]\nnegation = inf\n", "at least 0, but got inf"),
        ("[gate]\nmax_new_failures = 0.5\n", "max_new_failures in .* a whole number, but got 0.5"),
        ("[gate]\nmax_new_failures = -1\n", "max_new_failures in .* at least 0, but got -1"),
        ("[gate]\nmax_abstention = 10\n", "max_abstention in .* from 0 to 1, but got 10"),
        ("[report]\ntolerance = 0.1\n", r"Expected a section \[gate\] in .*, but it has \[report\]"),
        ("", r"Expected a section \[gate\] in .*, but it is empty"),
        ("[gate", "Expected TOML"),
    ],
)
def test_case_c02_a_bad_gate_file_is_a_usage_error(write: Write, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_gate(write("gate.toml", text))


def test_the_command_gives_the_exit_code_of_the_gate(write: Write, jostle: Call) -> None:
    pairs = write("pairs.jsonl", dicts(PAIRS))
    gate = write("gate.toml", "[gate]\ncritical = ['negation']\n[gate.minimum]\nrelation_accuracy = 0.8\n")
    done = jostle("pairs", pairs, "--gate", gate, "--resamples", 100)
    assert done.code == 1
    assert "critical negation: 1 of 2 pairs fail: p8" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines())
    document = json.loads(jostle("pairs", pairs, "--gate", gate, "--resamples", 100, "--format", "json").out)
    assert document["gate"]["exit_code"] == 1
    assert document["gate"]["tripped"] is True
    assert [rule["status"] for rule in document["gate"]["rules"]] == ["tripped", "passed"]
    assert jostle("pairs", pairs, "--resamples", 100).code == 0
    assert jostle("pairs", pairs, "--gate", write("gate2.toml", "[gate]\ncritcal = []\n")).code == 2
    assert jostle("pairs", pairs, "--gate", write("gate3.toml", "[gate]\ncritical = ['x']\n")).code == 3


def test_the_section_of_the_settings_file_is_in_force_unless_another_is_given(write: Write, jostle: Call) -> None:
    pairs = write("pairs.jsonl", dicts(PAIRS))
    write("jostle.toml", "[gate]\ncritical = ['negation']\n")
    assert jostle("pairs", pairs, "--resamples", 100).code == 1
    assert jostle("pairs", pairs, "--resamples", 100, "--no-config").code == 0
    other = write("gate.toml", "[gate]\ncritical = ['number']\n")
    assert jostle("pairs", pairs, "--resamples", 100, "--gate", other).code == 0


def test_check_split_is_a_gate(write: Write, jostle: Call) -> None:
    train = write("train.jsonl", [{"family": "a", "base_text": "A quiet film about two old brothers."}])
    test = write("test.jsonl", [{"family": "b", "base_text": "A quiet film about two young brothers."}])
    done = jostle("pairs", "--check-split", train, test)
    assert done.code == 1
    assert "on both sides: families 0, identical bases 0, nearly identical bases 1" in " ".join(done.out.split())
    assert "line 1: A quiet film about two old brothers." in " ".join(done.out.split())
    document = json.loads(jostle("pairs", "--check-split", train, test, "--format", "json").out)
    assert document["gate"]["exit_code"] == 1
    assert document["checks"][1]["findings"][0]["test"]["places"] == ["line 1"]
    assert "**Bases on both sides (1)**" in jostle("pairs", "--check-split", train, test, "--format", "markdown").out
    other = write("other.jsonl", [{"family": "b", "base_text": "Buses leave every twenty minutes."}])
    assert jostle("pairs", "--check-split", train, other).code == 0
    assert jostle("pairs", "--check-split", train, train.parent / "none.jsonl").code == 3
    assert jostle("pairs", "--check-split", train, other, "--map", "text=base_text").code == 2
