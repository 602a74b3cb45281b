"""Test whether an evaluation score holds: measures, operators, a runner and an audit.

Names are imported when they are first used, so that `import jostle` and `jostle --help` stay fast.
"""

from __future__ import annotations

import importlib
from typing import Any

_NAMES = {
    "MCQItem": "items",
    "Item": "items",
    "Outcomes": "outcomes",
    "Report": "report",
    "all_cyclic_variants": "perturb",
    "build_report": "report",
    "extract_label": "tasks",
    "load": "modules",
    "pair_report": "pairs",
    "read_outcomes": "outcomes",
    "split_families": "pairs.split",
    "whitespace_variant": "perturb",
    "__version__": "measures.version",
}
__all__ = [
    "Item",
    "MCQItem",
    "Outcomes",
    "Report",
    "__version__",
    "all_cyclic_variants",
    "build_report",
    "extract_label",
    "load",
    "pair_report",
    "read_outcomes",
    "split_families",
    "whitespace_variant",
]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        return getattr(importlib.import_module(f"{__name__}.{_NAMES[name]}"), name)
    if name in ("audit", "perturb"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
