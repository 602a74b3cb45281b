"""One item and its variants as HTML: edits marked, answers in words and bars. All text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from one_item import FLIPS, FOLLOWS, HOLDS, MISSES, Answer, Answered, Jostled

from jostle.items import AnyItem, MCQItem
from jostle.perturb import Edit, Variant, find
from jostle.perturb.diff import edits_between

_ORDER = {FLIPS: 0, MISSES: 1, FOLLOWS: 2, HOLDS: 3, "": 4}
_CLASSES = {FLIPS: "fragile", MISSES: "fragile", FOLLOWS: "invariant", HOLDS: "invariant", "": "plain"}
_KINDS = {"para": "paraphrase", "pert": "surface noise", "adv": "adversarial", "contrast": "contrast"}


def jostled_html(found: Jostled) -> str:
    """The verdict, the item, its variants with those that flip first, and the operators that do not fit."""
    variants = sorted(found.variants, key=lambda one: _ORDER[one.state])
    cards = "".join(_card(one, found.answer) for one in variants)
    listed = f"<h2>Variants</h2><ol class='variants'>{cards}</ol>" if cards else ""
    return f'<div class="jostled">{_verdict(found)}{_original(found)}{listed}{_left_out(found)}</div>'


def _verdict(found: Jostled) -> str:
    kind, title, said = summary(found)
    return f'<div class="verdict {kind}"><strong>{escape(title)}</strong>{escape(said)}</div>'


def summary(found: Jostled) -> tuple[str, str, str]:
    """Look, title and sentence of the verdict on one item.

    "inconclusive" is the look where nothing was predicted or varied; one item is never a verdict on a model.
    """
    counts, made = found.counts, _count(len(found.variants), "variant")
    if not found.variants:
        return "inconclusive", "No variant", "None of the chosen operators fits this item; the reasons are below."
    if found.answer is None:
        return "inconclusive", f"{made}, none predicted", found.note
    held, flipped = counts[HOLDS], counts[FLIPS]
    followed, missed = counts[FOLLOWS], counts[MISSES]
    parts = []
    if held + flipped:
        parts.append(f"The answer must stay in {_count(held + flipped, 'variant')}: it flips in {flipped}.")
    if followed + missed:
        parts.append(
            f"It must change in {_count(followed + missed, 'contrast edit')}: it does as it should in {followed}."
        )
    title = f"The answer flips in {flipped} of {_count(held + flipped, 'variant')}"
    if flipped:
        return "fragile", title, " ".join(parts)
    if missed:
        return "fragile", f"The answer does not follow {_count(missed, 'contrast edit')}", " ".join(parts)
    if held + followed == 0:
        return "inconclusive", "Nothing to compare", "The model's longest input cuts every edit off."
    return "invariant", f"The answer holds in all {held} variants" if held else "The answer follows", " ".join(parts)


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _original(found: Jostled) -> str:
    item = found.item
    gold = f'<span class="chip">gold: {escape(_gold(item))}</span>' if item.label is not None else ""
    right = ""
    if found.answer is not None and item.label is not None:
        right = "right" if found.answer.label == item.label else "wrong"
    return (
        f'<section class="card original"><h2 class="head"><span>Original</span>{gold}</h2>{_whole(item)}'
        f"{_bar(found.answer, right)}</section>"
    )


def _card(one: Answered, own: Answer | None) -> str:
    variant = one.variant
    operator = find(variant.operator)
    state = f'<span class="chip state">{_said(one, own)}</span>' if one.answer else ""
    cut = "" if one.answer or own is None else '<p class="soft">Not predicted: the edit was cut off.</p>'
    gold = f" Gold is now <b>{escape(_gold(variant.item))}</b>." if variant.relation == "changed" else ""
    return (
        f'<li class="card {_CLASSES[one.state]}"><h3 class="head"><span>{escape(_name(one))}</span>'
        f'<span class="chip">{_KINDS[operator.group]}</span>{state}</h3>'
        f"{_edited(variant)}{_bar(one.answer)}{cut}"
        f'<p class="soft">{escape(operator.promise)}{gold}</p></li>'
    )


def _name(one: Answered) -> str:
    variant = one.variant
    return (
        variant.operator if variant.condition.endswith(variant.operator) else f"{variant.operator}, {variant.condition}"
    )


def _said(one: Answered, own: Answer | None) -> str:
    """The state in words, with what changed."""
    if one.state == FLIPS and one.answer and own:
        return f"FLIPS: {escape(own.label)} → {escape(one.answer.label)}"
    return escape(one.state)


def _whole(item: AnyItem) -> str:
    """All texts of the item, named where there are several."""
    texts = "".join(_field(item, name, escape(text)) for name, text in item.fields.items())
    return texts + (_options(item) if isinstance(item, MCQItem) else "")


def _edited(variant: Variant) -> str:
    """What differs from the original: edited texts with the edits marked, and options that moved or were relabelled."""
    parts: list[str] = []
    for name, text in variant.base.fields.items():
        own = [edit for edit in variant.edits if edit.field == name]
        parts += [_field(variant.base, name, marked(text, finer(own)))] if own else []
    return "".join(parts) + (_options(variant.item) if isinstance(variant.item, MCQItem) and not parts else "")


def _field(item: AnyItem, name: str, text: str) -> str:
    label = f'<p class="field">{escape(name)}</p>' if len(item.fields) > 1 else ""
    return f'{label}<p class="text">{text}</p>'


def finer(edits: Sequence[Edit]) -> list[Edit]:
    """The edits, with those that change nothing but spaces cut to the spaces.

    >>> finer([Edit("text", 1, 9, " dull fi", "  dull fi")])
    [Edit(field='text', start=1, end=2, original=' ', replacement='  ')]
    """
    found: list[Edit] = []
    for edit in edits:
        spaces = edit.original.split() == edit.replacement.split()
        inner = edits_between({edit.field: edit.original}, {edit.field: edit.replacement}) if spaces else ()
        found += [one._replace(start=one.start + edit.start, end=one.end + edit.start) for one in inner] or [edit]
    return found


def marked(text: str, edits: Sequence[Edit]) -> str:
    """The original text with what was taken away and what was put there marked; the edits are sorted.

    >>> marked("a <b> film", [Edit("text", 2, 5, "<b>", "good")])
    'a <del>&lt;b&gt;</del><ins>good</ins> film'
    """
    parts: list[str] = []
    end = 0
    for edit in edits:
        gone = f"<del>{escape(edit.original)}</del>" if edit.original else ""
        new = f"<ins>{escape(edit.replacement)}</ins>" if edit.replacement else ""
        parts += escape(text[end : edit.start]), gone, new
        end = edit.end
    return "".join([*parts, escape(text[end:])])


def _options(item: MCQItem) -> str:
    """Options in the present order, with the letter that each had at first and the right one named."""
    first = MCQItem(item.question, item.choices, None).labels
    rows = []
    for place, choice in enumerate(item.choices):
        label, was = item.labels[place], first[item.order[place]]
        moved = f' <span class="soft">was {escape(was)}</span>' if was != label else ""
        gold = ' <span class="chip">right answer</span>' if place == item.answer_index else ""
        rows.append(f"<li><b>{escape(label)}</b> {escape(choice)}{moved}{gold}</li>")
    return f'<ul class="options">{"".join(rows)}</ul>'


def _gold(item: AnyItem) -> str:
    return (item.answer_letter if isinstance(item, MCQItem) else item.label) or ""


def _bar(answer: Answer | None, right: str = "") -> str:
    """Label and confidence, as a bar and as a number."""
    if answer is None:
        return ""
    share = round(100 * answer.confidence)
    verdict = f", {right}" if right else ""
    return (
        f'<p class="answer"><span>{escape(answer.label)}{verdict}</span>'
        f'<span class="bar" aria-hidden="true"><span style="width:{share}%"></span></span>'
        f"<span>{answer.confidence:.2f}</span></p>"
    )


def _left_out(found: Jostled) -> str:
    if not found.left_out:
        return ""
    rows = "".join(f"<li><b>{escape(one.operator)}</b>: {escape(one.reason)}</li>" for one in found.left_out)
    n = len(found.left_out)
    return (
        f"<details><summary>{n} {'operator does' if n == 1 else 'operators do'} not fit this item</summary>"
        f"<ul>{rows}</ul></details>"
    )
