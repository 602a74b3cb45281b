"""Questions in another form."""

import pytest

from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply


def forms(text: str) -> set[str]:
    """Every form that some seed draws."""
    results = [apply("question_forms", text, seed=seed) for seed in range(40)]
    assert all(isinstance(result, Variant) for result in results), results[0]
    assert all(result.restore().fields["text"] == text for result in results)  # type: ignore[union-attr]
    return {result.text for result in results}  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I learn French?", "How can I learn French?"),
        ("In what year was it built?", "In which year was it built?"),
        ("What type of rock is it?", "What kind of rock is it?"),
        ("What is the name of the longest river?", "What is the longest river called?"),
        ("What does the word entropy mean ?", "What is the meaning of the word entropy ?"),
        ("what is the difference between tea and coffee?", "what difference is there between tea and coffee?"),
        ("Who wrote The Mutants?", "Who was it that wrote The Mutants?"),
        ("Where is the town hall located?", "Where is the town hall situated?"),
        ("Why did the war end?", "For what reason did the war end?"),
        ("How did the war affect trade?", "In what way did the war affect trade?"),
        ("How much does a horse cost?", "What does a horse cost?"),
        ("What was the average family size?", "Can you tell me what the average family size was?"),
        ("I am 25. Is there any way to grow?", "I am 25. Is there a way to grow?"),
    ],
)
def test_forms(text: str, expected: str) -> None:
    assert expected in forms(text)


@pytest.mark.parametrize(
    "text",
    ["What is going on?", "How do I know?", "Who is?", "Why don't you go?", "What is it?", "He asked how do I go.",
     "What is in the square?", "What was he the head of?", "How are you?",
     "How did the war begin?", "What is made up of people?",
     "Who is currently the mayor?", "Which of the following is/are true?"],
)  # fmt: skip
def test_leaves_alone(text: str) -> None:
    assert isinstance(apply("question_forms", text), NotApplicable)


def test_tasks() -> None:
    pair = Item("0", "qqp", {"question1": "How do I win?", "question2": "How do I win a game?"}, "duplicate")
    variant = apply("question_forms", pair)
    assert isinstance(variant, Variant)
    assert variant.item.fields == {"question1": "How do I win?", "question2": "How can I win a game?"}
    qnli = Item("0", "qnli", {"question": "In what year was it built?", "sentence": "It was built in 1900."})
    edited = apply("question_forms", qnli)  # the question is what it edits, though others edit the sentence
    assert isinstance(edited, Variant)
    assert edited.side == "first"
    choice = MCQItem("Which of the following is a city?", ("Paris", "Iron"), 0, id="c")
    assert apply("question_forms", choice).item.question == "Which one of the following is a city?"  # type: ignore[union-attr]
    assert apply("question_forms", Item("0", "sst2", {"sentence": "How do I win it?"})).reason == "not for this task"  # type: ignore[union-attr]


def test_only_as_many_edits_as_the_rate_allows() -> None:
    assert isinstance(apply("question_forms", "What was the average family size?", rate=0.1), NotApplicable)
