"""Forms in which models answer, as tables of completion and label."""

from __future__ import annotations

import pytest

from jostle.tasks.extract import extract_label

LETTERS = ["A", "B", "C", "D"]
NLI = ["entailment", "neutral", "contradiction"]
QNLI = ["entailment", "not_entailment"]
QQP = ["not_duplicate", "duplicate"]

DECORATED = ["B", "b", "(b)", "b)", "B.", "**B**", "_B_", "__B__", "`B`", "“B”", "[B]", "<answer>B</answer>", "# B",
             "$\\boxed{B}$", "\\boxed{\\text{B}}", '{"answer": "B"}', "### Answer\nB", "**Answer:**\n\nB", "> B",
             "Final Answer: [B]", "Answer – B", "ANSWER:B", "answer is b", "Answer -> B", "\u200bB\ufeff"]  # fmt: skip

SENTENCES = [
    "The answer is (B).", "I'd go with B.", "I choose (B) because it is large.", "My answer is option B.", "B!",
    "Option B is correct.", "B is the best choice", "Therefore, B.", "Hmm... B", "B, I think", "Sure! B",
    "B - it floats", "B\n\nExplanation: A is wrong because ...", "It must be B.", "(B) because (A) is false.",
    "Let's see. A is too small, C is no number. So the answer must be B.", "B is correct; A, C and D are wrong.",
    "The answer cannot be A, so it must be B.", "Rule out A. Rule out C. The remaining option is B.",
    "Correct answer: B\nIncorrect answers: A, C, D",
]  # fmt: skip

WITHDRAWN = [
    "Not A but B", "The answer is B, not A.", "The answer is B (not A).", "Answer: A\nActually, B.",
    "Is it A? It is B.",
    "Answer: A. Wait, it's B.", "The answer is A. No wait, it's B.", "Initially I chose A, but the answer is B.",
    "Is the answer A? No. It is B.", "Answer A is wrong; answer B is right.", "The answer is not A. It is B.",
]  # fmt: skip

NOTHING = [
    "", " \n", "...", "I'm sorry, but I can't answer this.", "Hepatitis B is a virus.", "It needs vitamin C.",
    "Plan A failed.", "Washington D.C.", "C++ is a language.", "In this case, a is the velocity.", "See Figure B.",
    "A resposta é difícil", "the answer is a careful reading", "As a model I can't choose.", "Type B blood",
]  # fmt: skip

AMBIGUOUS = [
    "A and B are both correct", "Either A or B", "The answer is either A or B", "A/B", "A, B", "A) floats\nB) sinks",
    "Answer: A\nAnswer: B or C",
]  # fmt: skip


@pytest.mark.parametrize("text", [*DECORATED, *SENTENCES, *WITHDRAWN])
def test_letter_b(text: str) -> None:
    assert extract_label(text, LETTERS).label == "B"


@pytest.mark.parametrize("text", NOTHING)
def test_no_letter(text: str) -> None:
    assert extract_label(text, LETTERS).reason in {"no_answer", "not_an_option"}


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_two_letters(text: str) -> None:
    assert extract_label(text, LETTERS).reason == "ambiguous"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Neutral. The two sentences express no entailment, contradiction, or agreement.", "neutral"),
        ("The sentences are contradictory.", "contradiction"),
        ("It is not a contradiction but an entailment", "entailment"),
        ("Neither entailment nor contradiction: neutral.", "neutral"),
        ("There is no contradiction, hence entailment", "entailment"),
        ("Label: Entailment\nExplanation: no contradiction exists.", "entailment"),
        ("The relationship between the two sentences is contradiction.", "contradiction"),
        ("The two sentences are not a contradiction.", None),
    ],
)
def test_three_labels_in_words(text: str, label: str | None) -> None:
    assert extract_label(text, NLI).label == label


@pytest.mark.parametrize(
    "text",
    ["not_entailment", "Not entailment.", "not-entailment", "They are not entailment.", "There is no entailment.",
     "non-entailment", "This isn't an entailment.", "not entailed", "so the entailment is \"not_entailment\"",
     "It does not answer the question. Therefore, it is not an entailment."],
)  # fmt: skip
def test_a_label_that_negates_another_is_read_from_its_negation(text: str) -> None:
    assert extract_label(text, QNLI).label == "not_entailment"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("duplicate", "duplicate"),
        ("They are duplicates.", "duplicate"),
        ("Not a duplicate.", "not_duplicate"),
        ("NOT_DUPLICATE", "not_duplicate"),
        ("These are not not_duplicate", "duplicate"),
        ("I cannot tell whether they are duplicates or not", None),
        ("nonduplicate", None),
    ],
)
def test_a_label_inside_another(text: str, label: str | None) -> None:
    assert extract_label(text, QQP).label == label


@pytest.mark.parametrize(
    ("text", "labels", "label"),
    [
        ("No, it is not.", ["yes", "no"], "no"),
        ("Yes, there is no doubt.", ["yes", "no"], "yes"),
        ("Label: 0", ["0", "1"], "0"),
        ("1.5", ["0", "1"], None),
        ("-1", ["0", "1"], None),
        ("10", ["0", "1"], None),
        ("Answer: (iii)", ["i", "ii", "iii"], "iii"),
        ("II", ["i", "ii", "iii"], "ii"),
        ("i think so", ["i", "ii", "iii"], None),
        ("不是肯定,是否定", ["肯定", "否定"], "否定"),
        ("这是positive的", ["negative", "positive"], "positive"),
        ("不是positive", ["negative", "positive"], None),
    ],
)
def test_other_labels(text: str, labels: list[str], label: str | None) -> None:
    assert extract_label(text, labels).label == label


@pytest.mark.parametrize(("text", "label"), [("-1", "B"), ("1.5", "D"), ("The answer is 1.", "A"), ("1,000", None)])
def test_numbers_as_options(text: str, label: str | None) -> None:
    assert extract_label(text, LETTERS, {"A": "1", "B": "-1", "C": "0", "D": "1.5"}).label == label


def test_an_explanation_after_the_letter_does_not_contradict_it() -> None:
    options = {"A": "negative", "B": "positive"}
    text = "Answer: B. Negative reviews use other words."
    assert extract_label(text, ["negative", "positive"], options).label == "positive"
