"""Contrast pairs: do predictions change when the meaning changes, and stay when it stays?"""

from typing import Any

import evaluate

# evaluate copies only the helper files that this script itself imports, so it names those that they import too.
from .align import align
from .columns import INPUTS, OutcomeColumns, columns_info
from .encode import Column
from .inputs import normalise
from .intervals import wilson
from .options import Options
from .pair_data import Pairs
from .pair_rates import Summed
from .pairs import pairs
from .resample import patterns
from .table import Rows
from .version import __version__

CITATION = """
@software{jostle,
    title = {jostle: does an evaluation score hold when the meaning holds?},
    author = {The jostle authors},
    year = {2026},
    license = {Apache-2.0}
}
"""


class PairConsistency(OutcomeColumns, evaluate.Metric):
    """Contrast pairs: do predictions change when the meaning changes, and stay when it stays?"""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=__doc__ or "",
            citation=CITATION,
            inputs_description=INPUTS,
            features=columns_info(),
        )

    def measure(self, rows: Rows, options: Options) -> dict[str, Any]:
        """The keys of the metric card."""
        return pairs(rows, options)
