"""The audit of an evaluation set: can it measure anything?"""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .ambiguity import AmbiguityCheck
    from .balance import ClassBalanceCheck
    from .base import Case, CheckResult, EvalSet, Finding
    from .cases import load
    from .discrimination import DiscriminationCheck
    from .duplicates import DuplicateCheck
    from .leakage import LeakageCheck
    from .run import audit

logging.getLogger("jostle").addHandler(logging.NullHandler())  # what is logged is for those who ask
_HOMES = {
    "AmbiguityCheck": "ambiguity",
    "Case": "base",
    "CheckResult": "base",
    "ClassBalanceCheck": "balance",
    "DiscriminationCheck": "discrimination",
    "DuplicateCheck": "duplicates",
    "EvalSet": "base",
    "Finding": "base",
    "LeakageCheck": "leakage",
    "audit": "run",
    "load": "cases",
}
__all__ = [
    "AmbiguityCheck",
    "Case",
    "CheckResult",
    "ClassBalanceCheck",
    "DiscriminationCheck",
    "DuplicateCheck",
    "EvalSet",
    "Finding",
    "LeakageCheck",
    "audit",
    "load",
]


def __getattr__(name: str) -> Any:
    """The names of the package, each from its module when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
