"""Reports: numbers, limitations and a verdict, as text, JSON and one self-contained page."""

from __future__ import annotations

from .build import build_report
from .model import Gate, Measure, Report

__all__ = ["Gate", "Measure", "Report", "build_report"]
