"""Prompts: every task, wording, order and set of symbols, and the way back from a completion to a label."""

from __future__ import annotations

from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

from jostle.errors import UsageError
from jostle.items import AnyItem, Item, MCQItem
from jostle.tasks import TASKS
from jostle.tasks.prompts import SYMBOLS, WORDINGS, Prompt, continuations, label_of, make_prompt, position_names, render

ITEMS: dict[str, AnyItem] = {
    "sst2": Item("1", "sst2", {"sentence": "A joy to watch."}),
    "mnli": Item("1", "mnli", {"premise": "He sleeps.", "hypothesis": "He is awake."}),
    "qqp": Item("1", "qqp", {"question1": "How old is he?", "question2": "What is his age?"}),
    "qnli": Item("1", "qnli", {"question": "How old is he?", "sentence": "He is 8."}),
    "mcq": MCQItem("Capital of France?", ("Rome", "Paris", "Bonn"), 1),
    "custom": Item("1", "custom", {"text": "Buy now!"}),
}
LABELS = {"custom": ["spam", "no_spam"]}


def prompt_of(task: str, **settings: Any) -> Prompt:
    return make_prompt(ITEMS[task], task, labels=LABELS.get(task), **settings)


@pytest.mark.parametrize("task", ITEMS)
def test_every_task_has_four_wordings_that_differ_and_show_the_same(task: str) -> None:
    prompts = [prompt_of(task, wording=wording) for wording in WORDINGS]
    assert len({prompt.text for prompt in prompts}) == len(WORDINGS) >= 4
    for prompt in prompts:
        assert prompt.options == prompts[0].options
        assert all(text in prompt.text for text in ITEMS[task].fields.values())
        assert all(f"{symbol}. {text}\n" in prompt.text for symbol, text in prompt.shown.items())
        assert prompt.text == f"{prompt.messages[0]['content']}\n{prompt.cue}"
        assert "_" not in prompt.text


@pytest.mark.parametrize("symbols", SYMBOLS)
@pytest.mark.parametrize("task", ITEMS)
@pytest.mark.parametrize("order", [None, 1, (1, 0)])
def test_every_answer_leads_back_to_its_label(task: str, symbols: str, order: Any) -> None:
    n = len(prompt_of(task).options)
    order = (*order, *range(2, n)) if isinstance(order, tuple) else order
    prompt = prompt_of(task, symbols=symbols, order=order)
    assert set(prompt.options.values()) == set(prompt_of(task).options.values())
    for label, answer in continuations(prompt).items():
        assert answer.startswith(" ")
        assert label_of(answer, prompt).label == label
        assert label_of(f"The answer is {answer.strip()}.", prompt).label == label
        symbol = answer.strip()
        assert label_of(f"**{prompt.shown[symbol]}**", prompt).label == label
    assert continuations(prompt, chat=True) == {label: symbol for symbol, label in prompt.options.items()}


def test_labels_are_those_of_the_task_in_their_order() -> None:
    for name in ("sst2", "mnli", "qqp", "qnli"):
        assert tuple(prompt_of(name).options.values()) == TASKS[name].labels


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_options_stand_in_the_order_given(order: tuple[int, ...]) -> None:
    prompt = prompt_of("mnli", order=order)
    assert list(prompt.options) == ["A", "B", "C"]
    assert list(prompt.options.values()) == [TASKS["mnli"].labels[k] for k in order]


def test_multiple_choice_labels_are_original_indices() -> None:
    item = ITEMS["mcq"]
    assert isinstance(item, MCQItem)
    turned = make_prompt(item.rotate(1), "mcq", order=1)
    assert turned.options == {"A": "2", "B": "0", "C": "1"}
    assert turned.shown == {"A": "Bonn", "B": "Rome", "C": "Paris"}
    assert label_of("C", turned).label == label_of("It is Paris.", turned).label == item.label == "1"
    assert label_of("C) Rome", turned).reason == "ambiguous"
    assert label_of("London", turned).reason == "not_an_option"


def test_numbers_as_choices_do_not_mix_with_their_indices() -> None:
    prompt = make_prompt(MCQItem("2 - 1?", ("2", "1", "0"), 1), "mcq")
    assert label_of("1", prompt).label == "1"
    assert label_of("The answer is 2.", prompt).label == "0"


def test_symbols_are_explained() -> None:
    assert "i. negative\nii. positive" in prompt_of("sst2", symbols="roman").text
    assert "1. negative\n2. positive" in prompt_of("sst2", symbols="numbers").text
    assert "- not duplicate\n- duplicate\n\nReply with the exact words" in prompt_of("qqp", symbols="words").text


def test_a_chat_template_is_used_where_there_is_one() -> None:
    calls: list[Any] = []

    def apply(messages: Any, **settings: Any) -> str:
        calls.append((messages, settings))
        return "<user>...<model>"

    prompt = prompt_of("sst2")
    assert render(prompt, SimpleNamespace(chat_template="x", apply_chat_template=apply)) == "<user>...<model>"
    body = prompt.text.removesuffix("\nAnswer:")
    assert calls == [([{"role": "user", "content": body}], {"tokenize": False, "add_generation_prompt": True})]
    assert render(prompt, SimpleNamespace(chat_template=None)) == prompt.text


def test_a_template_of_transformers_renders_it(tmp_path: Any) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    from transformers import PreTrainedTokenizerFast

    backend = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")
    assert render(prompt_of("qqp"), tokenizer) == prompt_of("qqp").text
    tokenizer.chat_template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}[assistant]"
    assert render(prompt_of("qqp"), tokenizer) == f"[user]{prompt_of('qqp').messages[0]['content']}[assistant]"


@pytest.mark.parametrize(
    ("task", "settings", "message"),
    [
        ("rte", {}, "Expected `task` to be one of sst2"),
        ("sst2", {"wording": "rude"}, "Expected `wording` to be one of plain"),
        ("sst2", {"symbols": "emoji"}, "Expected `symbols` to be one of letters"),
        ("sst2", {"order": (0, 0)}, r"Expected `order` to permute 0..1, but got \[0, 0\]"),
        ("custom", {}, "Expected `labels` for the task 'custom'"),
        ("mcq", {}, "Expected a multiple-choice item"),
        ("sst2", {"labels": [str(k) for k in range(27)]}, "Expected at most 26 options"),
        ("sst2", {"labels": ["x", "X."], "symbols": "words"}, "all different"),
    ],
)
def test_what_does_not_fit_is_refused(task: str, settings: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make_prompt(ITEMS["sst2"], task, **settings)


def test_a_multiple_choice_item_has_no_labels_of_its_own() -> None:
    with pytest.raises(UsageError, match="multiple-choice item"):
        make_prompt(ITEMS["mcq"], "sst2")
    with pytest.raises(UsageError, match="no `labels`"):
        make_prompt(ITEMS["mcq"], "mcq", labels=["a", "b"])


@pytest.mark.parametrize(
    ("labels", "called"),
    [
        (("1", "2", "3"), "number"),
        (("i", "ii", "iii"), "numeral"),
        (("X", "Y", "Z"), "letter"),
        (("a1", "a2", "b"), "label"),
    ],
)
@pytest.mark.parametrize("symbols", SYMBOLS)
def test_labels_that_an_item_brings_are_its_symbols(labels: tuple[str, ...], called: str, symbols: str) -> None:
    item = MCQItem("Capital of France?", ("Rome", "Paris", "Bonn"), 1, labels=labels).rotate(1)
    prompt = make_prompt(item, "mcq", symbols=symbols)
    first, second, third = labels
    assert f"{first}. Paris\n{second}. Bonn\n{third}. Rome\n\nReply with the {called} of one option" in prompt.text
    assert prompt.options == {first: "1", second: "2", third: "0"}
    assert [label_of(label, prompt).label for label in labels] == ["1", "2", "0"]


def test_more_options_than_letters_are_numbered_by_the_item() -> None:
    item = MCQItem("Which?", tuple(f"option {k}x" for k in range(27)), 26)
    assert "27. option 26x" in make_prompt(item, "mcq").text
    assert position_names("letters", 27)[-1] == "27"


@pytest.mark.parametrize(
    ("symbols", "n", "last"),
    [("letters", 2, "B"), ("numbers", 2, "2"), ("roman", 12, "xii"), ("roman", 13, "13"), ("words", 3, "3")],
)
def test_names_of_places(symbols: str, n: int, last: str) -> None:
    names = position_names(symbols, n)
    assert (len(set(names)), names[-1]) == (n, last)
    with pytest.raises(UsageError, match="Expected `symbols` to be one of letters"):
        position_names("emoji", 2)
