"""Generated pages are what the generator writes."""

from __future__ import annotations

import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_operator_table_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "operators.md").read_text(encoding="utf-8") == module.operators_page(), (
        "run: python docs/generate.py"
    )
