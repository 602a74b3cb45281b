"""Closed word classes that decide whether a contraction is safe to expand or to make."""

from __future__ import annotations

from .words import word_set

SUBJECTS = word_set("i you he she it we they there")
DETERMINERS = word_set(
    "the a an this that these those my your his her its our their any some all people anyone anybody "
    "someone somebody everyone everybody one"
)

# Adverbs that may stand between an auxiliary and its verb: the word after them decides.
ADVERBS = word_set(
    "not never always just also already still only even ever often sometimes usually rarely seldom "
    "probably really certainly clearly simply actually now since all both long almost nearly hardly "
    "again finally recently"
)

# Conjunctions and verbs of saying after which "it's" can only be "it is" or "it has". After other words it
# may be a slip for the possessive ("encounter it's main tributaries").
CLAUSE_OPENERS = word_set(
    "and but or so because cause if that when whenever while though although since say says said "
    "think thinks thought know knows knew believe believes feel feels guess hope hopes mean means "
    "suggests suggest whether where until unless before sure now yes no yeah well maybe perhaps then "
    "like oh okay uh um actually sometimes once given realize realise claims claimed show shows prove "
    "proves see is not just admit suppose suspect"
)
WH_WORDS = word_set("why how what when where")
CONJUNCTIONS = word_set("and but or so then if")

# After 's: has, for certain.
HAS_HEADS = word_set("been got had become")

# After 'd: would before a base form, had before a participle. Forms that are both are in neither.
WOULD_HEADS = word_set(
    "be have like love prefer say want know do go see take make give need think get ask tell find "
    "call try seem feel leave expect hate appreciate suggest recommend rather probably advise guess "
    "imagine bet keep look work mind rate describe argue add watch bring buy eat drink write speak "
    "live die stay start stop play help use enjoy"
)
HAD_HEADS = word_set(
    "been done gone seen had taken given made known said told found left brought bought written "
    "spoken eaten heard begun fallen broken chosen driven forgotten grown lost met sent spent thought "
    "felt kept"
)
NOT_PAST = word_set("need feed speed exceed succeed proceed bleed breed heed seed weed embed shed wed indeed")

# A quantity after "there's" asks for "are", which the contraction hides.
PLURALS = word_set(
    "two three four five six seven eight nine ten many few several some plenty lots more both enough "
    "couple hundreds thousands millions dozens"
)

# Words that cannot begin what "it is" is about: before them the verb ends its clause or stands by itself.
NO_COMPLEMENT = word_set(
    "and but or nor to for with in on at of that when if as than because so who whom whose what where "
    "why how by from about until till since before after though although while then now today here "
    "there again anyway either is are am was were be will would can could should may might must do "
    "does did have has had"
)
# A word of these before it in the clause may have taken the complement away: "how good it is the first time".
EXTRACTORS = word_set("than as what how which who whom where whatever whichever wherever however when")
# A pronoun after these is an object, or part of a longer subject: "people like you are".
NOT_A_CLAUSE = word_set(
    "of with for to by like from about at on in or nor between than do does did will would can could "
    "should may might must let make and"
)
