"""An attack on one classifier: replace the words it relies on until it changes its mind."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ..errors import InputError, UsageError
from ..items import Item
from ..perturb import Edit, NotApplicable, Operator, Variant
from ..perturb.sides import SIDES, chosen_fields
from ._candidates import slots_of, substitution_operators
from ._search import Limits, Score, Search, Texts, Valid, edit_limit, none_of, search
from .classify import Classifier
from .paraphrase import keep_all

SKIPPED = ("already wrong", "no gold label")
_POOL = 32  # items searched side by side, so that their inputs share batches


@dataclass(frozen=True, slots=True)
class Settings:
    """How to attack.

    Args:
        letters: Whether to try slips of the hand (neighbouring keys, swapped, missing and doubled letters).
        operators: Names of operators whose changes are tried as well, such as `synonyms`.
        width: States kept after each word (beam search); 1 is greedy.
        budget: Most distinct inputs an item may cost.
        rate: Most words to edit, as a share of the words of the edited fields.
        per_word: Most replacements tried for a word, of each source.
        seed: Seed of the draws.
        side: Fields to edit, as in `perturb.apply`.

    Raises:
        UsageError: A number or the side is out of range, or nothing is left to try.
    """

    letters: bool = True
    operators: tuple[str, ...] = ()
    width: int = 1
    budget: int = 1000
    rate: float = 0.2
    per_word: int = 12
    seed: int = 0
    side: str = "auto"

    def __post_init__(self) -> None:
        """Check the numbers."""
        for name in ("width", "budget", "per_word"):
            if getattr(self, name) < 1:
                raise UsageError(f"Expected `{name}` to be at least 1, but got {getattr(self, name)}. Raise it.")
        if not 0 < self.rate <= 1:
            raise UsageError(f"Expected `rate` to be above 0 and at most 1, but got {self.rate}. Give a share.")
        if self.side not in SIDES:
            raise UsageError(f"Expected `side` to be one of {', '.join(SIDES)}, but got {self.side!r}.")
        if not self.letters and not self.operators:
            raise UsageError("Expected letters or operators to try, but got neither. Name an operator.")


@dataclass(frozen=True, slots=True)
class Attacked:
    """What the attack on one item came to.

    Args:
        item_id: The item.
        success: Whether the model's label changed.
        queries: Distinct inputs the model was run on for this item.
        variant: The variant that flips the label; where none was found, the one that lowers the probability of the
            gold label most; or why there is none.
    """

    item_id: str
    success: bool
    queries: int
    variant: Variant | NotApplicable

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Replacements of the variant; none where there is no variant."""
        return self.variant.edits if isinstance(self.variant, Variant) else ()


@dataclass(frozen=True, slots=True)
class Summary:
    """Attacks in numbers.

    Args:
        attacked: Items the model got right at first.
        succeeded: Those among them whose label was changed.
        success_rate: `succeeded / attacked`; nan where nothing was attacked.
        mean_queries: Mean number of queries of the attacked items; nan where there are none.
        reasons: Why items have no variant, with counts.
    """

    attacked: int
    succeeded: int
    success_rate: float
    mean_queries: float
    reasons: Counter[str] = field(default_factory=Counter)


def attack(
    classifier: Classifier, items: Iterable[Item], valid: Valid = keep_all, settings: Settings | None = None
) -> Iterator[Attacked]:
    """Attack each item the model gets right, and give the results in the order of the items.

    Words are ranked by how much the probability of the gold label drops when they are left out. In that order each
    word is tried with its replacements, all of them at once; the best `width` states go on to the next word, and the
    first change of the label ends the search. Numbers, names, negations and protected spans are not touched. The
    result depends on the model, the item and the settings; only a tie in the fourth digit could fall otherwise in
    other batches.

    Args:
        classifier: The model under attack.
        items: Labelled items; one without a label gives the reason `no gold label`.
        valid: Which variants count as keeping the meaning; others are never shown to the model.
        settings: How to attack.

    Raises:
        UsageError: A named operator does not exist or does not keep the label.
        InputError: A gold label is none of the model's.

    Limitations: a search, not a proof: an item that holds may fall to other edits. The variants are hard for this
    model, and chosen by its mistakes, so a success rate cannot be compared with that of a fixed operator.
    """
    settings = settings or Settings()
    pool = _Pool(classifier, valid, settings, substitution_operators(settings.operators))
    waiting = iter(items)
    given = 0
    while pool.fill(waiting) or pool.running:
        pool.step()
        while given in pool.done:
            yield pool.done.pop(given)
            given += 1


@dataclass
class _Pool:
    """Searches that run side by side; `done` holds results by the place of their item."""

    classifier: Classifier
    valid: Valid
    settings: Settings
    operators: Sequence[Operator]
    running: dict[int, tuple[Item, Search, list[Texts]]] = field(default_factory=dict)
    done: dict[int, Attacked] = field(default_factory=dict)
    taken: int = 0

    def fill(self, waiting: Iterator[Item]) -> bool:
        """Start searches on the next items; whether there was one."""
        before = self.taken
        for item in islice(waiting, _POOL - len(self.running)):
            self._start(self.taken, item)
            self.taken += 1
        return self.taken > before

    def _start(self, at: int, item: Item) -> None:
        how = self.settings
        fields = chosen_fields(item, how.side)
        if item.label is None or isinstance(fields, NotApplicable):
            reason = fields.reason if isinstance(fields, NotApplicable) else "no gold label"
            self.done[at] = Attacked(item.id, False, 0, none_of(item, reason))
            return
        if item.label not in self.classifier.labels:
            raise InputError(
                f"Expected the gold label of item {item.id!r} to be one of {', '.join(self.classifier.labels)}, but "
                f"got {item.label!r}. Load the model with the labels of the task."
            )
        slots = slots_of(item, fields, self.operators, how.letters, how.per_word, how.seed)
        limits = Limits(how.width, how.budget, edit_limit(item, fields, how.rate))
        searching = search(item, slots, limits, self.valid, how.seed, how.side)
        self.running[at] = (item, searching, next(searching))

    def step(self) -> None:
        """Run the model on what all searches ask for, and send each its scores."""
        asked = [texts for _, _, wanted in self.running.values() for texts in wanted]
        if not asked:
            return
        probabilities = self.classifier.probabilities(self.classifier.encode(asked))
        end = 0
        for at, (item, searching, wanted) in list(self.running.items()):
            start, end = end, end + len(wanted)
            assert item.label is not None  # or it would not have started
            gold = self.classifier.labels.index(item.label)
            scores = [Score(float(row[gold]), int(row.argmax()) == gold) for row in probabilities[start:end]]
            try:
                self.running[at] = (item, searching, searching.send(scores))
            except StopIteration as stopped:
                del self.running[at]
                self.done[at] = Attacked(item.id, *stopped.value)


def summarise(results: Iterable[Attacked]) -> Summary:
    """Success rate and mean number of queries over the items the model got right at first.

    Items without a candidate and those whose budget was spent count as attacked without success.

    >>> held = Attacked("a", False, 60, NotApplicable("budget spent"))
    >>> wrong = Attacked("b", False, 1, NotApplicable("already wrong"))
    >>> summary = summarise([held, wrong])
    >>> summary.attacked, summary.success_rate, summary.mean_queries
    (1, 0.0, 60.0)
    """
    listed = list(results)
    reasons = Counter(r.variant.reason for r in listed if isinstance(r.variant, NotApplicable))
    attacked = [r for r in listed if not (isinstance(r.variant, NotApplicable) and r.variant.reason in SKIPPED)]
    succeeded = sum(result.success for result in attacked)
    if not attacked:
        return Summary(0, 0, math.nan, math.nan, reasons)
    queries = sum(result.queries for result in attacked)
    return Summary(len(attacked), succeeded, succeeded / len(attacked), queries / len(attacked), reasons)
