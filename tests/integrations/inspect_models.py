"""Models and small tasks of Inspect AI for the tests; no tokenizer is fetched, for the usage is given."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice


def model(answer: Callable[[str], str]) -> Model:
    """A model that answers the last message by a function of its text."""

    def output(messages: Any, *_: Any) -> ModelOutput:
        made = ModelOutput.from_content("mockllm", answer(messages[-1].text))
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def always(answer: str) -> Model:
    """A model that always says the same."""
    return model(lambda text: answer)


def solved(prompt: str) -> str:
    """The right answer to a question of `sums`, by the mark before it."""
    k = int(prompt.split("twice ")[1].split("?", maxsplit=1)[0])
    line = next(line for line in prompt.splitlines() if line.endswith(f") {2 * k}"))
    return f"ANSWER: {line.split(')')[0]}"


def sums(count: int, **more: Any) -> Task:
    """Questions with three options; the first is right."""
    samples = [
        Sample(input=f"What is twice {k}?", choices=[str(2 * k), str(2 * k + 1), str(2 * k + 3)], target="A", id=k)
        for k in range(10, 10 + count)
    ]
    settings: dict[str, Any] = {"dataset": samples, "solver": multiple_choice(), "scorer": choice(), "name": "sums"}
    return Task(**{**settings, **more})


@contextmanager
def quiet() -> Iterator[None]:
    """What Inspect and its libraries warn of stays out of the tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # tenacity
        warnings.simplefilter("ignore", ResourceWarning)  # streams that are left to the collector, so it runs here
        yield
        gc.collect()


def run(task: Task, by: Model, folder: Path, **more: Any) -> EvalLog:
    """The log of a task that is run."""
    with quiet():
        return inspect_eval(task, model=by, log_dir=str(folder), display="none", **more)[0]


def metrics(log: EvalLog) -> dict[str, float]:
    """All metrics of a log without the prefix of jostle's."""
    assert log.status == "success", log.error and log.error.traceback
    assert log.results is not None
    found = {name: one.value for score in log.results.scores for name, one in score.metrics.items()}
    return {name.removeprefix("invariance_"): value for name, value in found.items()}
