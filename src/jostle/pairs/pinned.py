"""Pinned pairs for a test: the pairs, and one call that holds a predictor against them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError
from .answers import complete, read_answers
from .fixtures import read_fixtures
from .listing import to_text
from .read import columns_of
from .recheck import Recheck, recheck
from .recheck_report import headline, listings, ruled
from .rows import PairRow, PairSet

Predict = Callable[[str], Any]
Predictions = str | Path | Sequence[Mapping[str, Any]]
_KEYS = ("label", "confidence", "evidence")


class PinnedPairs:
    """Pairs pinned by `jostle pairs pin`, as the pytest fixture `jostle` gives them.

    Args:
        path: The file of fixtures.
        max_new_failures: Most pairs that may newly fail.

    Raises:
        InputError: Not a file of fixtures, or one that was edited.
        UsageError: `max_new_failures` is not a whole number of at least 0.
    """

    def __init__(self, path: Path, max_new_failures: int = 0) -> None:
        if isinstance(max_new_failures, bool) or not isinstance(max_new_failures, int) or max_new_failures < 0:
            raise UsageError(
                f"Expected `max_new_failures` to be a whole number of at least 0, but got {max_new_failures!r}."
            )
        self.path = path
        self.fixtures = read_fixtures(path)
        self.max_new_failures = max_new_failures
        self.checked = False  # whether anything has been compared yet

    @property
    def pairs(self) -> Sequence[PairRow]:
        """The pinned pairs."""
        return self.fixtures.pairs.rows

    def check(
        self,
        predict: Predict | None = None,
        *,
        predictions: Predictions | None = None,
        retrieved: Sequence[str] = (),
    ) -> Recheck:
        """Hold a predictor, or predictions that are there already, against the pinned pairs.

        Args:
            predict: Called with every base and edited text; returns a label, None (no answer), or a dict with `label`
                and perhaps `confidence` and `evidence` (a dict, kept as `base_NAME` and `edited_NAME`).
            predictions: Instead of `predict`, what `jostle pairs check --predictions` takes: a file, or rows with id,
                base_prediction and edited_prediction.
            retrieved: Names of the evidence that retrieval gave; by default told by their names.

        Returns:
            What became of the pairs, when no more of them newly fail than allowed.

        Raises:
            AssertionError: More pairs newly fail than allowed, or some have no new prediction; lists them.
            InputError: A pair has no text to predict, or another text or gold than the pinned one.
            UsageError: Neither or both of `predict` and `predictions`, or unknown names of evidence.
        """
        __tracebackhide__ = True
        if (predict is None) == (predictions is None):
            raise UsageError("Expected either a function or `predictions=`, but got both or neither.")
        new = self._predicted(predict) if predict is not None else self._read(predictions)
        found = recheck(self.fixtures, new, retrieved)
        self.checked = True
        decision = ruled(found, self.max_new_failures, str(self.path))
        if decision.exit_code:
            raise AssertionError(to_text(headline(found, self.fixtures, {}, str(self.path)), listings(found, decision)))
        return found

    def _read(self, predictions: Any) -> PairSet:
        if isinstance(predictions, (str, Path)):
            return read_answers(predictions, self.fixtures)
        return complete(columns_of(predictions), self.fixtures)

    def _predicted(self, predict: Predict) -> PairSet:
        """Answers to every text, each asked once."""
        for pair in self.pairs:
            if pair.base_text is None or pair.edited_text is None:
                raise InputError(
                    f"Expected texts to predict, but pinned pair {pair.id!r} has none. Pin pairs with base_text and "
                    "edited_text, or pass predictions=."
                )
        texts = dict.fromkeys(text for pair in self.pairs for text in (pair.base_text, pair.edited_text) if text)
        answers = {text: _answer(predict(text), text) for text in texts}
        return complete(columns_of([_row(pair, answers) for pair in self.pairs]), self.fixtures)


def _answer(said: Any, text: str) -> Mapping[str, Any]:
    if not isinstance(said, Mapping):
        return {"label": said}
    if "label" not in said or not said.keys() <= set(_KEYS):
        raise InputError(f"Expected a label or a dict with {', '.join(_KEYS)} for {text!r:.60}, but got {said!r:.80}.")
    return said


def _row(pair: PairRow, answers: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {"id": pair.id, "evidence": {}}
    for side in ("base", "edited"):
        said = answers[getattr(pair, f"{side}_text")]
        row |= {f"{side}_prediction": said["label"], f"{side}_confidence": said.get("confidence")}
        row["evidence"] |= {f"{side}_{name}": value for name, value in (said.get("evidence") or {}).items()}
    return row
