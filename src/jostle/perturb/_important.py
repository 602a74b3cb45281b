"""Which words of a text matter most, by rule."""

from __future__ import annotations

from . import lexicon
from .words import word_set

NEGATIONS = word_set(
    "not no never none nothing nobody nowhere neither nor without cannot hardly scarcely barely rarely seldom little "
    "few"
)
# Numbers and quantities are here as well: a slip in one of them is not read through so safely.
FUNCTION_WORDS = NEGATIONS | word_set(
    "about above across after again against almost along already also although always among another anybody anyone "
    "anything around away back because been before behind being below beneath beside besides between beyond both "
    "could does doing done down during each either else enough even ever every everybody everyone everything except "
    "from further hadn have having hence here hers herself himself however into itself just least less like many "
    "maybe might more most much must myself near next often once only onto other others otherwise ought ours "
    "ourselves over perhaps quite rather really same shall should since some somebody someone something sometimes "
    "soon still such than that their theirs them themselves then there therefore these they thing things this those "
    "though through throughout thus together toward towards under unless until upon very well were what whatever "
    "when whenever where whereas wherever whether which whichever while whom whose will with within would your yours "
    "yourself yourselves them there's half several "
    "zero three four five seven eight nine eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions "
    "billion billions dozen dozens first second third "
    "fourth fifth sixth seventh eighth ninth tenth once twice"
)


def importance(word: str) -> tuple[bool, bool, int]:
    """How much a lower-case content word matters: words of praise or blame first, then rare words, then long ones.

    >>> importance("charming") > importance("lighthouse") > importance("people")
    True
    """
    return lexicon.polarity(word) != 0, word not in lexicon.words("common"), len(word)
