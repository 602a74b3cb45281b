"""The call of `evaluate.evaluator("text-classification")`, for modules that need items and conditions too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import UsageError
from ..measures.options import COLUMNS
from ..modules import load

_BATCH = 32


class RobustnessEvaluator:
    """Predict a data set with a pipeline and compute modules on it, with all the columns that they need.

    The stock evaluator cannot carry columns beside predictions and references, and does not work with pipelines of
    transformers 5. This one has its call: `compute(model_or_pipeline=..., data=..., metric=..., input_column=...)`.

    >>> data = {"text": ["good", "goood"], "label": ["pos", "pos"], "item_ids": ["a", "a"],
    ...         "conditions": ["orig", "pert/typos"]}
    >>> pipe = lambda texts, **_: [{"label": "pos" if "goo" in text and "ooo" not in text else "neg"} for text in texts]
    >>> RobustnessEvaluator().compute(model_or_pipeline=pipe, data=data, metric="flip_rate")["flip_rate"]
    1.0
    """

    def compute(
        self,
        model_or_pipeline: Any,
        data: Any,
        metric: Any = "invariance_drift",
        *,
        input_column: str = "text",
        second_input_column: str | None = None,
        label_column: str = "label",
        label_mapping: Mapping[str, Any] | None = None,
        tokenizer: Any = None,
        batch_size: int = _BATCH,
        columns: Mapping[str, str] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Predict and compute.

        Args:
            model_or_pipeline: A text-classification pipeline (or any callable of its form), a model with `tokenizer`,
                or the name or folder of a model.
            data: A `datasets.Dataset`, or a mapping of columns.
            metric: One of jostle's modules by name, a module, or modules combined by `evaluate.combine`.
            input_column: Column of the texts.
            second_input_column: Column of the second texts of pairs.
            label_column: Column of the gold labels.
            label_mapping: Label of the pipeline -> gold label; the pipeline's own labels without.
            tokenizer: Tokenizer, where a model is given.
            batch_size: Texts a batch.
            columns: Column of the data for each column of the module that bears another name there.
            **options: Options of the module (`n_resamples`, `seed` ...).

        Returns:
            What the module gives.

        Raises:
            UsageError: The data lack a column, or a prediction has no place in the label mapping.
        """
        table = {name: list(data[name]) for name in _names(data)}
        needed = [input_column, label_column, *([second_input_column] if second_input_column else [])]
        absent = [name for name in needed if name not in table]
        if absent:
            raise UsageError(f"Expected columns {', '.join(needed)}, but the data have {', '.join(table)}.")
        pipe = _pipeline(model_or_pipeline, tokenizer)
        predictions = _labels(pipe(_inputs(table, input_column, second_input_column), batch_size=batch_size))
        if label_mapping is not None:
            predictions = [_mapped(label, label_mapping) for label in predictions]
        named = {name: name for name in COLUMNS if name in table} | dict(columns or {})
        named = {name: column for name, column in named.items() if name not in ("predictions", "references")}
        module = load(metric) if isinstance(metric, str) else metric
        given = {name: table[column] for name, column in named.items()}
        result: dict[str, Any] = module.compute(
            predictions=predictions, references=table[label_column], **given, **options
        )
        return result


def _names(data: Any) -> Sequence[str]:
    names: Sequence[str] = data.column_names if hasattr(data, "column_names") else list(data)
    return names


def _pipeline(given: Any, tokenizer: Any) -> Any:
    if not isinstance(given, str) and tokenizer is None:
        return given
    from transformers import pipeline

    return pipeline("text-classification", model=given, **({"tokenizer": tokenizer} if tokenizer is not None else {}))


def _inputs(table: Mapping[str, list[Any]], first: str, second: str | None) -> list[Any]:
    if second is None:
        return table[first]
    return [{"text": a, "text_pair": b} for a, b in zip(table[first], table[second], strict=True)]


def _labels(answers: Any) -> list[str]:
    """The best label of each answer; a pipeline with `top_k` gives lists."""
    return [str((answer[0] if isinstance(answer, list) else answer)["label"]) for answer in answers]


def _mapped(label: str, mapping: Mapping[str, Any]) -> Any:
    if label not in mapping:
        raise UsageError(
            f"Expected a label of {', '.join(mapping)}, but the pipeline gave {label!r}. Add it to the map."
        )
    return mapping[label]
