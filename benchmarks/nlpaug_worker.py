"""Run by operators.py in an environment with nlpaug: lists of texts by set as JSON on stdin, CPU seconds by set and
augmenter on stdout.
"""

from __future__ import annotations

import json
import random
import sys
import time

import nlpaug.augmenter.char as nac
import nlpaug.augmenter.word as naw

AUGMENTERS = {
    "keyboard": nac.KeyboardAug(),
    "swap letters": nac.RandomCharAug(action="swap"),
    "delete letters": nac.RandomCharAug(action="delete"),
    "insert letters": nac.RandomCharAug(action="insert"),
    "ocr": nac.OcrAug(),
    "spelling": naw.SpellingAug(),
}


def seconds(augmenter: object, texts: list[str], passes: int) -> float:
    """CPU seconds for one pass over the texts, given as a list, which is the faster way of nlpaug."""
    began = time.process_time()
    for _ in range(passes):
        augmenter.augment(texts)  # type: ignore[attr-defined]  # typed nowhere
    return (time.process_time() - began) / passes


random.seed(0)
given = json.load(sys.stdin)
json.dump(
    {
        name: {label: seconds(one, texts, given["passes"]) for label, one in AUGMENTERS.items()}
        for name, texts in given["sets"].items()
    },
    sys.stdout,
)
