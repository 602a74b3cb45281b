"""The importable builder makes the rows of `jostle build`, and never serves stale ones."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def robust_glue() -> ModuleType:
    path = ROOT / "dataset_builders" / "robust_glue" / "robust_glue.py"
    spec = importlib.util.spec_from_file_location("robust_glue", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def data(path: Path, text: str) -> Path:
    rows = [{"idx": k, "sentence": f"{text} number {k}, it isn't gray.", "label": k % 2} for k in range(6)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_has_all_configurations(robust_glue: ModuleType) -> None:
    names = {config.name for config in robust_glue.RobustGlue.BUILDER_CONFIGS}
    kinds = ("orig", "para", "pert", "adv", "contrast", "all")
    assert names == {f"{task}-{kind}" for task in ("sst2", "mnli", "qqp", "qnli") for kind in kinds}


def test_rows_have_lineage_and_the_split_of_the_file(robust_glue: ModuleType, tmp_path: Path) -> None:
    file = data(tmp_path / "sst2_validation.jsonl", "A warm film")
    builder = robust_glue.RobustGlue("sst2-pert", data_files=file, cache_dir=str(tmp_path / "cache"))
    builder.download_and_prepare()
    rows = builder.as_dataset(split="validation")
    assert set(rows["kind"]) == {"pert"}
    assert rows.features["label"].names == ["negative", "positive"]
    assert len(set(rows["key"])) == len(rows)


def test_other_content_is_another_cache_entry(robust_glue: ModuleType, tmp_path: Path) -> None:
    made = []
    for text in ("A warm film", "A cold play"):
        file = data(tmp_path / "sst2_validation.jsonl", text)
        builder = robust_glue.RobustGlue("sst2-orig", data_files=file, cache_dir=str(tmp_path / "cache"))
        builder.download_and_prepare()
        made.append(builder.as_dataset(split="validation")["sentence"][0])
    assert made == ["A warm film number 0, it isn't gray.", "A cold play number 0, it isn't gray."]
