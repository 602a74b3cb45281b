"""Spans that stay, and text that only looks like them."""

import pytest

from jostle.perturb.protect import protected_spans


def spans(text: str) -> list[str]:
    return [text[start:end] for start, end in protected_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://example.org/a_b?x=1&y=2, then go.", ["https://example.org/a_b?x=1&y=2"]),
        ("write to ops@example.org.", ["ops@example.org"]),
        ("@mira_k and #RoadTrip2026!", ["@mira_k", "#RoadTrip2026"]),
        ("v2.10.3 at 09:30 for $1,250.50 on 10.0.0.7", ["v2.10.3", "09:30", "$1,250.50", "10.0.0.7"]),
        ("in 2002, 3.5 or -1e6 percent", ["2002", "3.5", "-1e6"]),
        ("run `foo --bar=2` and ``a b`` now", ["`foo --bar=2`", "``a b``"]),
        ("do\n```py\nx = 1\n```\nnow", ["```py\nx = 1\n```"]),
        ("keep {name}, {{ user.id }} and [MASK] and [SEP]", ["{name}", "{{ user.id }}", "[MASK]", "[SEP]"]),
        ("a <br> b </p> <SPLIT> <|end of text|>", ["<br>", "</p>", "<SPLIT>", "<|end of text|>"]),
        ("open ./src/main.py or C:\\temp\\x", ["./src/main.py", "C:\\temp\\x"]),
        ("the U.S. and e.g. AT&T", ["U.S", "e.g", "AT&T"]),
    ],
)
def test_protected(text: str, expected: list[str]) -> None:
    assert spans(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a plain sentence, with stops ... and (brackets).",
        "it 's `` good '' , ` so to speak ' .",
        "if a < b and c > d",
        "[sic] and [see below]",
        "wait..what",
        "",
    ],
)
def test_not_protected(text: str) -> None:
    assert spans(text) == []
