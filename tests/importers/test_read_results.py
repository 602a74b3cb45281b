"""Which reader takes a file, and the contract of every importer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError
from jostle.importers import importers, read_results
from jostle.outcomes import Outcomes

Write = Callable[[str, Any], Path]
COLUMNS: dict[str, Any] = {
    "predictions": [1, 0],
    "references": [1, 1],
    "item_ids": ["a", "a"],
    "conditions": ["orig", "pert/typos"],
}
AS_ROWS = [dict(zip(COLUMNS, cells, strict=True)) for cells in zip(*COLUMNS.values(), strict=True)]


@pytest.mark.parametrize("module", list(importers()), ids=lambda module: module.__name__)
def test_every_importer_has_the_two_functions(module: ModuleType, write: Write) -> None:
    assert callable(module.read)
    assert module.matches(write("other.csv", "a\n1\n")) is False


@pytest.mark.parametrize("name", ["o.jsonl", "o.json", "o.csv", "o.parquet"])
def test_outcomes_of_every_format(write: Write, tmp_path: Path, name: str) -> None:
    if name == "o.parquet":
        Outcomes.from_columns(**COLUMNS).write(tmp_path / name)
    elif name == "o.csv":
        write(name, "predictions,references,item_ids,conditions\n1,1,a,orig\n0,1,a,pert/typos\n")
    else:
        write(name, AS_ROWS)
    outcomes = read_results(tmp_path / name)
    assert outcomes.columns["predictions"].to_pylist() == ["1", "0"]
    assert outcomes.columns["conditions"].to_pylist() == ["orig", "pert/typos"]


def test_a_folder_of_run_with_the_texts(tmp_path: Path) -> None:
    Outcomes.from_columns(source="here", **COLUMNS).write(tmp_path / "outcomes.parquet")
    texts = [{"item_id": "a", "condition": "orig", "operator": "", "relation": "invariant", "label": "1", "s": "hello"}]
    pq.write_table(pa.Table.from_pylist(texts), tmp_path / "variants.parquet")
    outcomes = read_results(tmp_path)
    assert outcomes.source == "here"
    assert outcomes.texts == {("a", "orig"): "hello"}


def test_a_folder_without_texts_and_with_damaged_ones(tmp_path: Path) -> None:
    Outcomes.from_columns(**COLUMNS).write(tmp_path / "outcomes.parquet")
    assert read_results(tmp_path).texts == {}
    (tmp_path / "variants.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"variants\.parquet cannot be read"):
        read_results(tmp_path)


def test_what_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected a result file, but .*no\.json does not exist"):
        read_results(tmp_path / "no.json")
    with pytest.raises(InputError, match=r"outcomes\.parquet does not exist"):
        read_results(tmp_path)


@pytest.mark.parametrize(("name", "content"), [("r.json", "{broken"), ("r.json", '[{"a": 1}]'), ("r.txt", "x")])
def test_files_of_no_known_form(write: Write, name: str, content: str) -> None:
    with pytest.raises(InputError, match=rf"Expected .*{name}"):
        read_results(write(name, content))
