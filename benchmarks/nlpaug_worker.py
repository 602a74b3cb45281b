"""Run by operators.py in an environment with nlpaug: texts as JSON on stdin, CPU seconds by augmenter on stdout."""

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

random.seed(0)
texts = json.load(sys.stdin)
seconds = {}
for name, augmenter in AUGMENTERS.items():
    began = time.process_time()
    augmenter.augment(texts)  # a list is its faster way
    seconds[name] = time.process_time() - began
json.dump(seconds, sys.stdout)
