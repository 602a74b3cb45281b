"""Perturbed data sets: items and operators -> rows that carry their lineage -> parquet and a card."""

from __future__ import annotations

from .make import BuildPlan, Made, make_rows
from .write import build_dataset

__all__ = ["BuildPlan", "Made", "build_dataset", "make_rows"]
