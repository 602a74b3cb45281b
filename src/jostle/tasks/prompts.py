"""Prompts for generative models: a task in words, its options, and a constrained way to answer.

Wording, order of the options and their symbols are parameters, so that the prompt itself can be a condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError
from ..items import LETTERS, AnyItem, MCQItem, option_labels
from .extract import Extraction, extract_label
from .extract_mentions import key
from .glue import MNLI, QNLI, QQP, SST2

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
SYMBOLS = ("letters", "numbers", "roman", "words")

_LABELS = {task.name: task.labels for task in (SST2, MNLI, QQP, QNLI)}

# What is asked, per task. None lists the labels: the options do, in the order that is a parameter.
_ASKS: Mapping[str, Mapping[str, str]] = {
    "sst2": {
        "plain": "Decide which sentiment the sentence expresses.",
        "question": "What is the sentiment of the sentence?",
        "brief": "Classify the sentiment.",
        "detailed": "Below is a sentence from a film review. Read it and judge what its writer thinks of the film.",
    },
    "mnli": {
        "plain": "Decide how the hypothesis relates to the premise.",
        "question": "How does the hypothesis relate to the premise?",
        "brief": "Classify the relation of the hypothesis to the premise.",
        "detailed": "Below are a premise and a hypothesis. Take the premise to be true, and judge what that means for "
        "the hypothesis: it must be true, it cannot be true, or it may be either.",
    },
    "qqp": {
        "plain": "Decide whether the two questions ask the same.",
        "question": "Do the two questions ask the same?",
        "brief": "Classify the pair of questions.",
        "detailed": "Below are two questions that people put to a forum. Judge whether one answer would serve both.",
    },
    "qnli": {
        "plain": "Decide whether the sentence contains the answer to the question (entailment) or not.",
        "question": "Does the sentence contain the answer to the question (entailment)?",
        "brief": "Classify the pair: entailment means that the sentence answers the question.",
        "detailed": "Below are a question and a sentence. It is entailment if the answer to the question can be read "
        "from the sentence. Judge whether that is so.",
    },
    "mcq": {
        "plain": "Choose the option that answers the question.",
        "question": "Which option answers the question?",
        "brief": "Answer the question.",
        "detailed": "Below are a question and several options. Exactly one option is right. Find it.",
    },
    "custom": {
        "plain": "Decide which label fits the text.",
        "question": "Which label fits the text?",
        "brief": "Classify the text.",
        "detailed": "Below is a text. Read it, consider every label, and judge which one fits best.",
    },
}
_FORMATS = {
    "plain": "Reply with {form} of one option only.",
    "question": "Give {form} of your option and nothing else.",
    "brief": "Only {form}.",
    "detailed": "Your reply must be {form} of exactly one option, without an explanation.",
}
WORDINGS = tuple(_FORMATS)
"""Names of the wordings that every task has."""


@dataclass(frozen=True)
class Prompt:
    """What a model is given, and how to read what it writes.

    Args:
        text: The prompt for a model that continues text; ends with the answer cue.
        messages: The same for a chat template, without the cue.
        options: Symbol -> label, in the order shown. The label of a multiple-choice option is its original index.
        shown: Symbol -> the words shown beside it; with the symbols "words" the symbols themselves.
        cue: What the answer follows in `text`.
    """

    text: str
    messages: tuple[Mapping[str, str], ...]
    options: Mapping[str, str]
    shown: Mapping[str, str]
    cue: str = "Answer:"


def make_prompt(
    item: AnyItem,
    task: str,
    wording: str = "plain",
    order: Sequence[int] | int | None = None,
    symbols: str = "letters",
    labels: Sequence[str] | None = None,
) -> Prompt:
    """The prompt for an item.

    Args:
        item: The item; the options of a multiple-choice item are its choices in their present order.
        task: `sst2`, `mnli`, `qqp`, `qnli`, `mcq` or `custom`.
        wording: One of `WORDINGS`.
        order: Order of the options: the positions of the labels (or present choices) as a permutation, or how far to
            rotate them; None leaves them as they are.
        symbols: `letters` (A, B), `numbers` (1, 2), `roman` (i, ii), or `words` (the options have no symbol). A
            multiple-choice item whose own labels are not the usual ones shows those, as they are its condition.
        labels: The labels, instead of those of the task; needed for `custom`.

    Raises:
        UsageError: A name is unknown, the labels are missing, too many or alike, or `order` is no permutation.

    Limitations: English. The wordings ask the same in other words; which of them suits a model is what is measured.

    >>> from jostle.items import Item
    >>> prompt = make_prompt(Item("1", "sst2", {"sentence": "A joy."}), "sst2", order=1)
    >>> print(prompt.text)
    Decide which sentiment the sentence expresses.
    <BLANKLINE>
    Sentence: A joy.
    <BLANKLINE>
    Options:
    A. positive
    B. negative
    <BLANKLINE>
    Reply with the letter of one option only.
    Answer:
    >>> prompt.options
    {'A': 'positive', 'B': 'negative'}
    """
    _known("task", task, tuple(_ASKS))
    _known("wording", wording, WORDINGS)
    names, texts = _options(item, task, labels)
    places = _places(order, len(names))
    shown_texts = [texts[k] for k in places]
    own = _own_labels(item, symbols)
    marks = _symbols(symbols, shown_texts, own)
    shown = dict(zip(marks, shown_texts, strict=True))
    in_words = symbols == "words" and not own
    fields = "\n".join(f"{_title(name)}: {text}" for name, text in item.fields.items())
    listed = "\n".join(f"- {text}" if in_words else f"{mark}. {text}" for mark, text in shown.items())
    asked = _FORMATS[wording].format(form="the exact words" if in_words else f"the {_called(marks)}")
    body = f"{_ASKS[task][wording]}\n\n{fields}\n\nOptions:\n{listed}\n\n{asked}"
    options = dict(zip(marks, (names[k] for k in places), strict=True))
    return Prompt(f"{body}\nAnswer:", ({"role": "user", "content": body},), options, shown)


def render(prompt: Prompt, tokenizer: Any) -> str:
    """The prompt as a tokenizer's chat template writes it, ready for the reply; its text where there is no template.

    >>> from jostle.items import MCQItem
    >>> prompt = make_prompt(MCQItem("2 + 2?", ("3", "4"), 1), "mcq")
    >>> render(prompt, tokenizer=None) == prompt.text
    True
    """
    if not getattr(tokenizer, "chat_template", None):
        return prompt.text
    messages = [dict(message) for message in prompt.messages]
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True))


def label_of(completion: str, prompt: Prompt) -> Extraction:
    """The task's label that a completion gives, by symbol or in words.

    >>> from jostle.items import MCQItem
    >>> prompt = make_prompt(MCQItem("2 + 2?", ("3", "4"), 1).rotate(1), "mcq")
    >>> prompt.options, label_of("The answer is A.", prompt).label, label_of("3", prompt).label
    ({'A': '1', 'B': '0'}, '1', '0')
    """
    symbols = list(prompt.options)
    if all(prompt.shown[symbol] == _words(label) for symbol, label in prompt.options.items()):
        return extract_label(completion, list(prompt.options.values()), prompt.shown)
    found = extract_label(completion, symbols, prompt.shown)
    return found if not isinstance(found.label, str) else Extraction(prompt.options[found.label])


def continuations(prompt: Prompt, chat: bool = False) -> dict[str, str]:
    """Label -> the answer to score by its log-likelihood after the prompt.

    After the cue of `text` an answer starts with a space; with `chat` it opens the model's turn, and does not.

    >>> from jostle.items import Item
    >>> continuations(make_prompt(Item("1", "sst2", {"sentence": "A joy."}), "sst2"))
    {'negative': ' A', 'positive': ' B'}
    """
    return {label: symbol if chat else f" {symbol}" for symbol, label in prompt.options.items()}


def _options(item: AnyItem, task: str, labels: Sequence[str] | None) -> tuple[list[str], list[str]]:
    """Labels, and the words shown for them."""
    if isinstance(item, MCQItem) != (task == "mcq") or (task == "mcq" and labels is not None):
        raise UsageError(
            f"Expected a multiple-choice item with task 'mcq' and no `labels`, or an item with labels and its own "
            f"task, but got a {type(item).__name__} with task {task!r}. Pass the task of the item."
        )
    if isinstance(item, MCQItem):
        return [str(k) for k in item.order], [choice.strip() for choice in item.choices]
    names = list(labels or _LABELS.get(task, ()))
    if not names:
        raise UsageError("Expected `labels` for the task 'custom', but got none. Pass the labels in their order.")
    return names, [_words(name) for name in names]


def _places(order: Sequence[int] | int | None, n: int) -> list[int]:
    if order is None or isinstance(order, int):
        return [(k + (order or 0)) % n for k in range(n)]
    if sorted(order) != list(range(n)):
        raise UsageError(f"Expected `order` to permute 0..{n - 1}, but got {list(order)}. Name every position once.")
    return list(order)


def position_names(symbols: str, n: int) -> tuple[str, ...]:
    """Names of the places 1..n of a prompt, the same for every item and condition of a run.

    They are the symbols, so that a table of positions reads like the prompt; options without symbols are counted. An
    item whose own labels are shown (see `make_prompt`) has its options at these places all the same.

    >>> position_names("roman", 2), position_names("words", 2)
    (('i', 'ii'), ('1', '2'))
    """
    _known("symbols", symbols, SYMBOLS)
    if symbols == "letters":
        return option_labels(n)
    return _ROMAN[:n] if symbols == "roman" and n <= len(_ROMAN) else tuple(str(k + 1) for k in range(n))


def _own_labels(item: AnyItem, symbols: str) -> tuple[str, ...]:
    """Labels that the item brings: where an operator has set them they are its condition, whatever the symbols."""
    if not isinstance(item, MCQItem):
        return ()
    return item.labels if symbols == "letters" or item.labels != option_labels(len(item.choices)) else ()


def _symbols(symbols: str, texts: Sequence[str], own: Sequence[str] = ()) -> list[str]:
    _known("symbols", symbols, SYMBOLS)
    numbers = [str(k + 1) for k in range(len(texts))]
    marks = own or {"letters": LETTERS, "numbers": numbers, "roman": _ROMAN, "words": texts}[symbols]
    if len(marks) < len(texts) or len({key(mark) for mark in marks[: len(texts)]} - {""}) < len(texts):
        raise UsageError(
            f"Expected at most {len(marks)} options, all different, for the symbols {symbols!r}, but got "
            f"{list(texts)}. Choose other symbols."
        )
    return list(marks[: len(texts)])


def _called(marks: Sequence[str]) -> str:
    """What symbols of this kind are called in a prompt."""
    if all(mark.isdecimal() for mark in marks):
        return "number"
    if all(len(mark) == 1 and mark.isalpha() for mark in marks):
        return "letter"
    return "numeral" if all(mark.casefold() in _ROMAN for mark in marks) else "label"


def _known(what: str, value: str, names: Sequence[str]) -> None:
    if value not in names:
        raise UsageError(f"Expected `{what}` to be one of {', '.join(names)}, but got {value!r}. Choose one of them.")


def _words(label: str) -> str:
    return label.replace("_", " ")


def _title(field: str) -> str:
    """`question1` -> "Question 1"."""
    name = field.rstrip("0123456789")
    return f"{_words(name).capitalize()} {field[len(name) :]}".rstrip()
