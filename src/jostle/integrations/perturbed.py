"""A validation set with its variants, for training loops: as a tokenised data set, and its numbers by name."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UsageError
from ..items import AnyItem
from ..measures.drift import drift
from ..measures.flips import flips
from ..measures.inputs import normalise, to_rows
from ..measures.options import Options
from ..measures.ratio import ratio
from ..outcomes import Outcomes
from ..perturb import Operator, Variant, expand
from ..predict.classify import Classifier
from ..run import Plan, PlannedRow, plan, same_input

if TYPE_CHECKING:
    from datasets import Dataset

LABEL_COLUMNS = ["labels", "item_ids", "conditions"]
_IGNORED = -100  # what the Trainer pads labels with


@dataclass(frozen=True)
class PerturbedSet:
    """Labelled items and their variants, laid out for a model.

    Args:
        planned: Originals and variants.
        labels: Names of the classes, by output index of the model.
        n_resamples: Bootstrap replicates of the intervals; training loops want fewer than a report.
    """

    planned: Plan
    labels: Sequence[str]
    n_resamples: int = 1000

    @classmethod
    def of(
        cls,
        items: Sequence[AnyItem],
        labels: Sequence[str],
        operators: Sequence[str | Operator],
        *,
        variants: Sequence[Variant] = (),
        seed: int = 0,
        n_resamples: int = 1000,
    ) -> PerturbedSet:
        """Expand items by operators.

        Args:
            items: Items with gold labels.
            labels: Names of the classes, by output index of the model.
            operators: Operators to apply, by name ("typos").
            variants: Variants that are there already, such as the hand-made ones of the embedded items.
            seed: Seed of the operators.
            n_resamples: Bootstrap replicates of the intervals.

        Raises:
            InputError: No item has a gold label.

        >>> from jostle.embedded_items import embedded_items
        >>> items = embedded_items("sst2", 10)
        >>> PerturbedSet.of(items.items, items.labels, ["typos"]).conditions
        ['orig', 'pert/typos']
        """
        own = [variant for variant in variants if variant.relation == "invariant"]
        return cls(plan(items, [*own, *expand(items, operators, seed=seed)]), list(labels), n_resamples)

    @cached_property
    def conditions(self) -> list[str]:
        """Names of the conditions, by the number that the data set has for them."""
        return list(dict.fromkeys(row.condition for row in self.planned.rows))

    @cached_property
    def item_ids(self) -> list[str]:
        """Ids of the items, by the number that the data set has for them."""
        return list(dict.fromkeys(str(row.base.id) for row in self.planned.rows))

    def dataset(self, tokenizer: Any, max_length: int = 512) -> Dataset:
        """The rows tokenised, with `labels`, and `item_ids` and `conditions` as numbers.

        Numbers, since the Trainer's collator makes tensors of all columns. Set `label_names=LABEL_COLUMNS` in the
        training arguments, so that the Trainer hands them to `compute_metrics`. Variants whose edit is cut off by
        `max_length` are left out, and a warning counts them.

        Raises:
            UsageError: A gold label that is none of the labels.
        """
        from datasets import Dataset

        unknown = {str(row.item.label) for row in self.planned.rows} - set(self.labels)
        if unknown:
            raise UsageError(f"Expected gold labels of {', '.join(self.labels)}, but got {', '.join(sorted(unknown))}.")
        kept, inputs = self._inputs(tokenizer, max_length)
        item = {name: k for k, name in enumerate(self.item_ids)}
        condition = {name: k for k, name in enumerate(self.conditions)}
        return Dataset.from_dict(
            {name: [encoding[name] for encoding in inputs] for name in inputs[0]}
            | {
                "labels": [self.labels.index(str(row.item.label)) for row in kept],
                "item_ids": [item[str(row.base.id)] for row in kept],
                "conditions": [condition[row.condition] for row in kept],
            }
        )

    def _inputs(self, tokenizer: Any, max_length: int) -> tuple[list[PlannedRow], list[Mapping[str, list[int]]]]:
        """The rows and their tokens, without those whose edit was cut off: they would count as stable."""
        rows = self.planned.rows
        encoded = Classifier(None, tokenizer, self.labels, name="", max_length=max_length).encode(
            [row.texts for row in rows]
        )
        same = same_input(self.planned, encoded)
        kept = [k for k in range(len(rows)) if not (same[k] and encoded.truncated[k])]
        if len(kept) < len(rows):
            warnings.warn(
                f"{len(rows) - len(kept)} of {len(rows)} rows are left out: their edit lies behind the longest input "
                f"of {max_length} tokens.",
                stacklevel=3,
            )
        return [rows[k] for k in kept], [encoded.sequences[encoded.of_row[k]] for k in kept]

    def compute_metrics(self, prediction: Any) -> dict[str, float]:
        """What the Trainer's `compute_metrics` is to give: see `numbers`.

        Args:
            prediction: An `EvalPrediction` over `dataset`, in any order.

        Raises:
            UsageError: The Trainer did not hand over items and conditions.
        """
        given = prediction.label_ids
        if not isinstance(given, tuple | list) or len(given) != len(LABEL_COLUMNS):
            raise UsageError(
                f"Expected labels, items and conditions of every row, but got labels alone. Set label_names="
                f"{LABEL_COLUMNS} in the TrainingArguments."
            )
        labels, items, conditions = (np.asarray(column).reshape(-1) for column in given)
        logits = prediction.predictions[0] if isinstance(prediction.predictions, tuple) else prediction.predictions
        keep = labels != _IGNORED
        best = np.asarray(logits).argmax(axis=-1)
        return self.numbers(best[keep], labels[keep], items[keep], conditions[keep])

    def numbers(self, predictions: Any, references: Any, items: Any, conditions: Any) -> dict[str, float]:
        """Drift, flips and R of predicted class numbers, as plain floats.

        Args:
            predictions: Predicted class of each row, by number.
            references: Gold class.
            items: Number of the item.
            conditions: Number of the condition.

        Returns:
            The numbers of `numbers_of`.
        """
        given = zip(np.asarray(items).tolist(), np.asarray(conditions).tolist(), strict=True)
        rows = [self._planned_row[self.item_ids[item], self.conditions[condition]] for item, condition in given]
        outcomes = Outcomes.from_columns(
            predictions=np.asarray(predictions),
            references=np.asarray(references),
            item_ids=[row.base.id for row in rows],
            conditions=[row.condition for row in rows],
            families=[row.base.family for row in rows],
            relations=[row.relation for row in rows],
        )
        return numbers_of(outcomes, self.n_resamples)

    @cached_property
    def _planned_row(self) -> dict[tuple[str, str], PlannedRow]:
        return {(str(row.base.id), row.condition): row for row in self.planned.rows}


def numbers_of(outcomes: Outcomes, n_resamples: int = 1000) -> dict[str, float]:
    """Accuracy on the originals and in every condition, drift, flip rate and R, as plain floats.

    R is relative: a model at chance that ignores its input has R = 1, and early checkpoints are such models. To pick a
    checkpoint take `worst_case_accuracy` (right in every condition), or R of those that are accurate enough. What is
    undefined (R without one of the four kinds) is nan: the Trainer takes no None, and nan picks no checkpoint.

    >>> outcomes = Outcomes.from_columns(
    ...     predictions=[1, 0, 1, 1], references=[1] * 4, item_ids=["a", "a", "b", "b"],
    ...     conditions=["orig", "pert/x"] * 2)
    >>> found = numbers_of(outcomes, 100)
    >>> found["accuracy"], found["flip_rate"], found["invariance_drift"], found["robustness_ratio"]
    (1.0, 0.5, 0.5, nan)
    """
    options = Options(n_resamples=n_resamples, missing="pairwise")
    rows = to_rows(normalise(outcomes.columns, options), options)
    moved, flipped, relative = drift(rows, options), flips(rows, options), ratio(rows, options)
    found = {
        "accuracy": moved["accuracy_by_condition"].get("orig", math.nan),
        "invariance_drift": moved["max_drift"],
        "invariance_drift_ci_low": moved["drift_ci_low"],
        "invariance_drift_ci_high": moved["drift_ci_high"],
        "flip_rate": flipped["flip_rate"],
        "mean_pairwise_flip": flipped["mean_pairwise_flip"],
        "worst_case_accuracy": flipped["worst_case_accuracy"],
        "robustness_ratio": relative["robustness_ratio"],
        "robustness_ratio_ci_low": relative["robustness_ratio_ci_low"],
        "robustness_ratio_ci_high": relative["robustness_ratio_ci_high"],
    }
    return {name: float(value) for name, value in found.items()}
