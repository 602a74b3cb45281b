"""Results of two or more models or revisions on the same items: what changed, for sure or not, and who is best."""

from __future__ import annotations

from .build import build_comparison, by_model, relabel
from .report import ComparisonReport

__all__ = ["ComparisonReport", "build_comparison", "by_model", "relabel"]
