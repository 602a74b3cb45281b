"""Variants of evaluation items: operators, the frame that runs them, and what they promise."""

from __future__ import annotations

from .base import Change, Edit, NotApplicable, Variant
from .bulk import texts
from .contract import Operator
from .cyclic_order import all_cyclic_variants
from .engine import apply, expand
from .options import order_dependent
from .registry import available, find, load_operator, of_kinds
from .whitespace import whitespace_variant
from .words import Passage

__all__ = [
    "Change",
    "Edit",
    "NotApplicable",
    "Operator",
    "Passage",
    "Variant",
    "all_cyclic_variants",
    "apply",
    "available",
    "expand",
    "find",
    "load_operator",
    "of_kinds",
    "order_dependent",
    "texts",
    "whitespace_variant",
]
