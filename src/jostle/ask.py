"""Variants -> prompts -> completions -> labels -> outcomes: one run of a generative model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .outcomes import Outcomes
from .run import Plan, PlannedRow
from .tasks.extract import Extraction
from .tasks.prompts import WORDINGS, Prompt, continuations, label_of, make_prompt, render

if TYPE_CHECKING:
    from .predict.protocol import Completion, Request

PLAIN = WORDINGS[0]


@dataclass(frozen=True)
class Asked:
    """One prompt of the run: the row it asks about, under which condition, and how to read the answer."""

    row: PlannedRow
    condition: str
    prompt: Prompt
    request: Request

    @property
    def gold_position(self) -> str:
        """Symbol at which the gold label stands."""
        return next(symbol for symbol, label in self.prompt.options.items() if label == self.row.item.label)


def ask(planned: Plan, task: str, wordings: Sequence[str] = (PLAIN,), symbols: str = "letters",
        orders: bool = False, tokenizer: Any = None) -> list[Asked]:  # fmt: skip
    """The prompts of a plan.

    Every variant is asked in the first wording. The originals are asked in the other wordings too (conditions
    `prompt/<wording>`), and with `orders` in every other cyclic order of the labels (`labels/shift1` ...), so that the
    prompt itself can be a condition. Multiple choice has its orders as variants already.

    Args:
        planned: Items and variants.
        task: Task of the items.
        wordings: Wordings of the prompt; the first is that of all variants.
        symbols: Symbols of the options: letters, numbers, roman or words.
        orders: Whether the order of the labels is a condition.
        tokenizer: Its chat template renders the prompt, where it has one.
    """
    asked = []
    for row in planned.rows:
        asked.append(_one(row, row.condition, make_prompt(row.item, task, wordings[0], symbols=symbols), tokenizer))
        if row.condition != "orig":
            continue
        for wording in wordings[1:]:
            prompt = make_prompt(row.item, task, wording, symbols=symbols)
            asked.append(_one(row, f"prompt/{wording}", prompt, tokenizer))
        for shift in range(1, len(asked[-1].prompt.options)) if orders and task != "mcq" else ():
            prompt = make_prompt(row.item, task, wordings[0], order=shift, symbols=symbols)
            asked.append(_one(row, f"labels/shift{shift}", prompt, tokenizer))
    return asked


def _one(row: PlannedRow, condition: str, prompt: Prompt, tokenizer: Any) -> Asked:
    from .predict.protocol import Request

    chat = bool(getattr(tokenizer, "chat_template", None))
    key = f"{row.item.task}/{row.base.id}/{condition}"
    return Asked(row, condition, prompt, Request(key, render(prompt, tokenizer), continuations(prompt, chat)))


def read_label(asked: Asked, completion: Completion) -> tuple[Extraction, float | None]:
    """The label of a completion, and its probability among the labels where the answers were scored."""
    from .predict.protocol import label_probabilities

    if completion.label_scores is None:
        return label_of(completion.text, asked.prompt), None
    probabilities = label_probabilities(completion.label_scores)
    label = max(probabilities, key=lambda name: (probabilities[name], name))
    return Extraction(label), probabilities[label]


def outcomes_of(
    asked: Sequence[Asked], completions: Iterable[Completion], task: str, model: str, decoding: str
) -> Outcomes:
    """Outcomes of the completions, one row a completion, in the order of the prompts."""
    by_key = {one.request.key: one for one in asked}
    rank = {one.request.key: k for k, one in enumerate(asked)}
    found = sorted(completions, key=lambda c: (rank[c.key], c.sample))
    read = [read_label(by_key[c.key], c) for c in found]
    of = [by_key[c.key] for c in found]
    labels = [extraction.label for extraction, _ in read]
    outcomes = Outcomes.from_columns(
        predictions=labels,
        references=[one.row.item.label for one in of],
        item_ids=[one.row.base.id for one in of],
        conditions=[one.condition for one in of],
        families=[one.row.base.family for one in of],
        operators=[one.row.operator or one.condition for one in of],
        relations=[one.row.relation for one in of],
        confidences=[confidence for _, confidence in read],
        samples=[c.sample for c in found],
        reasons=[extraction.reason for extraction, _ in read],
        positions=[one.gold_position for one in of],
        answer_positions=[_position(one, label) for one, label in zip(of, labels, strict=True)],
        tasks=[task] * len(found),
        models=[model] * len(found),
        decodings=[decoding] * len(found),
    )
    texts = {(str(one.row.base.id), one.condition): " | ".join(one.row.texts) for one in asked}
    return replace(outcomes, texts=texts, counts=_reasons(of, read))


def _position(asked: Asked, label: Any) -> str | None:
    return next((symbol for symbol, name in asked.prompt.options.items() if name == label), None)


def _reasons(asked: Sequence[Asked], read: Sequence[tuple[Extraction, float | None]]) -> dict[str, dict[str, int]]:
    """Why completions gave no label, by condition."""
    counts: dict[str, Counter[str]] = {}
    for one, (extraction, _) in zip(asked, read, strict=True):
        if extraction.reason is not None:
            counts.setdefault(one.condition, Counter())[f"unparsed: {extraction.reason}"] += 1
    return {condition: dict(tally) for condition, tally in counts.items()}


def joined(parts: Sequence[Outcomes]) -> Outcomes:
    """Outcomes of several tasks and decodings as one table."""
    import pyarrow as pa

    names = list(dict.fromkeys(name for part in parts for name in part.columns))
    columns = {name: pa.concat_arrays([_array(part, name) for part in parts]) for name in names}
    counts: dict[str, dict[str, int]] = {}
    for part in parts:
        for condition, tally in part.counts.items():
            merged: Mapping[str, int] = Counter(counts.get(condition, {})) + Counter(tally)
            counts[condition] = dict(merged)
    texts = {key: text for part in parts for key, text in part.texts.items()}
    notes = list(dict.fromkeys(note for part in parts for note in part.notes))
    return replace(parts[0], columns=columns, counts=counts, texts=texts, notes=notes)


def _array(part: Outcomes, name: str) -> Any:
    import pyarrow as pa

    kind = pa.float64() if name in ("confidences", "weights") else pa.string()
    return part.columns[name] if name in part.columns else pa.nulls(len(part), kind)
