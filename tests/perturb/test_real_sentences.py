"""All operators on real evaluation sentences (third-party data, only where it is at hand)."""

import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jostle import perturb
from jostle.items import Item
from jostle.perturb import Variant

SHARED = Path(os.environ.get("JOSTLE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
SST2 = SHARED / "data" / "glue" / "sst2_validation.parquet"
MNLI = SHARED / "data" / "glue" / "mnli_matched_validation.parquet"
pytestmark = pytest.mark.skipif(not SST2.exists(), reason="third-party data not at hand")

TEXT_OPERATORS = [name for name, operator in perturb.available().items() if operator.edits]
# Shares measured on all rows, rounded down: a drop means that an operator lost ground.
SST2_SHARE = {
    "adverb_order": 0.0,
    "clause_order": 0.005,
    "contractions": 0.25,
    "discourse_markers": 0.01,
    "distractor": 0.99,
    "emoji_noise": 0.99,
    "filler_words": 0.9,
    "homoglyphs": 0.99,
    "important_words": 0.97,
    "letter_case": 0.99,
    "misspellings": 0.2,
    "punctuation": 0.9,
    "question_forms": 0.0,
    "spelling": 0.08,
    "synonyms": 0.5,
    "typos": 0.99,
    "whitespace": 0.97,
}


def rows(path: Path, most: int) -> list[dict[str, str]]:
    found: list[dict[str, str]] = pq.read_table(path).slice(0, most).to_pylist()
    return found


@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_sst2(name: str) -> None:
    items = [Item(str(row["idx"]), "sst2", {"sentence": row["sentence"]}) for row in rows(SST2, 1000)]
    variants = [result for result in perturb.expand(items, [name], seed=0) if isinstance(result, Variant)]
    assert len(variants) >= SST2_SHARE[name] * len(items)
    assert all(variant.restore() == variant.base for variant in variants)


@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_mnli_premise_is_never_touched(name: str) -> None:
    items = [
        Item(str(row["idx"]), "mnli", {"premise": row["premise"], "hypothesis": row["hypothesis"]})
        for row in rows(MNLI, 500)
    ]
    variants = [result for result in perturb.expand(items, [name], seed=0) if isinstance(result, Variant)]
    assert variants or not perturb.available()[name].covers("mnli")
    for variant in variants:
        assert variant.side == "second"
        assert variant.item.fields["premise"] == variant.base.fields["premise"]
        assert variant.restore() == variant.base


def test_expanded_text_holds_no_broken_forms() -> None:
    broken = (" is is ", " not not ", "'s not't", "n't't", " has has ", " it is lid", "  not ")
    for row in rows(MNLI, 3000):
        variant = perturb.apply("contractions", row["hypothesis"], direction="expand")
        if isinstance(variant, Variant):
            assert not any(form in f" {variant.text} " and form not in f" {row['hypothesis']} " for form in broken)
