"""Pairs that people wrote, where the folder with them is there (JOSTLE_SHARED): the numbers once more, by pandas."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.items import Item
from jostle.outcomes import Outcomes
from jostle.run import Plan, plan
from jostle.variant_files import VariantFile, load_variants

from ..conftest import Done

pd = pytest.importorskip("pandas")
SHARED = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
VARIANTS = SHARED / "data" / "variants"
DOCS = Path(__file__).resolve().parents[2] / "docs" / "pairs.md"
pytestmark = pytest.mark.skipif(not VARIANTS.is_dir(), reason="the real pairs are not here")
Jostle = Callable[..., Done]

CAD_NLI = VariantFile(
    "mnli",
    {side + name: f"{column}_{name}" for side, column in (("", "edited"), ("base.", "base"))
     for name in ("premise", "hypothesis", "label")}
    | {"id": "split+orig_row", "condition": "operator"},
)  # fmt: skip
BREAKING_NLI = VariantFile(
    "mnli",
    {"premise": "sentence1", "hypothesis": "sentence2", "label": "gold_label", "condition": "category",
     "base.premise": "sentence1", "base.hypothesis": "sentence1", "base.label": "=entailment"},
)  # fmt: skip


def always(label: str) -> Callable[[Item], str]:
    """Say one label whatever the item: the majority class of a hypothesis-only model."""
    return lambda item: label


def by_words(item: Item) -> str:
    """Judge by shared words alone: a bag of words that looks for negation, then for new words."""
    premise, hypothesis = (set(re.findall(r"\w+", item.fields[side].lower())) for side in ("premise", "hypothesis"))
    if hypothesis & {"not", "no", "nobody", "never"}:
        return "contradiction"
    return "entailment" if len(hypothesis & premise) * 2 >= len(hypothesis) else "neutral"


def answered(planned: Plan, predict: Callable[[Item], str], path: Path) -> Path:
    """Outcomes of a predictor that needs no model, laid out as a run does it."""
    rows = planned.rows
    items = [row.item for row in rows]
    made = Outcomes.from_columns(
        source=path.stem,
        predictions=[predict(item) for item in items if isinstance(item, Item)],
        references=[item.label for item in items if isinstance(item, Item)],
        item_ids=[row.base.id for row in rows],
        conditions=[row.condition for row in rows],
        families=[row.base.family for row in rows],
        operators=[row.operator or "orig" for row in rows],
        relations=[row.relation for row in rows],
    )
    return made.write(path)


def by_pandas(path: Path) -> Any:
    """One row a pair, from the outcomes table, without any code of jostle's."""
    rows = pd.read_parquet(path)
    base = rows[rows.conditions == "orig"].set_index("item_ids")
    pairs = rows[rows.conditions != "orig"].merge(base, left_on="item_ids", right_index=True, suffixes=("", "_base"))
    right = pairs.predictions == pairs.references
    base_right = pairs.predictions_base == pairs.references_base
    changed = pairs.references != pairs.references_base
    kept = (pairs.predictions != pairs.predictions_base) == changed
    return pairs.assign(right=right, base_right=base_right, changed=changed, kept=kept, both=right & base_right)


def measured(jostle: Jostle, path: Path) -> dict[str, Any]:
    """The pair measure out of the JSON document."""
    done = jostle("pairs", path, "--format", "json", "--quiet")
    assert done.code == 0, done.err
    measure: dict[str, Any] = next(m for m in json.loads(done.out)["measures"] if "relation_accuracy" in m["values"])
    return dict(measure["values"])


def check(found: dict[str, Any], pairs: Any) -> None:
    """The command's numbers are those of pandas."""
    n = len(pairs)
    assert found["n_pairs"] == n
    assert found["side_accuracy"] == pytest.approx((pairs.right.sum() + pairs.base_right.sum()) / (2 * n))
    assert found["relation_accuracy"] == pytest.approx(pairs.kept.mean())
    assert found["pair_accuracy"] == pytest.approx(pairs.both.mean())
    for name, own in (("sensitivity", pairs[pairs.changed]), ("invariance", pairs[~pairs.changed])):
        assert found[f"n_{name}"] == len(own)
        expected = pytest.approx(own.kept.mean()) if len(own) else None
        assert found[f"{name}_accuracy"] == expected
    for name, own in pairs.groupby("operators"):
        assert found["by_operator"][name]["n_pairs"] == len(own)
        assert found["by_operator"][name]["relation_accuracy"] == pytest.approx(own.kept.mean())
    families = pairs.groupby("families").kept.mean()
    assert found["n_families"] == len(families)
    assert found["family_mean_relation_accuracy"] == pytest.approx(families.mean())
    for side, here in (
        ("both_right", pairs.both),
        ("base_only_error", pairs.right & ~pairs.base_right),
        ("edited_only_error", ~pairs.right & pairs.base_right),
        ("both_wrong", ~pairs.right & ~pairs.base_right),
    ):
        kept = int((here & pairs.kept).sum())
        assert found["table"][side] == {"kept": kept, "failed": int(here.sum()) - kept}


def check_nli(
    how: VariantFile, name: str, predict: Callable[[Item], str], jostle: Jostle, tmp_path: Path
) -> dict[str, Any]:
    """Load, answer, measure, and compare with pandas."""
    items = load_variants(VARIANTS / name, how)
    path = answered(plan(items.items, items.variants), predict, tmp_path / "outcomes.parquet")
    found = measured(jostle, path)
    check(found, by_pandas(path))
    return found


def test_cad_nli_changes_every_gold(jostle: Jostle, tmp_path: Path) -> None:
    found = check_nli(CAD_NLI, "cad_nli_pairs.parquet", by_words, jostle, tmp_path)
    assert (found["n_sensitivity"], found["n_invariance"], found["n_families"]) == (1604, 0, 401)
    assert {name.split("#")[0] for name in found["by_operator"]} == {"revised_premise", "revised_hypothesis"}
    assert found["side_accuracy"] > 1 / 3  # better than chance, and yet
    assert found["pair_accuracy"] < found["side_accuracy"]


def test_one_label_for_all_fails_every_pair_whose_gold_changes(jostle: Jostle, tmp_path: Path) -> None:
    found = check_nli(CAD_NLI, "cad_nli_pairs.parquet", always("contradiction"), jostle, tmp_path)
    # 480 originals' labels and 562 edited ones of the 1604 pairs are contradictions.
    assert found["side_accuracy"] == pytest.approx((480 + 562) / (2 * 1604))
    assert found["sensitivity_accuracy"] == found["pair_accuracy"] == 0


def test_breaking_nli_keeps_the_two_halves_apart(jostle: Jostle, tmp_path: Path) -> None:
    found = check_nli(BREAKING_NLI, "breaking_nli.parquet", always("entailment"), jostle, tmp_path)
    # 677 swaps by a synonym keep the label; 4837 contradictions and 39 neutral ones do not.
    assert (found["n_invariance"], found["n_sensitivity"]) == (677, 4876)
    assert (found["invariance_accuracy"], found["sensitivity_accuracy"]) == (1, 0)
    assert found["pair_accuracy"] == pytest.approx(677 / 5553)
    assert found["by_operator"]["planets"]["n_pairs"] == 39


def test_breaking_nli_by_shared_words(jostle: Jostle, tmp_path: Path) -> None:
    found = check_nli(BREAKING_NLI, "breaking_nli.parquet", by_words, jostle, tmp_path)
    assert found["invariance_accuracy"] > 0.9
    assert found["sensitivity_accuracy"] < 0.1
