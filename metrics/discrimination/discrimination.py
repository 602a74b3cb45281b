"""Which items of an evaluation set tell models apart, and the smallest difference the set could detect."""

from collections.abc import Mapping, Sequence
from typing import Any

import evaluate

# evaluate copies only the helper files that this script itself imports, so it names those that they import too.
from .align import align
from .by_model import models_as_conditions
from .columns import INPUTS, OutcomeColumns, columns_info
from .discriminate import discriminate
from .encode import Column
from .inputs import normalise
from .intervals import wilson
from .options import Options
from .resample import patterns
from .separation import compare_models
from .table import Rows
from .verdicts import classify
from .version import __version__

CITATION = """
@software{jostle,
    title = {jostle: does an evaluation score hold when the meaning holds?},
    author = {The jostle authors},
    year = {2026},
    license = {Apache-2.0}
}
"""


class Discrimination(OutcomeColumns, evaluate.Comparison):
    """Which items of an evaluation set tell models apart, and the smallest difference the set could detect."""

    def __init__(self, *args: Any, columns: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, columns=tuple(dict.fromkeys(("models", *columns))), **kwargs)

    def _info(self) -> evaluate.ComparisonInfo:
        return evaluate.ComparisonInfo(
            description=__doc__ or "",
            citation=CITATION,
            inputs_description=INPUTS,
            features=columns_info(),
        )

    def _measure(self, arrays: Mapping[str, Any], options: Options) -> dict[str, Any]:
        return super()._measure(models_as_conditions(arrays, options.reference), options)

    def measure(self, rows: Rows, options: Options) -> dict[str, Any]:
        """The keys of the metric card."""
        return discriminate(rows, options)
