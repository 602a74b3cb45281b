"""Results in partitions: whole or not there, whoever dies, and found again wherever they were moved to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError, JostleError
from jostle.integrations.partitions import MAX_TRIES, RECORD, Partitions


@pytest.fixture
def three(tmp_path: Path) -> Partitions:
    """Three partitions, of which 0 and 2 are finished; their files go to `tmp_path/placed`."""
    partitions = Partitions.of(
        tmp_path, "work", "0123", 3, lambda number, name: tmp_path / "placed" / f"{number}-{name}"
    )
    assert partitions.begin() == [0, 1, 2]
    for number in (0, 2):
        partitions.write(number, fill)
    return partitions


def fill(folder: Path) -> Mapping[str, Any]:
    (folder / "rows.parquet").write_bytes(b"rows")
    return {"rows": 4}


def names(partitions: Partitions) -> list[str]:
    return sorted(path.name for path in partitions.folder.iterdir())


def test_what_is_finished_has_a_record_and_the_rest_is_begun(three: Partitions) -> None:
    assert [three.record(number) for number in range(3)] == [{"rows": 4}, None, {"rows": 4}]
    assert three.begin() == [1]
    assert names(three) == ["00000", "00002"]


def test_a_stage_that_fails_leaves_nothing_that_counts(three: Partitions) -> None:
    def fail(folder: Path) -> Mapping[str, Any]:
        fill(folder)
        raise InputError("no")

    with pytest.raises(InputError, match="no"):
        three.write(1, fail)
    assert three.record(1) is None
    assert three.begin() == [1]


def test_a_worker_that_died_half_way_leaves_nothing_that_counts(three: Partitions) -> None:
    half = three.folder / ".00001-abc"
    half.mkdir()
    fill(half)
    assert three.begin() == [1]
    assert names(three) == ["00000", "00002"]


@pytest.mark.parametrize("damage", ["cut", "gone", "no record", "half a record"])
def test_damaged_partitions_are_made_again(three: Partitions, damage: str) -> None:
    folder = three.path(2)
    if damage == "cut":
        (folder / "rows.parquet").write_bytes(b"row")
    elif damage == "gone":
        (folder / "rows.parquet").unlink()
    elif damage == "no record":
        (folder / RECORD).unlink()
    else:
        (folder / RECORD).write_text('{"files": {')
    assert three.begin() == [1, 2]
    three.write(2, fill)
    assert three.record(2) == {"rows": 4}


def test_moved_files_are_found_and_a_removed_one_is_missed(three: Partitions, tmp_path: Path) -> None:
    three.write(1, fill)
    three.move()
    placed = sorted(path.name for path in (tmp_path / "placed").iterdir())
    assert placed == ["0-rows.parquet", "1-rows.parquet", "2-rows.parquet"]
    assert three.begin() == []
    (tmp_path / "placed" / placed[1]).unlink()
    assert three.begin() == [1]


def test_of_two_workers_with_one_partition_the_first_counts(three: Partitions) -> None:
    def slow(folder: Path) -> Mapping[str, Any]:
        three.write(1, fill)  # another worker is done in the meantime
        return {**fill(folder), "second": True}

    three.write(1, slow)
    assert three.record(1) == {"rows": 4}
    assert [name for name in names(three) if name.startswith(".00001-")] == []


def test_a_partition_is_not_begun_for_ever(three: Partitions) -> None:
    def fail(folder: Path) -> Mapping[str, Any]:
        raise InputError("as if the worker died")

    for _ in range(MAX_TRIES):
        with pytest.raises(InputError):
            three.write(1, fail)
    with pytest.raises(JostleError, match=f"partition 1 of .* but {MAX_TRIES} workers died at it"):
        three.write(1, fill)
    three.begin()
    three.write(1, fill)  # another run tries anew
    assert three.record(1) == {"rows": 4}


def test_results_of_other_settings_are_removed_and_those_of_other_work_stay(three: Partitions, tmp_path: Path) -> None:
    others = [Partitions.of(tmp_path, work, digest, 1) for work, digest in (("work", "9"), ("work-b", "9"))]
    for other in others:
        other.begin()
    three.remove_others()
    assert [other.folder.exists() for other in others] == [False, True]
    assert three.folder.exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / ".partitions").write_text("a file")
    with pytest.raises(InputError, match=r"Expected to write .*partitions"):
        Partitions.of(tmp_path, "work", "0", 1).begin()
