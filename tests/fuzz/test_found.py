"""What fuzzing has found, each with the smallest file or value that showed it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import jostle
from jostle.errors import InputError, JostleError, UsageError

Write = Callable[[str, Any], Path]
Run = Callable[..., Any]
HALF = "\ud800"  # half of a surrogate pair, which JSON may hold and UTF-8 may not
DEEP = "[" * 100_000
PAIRS = jostle.pair_report  # the fixture has the name of the package
OUTCOME = {"item_ids": "a", "conditions": "orig", "predictions": "x", "references": "x"}


@pytest.mark.parametrize("name", ["log.json", "log.jsonl", "report.json", "results.json"])
def test_json_nested_too_deeply(name: str, write: Write, jostle: Run) -> None:
    for command in ("report", "audit"):
        done = jostle(command, write(name, DEEP), *(("--skip-duplicates",) if command == "audit" else ()))
        assert done.code in (2, 3)
        assert len(done.err.splitlines()) <= 3
        assert "unexpected" not in done.err


def test_half_of_a_surrogate_pair_in_outcomes(write: Write) -> None:
    path = write("o.jsonl", "")
    path.write_text(json.dumps({**OUTCOME, "item_ids": HALF}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="half of a surrogate pair"):
        jostle.read_outcomes(path)


def test_half_of_a_surrogate_pair_in_a_set(tmp_path: Path, jostle: Run) -> None:
    rows = [{"question": f"{HALF} {k}", "answer": HALF} for k in range(5)]
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert jostle("audit", path, "--skip-duplicates", "--out", tmp_path / "a.json").code in (0, 1)


def test_a_whole_number_that_no_float_holds(write: Write, jostle: Run) -> None:
    huge = 10**400
    config = write("jostle.toml", f"[report]\ntolerance = {huge}\n")
    done = jostle("report", write("r.json", {"a": [True] * 5, "b": [True] * 5}), "--config", config)
    assert done.code == 2
    assert "tolerance" in done.err
    assert len(done.err) < 1000
    pair = {"base_label": "a", "edited_label": "b", "base_prediction": "a", "edited_prediction": "b"}
    with pytest.raises((InputError, UsageError)):
        PAIRS([{**pair, "base_confidence": huge}])


def test_a_condition_whose_number_has_five_thousand_digits(write: Write, jostle: Run) -> None:
    rows = [
        {**OUTCOME, "item_ids": f"i{k}", "conditions": name} for k in range(12) for name in ("orig", "x" + "9" * 5000)
    ]
    assert jostle("report", write("o.jsonl", rows), "--resamples", "200").code == 0


NO_MEASURES = '{"tool": {"name": "jostle"}, "measures": [1]}'
NO_VALUES = '{"tool": {"name": "jostle"}, "measures": [{"name": "flip_rate", "values": []}]}'


@pytest.mark.parametrize("content", ["[]", "1", '{"tool": 1}', NO_MEASURES, NO_VALUES])
def test_history_passes_over_what_is_no_report(content: str, write: Write, jostle: Run) -> None:
    path = write("dated/2026-11-01.json", content)
    done = jostle("history", path.parent)
    assert done.code == 3
    assert "unexpected" not in done.err


@pytest.mark.parametrize("about", ["[]", '{"counts": 1}', '{"notes": 1}', "{", '{"counts": {"orig": {"x": "y"}}}'])
def test_metadata_of_outcomes_that_jostle_did_not_write(about: str, tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: [value] for name, value in OUTCOME.items()})
    pq.write_table(table.replace_schema_metadata({b"jostle": about.encode()}), tmp_path / "o.parquet")
    with pytest.raises(JostleError, match="Expected what jostle writes, but the metadata of"):
        jostle.read_outcomes(tmp_path / "o.parquet")


def test_a_confidence_that_is_half_of_a_surrogate_pair(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    path.write_text(json.dumps({**OUTCOME, "confidences": HALF}) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="Expected `confidences` to be numbers or None"):
        jostle.read_outcomes(path)


def test_a_column_of_parquet_whose_name_is_not_utf8(tmp_path: Path, jostle: Run) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "wide.parquet"
    pq.write_table(pa.table({"qqqqqqqq": ["a"], "m": [1]}), path)
    path.write_bytes(path.read_bytes().replace(b"qqqqqqqq", b"\xf3qqqqqqq"))
    rows = tmp_path / "set.jsonl"
    rows.write_text('{"question": "a", "answer": "b"}\n', encoding="utf-8")
    for arguments in (("report", path), ("audit", rows, "--skip-duplicates", "--results", path),
                      ("audit", rows, "--skip-duplicates", "--against", path)):  # fmt: skip
        done = jostle(*arguments)
        assert done.code == 3
        assert "unexpected" not in done.err


def test_a_report_of_the_past_with_a_number_beyond_floats(write: Write, jostle: Run) -> None:
    values = {"max_drift": 10**400, "verdict": "fragile"}
    measures = [{"name": "invariance_drift", "values": values}, {"name": "flip_rate", "values": {"flip_rate": 0.1}}]
    path = write("dated/2026-11-01.json", {"tool": {"name": "jostle"}, "measures": measures})
    done = jostle("history", path.parent)
    assert done.code == 3
    assert "unexpected" not in done.err
