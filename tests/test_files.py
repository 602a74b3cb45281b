"""Files are whole or not there."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError
from jostle.files import atomic_path, write_text
from jostle.outcomes import Outcomes

not_as_root = pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere")


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = write_text(tmp_path / "a.txt", "old")
    half = "half of the text \ud800"  # fails when it is encoded, with the file open
    with pytest.raises(UnicodeEncodeError), atomic_path(path) as temporary:
        temporary.write_text(half, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_outcomes_are_never_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(table: object, where: Path) -> None:
        Path(where).write_bytes(b"PAR1 half")
        raise KeyboardInterrupt

    monkeypatch.setattr(pq, "write_table", stop)
    outcomes = Outcomes.from_columns(predictions=[1], references=[1], item_ids=["a"], conditions=["orig"])
    with pytest.raises(KeyboardInterrupt):
        outcomes.write(tmp_path / "o.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_a_message(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"Expected to write .*a\.txt, but No space left"),
        atomic_path(tmp_path / "a.txt"),
    ):
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_folders_are_made_and_files_have_the_usual_permissions(tmp_path: Path) -> None:
    path = write_text(tmp_path / "x" / "y" / "a.txt", "naïve\n")
    assert path.read_bytes() == "naïve\n".encode()
    (tmp_path / "plain.txt").touch()
    assert path.stat().st_mode == (tmp_path / "plain.txt").stat().st_mode


def test_a_file_in_the_way_of_a_folder(tmp_path: Path) -> None:
    write_text(tmp_path / "file", "")
    with pytest.raises(InputError, match=r"Expected to write .*file.*a\.txt, but "):
        write_text(tmp_path / "file" / "a.txt", "")
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match=r"Expected to write .*folder, but "):
        write_text(tmp_path / "folder", "")


@not_as_root
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match=r"Expected to write .*a\.txt, but Permission denied"):
            write_text(tmp_path / "a.txt", "")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_cannot_be_written_whoever_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    with pytest.raises(InputError, match="but Permission denied"):
        write_text(tmp_path / "a.txt", "")


def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target = write_text(tmp_path / "real" / "a.txt", "old")
    link = tmp_path / "link.txt"
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"


def test_a_device_or_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text(encoding="utf-8")))
    got: list[str] = []
    reader.start()
    write_text(pipe, "text")
    reader.join(timeout=10)
    assert got == ["text"]
    assert pipe.is_fifo()
    write_text("/dev/null", "text")
    assert Path("/dev/null").is_char_device()
