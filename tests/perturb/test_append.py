"""Where an added clause goes, and how it is written."""

import pytest

from jostle.errors import UsageError
from jostle.perturb import Change, NotApplicable, Passage
from jostle.perturb._append import added, stems
from jostle.perturb._tails import takes_clause
from jostle.perturb.base import splice


def with_clause(text: str, form: str, task: str = "custom") -> str:
    change = added(Passage(text, task), "ice floats", form)
    assert isinstance(change, Change), change
    return splice(text, [change])


@pytest.mark.parametrize(
    ("text", "clause", "sentence"),
    [
        ("He left.", "He left, and ice floats.", "He left. Ice floats."),
        ("the movie is witty . ", "the movie is witty , and ice floats . ", "the movie is witty . ice floats . "),
        ("a witty movie . ", "a witty movie . ice floats . ", "a witty movie . ice floats . "),
        ("a witty movie", "a witty movie. ice floats.", "a witty movie. ice floats."),
        ("he left", "he left, and ice floats", "he left. ice floats."),
        ("Go on: 2, 4, ...?", "Go on: 2, 4, ...? Ice floats.", "Go on: 2, 4, ...? Ice floats."),
        ("it 's a movie", "it 's a movie , and ice floats", "it 's a movie . ice floats ."),
        ("What is it?", "What is it? Ice floats.", "What is it? Ice floats."),
        ("He left the U.S.", "He left the U.S. Ice floats.", "He left the U.S. Ice floats."),
        ("\u201cGo on.\u201d", "\u201cGo on.\u201d Ice floats.", "\u201cGo on.\u201d Ice floats."),
        ("keep {name}.", "keep {name}. ice floats.", "keep {name}. ice floats."),
    ],
)
def test_place_and_style(text: str, clause: str, sentence: str) -> None:
    assert with_clause(text, "clause") == clause
    assert with_clause(text, "sentence") == sentence


@pytest.mark.parametrize("form", ["clause", "sentence"])
@pytest.mark.parametrize(
    ("text", "task", "reason"),
    [
        ("The capital of France is", "custom", "unfinished sentence"),
        ("all four years but", "mnli", "unfinished sentence"),
        ("Water boils at", "mcq", "unfinished sentence"),
        ("how do you like it well", "mnli", "a question without its mark"),
        ("Who developed it", "qnli", "a question without its mark"),
        ("CHAPTER 3: FEDERAL MISSION PP ", "mnli", "a heading"),
        ("Big Game Fishing and Boat Trips", "mnli", "a heading"),
        ("12 34", "custom", "no English words"),
        ("film \u0444\u0438\u043b\u044c\u043c.", "custom", "words of another script"),
    ],
)
def test_text_that_takes_no_clause(form: str, text: str, task: str, reason: str) -> None:
    result = added(Passage(text, task), "ice floats", form)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_unknown_form() -> None:
    with pytest.raises(UsageError, match="`form` to be one of clause, sentence, but got 'verse'"):
        added(Passage("He left."), "ice floats", "verse")


def test_stems_take_the_plural_away() -> None:
    assert stems("Bees, GLASS and gas") == {"bee", "glas", "and", "gas"}


@pytest.mark.parametrize(
    "text",
    [
        "The plot is thin.",
        "She ran.",
        "it 's a mess .",
        "For a man of sixty, the hero is strong.",
        "He saw what she meant.",
        "the actors do n't care .",
        "In the end. The ship was lost.",
    ],
)
def test_statements_take_a_clause(text: str) -> None:
    assert takes_clause(text)


@pytest.mark.parametrize(
    "text",
    [
        "a tedious farce .",
        "one of those surprises that are rare .",
        "a film i can not forget .",
        "something to do .",
        "manages to be both sad and mundane .",
        "is a mess .",
        "During the morning at eight.",
        "While he was away.",
        "The ship was lost. A sad end.",
        "This that they are.",
        "It is a good script , good dialogue , funny .",
        "He has two of them \u2013 a cat and a dog.",
        "",
    ],
)
def test_fragments_take_a_sentence(text: str) -> None:
    assert not takes_clause(text)
