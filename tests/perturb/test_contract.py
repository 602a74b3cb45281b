"""One contract over all operators: promises that each of them must keep."""

import math
import random
import subprocess
import sys

import pytest

from jostle import perturb
from jostle.items import AnyItem, Item, MCQItem
from jostle.perturb import NotApplicable, Operator, Variant

OPERATORS = sorted(perturb.available())
TEXT_OPERATORS = [name for name, operator in perturb.available().items() if operator.edits]
STEP_ONE = {"contractions", "cyclic_order", "distractor", "letter_case", "spelling", "typos", "whitespace"}

TEXTS = [
    "The color of the theater wasn't what I'd expect, but it's a marvelous old building.",
    "it 's a  charming , if uneven , film that does n't organize its favorite ideas . \n",
    "\tHe said \u201cit\u2019s realized\u201d \u2014 caf\u00e9, na\u00efve, \u017b\u00f3\u0142 and stra\u00dfe.  ",
    "Is it not good? Yes, it is. We cannot say more about the neighbor.",
    "A GRAY DOG",
    "",
    " ",
    "x",
    "word",
]
SCRIPTS = {
    "Chinese": "\u8fd9\u90e8\u7535\u5f71\u7684\u7ed3\u5c40\u8ba9\u6211\u975e\u5e38\u5931\u671b",
    "Thai": "\u0e20\u0e32\u0e1e\u0e22\u0e19\u0e15\u0e23\u0e4c\u0e14\u0e35\u0e21\u0e32\u0e01",
    "Arabic": "\u0627\u0644\u0641\u064a\u0644\u0645 \u062c\u064a\u062f \u062c\u062f\u0627",
    "Hindi": "\u092f\u0939 \u092b\u093f\u0932\u094d\u092e \u0905\u091a\u094d\u091b\u0940 \u0939\u0948",
    "Russian": "\u042d\u0442\u043e\u0442 \u0444\u0438\u043b\u044c\u043c \u0445\u043e\u0440\u043e\u0448",
    "Greek": "\u03c4\u03b1\u03b9\u03bd\u03af\u03b1 \u03b5\u03af\u03bd\u03b1\u03b9 \u03ba\u03b1\u03bb\u03ae",
    "emoji": "\U0001f600 \U0001f44d\U0001f3fd ok \u200d\ufe0f",
    "decomposed": "nai\u0308ve cafe\u0301 colo\u0301r",
}
ENGLISH_ONLY = [
    "adverb_order", "clause_order", "contractions", "discourse_markers", "distractor", "filler_words", "misspellings",
    "question_forms", "spelling", "synonyms", "typos",
]  # fmt: skip
# They need a construction or a word that the text of B04 does not hold.
NOT_IN_B04 = {
    "adverb_order",
    "clause_order",
    "contractions",
    "discourse_markers",
    "filler_words",  # "Ping" may be a name; its own tests have such spans behind a word that cannot be one
    "misspellings",
    "question_forms",
    "spelling",
    "synonyms",
}

B04 = (
    "Ping @mira_k about v2.10.3 at https://example.org/a_b?x=1&y=2 before 09:30, #RoadTrip2026 costs "
    "$1,250.50, write to ops@example.org, host 10.0.0.7, run `foo --bar=2`, keep {name} and [MASK]."
)
B04_PROTECTED = [
    "@mira_k", "v2.10.3", "https://example.org/a_b?x=1&y=2", "09:30", "#RoadTrip2026", "$1,250.50",
    "ops@example.org", "10.0.0.7", "`foo --bar=2`", "{name}", "[MASK]",
]  # fmt: skip


def items() -> list[AnyItem]:
    pair = {"premise": "It's a gray day.", "hypothesis": "It's not a favorite color of mine."}
    return [
        Item("s", "sst2", {"sentence": TEXTS[1]}),
        Item("m", "mnli", pair),
        Item("q", "qqp", {"question1": "What's a good color?", "question2": "Which color is not good?"}),
        Item("n", "qnli", {"question": "What is it?", "sentence": "It is the favorite harbor of the town."}),
        MCQItem("What is the color of honey?", ("Gold", "Blue", "Red"), 0, id="c"),
        Item("u", "custom", {"text": TEXTS[0]}),
    ]


@pytest.mark.parametrize("name", OPERATORS)
def test_operator_states_its_contract(name: str) -> None:
    operator = perturb.available()[name]
    assert isinstance(operator, Operator)
    assert operator.name == name
    assert operator.condition == f"{operator.kind}/{name}"
    assert operator.kind in {"para", "pert", "adv"}
    assert operator.relation in {"invariant", "changed"}
    assert operator.promise.endswith(".")
    assert operator.limitations
    assert all(sentence.endswith(".") and len(sentence) > 20 for sentence in operator.limitations)
    assert 0 < operator.rate <= 1


def test_all_operators_of_step_one_are_found() -> None:
    assert set(OPERATORS) >= STEP_ONE


def as_text(result: Variant | NotApplicable) -> tuple[object, ...]:
    if isinstance(result, Variant):
        return (result.base.id, result.condition, dict(result.item.fields), result.edits)
    return (result.item_id, result.condition, result.reason)


@pytest.mark.parametrize("name", OPERATORS)
def test_result_does_not_depend_on_row_order(name: str) -> None:
    rows = items()
    forward = [as_text(result) for result in perturb.expand(rows, [name], seed=3)]
    shuffled = rows[::-1]
    backward = [as_text(result) for result in perturb.expand(shuffled, [name], seed=3)]
    assert sorted(map(repr, forward)) == sorted(map(repr, backward))
    random.seed(0)  # a draw from the global generator would show here
    again = [as_text(result) for result in perturb.expand(rows, [name], seed=3)]
    assert forward == again


def test_result_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from jostle.perturb import apply, available\n"
        "for name in sorted(available()):\n"
        "    for seed in range(5):\n"
        "        print(repr(apply(name, 'It is not a gray day in a marvelous old theater.', seed=seed)))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "1"},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert "Variant(" in runs[0]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("side", ["auto", "first", "second", "both"])
def test_restore_is_exact_and_the_variant_differs(name: str, side: str) -> None:
    for seed in range(10):
        for result in perturb.expand(items(), [name], seed=seed, side=side):
            if isinstance(result, Variant):
                assert result.item != result.base
                assert result.restore() == result.base
                assert result.side in {"first", "second", "both", "choices"}
            else:
                assert result.reason
                assert result.operator == name


@pytest.mark.parametrize("name", TEXT_OPERATORS)
@pytest.mark.parametrize("text", TEXTS + list(SCRIPTS.values()))
def test_edits_are_spans_and_the_rest_is_byte_identical(name: str, text: str) -> None:
    for seed in range(10):
        variant = perturb.apply(name, text, seed=seed)
        if isinstance(variant, NotApplicable):
            continue
        rebuilt, end = "", 0
        for edit in variant.edits:
            assert end <= edit.start <= edit.end <= len(text)
            assert text[edit.start : edit.end] == edit.original != edit.replacement
            rebuilt += text[end : edit.start] + edit.replacement
            end = edit.end
        assert variant.text == rebuilt + text[end:] != text
        assert variant.restore().fields["text"].encode() == text.encode()


@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_b04_protected_spans_stay_for_50_seeds(name: str) -> None:
    changed = 0
    for seed in range(50):
        variant = perturb.apply(name, B04, seed=seed)
        text = variant.text if isinstance(variant, Variant) else B04
        changed += isinstance(variant, Variant)
        at = [text.find(span) for span in B04_PROTECTED]
        assert -1 not in at
        assert at == sorted(at)
        assert all(text.count(span) == 1 for span in B04_PROTECTED)
    assert changed in {0, 50}
    assert changed == 50 or name in NOT_IN_B04


@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_b07_text_without_spaces(name: str) -> None:
    result = perturb.apply(name, SCRIPTS["Chinese"])
    assert isinstance(result, NotApplicable)
    assert result.reason == "no word boundaries"


@pytest.mark.parametrize("name", ENGLISH_ONLY)
@pytest.mark.parametrize("script", ["Arabic", "Hindi", "Russian", "Greek", "decomposed", "Thai"])
def test_b07_english_word_lists_leave_other_scripts_alone(name: str, script: str) -> None:
    assert isinstance(perturb.apply(name, SCRIPTS[script]), NotApplicable)


@pytest.mark.parametrize("name", TEXT_OPERATORS)
@pytest.mark.parametrize("rate", [0.05, 0.1, 0.5, 1.0])
def test_edits_stay_within_the_budget(name: str, rate: float) -> None:
    for text in TEXTS:
        variant = perturb.apply(name, text, rate=rate)
        if isinstance(variant, Variant):
            assert 1 <= len(variant.edits) <= math.ceil(rate * len(text.split()))


@pytest.mark.parametrize("name", OPERATORS)
def test_unknown_parameter_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="Expected parameters of"):
        perturb.apply(name, "text", colour="red")
