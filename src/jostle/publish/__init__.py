"""What goes to the Hub: the metrics, the Space and built data sets, as folders or uploaded."""

from __future__ import annotations

from .bundle import Bundle, write_bundles
from .hub import Pushed, push, refuse_stale_tags
from .sources import dataset_bundle, metric_bundles, space_bundle

__all__ = [
    "Bundle",
    "Pushed",
    "dataset_bundle",
    "metric_bundles",
    "push",
    "refuse_stale_tags",
    "space_bundle",
    "write_bundles",
]
