"""Numbers as JSON can hold them."""

from __future__ import annotations

import math
from typing import Any

from ..measures.options import plain


def finite(value: Any) -> Any:
    """Plain Python values with None for what is not finite, in mappings and lists too.

    >>> finite({"share": float("nan"), "counts": (1, 2)})
    {'share': None, 'counts': [1, 2]}
    """
    return _finite(plain(value))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
