"""Synonyms: which words are replaced, and which are left alone."""

from itertools import product

import pytest

from jostle.errors import UsageError
from jostle.items import Item
from jostle.perturb import NotApplicable, Variant, apply, lexicon
from jostle.perturb._substitute import indefinite


def replaced(text: str, task: str = "custom", **params: object) -> str:
    variant = apply("synonyms", Item("0", task, {"sentence": text}), rate=1.0, **params)
    assert isinstance(variant, Variant), variant
    return variant.item.fields["sentence"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Everyone said they bought a car .", "Everybody said they purchased a car ."),
        ("Is it almost always open till noon?", "Is it nearly always open until noon?"),
        ("Nobody ever wished to help each other.", "No one ever wanted to help one another."),
        ("it is an awful old movie", "it is a terrible old film"),
        ("In order to win, he tried to run.", "To win, he attempted to run."),
        ("MAYBE NOT", "PERHAPS NOT"),
        ("the movie 's hero", "the film 's hero"),
        ("I think he saw more than 50 houses.", "I believe he saw over 50 houses."),
        ("Many towns are small.", "Numerous towns are small."),
        ("It is often very dark.", "It is frequently very dark."),  # one of two neighbours
    ],
)
def test_replaces(text: str, expected: str) -> None:
    assert replaced(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "He saw Children of Men in the Movie Palace.",  # names and titles
        "She sang \"Perhaps\" and ``maybe tomorrow'' twice.",  # quotations
        "a made-for-movie story by a film-maker",  # compounds
        "Not very good, and not really bad.",  # a denied degree is another degree
        "film noir and a film festival",
        "How many are there? As many as ever.",
        "kind of you",
        "Many assume so.",  # a pronoun
        "a large-scale plan",
        "more than he knows",
        "Movie Night",
        "dull and boring",  # "boring and boring"
        "They are normally distributed.",
        "There is a clear beginning and an end.",
        "A garbage collector frees the memory.",
        "He has a wish to go.",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert apply("synonyms", text, rate=1.0).reason == "no word with a synonym"  # type: ignore[union-attr]


def test_films_have_words_of_their_own_in_reviews() -> None:
    assert replaced("a clever script", "sst2") == "a clever screenplay"
    assert isinstance(apply("synonyms", Item("0", "mnli", {"premise": "", "hypothesis": "A script."})), NotApplicable)


def test_rate_limits_the_words() -> None:
    text = "Everyone said maybe, and nobody was certainly often there with children."
    assert len(apply("synonyms", text, rate=0.1).edits) == 2  # type: ignore[union-attr]  - ceil(0.1 x 11 words)


def test_b05_only_the_span_changes() -> None:
    text = "it 's a  charming , if uneven , film . \n"
    variant = apply("synonyms", text, pairs={"charming": "delightful"})
    assert isinstance(variant, Variant)
    assert variant.text == "it 's a  delightful , if uneven , film . \n"
    (edit,) = variant.edits
    assert edit == ("text", 9, 17, "charming", "delightful")  # i t _ ' s _ a _ _ are the nine before it
    assert variant.restore().fields["text"] == text


def test_b05_article_is_brought_into_line() -> None:
    assert replaced("a  good film", pairs={"good": "excellent"}) == "an  excellent film"
    assert replaced("An odd one", pairs={"odd": "strange"}) == "A strange one"


def test_b07_text_without_spaces_is_refused() -> None:
    chinese = "\u8fd9\u90e8\u7535\u5f71\u7684\u7ed3\u5c40\u8ba9\u6211\u975e\u5e38\u5931\u671b"
    assert apply("synonyms", chinese).reason == "no word boundaries"  # type: ignore[union-attr]


def test_b10_the_premise_and_its_marker_stay() -> None:
    premise = "I kept the <SPLIT> sign; keep the receipt."
    item = Item("b10", "mnli", {"premise": premise, "hypothesis": "keep the receipt."}, "entailment")
    variant = apply("synonyms", item, side="second", pairs={"keep": "retain"})
    assert isinstance(variant, Variant)
    assert variant.item.fields == {"premise": premise, "hypothesis": "retain the receipt."}
    assert variant.side == "second"


@pytest.mark.parametrize("pairs", [{}, {"": "x"}, {"a": 1}, [("a", "b")]])
def test_other_pairs_are_refused(pairs: object) -> None:
    with pytest.raises(UsageError, match="Expected `pairs` to map words to words"):
        apply("synonyms", "a word", pairs=pairs)


@pytest.mark.parametrize("name", ["synonyms", "synonyms_film", "discourse_markers"])
def test_tables_are_well_formed(name: str) -> None:
    seen = set()
    for left, direction, right, *_ in lexicon.rows(name):
        assert direction in {">", "<>"}
        forms, others = left.split("/"), right.split("/")
        assert len(forms) == len(others), left
        assert all(one != other for one, other in zip(forms, others, strict=True))
        assert (left, right) not in seen
        seen.add((left, right))


def test_the_table_is_large() -> None:
    assert len(lexicon.rows("synonyms")) >= 200


@pytest.mark.parametrize(("article", "word"), [
    *product(["a"], ["film", "unique", "European", "one", "useful", "once"]),
    *product(["an"], ["hour", "awful", "uneven", "honest", "idea", "unimpressive"]),
])  # fmt: skip
def test_indefinite(article: str, word: str) -> None:
    assert indefinite(word) == article
