"""Variants -> prompts -> completions -> labels -> outcomes: one run of a generative model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .outcomes import Outcomes
from .run import Plan, PlannedRow
from .tasks import TASKS, Extraction
from .tasks.prompts import SYMBOLS, WORDINGS, Prompt, continuations, label_of, make_prompt, position_names, render

if TYPE_CHECKING:
    from .predict.protocol import Completion, Request

PLAIN, LETTERS = WORDINGS[0], SYMBOLS[0]


@dataclass(frozen=True)
class Asked:
    """One prompt of the run: the row it asks about, under which condition, and how to read the answer.

    Args:
        row: Item or variant.
        condition: Its condition, or that of the prompt.
        prompt: What is asked.
        request: The same for a predictor.
        places: Names of the places where options stand, in the order shown; the same in every condition.
    """

    row: PlannedRow
    condition: str
    prompt: Prompt
    request: Request
    places: Sequence[str]

    @property
    def gold_position(self) -> str | None:
        """Place at which the gold label stands."""
        return self.position(self.row.item.label)

    def position(self, label: Any) -> str | None:
        """Place at which a label stands; None for what is not shown."""
        shown = list(self.prompt.options.values())
        return self.places[shown.index(label)] if label in shown else None


def ask(planned: Plan, task: str, wordings: Sequence[str] = (PLAIN,), symbols: Sequence[str] = (LETTERS,),
        orders: bool = False, tokenizer: Any = None) -> list[Asked]:  # fmt: skip
    """The prompts of a plan.

    Every variant is asked in the first wording with the first symbols. The originals are asked in the other wordings
    too (conditions `prompt/<wording>`), with the other symbols (`symbols/<symbols>`), and with `orders` in every other
    cyclic order of the labels (`labels/shift1` ...), so that the prompt itself can be a condition. Multiple choice has
    its orders as variants already, and a variant with other labels before its options shows those.

    Args:
        planned: Items and variants.
        task: Task of the items.
        wordings: Wordings of the prompt; the first is that of all variants.
        symbols: Symbols of the options: letters, numbers, roman or words; the first are those of all variants.
        orders: Whether the order of the labels is a condition.
        tokenizer: Its chat template renders the prompt, where it has one.
    """
    from .predict.protocol import Request

    chat = bool(getattr(tokenizer, "chat_template", None))
    asked = []
    for row in planned.rows:
        for condition, wording, marks, shift in _ways(row, task, wordings, symbols, orders):
            prompt = make_prompt(row.item, task, wording, order=shift, symbols=marks)
            key = f"{row.item.task}/{row.base.id}/{condition}"
            request = Request(key, render(prompt, tokenizer), continuations(prompt, chat))
            asked.append(Asked(row, condition, prompt, request, position_names(symbols[0], len(prompt.options))))
    return asked


def _ways(
    row: PlannedRow, task: str, wordings: Sequence[str], symbols: Sequence[str], orders: bool
) -> Iterator[tuple[str, str, str, int]]:
    """Condition, wording, symbols and shift of the labels of every prompt about a row."""
    yield row.condition, wordings[0], symbols[0], 0
    if row.condition != "orig":
        return
    yield from ((f"prompt/{wording}", wording, symbols[0], 0) for wording in wordings[1:])
    yield from ((f"symbols/{marks}", wordings[0], marks, 0) for marks in symbols[1:])
    if orders and task in TASKS:
        shifts = range(1, len(TASKS[task].labels))
        yield from ((f"labels/shift{shift}", wordings[0], symbols[0], shift) for shift in shifts)


def same_prompts(asked: Sequence[Asked]) -> dict[str, dict[str, int]]:
    """How many variants give the very prompt of their original, by condition: to the model they are no variants."""
    original = {one.row.base.id: one.request.prompt for one in asked if one.condition == "orig"}
    same = [one for one in asked if one.condition != "orig" and one.request.prompt == original.get(one.row.base.id)]
    counts = Counter(one.condition for one in same)
    return {condition: {"identical input": n} for condition, n in counts.items()}


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
        answer_positions=[one.position(label) for one, label in zip(of, labels, strict=True)],
        tasks=[task] * len(found),
        models=[model] * len(found),
        decodings=[decoding] * len(found),
    )
    texts = {(str(one.row.base.id), one.condition): " | ".join(one.row.texts) for one in asked}
    return replace(outcomes, texts=texts, counts=_reasons(of, read))


def raw_rows(
    asked: Sequence[Asked], completions: Iterable[Completion], task: str, decoding: str
) -> Iterator[dict[str, Any]]:
    """The completions word for word, with what they answer: the evidence behind the labels."""
    by_key = {one.request.key: one for one in asked}
    for done in completions:
        one = by_key[done.key]
        yield {
            "task": task, "decoding": decoding, "item_id": one.row.base.id, "condition": one.condition,
            "sample": done.sample, "completion": done.text, "finish": done.finish,
        }  # fmt: skip


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
    counts = summed([part.counts for part in parts])
    texts = {key: text for part in parts for key, text in part.texts.items()}
    notes = list(dict.fromkeys(note for part in parts for note in part.notes))
    return replace(parts[0], columns=columns, counts=counts, texts=texts, notes=notes)


def summed(counts: Iterable[Mapping[str, Mapping[str, int]]]) -> dict[str, dict[str, int]]:
    """Counts by condition and reason, added up.

    >>> summed([{"pert/typos": {"no word": 1}}, {"pert/typos": {"no word": 2}, "orig": {"unparsed: negated": 1}}])
    {'pert/typos': {'no word': 3}, 'orig': {'unparsed: negated': 1}}
    """
    total: dict[str, Counter[str]] = {}
    for part in counts:
        for condition, tally in part.items():
            total.setdefault(condition, Counter()).update(tally)
    return {condition: dict(tally) for condition, tally in total.items()}


def _array(part: Outcomes, name: str) -> Any:
    import pyarrow as pa

    kind = pa.float64() if name in ("confidences", "weights") else pa.string()
    return part.columns[name] if name in part.columns else pa.nulls(len(part), kind)
