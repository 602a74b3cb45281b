"""docs/pairs.md shows what its commands print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jostle.errors import InputError
from jostle.measures.options import RELATIONS
from jostle.pairs import pairs_from_dicts
from jostle.pairs.read import FIELDS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "pairs.md"
SHARED = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
VARIANTS = SHARED / "data" / "variants"
BLOCK = re.compile(r"(<!-- needs data -->\n)?```(bash|text)\n(.*?)```", re.DOTALL)
BLOCKS = BLOCK.findall(DOCS.read_text(encoding="utf-8"))


def run(code: str, folder: Path) -> str:
    """What a block prints, run in a folder with `jostle` on the path."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def parts(shown: str) -> list[str]:
    """The parts of a shown output; what lies between two of them may be left out."""
    return shown.strip().split("\n\n")


def table() -> dict[str, str]:
    """What may stand in each column, by the table of the page."""
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: text for names, text in rows for name in re.findall(r"`(\w+)`", names)}


def test_the_table_has_every_column_and_relation() -> None:
    assert set(table()) == set(FIELDS)
    assert set(re.findall(r"`(\w+)`", table()["relation"])) == set(RELATIONS)


def test_the_table_is_right_about_minus_one_and_about_relations() -> None:
    good = {"base_label": "a", "edited_label": "b", "base_prediction": "-1", "edited_prediction": "b"}
    (row,) = pairs_from_dicts([{**good, "relation": "changed", "base_confidence": "nan"}]).rows
    assert (row.base_prediction, row.base_abstained, row.base_confidence) == (None, True, None)
    for more in ({"base_label": "-1"}, {"base_label": -1}, {"relation": "invariant"}, {"base_confidence": 1.5}):
        with pytest.raises(InputError):
            pairs_from_dicts([{**good, **more}])


def test_the_small_example_prints_what_is_shown(tmp_path: Path) -> None:
    commands = [code for data, language, code in BLOCKS if language == "bash" and not data]
    first = next(k for k, (data, _, _) in enumerate(BLOCKS) if data)
    shown = [part for _, language, code in BLOCKS[:first] if language == "text" for part in parts(code)]
    printed = "".join(run(code, tmp_path) for code in commands)
    assert len(commands) == 2
    assert len(shown) == 7
    assert [part for part in shown if part not in printed] == []
    assert (tmp_path / "pairs.html").is_file()


@pytest.mark.slow
@pytest.mark.skipif(not VARIANTS.is_dir(), reason="the real pairs are not here")
@pytest.mark.parametrize("name", ["advglue_dev", "cad_imdb_pairs"])
def test_real_pairs_print_what_is_shown(name: str, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    (tmp_path / f"{name}.parquet").symlink_to(VARIANTS / f"{name}.parquet")
    place = next(k for k, (data, _, code) in enumerate(BLOCKS) if data and name in code)
    language, shown = BLOCKS[place + 1][1:]
    assert language == "text"
    printed = run(BLOCKS[place][2], tmp_path)
    assert len(parts(shown)) == 7
    assert [part for part in parts(shown) if part not in printed] == []
