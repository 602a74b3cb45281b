"""Items -> variants -> predictions -> outcomes: one run of a classifier."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from .errors import InputError
from .files import atomic_path
from .items import AnyItem
from .measures.version import __version__
from .outcomes import VARIANTS_FILE, Outcomes
from .perturb import NotApplicable, Variant

if TYPE_CHECKING:
    from .predict.classify import Advance, Classifier, Encoded
    from .predict.protocol import Predictor


@dataclass(frozen=True)
class Plan:
    """Everything that will be predicted: originals and variants, and what did not apply.

    Args:
        rows: Original items (as variants of condition `orig`) and their variants, item by item.
        not_applicable: Items without a variant, by condition and reason.
    """

    rows: Sequence[PlannedRow]
    not_applicable: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def conditions(self) -> list[str]:
        """Conditions, in the order of their first row."""
        return list(dict.fromkeys(row.condition for row in self.rows))


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """One input of the model."""

    base: AnyItem
    item: AnyItem
    condition: str
    operator: str = ""
    relation: str = "invariant"

    @property
    def texts(self) -> tuple[str, ...]:
        """What the model reads."""
        return tuple(self.item.fields.values())


def plan(items: Sequence[AnyItem], variants: Sequence[Variant | NotApplicable], unlabelled: bool = False) -> Plan:
    """Lay out the labelled items and their variants; the unlabelled ones too where `unlabelled` says so.

    Raises:
        InputError: No item has a gold label, or two variants of an item have one condition.
    """
    labelled = [item for item in items if unlabelled or item.label is not None]
    if not labelled:
        raise InputError(f"Expected gold labels, but none of the {len(items)} items has one.")
    rows = [PlannedRow(item, item, "orig") for item in labelled]
    reasons: dict[str, Counter[str]] = {}
    for variant in variants:
        if isinstance(variant, NotApplicable):
            reasons.setdefault(variant.condition or variant.operator, Counter())[variant.reason] += 1
        elif unlabelled or variant.base.label is not None:
            rows.append(PlannedRow(variant.base, variant.item, variant.condition, variant.operator, variant.relation))
    repeated, count = Counter((row.base.id, row.condition) for row in rows).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"Expected one variant an item and condition, but item {repeated[0]!r} has {count} of "
            f"condition {repeated[1]!r}."
        )
    return Plan(rows, reasons)


def classify(
    planned: Plan, classifier: Classifier, encoded: Encoded, task: str, advance: Advance = lambda n: None
) -> Outcomes:
    """Predict every row and lay the outcomes out.

    A variant that the model reads as the very same tokens as its original is counted as `identical input`; where
    truncation is the cause the edit is lost, and the row is left out and counted. A row without a gold label (which a
    plan holds on request only) takes the model's answer to its original as gold.
    """
    same_as_original = same_input(planned, encoded)
    counts = {condition: Counter(reasons) for condition, reasons in planned.not_applicable.items()}
    keep = []
    for k, row in enumerate(planned.rows):
        tally = counts.setdefault(row.condition, Counter())
        same = same_as_original[k]
        tally["truncated"] += encoded.truncated[k]
        lost = same and encoded.truncated[k]
        tally["edit lost to truncation"] += lost
        tally["identical input"] += same and not lost
        if not lost:
            keep.append(k)
    predicted = classifier.classify(encoded, advance)
    rows = [planned.rows[k] for k in keep]
    own = {row.base.id: predicted.labels[k] for k, row in enumerate(planned.rows) if row.condition == "orig"}
    outcomes = Outcomes.from_columns(
        predictions=[predicted.labels[k] for k in keep],
        references=[own[row.base.id] if row.item.label is None else row.item.label for row in rows],
        item_ids=[row.base.id for row in rows],
        conditions=[row.condition for row in rows],
        families=[row.base.family for row in rows],
        operators=[row.operator or "orig" for row in rows],
        relations=[row.relation for row in rows],
        confidences=[predicted.confidences[k] for k in keep],
        tasks=[task] * len(rows),
        models=[classifier.name] * len(rows),
        decodings=["classify"] * len(rows),
    )
    texts = {(str(row.base.id), row.condition): " | ".join(row.texts) for row in rows}
    tallies = {name: {why: n for why, n in tally.items() if n} for name, tally in counts.items()}
    return replace(outcomes, counts=tallies, texts=texts)


def same_input(planned: Plan, encoded: Encoded) -> list[bool]:
    """Which rows are variants that the model reads as the very same tokens as their original."""
    original = {row.base.id: encoded.of_row[k] for k, row in enumerate(planned.rows) if row.condition == "orig"}
    return [
        row.condition != "orig" and encoded.of_row[k] == original[row.base.id] for k, row in enumerate(planned.rows)
    ]


def rows_read(planned: Plan) -> list[dict[str, Any]]:
    """What the model read, one row per item and condition."""
    return [
        {
            "item_id": row.base.id,
            "condition": row.condition,
            "operator": row.operator,
            "relation": row.relation,
            "label": row.item.label,
            **row.item.fields,
        }
        for row in planned.rows
    ]


def write_variants(rows: Sequence[dict[str, Any]], folder: Path) -> Path:
    """Write what the model read."""
    path = folder / VARIANTS_FILE
    with atomic_path(path) as temporary:
        pq.write_table(pa.Table.from_pylist(list(rows)), temporary)
    return path


def manifest(settings: dict[str, Any], model: Classifier | Predictor, outcomes: Outcomes) -> dict[str, Any]:
    """What was run: settings, model, versions, and what was left out."""
    return {
        "jostle": __version__,
        "python": platform.python_version(),
        "settings": {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()},
        **model.manifest(),
        "rows": len(outcomes),
        "left_out_by_condition": outcomes.counts,
    }
