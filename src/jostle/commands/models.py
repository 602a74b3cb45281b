"""Variants that models make: paraphrasers and targeted attacks, for `run` and `build`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .shared import EMBEDDED, Command, say

if TYPE_CHECKING:
    from ..loading import ItemSet
    from ..perturb import NotApplicable, Variant

BACK_TRANSLATION = "back-translation"

_OPTIONS = (
    click.option("--paraphraser", metavar="DIR|HUB_ID", help=f"Paraphrase with this model, or `{BACK_TRANSLATION}`."),
    click.option("--adversary", metavar="DIR|HUB_ID", help="Attack this classifier, word by word (or `embedded`)."),
    click.option("--adversary-budget", type=click.IntRange(1), default=1000, show_default=True,
                 help="Most queries of the attack on one item."),
    click.option("--adversary-width", type=click.IntRange(1), default=1, show_default=True,
                 help="States of its beam search; 1 is greedy."),
)  # fmt: skip


def model_options(function: Command) -> Command:
    """Add the flags that name a paraphraser or an adversary."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def model_variants(items: ItemSet, values: dict[str, Any]) -> tuple[list[Variant | NotApplicable], list[str]]:
    """Variants by the paraphraser and the adversary that were asked for, and what to note about them.

    Every variant has passed the checks; one that has not is a `NotApplicable` with the reason.
    """
    made: list[Variant | NotApplicable] = []
    notes: list[str] = []
    for flag, make in (("paraphraser", _paraphrased), ("adversary", _attacked)):
        if values.get(flag):
            variants, note = make(items, values)
            made += variants
            notes.append(note)
            say(note, values["quiet"])
    return made, notes


Made = tuple[list["Variant | NotApplicable"], str]
Make = Callable[["ItemSet", dict[str, Any]], Made]


def _valid(variant: Variant) -> bool:
    from ..perturb.checks import failed_checks

    return not failed_checks(variant)


def _paraphrased(items: ItemSet, values: dict[str, Any]) -> Made:
    from ..perturb import Variant
    from ..predict.paraphrase import BackTranslation, Paraphraser, paraphrases
    from ..predict.seq2seq import load_paraphraser

    name = values["paraphraser"]
    paraphraser: Paraphraser = BackTranslation() if name == BACK_TRANSLATION else load_paraphraser(name)
    labelled = [item for item in items.items if item.label is not None]
    made = list(paraphrases(paraphraser, labelled, _valid, values["seed"], values["side"]))
    kept = sum(isinstance(one, Variant) for one in made)
    return (
        made,
        f"paraphraser {paraphraser.name} ({paraphraser.revision or name}): {kept} of {len(made)} passed the checks",
    )


def _attacked(items: ItemSet, values: dict[str, Any]) -> Made:
    from ..items import Item
    from ..predict.attack import Settings, attack, summarise
    from ..predict.classify import load_classifier
    from ..predict.embedded import EMBEDDED_ID

    if values["task"] == "mcq":
        raise UsageError("Expected --adversary with a text task, but got --task mcq.")
    name = EMBEDDED_ID if values["adversary"] == EMBEDDED else values["adversary"]
    classifier = load_classifier(name, items.labels)
    settings = Settings(
        operators=("synonyms",),
        width=values["adversary_width"],
        budget=values["adversary_budget"],
        seed=values["seed"],
        side=values["side"],
    )
    targets = [item for item in items.items if isinstance(item, Item) and item.label is not None]
    results = list(attack(classifier, targets, _valid, settings))
    summary = summarise(results)
    note = (
        f"adversary {name}: {summary.succeeded} of {summary.attacked} items that it got right were flipped "
        f"({summary.success_rate:.3f}), {summary.mean_queries:.1f} queries an item"
    )
    return [result.variant for result in results], note
