"""Write docs/performance.md from what the benchmarks kept: python benchmarks/page.py. A test holds it up to date.

A file of results that has not the form of form.py (there are measurements of other things than speed) is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
# What stands below a section beside its notes, by the name of its file.
BELOW = {
    "growth": "![CPU time and peak memory against the number of rows, on logarithmic axes](images/growth.svg)",
    "operators": "Where the time goes, and what limits it: [performance_operators.md](performance_operators.md).",
    "build": "Where the time goes: [performance_operators.md](performance_operators.md).",
}
HEAD = """# Performance

Made by `python benchmarks/page.py` from [what the benchmarks kept](../benchmarks/results); a test holds it up to date.
`make bench` measures everything again; `make bench DATA=FOLDER` on the validation sets of GLUE (SST-2, QNLI and MNLI,
parquet) instead of the embedded items.

Each script of `benchmarks/` runs jostle beside its peers, or beside a limit (the same work with everything but the
arithmetic left out), in one process tree on one thread. They take turns, so that a slow minute of the machine is shared
by all, and the median counts; seconds are CPU seconds unless a note says wall time. Peers are installed in environments
of their own. Of a row, trust the ratio: absolute times are those of one machine on one day.

The ratio says how many times as fast as the peer in bold jostle is (for memory, how many times as small); below 1 it is
slower. *Wanted* is what was set as a goal before; a ratio that misses it is **bold**, and stands again under
[Not reached](#not-reached).
"""
Record = Mapping[str, Any]


def records(folder: Path = RESULTS) -> dict[str, Record]:
    """What has the common form, by the name of its file, in the order of the titles."""
    read = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    found = {name: record for name, record in read.items() if {"title", "machine", "rows"} <= set(record)}
    return dict(sorted(found.items(), key=lambda one: (one[1]["title"].strip("`").lower(), one[0])))


def figure(value: float, unit: str) -> str:
    """A figure with its unit, to three digits.

    >>> figure(0.01234, "s"), figure(253156.1, "1/s"), figure(3.6, "GB"), figure(1234.5, "s")
    ('0.0123 s', '253,156 a second', '3.6 GB', '1,234 s')
    """
    if unit == "1/s":
        return f"{value:,.0f} a second"
    return f"{value:,.0f} {unit}" if abs(value) >= 1000 else f"{value:.3g} {unit}"


def multiple(ratio: float) -> str:
    """A ratio: two digits after the point below 10, none from 100 on."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:,.0f}"


def missed(row: Record) -> bool:
    """Whether a goal was set and not reached."""
    return row["wanted"] is not None and (row["ratio"] is None or row["ratio"] < row["wanted"])


def cells(row: Record, mark: str) -> Iterator[str]:
    """The cells of a row of the table; the peer that counts comes first."""
    yield row["work"] + mark
    yield figure(row["ours"], row["unit"])
    names = sorted(row["peers"], key=lambda name: name != row["against"])
    told = [f"{name}: {figure(row['peers'][name], row['unit'])}" for name in names]
    yield "; ".join(f"**{text}**" if k == 0 else text for k, text in enumerate(told)) or "none"
    ratio = "" if row["ratio"] is None else multiple(row["ratio"])
    yield f"**{ratio}**" if missed(row) else ratio
    yield "" if row["wanted"] is None else multiple(row["wanted"])


def table(rows: Sequence[Record]) -> Iterator[str]:
    """Rows as a table, and their notes below; rows with one note share its number."""
    notes = list(dict.fromkeys(row["note"] for row in rows if row["note"]))
    yield from ("| work | ours | peer or limit | ratio | wanted |", "| --- | --- | --- | --- | --- |")
    for row in rows:
        mark = f" ({notes.index(row['note']) + 1})" if row["note"] else ""
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells(row, mark))} |"
    if notes:
        yield ""
    yield from (f"{k}. {note}" for k, note in enumerate(notes, start=1))


def not_reached(found: Mapping[str, Record]) -> Iterator[str]:
    """The goals that were missed, each with what its note says."""
    yield from ("## Not reached", "")
    rows = [(record["title"], row) for record in found.values() for row in record["rows"] if missed(row)]
    for title, row in rows:
        ratio = "not measured" if row["ratio"] is None else f"{multiple(row['ratio'])} times"
        goal = f"{ratio} {row['against']}, wanted {multiple(row['wanted'])}"
        yield f"* {title}: {row['work']}: {goal}. {row['note']}".rstrip()
    if not rows:
        yield "Every goal that was set is reached."


def page(found: Mapping[str, Record]) -> str:
    """The whole page."""
    lines = [HEAD]
    for name, record in found.items():
        lines += [f"## {record['title']}", "", *table(record["rows"]), ""]
        lines += [BELOW[name], ""] if name in BELOW else []
        lines += [f"Measured by `benchmarks/{name}.py` on {record['machine']}.", ""]
    return "\n".join([*lines, *not_reached(found)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(records()), encoding="utf-8")
