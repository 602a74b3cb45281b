"""Cases of an evaluation set that ask the same thing, level by level, and how many scenarios an average rests on."""

from typing import Any

import evaluate

# evaluate copies only the helper files that this script itself imports, so it names those that they import too.
from .char_pairs import link_alike
from .cosine_pairs import unit
from .duplicate_levels import LEVELS, duplicate_levels
from .fold import fold
from .links import grouped
from .text_columns import INPUTS, TextColumns, text_features
from .typos import same_but_for_typos
from .version import __version__

CITATION = """
@software{jostle,
    title = {jostle: does an evaluation score hold when the meaning holds?},
    author = {The jostle authors},
    year = {2026},
    license = {Apache-2.0}
}
"""


class NearDuplicates(TextColumns, evaluate.Measurement):
    """Cases of an evaluation set that ask the same thing, and how many scenarios an average rests on."""

    def _info(self) -> evaluate.MeasurementInfo:
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=__doc__ or "",
            citation=CITATION,
            inputs_description=INPUTS,
            features=text_features(),
        )

    def measure(
        self, texts: Any, labels: Any, *, threshold: float = 0.85, embeddings: Any = None, **other: Any
    ) -> dict[str, Any]:
        """The keys of the card."""
        if other:
            raise ValueError(f"Expected the options threshold and embeddings, but got {next(iter(other))!r}.")
        vectors = None if embeddings is None else unit(embeddings, len(texts))
        found = duplicate_levels(
            [list(side) for side in zip(*texts, strict=True)] or [[]],
            golds=labels,
            embed=None if vectors is None else lambda chosen: [vectors[chosen]],
            threshold=threshold,
        )
        clusters = [
            {"level": level, "rows": list(c.members), "gold": c.gold, "differs": list(c.differs)}
            | ({} if c.cosines is None else {"min_cosine": c.cosines[0], "max_cosine": c.cosines[1]})
            for level, group in found.clusters.items()
            for c in group
        ]
        options = f"threshold={threshold:g}|embeddings={'no' if embeddings is None else 'given'}"
        return found.describe() | {
            "clusters": clusters,
            "levels_run": [level for level in LEVELS if level in found.clusters],
            "n_pairs_left_out": found.n_left_out,
            "signature": f"{self.name}|jostle={__version__}|{options}",
        }
