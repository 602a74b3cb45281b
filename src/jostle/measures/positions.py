"""Position bias: accuracy by the place of the right option, and how often each place is chosen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .intervals import chi2_sf
from .options import Options, plain
from .table import Rows

NAME = "position_bias"
LIMITATIONS = (
    "Gold positions that differ in difficulty look like a preference of the model; orders that move each option to "
    "each place take that away.",
)


def positions(rows: Rows, options: Options) -> dict[str, Any]:
    """Accuracy by gold position and the share of answers per position, with a test of the shares.

    `accuracy_by_position[p]` is over the rows whose gold stands at p. `answer_share_by_position[p]` is the share of
    parsed answers at p, beside `gold_share_by_position[p]`; a model without preference has the two alike.
    `answer_share_p_value` compares the answers with equal shares (chi-squared): rows of one item are not independent,
    so it is a hint, not a test of the drift.

    Returns:
        The keys above, empty where the outcomes have no positions.

    Limitations: needs the columns `positions` and `answer_positions`, which `jostle run` writes for generative models.
    """
    rows = rows.take(rows.references >= 0)
    if rows.positions is None:
        return {"accuracy_by_position": {}, "gold_share_by_position": {}, "answer_share_by_position": {},
                "answer_share_p_value": math.nan}  # fmt: skip
    gold = np.bincount(rows.positions[rows.positions >= 0], minlength=len(rows.position_names))
    right = np.bincount(
        rows.positions[(rows.positions >= 0) & (rows.predictions == rows.references)],
        minlength=len(rows.position_names),
    )
    names = rows.position_names
    accuracy = {name: float(right[k] / gold[k]) for k, name in enumerate(names) if gold[k]}
    shares, p_value = _answers(rows)
    return plain(  # type: ignore[no-any-return]
        {
            "accuracy_by_position": accuracy,
            "gold_share_by_position": {name: gold[k] / gold.sum() for k, name in enumerate(names) if gold[k]},
            "answer_share_by_position": shares,
            "answer_share_p_value": p_value,
        }
    )


def _answers(rows: Rows) -> tuple[dict[str, float], float]:
    if rows.answer_positions is None or not (rows.answer_positions >= 0).any():
        return {}, math.nan
    answered = rows.answer_positions[rows.answer_positions >= 0]
    counts = np.bincount(answered, minlength=len(rows.answer_position_names)).astype(np.float64)
    shares = {name: float(counts[k] / counts.sum()) for k, name in enumerate(rows.answer_position_names)}
    n = len(set(rows.position_names) | set(rows.answer_position_names))
    expected = counts.sum() / n
    statistic = float(((counts - expected) ** 2).sum() / expected) + (n - len(counts)) * float(expected)
    return shares, chi2_sf(statistic, n - 1) if n > 1 else math.nan


MEASURE = positions
