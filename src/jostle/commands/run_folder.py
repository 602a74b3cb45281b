"""The report on a run, and the folder that a run leaves."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .shared import say

if TYPE_CHECKING:
    from ..outcomes import Outcomes
    from ..report import Report


def report_on(outcomes: Outcomes, values: dict[str, Any]) -> Report:
    """The report on a run."""
    from ..report import build_report

    return build_report(
        outcomes,
        tolerance=values["tolerance"],
        n_resamples=values["resamples"],
        seed=values["seed"],
        flip_tolerance=values["flip_tolerance"],
    )


def write_run(
    values: dict[str, Any], rows: Sequence[dict[str, Any]], outcomes: Outcomes, report: Report, record: dict[str, Any]
) -> None:
    """Write the folder of a run: what was read, the manifest, the reports, and last the outcomes."""
    from .. import run as runner
    from ..files import write_text
    from ..outcomes import OUTCOMES_FILE
    from ..report.page import to_html

    folder = values["out"]
    runner.write_variants(rows, folder)
    write_text(folder / "manifest.json", json.dumps(record, indent=2, ensure_ascii=False) + "\n")
    payload = json.dumps(report.to_dict(values["fail_on"]), indent=2, ensure_ascii=False, allow_nan=False)
    write_text(folder / "report.json", payload + "\n")
    write_text(folder / "report.html", to_html(report))
    outcomes.write(folder / OUTCOMES_FILE)
    say(
        f"wrote {folder}/ ({', '.join(sorted(path.name for path in folder.iterdir() if path.is_file()))})",
        values["quiet"],
    )
