"""Which label of the task each output of a model is: by name, never by place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..errors import ModelError, UsageError

_GENERIC = re.compile(r"label[_ ]?\d+", re.IGNORECASE)


def align_labels(
    model_labels: Sequence[str], task_labels: Sequence[str], given: Mapping[str, str] | None = None
) -> list[str]:
    """Label of the task for every output of the model.

    Names are compared without case, spaces, hyphens and underscores.

    Args:
        model_labels: The model's names, by output index.
        task_labels: The task's names; empty means that the model's own names are the task's.
        given: The user's own map from the model's names to the task's, over the rule.

    Raises:
        UsageError: `given` names a label that one of the two does not have.
        ModelError: The names are generic (LABEL_0) or do not match, and no map is given.

    >>> align_labels(["CONTRADICTION", "NEUTRAL", "ENTAILMENT"], ["entailment", "neutral", "contradiction"])
    ['contradiction', 'neutral', 'entailment']
    """
    given = given or {}
    _check_given(model_labels, task_labels, given)
    wanted = {_plain(name): name for name in task_labels or model_labels}
    aligned = [given.get(name) or wanted.get(_plain(name)) for name in model_labels]
    missing = [name for name, label in zip(model_labels, aligned, strict=True) if label is None]
    generic = [name for name in model_labels if _GENERIC.fullmatch(name) and name not in given]
    if (missing or generic) and not (generic and not missing and not task_labels):
        raise ModelError(_message(model_labels, task_labels, generic))
    names = [label for label in aligned if label is not None]
    if len(set(names)) < len(names):
        raise ModelError(f"Expected every output of the model to have a label of its own, but got {names}.")
    return names


def _plain(name: str) -> str:
    return re.sub(r"[\s_\-]", "", name).casefold()


def _check_given(model_labels: Sequence[str], task_labels: Sequence[str], given: Mapping[str, str]) -> None:
    for name, label in given.items():
        if name not in model_labels or (task_labels and label not in task_labels):
            raise UsageError(
                f"Expected --label-map MODEL_LABEL=TASK_LABEL with {', '.join(model_labels)} on the left and "
                f"{', '.join(task_labels)} on the right, but got {name}={label}."
            )


def _message(model_labels: Sequence[str], task_labels: Sequence[str], generic: Sequence[str]) -> str:
    what = "are generic" if generic else "do not match"
    flags = " ".join(f"--label-map {name}=..." for name in model_labels)
    return (
        f"Expected the model's labels to be {', '.join(task_labels) or 'names'}, but {', '.join(model_labels)} {what}. "
        f"Say which is which: {flags}"
    )
