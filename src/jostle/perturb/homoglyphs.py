"""Letters of other alphabets that look like the Latin ones they replace."""

from __future__ import annotations

import random
import re

from ..errors import UsageError
from .base import Change, NotApplicable
from .protect import touches
from .words import Passage, draw, new_change, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.1
PROMISE = "The text looks the same to a reader; a few of its letters come from another alphabet."
LIMITATIONS = (
    "A reader of the screen sees no difference; a screen reader, a search or a copy of the text does.",
    "How alike two letters look depends on the font; full-width letters are wider in all of them.",
    "Letters are drawn evenly over the text, not where a writer would hide them.",
)

_CYRILLIC = str.maketrans(
    "aceijopsxyABCEHIKMOPSTXJ",
    "\u0430\u0441\u0435\u0456\u0458\u043e\u0440\u0455\u0445\u0443"
    "\u0410\u0412\u0421\u0415\u041d\u0406\u041a\u041c\u041e\u0420\u0405\u0422\u0425\u0408",
)
_GREEK = str.maketrans(
    "ovABEHIKMNOPTXYZ",
    "\u03bf\u03bd\u0391\u0392\u0395\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a7\u03a5\u0396",
)
_WIDE = {code: code + 0xFEE0 for code in (*range(ord("A"), ord("Z") + 1), *range(ord("a"), ord("z") + 1))}
SCRIPTS = {"cyrillic": _CYRILLIC, "greek": _GREEK, "fullwidth": _WIDE}
_LETTER = {script: re.compile(f"[{''.join(map(chr, table))}]") for script, table in SCRIPTS.items()}
_LOOK_ALIKE = {script: {chr(one): chr(int(other)) for one, other in table.items()} for script, table in SCRIPTS.items()}
_NO_LETTER = NotApplicable("no letter with a look-alike")
_BITS = 53  # of one draw, which serves several places: what is left of it after each goes to the next
_PLACES = 4  # how often a letter is looked for at a random place before all are listed


def edits(
    passage: Passage, rng: random.Random, rate: float, *, script: str = "cyrillic"
) -> list[Change] | NotApplicable:
    """Replace single letters.

    Args:
        passage: The text.
        rng: Draws the letters.
        rate: Number of letters as a share of the words; at least one.
        script: `cyrillic`, `greek` or `fullwidth`.

    Raises:
        UsageError: Unknown script.
    """
    if script not in SCRIPTS:
        raise UsageError(f"Expected `script` to be one of {', '.join(SCRIPTS)}, but got {script!r}.")
    table, text, spans = _LOOK_ALIKE[script], passage.text, passage.protected
    most, size, drawn = passage.budget(rate), len(text), 0
    spent = size << 10  # too little for another place
    chosen: dict[int, Change] = {}
    for _ in range(_PLACES * most):
        if drawn < spent:
            drawn = rng.getrandbits(_BITS)
        drawn, at = divmod(drawn, size)
        other = table.get(text[at])
        if other and not (spans and touches(spans, at, at + 1)):
            chosen[at] = new_change((at, at + 1, other))
            if len(chosen) == most:
                break
    else:
        for at, _ in draw(rng, passage.free(_LETTER[script])):
            if len(chosen) >= most:
                break
            chosen[at] = new_change((at, at + 1, table[text[at]]))
    if not chosen:
        return not_english(text) or _NO_LETTER
    return list(chosen.values())
