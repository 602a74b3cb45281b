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
        subset: str | None = None,
        split: str | None = None,
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
            data: A `datasets.Dataset`, a mapping of columns, or the name or folder of a data set with `split`.
            metric: One of jostle's modules by name, a module, or modules combined by `evaluate.combine`.
            subset: Configuration of the data set, where it is given by name.
            split: Split of the data set, where it is given by name.
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
            UsageError: The data lack a column or a split, a model comes without its tokenizer, a prediction has no
                place in the label mapping, or no label of the model is a gold label.

        Limitations: the pipeline cuts texts that are longer than its model reads. An edit behind the cut is lost, and
        its row counts as stable; `jostle run` finds such rows.
        """
        table = _table(data, subset, split)
        needed = [input_column, label_column, *([second_input_column] if second_input_column else [])]
        needed += (columns or {}).values()
        if not set(needed) <= set(table):
            raise UsageError(f"Expected columns {', '.join(needed)}, but the data have {', '.join(table)}.")
        pipe = _pipeline(model_or_pipeline, tokenizer)
        if label_mapping is None:
            _refuse_foreign_labels(pipe, table[label_column])
        inputs = _inputs(table, input_column, second_input_column)
        predictions = _labels(pipe(inputs, batch_size=batch_size, truncation=True))
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


def _table(data: Any, subset: str | None, split: str | None) -> dict[str, list[Any]]:
    """The data by column."""
    if isinstance(data, str):
        from datasets import load_dataset

        if split is None:
            raise UsageError(f"Expected the split to evaluate of {data}, but got none. Give split='validation'.")
        data = load_dataset(data, subset, split=split)
    names: Sequence[str] = data.column_names if hasattr(data, "column_names") else list(data)
    return {name: list(data[name]) for name in names}


def _pipeline(given: Any, tokenizer: Any) -> Any:
    if tokenizer is None and hasattr(given, "named_parameters"):
        raise UsageError("Expected a model with its tokenizer, but got the model alone. Give tokenizer=...")
    if not isinstance(given, str) and tokenizer is None:
        return given
    from transformers import pipeline

    return pipeline("text-classification", model=given, **({"tokenizer": tokenizer} if tokenizer is not None else {}))


def _refuse_foreign_labels(pipe: Any, references: Sequence[Any]) -> None:
    """A model whose labels are all foreign to the data would be wrong everywhere, and so perfectly stable."""
    config = getattr(getattr(pipe, "model", None), "config", None)
    own = [str(label) for label in getattr(config, "id2label", {}).values()]
    gold = sorted({str(label) for label in references if label is not None})
    if own and set(own).isdisjoint(gold):
        raise UsageError(
            f"Expected gold labels of {', '.join(own)}, which are the model's, but got {', '.join(gold)}. Give "
            "label_mapping={label of the model: gold label}."
        )


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
