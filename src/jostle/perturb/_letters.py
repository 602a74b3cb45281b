"""All slips of one letter inside a word, and whether a slip gives another word."""

from __future__ import annotations

from . import lexicon
from .typos import NEIGHBOURS
from .words import word_set

INNER = ("swap", "drop", "repeat")
KINDS = (*INNER, "key")
_ENDINGS = ("s", "d", "es", "ed", "ing", "ly", "er", "y")
# Words beyond the common ones that one slip inside a word of five or more letters can give.
_MORE = word_set(
    "abut aide alive ambient appal asset baldy barley behave bight blend blond breast breath brides buff burnt caned "
    "canter casual causal celling censor chan chap clam clan cloth coma conserve contact contend contended contest "
    "coupe cornet corps corse count county coyote crate cred creed crest curt custody dairy decease deceased "
    "decent desert dessert devise diary diner ding dinning dissent diver divers dived dunk ensue ether except exited "
    "expanse expect farmer feather fiend filing finnish flank flesh fount framer froth gamble ghost gland gong grad "
    "grand grown gust hart heron hugger hooping hoping hopping inert inset insert lather laver lesion lied lodge loge "
    "loser looser manger marred marital martial massage meditation mediation medial message minster mons mouth "
    "noel oral orate overhead pacing pasta paste patent patter patters peasant pervious plaid planet plat plate "
    "plating prefect preform preset prink principle pubic purse quiet quite racing ranging rating raging recital "
    "refer reefer reflection reign rein retie rising rogue rouge roue sacred scared scarred sear seam sever "
    "shallow shear shred sine sprig staid starring statue statute stellar steel stripe striped strip stripped sunning "
    "super surly swept tail tanned thrash through topical trail tread tripe trope trouper trooper "
    "troupe unclear unity united untied verse viola wading waging waking walking wether wight wined wining "
    "winning wrath wreath poplar wroth yeas liable sill dink rues pars settling setting complains woos suer sloes poof "
    "minuets tying bock flak boos cons compliant contrasts crow dining dinner fist hops lash maker mite rids sender sot"
)


def slips(word: str, kinds: tuple[str, ...] = INNER) -> list[str]:
    """Every form of the word with one slip at an inner letter, without those that are words themselves.

    Args:
        word: A word of lower-case letters a-z; below four letters it has no slips.
        kinds: Any of `swap` (two inner letters), `drop`, `repeat` and `key` (a neighbouring key).

    >>> slips("bread", ("swap",)), slips("storm", ("drop",))
    (['berad', 'braed'], ['sorm', 'strm', 'stom'])
    """
    inner = range(1, len(word) - 1)
    found: dict[str, None] = {}
    for at in inner:
        head, letter, rest = word[:at], word[at], word[at + 1 :]
        if "swap" in kinds and at + 1 in inner:
            found[head + rest[0] + letter + rest[1:]] = None
        if "drop" in kinds:
            found[head + rest] = None
        if "repeat" in kinds and letter not in (word[at - 1], rest[0]):  # three in a row are hard to read
            found[head + letter + letter + rest] = None
        if "key" in kinds:
            found |= {head + key + rest: None for key in NEIGHBOURS[letter]}
    return [slip for slip in found if slip != word and not is_word(slip)]


def is_word(word: str) -> bool:
    """Whether `word`, or it without an ending, stands in one of the word lists of this package."""
    if _is_listed(word):
        return True
    return any(word.endswith(ending) and _is_listed(word.removesuffix(ending)) for ending in _ENDINGS)


def _is_listed(word: str) -> bool:
    return (
        word in _MORE
        or word in lexicon.words("common")
        or word in lexicon.pairs("us_uk")
        or lexicon.polarity(word) != 0
    )
