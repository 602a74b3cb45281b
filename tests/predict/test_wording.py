"""Between Penn Treebank spacing and prose, and regions that differ."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle.perturb.base import splice
from jostle.predict._wording import as_prose, in_style_of, regions, same_words

PROSE = [
    ("it 's a film ( a long one ) that does n't end . ", "it's a film (a long one) that doesn't end."),
    ("what a film , really ! ", "what a film, really!"),
    ("they 'll see ; we 've seen it ... ", "they'll see; we've seen it..."),
]


@pytest.mark.parametrize(("tokenised", "prose"), PROSE)
def test_there_and_back(tokenised: str, prose: str) -> None:
    assert as_prose(tokenised) == prose
    assert in_style_of(tokenised, prose) == tokenised


def test_prose_stays_as_it_is() -> None:
    assert as_prose(" It's fine, isn't it? ") == "It's fine, isn't it?"
    assert in_style_of(" Fine, yes.\n", "Good, yes.") == " Good, yes.\n"


def test_case_follows_lower_case_only() -> None:
    assert in_style_of("a slow film", "A Slow Movie") == "a slow movie"
    assert in_style_of("A slow film", "A Slow Movie") == "A Slow Movie"


def test_empty_output_stays_empty() -> None:
    assert in_style_of(" a film . ", "  ") == ""


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("It's fine.", "it 's fine !", True),
        ("It's fine.", "It is fine.", False),
        ("one two", "two one", False),
    ],
)
def test_same_words(text: str, other: str, same: bool) -> None:
    assert same_words(text, other) is same


def test_runs_of_changed_words_are_one_region() -> None:
    assert regions("a slow film about cats", "a dull movie about cats") == [(2, 11, "dull movie")]
    assert regions("one two", "one and two, or") == [(4, 4, "and "), (7, 7, ", or")]
    assert [c[:2] for c in regions("slow films and dull books", "fast films and bright books")] == [(0, 4), (15, 19)]


WORDS = st.lists(st.sampled_from(["a", "b", "cat", ",", ".", "'s", "12", "\u00e9t\u00e9"]), max_size=9)


@settings(deadline=None)
@given(left=WORDS, right=WORDS)
def test_changes_make_the_other_text(left: list[str], right: list[str]) -> None:
    text, other = " ".join(left), " ".join(right)
    changes = regions(text, other)
    assert splice(text, changes) == other
    ends = [0, *(change.end for change in changes)]
    assert all(change.start >= end for change, end in zip(changes, ends, strict=False))
    assert (changes == []) == (text == other)


def test_wide_gaps_between_kept_words_stay() -> None:
    assert splice("slow  films  end", regions("slow  films  end", "dull films end")) == "dull  films  end"
