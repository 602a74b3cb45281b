"""The operators that change the gold label, and the words of opinion they rest on."""

import pytest

from jostle.items import Item
from jostle.perturb import NotApplicable, Variant, apply, available, lexicon

CONTRASTS = [name for name, operator in available().items() if name.startswith("contrast_")]


def review(text: str, label: str | None) -> Item:
    return Item("0", "sst2", {"sentence": text}, label)


def pair(premise: str, hypothesis: str, label: str = "entailment") -> Item:
    return Item("0", "mnli", {"premise": premise, "hypothesis": hypothesis}, label)


def questions(first: str, second: str, label: str = "duplicate") -> Item:
    return Item("0", "qqp", {"question1": first, "question2": second}, label)


def turned(name: str, item: Item) -> tuple[str, str | None]:
    """The edited field and the new label."""
    variant = apply(name, item)
    assert isinstance(variant, Variant), variant
    assert variant.relation == "changed"
    assert variant.condition == f"adv/{name}"
    assert isinstance(variant.item, Item)
    (edited,) = {edit.field for edit in variant.edits}
    return variant.item.fields[edited], variant.item.label


def test_four_contrasts() -> None:
    assert CONTRASTS == ["contrast_antonym", "contrast_negation", "contrast_number", "contrast_quantifier"]
    assert all(available()[name].relation == "changed" for name in CONTRASTS)


@pytest.mark.parametrize(
    ("name", "text", "label", "expected"),
    [
        ("contrast_negation", "the performances are thrilling .", "positive", "the performances are not thrilling ."),
        ("contrast_negation", "it 's funny .", "positive", "it 's not funny ."),
        ("contrast_negation", "it is not funny .", "negative", "it is funny ."),
        ("contrast_negation", "It isn't boring.", "positive", "It is boring."),
        ("contrast_negation", "A gripping drama.", "positive", "Not a gripping drama."),
        ("contrast_antonym", "a charming romp .", "positive", "a charmless romp ."),
        ("contrast_antonym", "An entertaining story.", "positive", "A boring story."),
        ("contrast_antonym", "the plot is dull .", "negative", "the plot is exciting ."),
    ],
)
def test_reviews(name: str, text: str, label: str, expected: str) -> None:
    other = {"positive": "negative", "negative": "positive"}[label]
    assert turned(name, review(text, label)) == (expected, other)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("the film is funny but far too long .", "positive"),  # a concession
        ("the film is funny and the music is awful .", "negative"),  # two opinions
        ("the film is funny .", "negative"),  # the label says otherwise: irony, perhaps
        ("the film is never funny .", "negative"),  # a denial already
        ("if only it were good .", "negative"),
        ("it could have been funny .", "negative"),
        ("is it funny ?", "positive"),
        ("this table is round .", "positive"),  # no opinion
        ("the film is quietly engaging .", "mixed"),
        ("the film is funny .", None),
    ],
)
@pytest.mark.parametrize("name", ["contrast_negation", "contrast_antonym"])
def test_reviews_that_are_not_certain(name: str, text: str, label: str | None) -> None:
    assert isinstance(apply(name, review(text, label)), NotApplicable)


def test_not_is_put_before_praise_only() -> None:
    assert isinstance(apply("contrast_negation", review("the film is bad .", "negative")), NotApplicable)
    assert isinstance(apply("contrast_negation", review("the film is superb .", "positive")), NotApplicable)


@pytest.mark.parametrize(
    ("name", "premise", "hypothesis", "expected"),
    [
        ("contrast_negation", "The bolts were blue.", "The bolts were blue.", "The bolts were not blue."),
        ("contrast_negation", "You can see it.", "You can see the gate .", "You cannot see the gate ."),
        ("contrast_negation", "She has left.", "She has left the house.", "She has not left the house."),
        ("contrast_quantifier", "All cats sleep.", "All cats sleep all day.", "No cats sleep all day."),
        ("contrast_quantifier", "Some of them ran.", "Some of them ran away.", "None of them ran away."),
        ("contrast_quantifier", "Someone yelled.", "Someone yelled at him.", "Nobody yelled at him."),
        ("contrast_quantifier", "Roads.", "There are many roads here.", "There are no roads here."),
        ("contrast_quantifier", "It often rains.", "It often rains here.", "It never rains here."),
    ],
)
def test_entailments_become_contradictions(name: str, premise: str, hypothesis: str, expected: str) -> None:
    assert turned(name, pair(premise, hypothesis)) == (expected, "contradiction")


@pytest.mark.parametrize(
    ("name", "hypothesis"),
    [
        ("contrast_negation", "Some bolts were blue."),  # "Some were not" may hold as well
        ("contrast_negation", "A man is running."),  # another man may not
        ("contrast_negation", "The man who is here was seen."),  # which verb?
        ("contrast_negation", "He might be late."),
        ("contrast_negation", "He is not late."),
        ("contrast_negation", "He is late because it rains."),
        ("contrast_negation", "He has a car."),
        ("contrast_negation", "I suppose you can see it."),
        ("contrast_quantifier", "All he wants is peace."),
        ("contrast_quantifier", "Almost all cats sleep well."),
        ("contrast_quantifier", "Some cats do not sleep."),
        ("contrast_quantifier", "Every once in a while it rains."),
        ("contrast_quantifier", "The cat sleeps."),
        ("contrast_quantifier", "There has been a decrease in each of them."),
        ("contrast_quantifier", "There was an altar and a pillar."),
        ("contrast_quantifier", "Most people come for the view."),
        ("contrast_quantifier", "There is a question where it lies."),
        ("contrast_negation", "It is so wide and so long."),
        ("contrast_negation", "It is differently put."),
    ],
)
def test_hypotheses_that_are_not_certain(name: str, hypothesis: str) -> None:
    assert isinstance(apply(name, pair("It is so.", hypothesis)), NotApplicable)


@pytest.mark.parametrize("premise", ["Snap Judgment", "You might stop at one, let's say."])
def test_premise_that_states_nothing_for_certain(premise: str) -> None:
    result = apply("contrast_quantifier", pair(premise, "Some judgments are made here."))
    assert isinstance(result, NotApplicable)
    assert result.reason == "a premise that states nothing for certain"


def test_intention_is_no_opinion() -> None:
    item = review("he went out gunning to make a great one .", "positive")
    assert isinstance(apply("contrast_antonym", item), NotApplicable)


def test_what_is_denied_has_a_word_of_the_premise() -> None:
    """Where it has none, the gold label is often a matter of taste."""
    result = apply("contrast_negation", pair("The office refuses to join.", "It will be rebuilt."))
    assert isinstance(result, NotApplicable)
    assert result.reason == "no word of the premise is denied"
    assert turned("contrast_negation", pair("The plan is to rebuild.", "It will rebuild."))[1] == "contradiction"


@pytest.mark.parametrize("label", ["neutral", "contradiction"])
@pytest.mark.parametrize("name", ["contrast_negation", "contrast_number", "contrast_quantifier"])
def test_other_labels_do_not_turn(name: str, label: str) -> None:
    item = pair("All three men are here today.", "All three men are here today.", label)
    assert apply(name, item).reason.startswith("only an entailment")  # type: ignore[union-attr]


def test_number() -> None:
    text, label = turned("contrast_number", pair("We had three dogs there.", "They had three dogs then."))
    assert label == "contradiction"
    assert text.startswith("They had ")
    assert text.endswith(" dogs then.")
    assert text.split()[2] in {
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
    }  # two above, at least
    text, label = turned("contrast_number", questions("Can two men lift it?", "Can two men lift it at once?"))
    assert label == "not_duplicate"
    assert "two" not in text


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("We had at least three dogs there.", "They had three dogs then."),
        ("We had three dogs there.", "They had about three dogs then."),
        ("We had three dogs there.", "They had four dogs then."),
        ("We had three dogs and two cats there.", "They had three dogs and two cats then."),
        ("We had 3 dogs there.", "They had 3 dogs then."),
        ("We saw three other dogs.", "They saw three other dogs then."),
        ("We had three dogs there.", "There were three dogs there."),
        ("We took a five year loan there.", "We took a five year loan then."),
    ],
)
def test_numbers_that_are_not_certain(premise: str, hypothesis: str) -> None:
    assert isinstance(apply("contrast_number", pair(premise, hypothesis)), NotApplicable)


def test_questions() -> None:
    item = questions("What is the best way to save?", "What's the best way to save money?")
    assert turned("contrast_antonym", item) == ("What's the worst way to save money?", "not_duplicate")


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        ("What is the best way to save?", "What is the best way to save money?", "not_duplicate"),
        ("How can I save?", "What is the best way to save?", "duplicate"),  # not in both
        ("Do men or women lose weight?", "Do women lose more weight?", "duplicate"),  # two words, or both opposites
        ("How do I best outline it?", "How do I best outline a novel?", "duplicate"),  # an adverb
    ],
)
def test_questions_that_are_not_certain(first: str, second: str, label: str) -> None:
    assert isinstance(apply("contrast_antonym", questions(first, second, label)), NotApplicable)


@pytest.mark.parametrize("name", CONTRASTS)
def test_other_tasks_and_sides(name: str) -> None:
    assert apply(name, "The film is funny.").reason == "no gold label to change"  # type: ignore[union-attr]
    other = Item("0", "custom", {"text": "All three films are funny."}, "positive")
    assert apply(name, other).reason == "not for this task"  # type: ignore[union-attr]
    item = pair("All three men are here.", "All three men are here.")
    assert isinstance(apply(name, item, side="first"), NotApplicable)
    lone = Item("0", "mnli", {"hypothesis": "All three men are here."}, "entailment")
    assert apply(name, lone).reason == "not for this task"  # type: ignore[union-attr]


def test_polarity_table() -> None:
    table = lexicon.pairs("polarity")
    assert len(table) >= 600
    assert set(table.values()) == {"+1", "-1"}
    assert [lexicon.polarity(word) for word in ("GREAT", "boring", "and", "plot", "kind")] == [1, -1, 0, 0, 0]


def test_antonyms_are_of_opposite_polarity() -> None:
    for word, opposite in lexicon.pairs("antonyms").items():
        assert lexicon.polarity(word) != 0, word
        assert lexicon.polarity(opposite) in (0, -lexicon.polarity(word)), (word, opposite)
