"""How evenly the cases of an evaluation set spread over its classes, which classes are too small, and whether gold
options favour a position."""

from typing import Any

import evaluate

# evaluate copies only the helper files that this script itself imports, so it names those that they import too.
from .balance import class_balance, length_by_class, length_summary, position_balance
from .intervals import chi2_sf
from .text_columns import TextColumns, text_features
from .version import __version__

CITATION = """
@software{jostle,
    title = {jostle: does an evaluation score hold when the meaning holds?},
    author = {The jostle authors},
    year = {2026},
    license = {Apache-2.0}
}
"""
INPUTS = """
    labels: Gold class of each case, or with the option n_options the place of its gold option, from 0; None and -1 are
        unlabelled.
    texts: One text a case, or for each case the list of its parts, optional: for the lengths.
"""


class ClassBalance(TextColumns, evaluate.Measurement):
    """How evenly the cases of an evaluation set spread over its classes, and which are too small to measure."""

    def _info(self) -> evaluate.MeasurementInfo:
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=__doc__ or "",
            citation=CITATION,
            inputs_description=INPUTS,
            features=text_features(),
        )

    def compute(self, *, labels: Any = None, texts: Any = None, **options: Any) -> dict[str, Any] | None:
        """Compute the keys of the card on the labels given, or on those added since the last `compute`."""
        return super().compute(labels=labels, texts=self._texts(labels, texts), **options)

    def add_batch(self, *, labels: Any = None, texts: Any = None, **other: Any) -> None:
        """Add cases; `compute()` without labels measures them."""
        super().add_batch(labels=labels, texts=self._texts(labels, texts), **other)

    def add(self, *, labels: Any = None, texts: Any = None, **other: Any) -> None:
        """Add one case."""
        self.add_batch(labels=[labels], texts=None if texts is None else [texts], **other)

    def _texts(self, labels: Any, texts: Any) -> Any:
        """An empty text for each label where there are none: texts say only how long a case is."""
        try:
            if isinstance(labels, (str, bytes)) or (labels is not None and not hasattr(labels, "__len__")):
                raise ValueError(f"Expected `labels` to be a list of labels, but got {type(labels).__name__}.")
            if labels is None and texts is not None:
                raise ValueError("Expected `labels` beside `texts`, but got texts alone.")
        except ValueError as error:
            self._discard(error)
            raise
        return [""] * len(labels) if texts is None and labels is not None else texts

    def measure(
        self,
        texts: Any,
        labels: Any,
        *,
        min_share: float = 0.10,
        min_count: int = 5,
        n_options: Any = None,
        **other: Any,
    ) -> dict[str, Any]:
        """The keys of the card."""
        if other:
            raise ValueError(f"Expected the options min_share, min_count and n_options, but got {next(iter(other))!r}.")
        whole = ["\n".join(parts) for parts in texts]
        told = any(whole)
        medians, tells = length_by_class(whole, labels)
        options = f"min_share={min_share:g}|min_count={min_count}|n_options={'no' if n_options is None else 'given'}"
        return {
            **class_balance(labels, min_share, min_count).describe(),
            **_positions(labels, n_options),
            "length": length_summary(whole if told else []),
            "words_median_by_class": medians if told else {},
            "length_epsilon_squared": tells,
            "signature": f"{self.name}|jostle={__version__}|{options}",
        }


def _positions(labels: Any, n_options: Any) -> dict[str, Any]:
    """The test of gold positions, where labels are positions."""
    golds, sizes = [], []
    if n_options is not None:
        counts = [n_options] * len(labels) if isinstance(n_options, int) else list(n_options)
        if len(counts) != len(labels):
            raise ValueError(f"Expected `n_options` as one number or {len(labels)}, but got {len(counts)}.")
        for label, count in zip(labels, counts, strict=True):
            if label is not None:
                if not label.isdecimal() or not int(label) < count:
                    raise ValueError(f"Expected labels from 0 to {count - 1} with `n_options`, but got {label!r}.")
                golds.append(int(label))
                sizes.append(int(count))
    found = position_balance(golds, sizes)
    return {
        "gold_count_by_position": {str(k + 1): count for k, count in enumerate(found.counts)},
        "position_chi2": found.chi2 if found.df else float("nan"),
        "position_df": found.df,
        "position_p_value": chi2_sf(found.chi2, found.df) if found.df else float("nan"),
        "position_best_share": found.best_share,
        "position_chance": found.chance,
    }
