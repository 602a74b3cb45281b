"""`transformers.Trainer`: robustness after every evaluation, beside whatever else is evaluated."""

from __future__ import annotations

from typing import Any

from ..errors import MissingExtra
from ..predict.classify import Classifier
from ..run import classify
from .perturbed import LABEL_COLUMNS, PerturbedSet, numbers_of

try:
    from transformers import TrainerCallback
except ModuleNotFoundError as error:
    raise MissingExtra((error.name or "transformers").split(".")[0], extra="models") from None

__all__ = ["LABEL_COLUMNS", "PerturbedSet", "RobustnessCallback"]


class RobustnessCallback(TrainerCallback):  # type: ignore[misc]
    """Evaluate a perturbed validation set after every evaluation of the Trainer, and log its numbers.

    The numbers join the metrics of the evaluation (`eval_robustness_ratio`, `eval_flip_rate` ...), so they can be the
    `metric_for_best_model`, and are logged to wherever the Trainer logs. Evaluation set and `compute_metrics` of the
    Trainer stay as they are; a name that is there already is not overwritten but gets `robust_` in front.

    Args:
        trainer: The Trainer; its model and `processing_class` (the tokenizer) are used.
        robust: The perturbed set.
        max_length: Longest input in tokens.

    Limitations: every process evaluates the whole set, so it costs as much on many devices as on one. Models that are
    split over devices are not supported.
    """

    def __init__(self, trainer: Any, robust: PerturbedSet, max_length: int = 512) -> None:
        self.trainer, self.robust, self.max_length = trainer, robust, max_length

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: dict[str, Any] | None = None, **kwargs: Any
    ) -> None:
        """Add the numbers to the metrics of this evaluation, and log them."""
        if metrics is None:
            return
        found = self.numbers()
        named = {
            f"eval_{name}" if f"eval_{name}" not in metrics else f"eval_robust_{name}": v for name, v in found.items()
        }
        metrics.update(named)
        self.trainer.log(dict(named))

    def numbers(self) -> dict[str, float]:
        """The numbers of the model as it is now; its mode (training or not) is left as it was."""
        model = self.trainer.accelerator.unwrap_model(self.trainer.model)
        was_training = model.training
        model.eval()
        try:
            classifier = Classifier(
                model, self.trainer.processing_class, self.robust.labels, name="", max_length=self.max_length
            )
            encoded = classifier.encode([row.texts for row in self.robust.planned.rows])
            outcomes = classify(self.robust.planned, classifier, encoded, "custom")
        finally:
            model.train(was_training)
        return numbers_of(outcomes, self.robust.n_resamples)
