"""Contrast pairs: read, measured, split by family, pinned, and held to a gate."""

from __future__ import annotations

from .read import pairs_from_dicts, read_pairs
from .report import PairReport, measure_pairs, pair_report
from .rows import PairRow, PairSet

__all__ = ["PairReport", "PairRow", "PairSet", "measure_pairs", "pair_report", "pairs_from_dicts", "read_pairs"]
