"""`jostle demo --generate`: the protocol for generative models on embedded items, and what order and symbols do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .generative import run_generative
from .generative_flags import ALL
from .shared import EMBEDDED, console, say

if TYPE_CHECKING:
    from ..outcomes import Outcomes
    from ..report import Report
    from ..report.sections import Section

LIMIT = 10
FOLDER = "jostle-demo"
ORDERS, WORDS = "labels/", "symbols/words"
# One condition of each kind, so that every task weighs the kinds alike.
WAYS = {"decoding": "greedy,sample", "operators": "by_hand,typos,distractor", "label_orders": True,
        "symbols": "letters,words"}  # fmt: skip


def run_generate(values: dict[str, Any]) -> int:
    """Run the protocol as `jostle run` does, then say what order and symbols of the options do; gives the exit code.

    Args:
        values: Settings of `run`, with the `model`, a `limit` of items per task (0: a few), the `page` to write, and
            `out`, the folder beside it in which finished answers are kept.
    """
    from ..outcomes import OUTCOMES_FILE, read_outcomes

    given = {"model": EMBEDDED, **values, **WAYS, "task": "all", "data": EMBEDDED, "limit": values["limit"] or LIMIT}
    say(_opening(given), given["quiet"])
    code = run_generative({**given, "dry_run": False, "brief": True}, {})
    if given["format"] == "text":
        from ..report.text import print_section

        section = prompt_section(read_outcomes(given["out"] / OUTCOMES_FILE), given)
        with console(given["no_color"]) as stdout:
            print_section(section, stdout)
    return code


def _opening(values: dict[str, Any]) -> str:
    return (
        f"{values['limit']} items of each of {', '.join(ALL)}, read greedily and sampled {values['k']} times: about "
        f"{-(-27 * values['limit'] // 60)} minutes on one core. Finished answers are kept in {values['out']}: after an "
        "interruption the same command goes on. --limit takes more items or fewer."
    )


def prompt_section(outcomes: Outcomes, values: dict[str, Any]) -> Section:
    """What the greedy answers to the originals owe to the order of the options, and to their symbols.

    Both are the measures of any report, over some of its conditions: the orders alone, and letters against words.
    """
    from ..report.sections import Section
    from .run_folder import report_on

    by_order = report_on(_greedy(outcomes, lambda name: name == "orig" or name.startswith(ORDERS)), values)
    by_words = report_on(_greedy(outcomes, lambda name: name in ("orig", WORDS)), values)
    places = sorted({place for group in by_order.groups for place in _shares(by_order, group)})
    rows = [_row(by_order, by_words, group, places) for group in by_order.groups]
    return Section(
        "Order and symbols of the options (greedy, original items)",
        ("", "items", "orders", "drift", "95% CI", "change", *places, "words", "unparsed"),
        rows,
        "drift: largest difference in accuracy between orders; change: items whose label is not the same in all "
        f"orders; {', '.join(places)}: share of the answers at this place, over all orders; words: items whose label "
        "differs when options are answered in words instead of letters; unparsed: answers in words that give no label",
    )


def _row(by_order: Report, by_words: Report, group: str, places: list[str]) -> list[str]:
    from ..report.table_rows import interval, number

    drift = by_order.values("invariance_drift", group)
    ends = interval([drift["drift_ci_low"], drift["drift_ci_high"]], digits=2)
    changed = [number(made.values("flip_rate", group)["answer_flip_rate"], 2) for made in (by_order, by_words)]
    shares = [number(_shares(by_order, group).get(place, 0.0), 2) for place in places]
    unparsed = number(by_words.values("unparsed_rate", group)["unparsed_rate_by_condition"][WORDS], 2)
    return [group.removeprefix("task="), str(drift["n_items"]), str(len(drift["accuracy_by_condition"])),
            number(drift["max_drift"], 2), ends, changed[0], *shares, changed[1], unparsed]  # fmt: skip


def _shares(report: Report, group: str) -> dict[str, float]:
    found: dict[str, float] = report.values("position_bias", group)["answer_share_by_position"]
    return found


def _greedy(outcomes: Outcomes, wanted: Callable[[str], bool]) -> Outcomes:
    """The greedy answers under some conditions."""
    table = outcomes.to_arrow()
    pairs = zip(table["decodings"].to_pylist(), table["conditions"].to_pylist(), strict=True)
    kept = table.filter([decoding == "greedy" and wanted(condition) for decoding, condition in pairs])
    columns = {name: kept[name].combine_chunks() for name in kept.column_names}
    return dataclasses.replace(outcomes, columns=columns)
