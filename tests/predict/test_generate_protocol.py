"""Decoding settings: what is refused, and what is recorded."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.errors import UsageError
from jostle.predict.protocol import Decoding


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"mode": "beam"}, "decoding mode of greedy, sample, score, but got 'beam'"),
        ({"k": 2}, "`k` to be 1 with 'greedy', but got 2"),
        ({"mode": "score", "k": 2}, "`k` to be 1 with 'score', but got 2"),
        ({"mode": "sample", "k": 0}, "`k` to be at least 1, but got 0"),
        ({"mode": "sample", "temperature": 0}, "above 0 for sampling, but got 0. For temperature 0 use 'greedy'"),
        ({"mode": "sample", "temperature": -1.0}, "above 0 for sampling, but got -1.0"),
        ({"mode": "sample", "temperature": float("nan")}, "above 0 for sampling, but got nan"),
        ({"mode": "sample", "temperature": float("inf")}, "above 0 for sampling, but got inf"),
        ({"mode": "sample", "top_p": 0.0}, "`top_p` to be above 0 and at most 1, but got 0.0"),
        ({"mode": "sample", "top_p": 1.1}, "`top_p` to be above 0 and at most 1, but got 1.1"),
        ({"max_new_tokens": 0}, "`max_new_tokens` to be at least 1, but got 0"),
        ({"until": ("",)}, "`until` to be without an empty string"),
    ],
)
def test_refused(how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Decoding(**how)
    assert message in str(caught.value)


def test_settings_hold_what_has_an_effect() -> None:
    greedy = Decoding(temperature=0.3, seed=1)
    assert greedy.settings() == Decoding().settings()
    assert greedy.settings() == {
        "mode": "greedy", "do_sample": False, "num_beams": 1, "max_new_tokens": 16, "until": ["\n"],
    }  # fmt: skip
    assert Decoding("sample", seed=1).settings() != Decoding("sample", seed=2).settings()
    assert Decoding("score").settings() == {"mode": "score", "do_sample": False}
