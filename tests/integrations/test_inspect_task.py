"""A task of Inspect AI run over all conditions: solver and scorer stay, metrics stand beside accuracy."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.scorer import Score, Scorer, accuracy, choice, match, mean, scorer, stderr
from inspect_ai.solver import Solver, TaskState, generate, multiple_choice, solver, system_message

from jostle.errors import InputError, UsageError
from jostle.importers import read_results
from jostle.integrations.inspect_ai import cyclic_variant_samples, invariance_scorer, invariance_task
from jostle.items import MCQItem
from jostle.report import build_report

from .inspect_models import always, metrics, model, run, solved, sums

pytestmark = pytest.mark.slow


def test_a_model_that_reads_options_has_no_drift(tmp_path: Path) -> None:
    found = metrics(run(invariance_task(sums(12), ["whitespace"]), model(solved), tmp_path))
    assert found["accuracy"] == 1.0
    assert (found["drift"], found["flip_rate"], found["drift_ci_low"], found["flip_rate_ci_low"]) == (0, 0, 0, 0)
    assert 0 < found["drift_ci_high"] < 1
    # 12 items, the original, 2 shifts and the other spacing.
    assert [found[f"accuracy_{name}"] for name in ("orig", "shift1", "shift2", "pert/whitespace")] == [1.0] * 4


def test_a_model_that_always_says_a_is_right_in_one_order_of_three(tmp_path: Path) -> None:
    log = run(invariance_task(sums(12)), always("ANSWER: A"), tmp_path)
    found = metrics(log)
    assert found["accuracy"] == pytest.approx(1 / 3)
    assert (found["drift"], found["flip_rate"], found["worst_case_accuracy"]) == (1.0, 1.0, 0.0)
    assert (found["accuracy_orig"], found["accuracy_shift1"]) == (1.0, 0.0)
    assert log.eval.task == "sums_invariance"
    assert log.results is not None
    assert {score.name for score in log.results.scores} == {"choice"}


def test_a_report_on_the_log_says_the_same(tmp_path: Path) -> None:
    def unsure(prompt: str) -> str:
        return solved(prompt) if "twice 1" in prompt else "ANSWER: B"

    log = run(invariance_task(sums(14), ["whitespace", "typos"]), model(unsure), tmp_path, epochs=2)
    found, report = metrics(log), build_report(read_results(log.location))
    drift, flips = report.values("invariance_drift"), report.values("flip_rate")
    assert found["drift"] == drift["max_drift"] > 0
    assert (found["drift_ci_low"], found["drift_ci_high"]) == (drift["drift_ci_low"], drift["drift_ci_high"])
    assert (found["flip_rate"], found["noise_floor"]) == (flips["flip_rate"], drift["noise_floor"])
    assert {
        f"accuracy_{name}": value for name, value in drift["accuracy_by_condition"].items()
    }.items() <= found.items()


def test_the_given_task_stays_as_it_is(tmp_path: Path) -> None:
    own = sums(3, metadata={"by": "me"}, epochs=Epochs(2, "mean"))
    before = {name: copy.copy(value) for name, value in vars(own).items()}
    samples = [sample.model_copy(deep=True) for sample in own.dataset]
    made = invariance_task(own, ["whitespace", "option_labels"])
    run(made, always("ANSWER: A"), tmp_path)
    assert vars(own).keys() == before.keys()
    assert all(vars(own)[name] is getattr(own, name) for name in before)
    assert list(own.dataset) == samples
    assert own.metadata == {"by": "me"}
    assert own.name == "sums"
    assert "drift" not in metrics(run(own, always("ANSWER: A"), tmp_path))
    assert made.epochs == 2


def test_a_registered_task_is_not_taken_for_its_expansion(tmp_path: Path) -> None:
    @task
    def registered() -> Task:
        return sums(2)

    own = registered()
    log = run(invariance_task(own), always("ANSWER: A"), tmp_path)
    assert log.eval.task_registry_name is None
    assert run(own, always("ANSWER: A"), tmp_path).eval.task == "sums"


def test_epochs_are_samples_of_a_condition(tmp_path: Path) -> None:
    seen: set[str] = set()

    def wavers(prompt: str) -> str:
        answer = "ANSWER: B" if prompt in seen else "ANSWER: A"
        seen.add(prompt)
        return answer

    found = metrics(run(invariance_task(sums(10)), model(wavers), tmp_path, epochs=2))
    # The gold stands at A, then C, then B: the two epochs differ in being right in two of the three conditions.
    assert found["noise_floor"] == pytest.approx(2 / 3)
    assert (found["n_items"], found["n_unstable"], found["accuracy"]) == (10, 20, pytest.approx(1 / 3))


def test_i02_samples_with_an_error_are_left_out_and_counted(tmp_path: Path) -> None:
    def fails(prompt: str) -> str:
        if "twice 10" in prompt and "A) 21" in prompt:
            raise RuntimeError("no connection")
        return solved(prompt)

    log = run(invariance_task(sums(10)), model(fails), tmp_path, fail_on_error=False)
    found = metrics(log)
    assert (found["n_unscored"], found["n_items"], found["flip_rate"]) == (1, 10, 0.0)
    outcomes = read_results(log.location)
    assert outcomes.counts == {"log": {"error": 1}}


def test_limit_of_inspect_cuts_an_item_and_says_so(tmp_path: Path) -> None:
    found = metrics(run(invariance_task(sums(10)), model(solved), tmp_path, limit=4))
    # One item with its 3 orders, and the original of the next.
    assert (found["n_items"], found["n_compared"], found["n_unscored"]) == (2, 1, 2)
    assert len(invariance_task(sums(10), limit=4).dataset) == 12


def test_shuffling_solvers_are_refused(tmp_path: Path) -> None:
    for shuffling in (multiple_choice(shuffle=True), [system_message("hi"), multiple_choice(shuffle=True)]):
        with pytest.raises(
            UsageError, match=r"Expected options that stay in their order, but sums has multiple_choice"
        ):
            invariance_task(sums(2, solver=shuffling))

    @solver
    def hidden() -> Solver:
        inner = multiple_choice(shuffle=True)

        async def solve(state: TaskState, generate: Any) -> TaskState:
            return await inner(state, generate)

        return solve

    log = run(invariance_task(sums(12, solver=hidden())), always("ANSWER: A"), tmp_path)
    assert log.status == "error"
    assert log.error is not None
    assert "the solver shuffled those of item" in log.error.message


def test_shuffling_the_data_set_is_no_matter(tmp_path: Path) -> None:
    own = sums(12)
    own.dataset.shuffle_choices(seed=3)
    assert metrics(run(invariance_task(own), model(solved), tmp_path))["drift"] == 0


def test_several_targets(tmp_path: Path) -> None:
    samples = [Sample(input="Which are below 5?", choices=["2", "3", "9"], target=["A", "B"])]
    own = sums(1, dataset=samples, solver=multiple_choice(multiple_correct=True))
    marks = {"2", "3"}

    def both(prompt: str) -> str:
        return "ANSWER: " + ",".join(line[0] for line in prompt.splitlines() if line.rpartition(") ")[2] in marks)

    assert metrics(run(invariance_task(own), model(both), tmp_path))["accuracy"] == 1.0
    assert metrics(run(invariance_task(own), always("ANSWER: A,B"), tmp_path))["accuracy"] == pytest.approx(1 / 3)


def test_more_options_than_letters(tmp_path: Path) -> None:
    samples = [Sample(input="Which?", choices=[f"town {k}" for k in range(30)], target="3")]  # the 29th

    def reads(prompt: str) -> str:
        line = next(line for line in prompt.splitlines() if line.endswith(") town 28"))
        return f"ANSWER: {line.split(')')[0]}"

    found = metrics(run(invariance_task(sums(1, dataset=samples)), model(reads), tmp_path))
    assert (found["accuracy"], found["n_items"]) == (1.0, 1)


def test_other_labels_are_shown_and_read(tmp_path: Path) -> None:
    own = sums(10, solver=[system_message("Be exact."), multiple_choice()])
    log = run(invariance_task(own, ["option_labels"], cyclic=False), model(solved), tmp_path)
    found = metrics(log)
    assert (found["accuracy"], found["drift"]) == (1.0, 0.0)
    assert log.samples is not None
    sample = next(one for one in log.samples if one.id == "10::pert/labels_numbers")
    assert "one of 1,2,3." in sample.messages[1].text
    assert "1) 20\n2) 21\n3) 23" in sample.messages[1].text
    # What the model wrote stays; solver and scorer see it in Inspect's marks.
    assert isinstance(sample.messages[-1], ChatMessageAssistant)
    assert (sample.messages[-1].text, sample.output.completion) == ("ANSWER: 1", "ANSWER: A")
    assert sample.metadata["jostle_completion"] == "ANSWER: 1"


def test_a_letter_is_no_answer_where_options_have_numbers(tmp_path: Path) -> None:
    task = invariance_task(sums(10), ["option_labels"], cyclic=False)
    found = metrics(run(task, always("ANSWER: A"), tmp_path))
    assert (found["accuracy_orig"], found["accuracy_pert/labels_numbers"], found["n_no_answer"]) == (1.0, 0.0, 20)


def test_labels_that_nothing_shows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Expected a task with multiple_choice\(\) or choice\(\) for option_labels"):
        invariance_task(sums(2, solver=generate(), scorer=match()), ["option_labels"])
    made = invariance_task(sums(2), ["option_labels"])
    log = run(made, always("ANSWER: A"), tmp_path, solver=multiple_choice())
    assert log.error is not None
    assert "the solver did not show them" in log.error.message

    @solver
    def own_form() -> Solver:
        async def solve(state: TaskState, generate: Any) -> TaskState:
            state.user_prompt.text = " / ".join(choice.value for choice in state.choices)
            return await generate(state)

        return solve

    log = run(invariance_task(sums(2, solver=own_form()), ["option_labels"]), always("ANSWER: A"), tmp_path)
    assert log.error is not None
    assert "as multiple_choice() writes them" in log.error.message


def test_every_scorer_keeps_its_metrics_and_has_ours(tmp_path: Path) -> None:
    @scorer(metrics={"right": [mean()], "long": [mean()]})
    def twofold(most: int) -> Scorer:
        async def score(state: TaskState, target: Any) -> Score:
            said = state.output.completion
            return Score(value={"right": float(said.endswith(str(target.text))), "long": float(len(said) > most)})

        return score

    own = sums(10, scorer=[choice(), twofold(most=3)])
    log = run(invariance_task(own), always("ANSWER: A"), tmp_path)
    assert log.status == "success"
    assert log.results is not None
    names = [(score.scorer, score.name, min(score.metrics)) for score in log.results.scores]
    assert ("twofold", "right", "mean") in names
    right = next(score for score in log.results.scores if score.name == "right" and "mean" not in score.metrics)
    assert right.metrics["jostle/invariance_invariance_drift"].value == 1.0
    assert log.eval.scorers is not None
    assert [(one.name, one.options) for one in log.eval.scorers] == [("choice", {}), ("twofold", {"most": 3})]


def test_tasks_that_cannot_be_expanded_are_refused() -> None:
    with pytest.raises(UsageError, match="Expected a task with a scorer, but sums has none"):
        invariance_task(sums(2, scorer=None))
    with pytest.raises(InputError, match="Expected multiple-choice samples, but sums has none"):
        invariance_task(sums(1, dataset=[Sample(input="Name a prime.", target="7")]))
    with pytest.raises(UsageError, match="Expected an operator out of"):
        invariance_task(sums(1), ["typo"])


def test_cyclic_variants_in_a_task_of_ones_own(tmp_path: Path) -> None:
    items = [MCQItem(f"What is twice {k}?", (str(2 * k), str(2 * k + 1)), 0) for k in range(10, 22)]
    samples = [sample for k, item in enumerate(items) for sample in cyclic_variant_samples(item, group_id=f"g{k}")]
    own = Task(dataset=samples, solver=generate(), scorer=invariance_scorer())
    found = metrics(run(own, always("The answer is A."), tmp_path))
    assert (found["accuracy"], found["drift"], found["flip_rate"], found["n_items"]) == (0.5, 1.0, 1.0, 12)

    def reads(prompt: str) -> str:
        k = int(prompt.split("twice ")[1].split("?", maxsplit=1)[0])
        return next(line for line in prompt.splitlines() if line.endswith(f". {2 * k}"))

    assert metrics(run(own, model(reads), tmp_path))["accuracy"] == 1.0
    silent = run(own, always("I cannot tell."), tmp_path)
    assert metrics(silent)["n_no_answer"] == 24
    assert silent.samples is not None
    assert silent.samples[0].scores is not None
    assert silent.samples[0].scores["invariance_scorer"].value == "N"


def test_the_scorer_of_free_text_reads_any_sample_with_choices(tmp_path: Path) -> None:
    own = sums(10, scorer=invariance_scorer())
    assert metrics(run(invariance_task(own), model(solved), tmp_path))["accuracy"] == 1.0
    several = [Sample(input="Which are below 5?", choices=["2", "3", "9"], target=["A", "B"])]
    two = sums(1, dataset=several, scorer=invariance_scorer(), solver=multiple_choice(multiple_correct=True))
    assert metrics(run(two, always("ANSWER: A and B"), tmp_path))["accuracy"] == 1.0
    bare = Task(dataset=[Sample(input="Name a prime.", target="7")], scorer=invariance_scorer())
    log = run(bare, always("7"), tmp_path)
    assert log.error is not None
    assert "Expected a sample with options" in log.error.message


def test_accuracy_of_other_metrics_can_be_clustered_by_item(tmp_path: Path) -> None:
    own = sums(10, metrics=[accuracy(), stderr(cluster="jostle_item")])
    found = metrics(run(invariance_task(own), always("ANSWER: A"), tmp_path))
    assert found["stderr"] == pytest.approx(0.0)  # every item is right in one order of three
    assert found["drift"] == 1.0
