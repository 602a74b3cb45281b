"""Results in partitions: each is there whole or not at all, so that what was interrupted goes on where it was."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, JostleError

FOLDER = ".partitions"  # hidden: `jostle publish` and `datasets` pass it over
RECORD = "record.json"  # what the partition holds, a digest of each file, and what it cost
MAX_TRIES = 4  # a worker that dies is replaced and the partition begun anew, but not for ever
Record = Mapping[str, Any]
Place = Callable[[int, str], Path]


@dataclass(frozen=True)
class Partitions:
    """The partitions of one piece of work, one folder each: parquet files and a record, moved into place at once.

    Args:
        folder: Where they lie; its name says what they depend on, so that others are never taken for them.
        total: How many there are.
        place: Where a file of a partition goes once all partitions are finished; by default it stays.

    Limitations: workers and driver must see the same folder.
    """

    folder: Path
    total: int
    place: Place | None = None

    @classmethod
    def of(cls, out: Path, work: str, digest: str, total: int, place: Place | None = None) -> Partitions:
        """Those of a piece of work whose results go to `out`."""
        return cls(out / FOLDER / f"{work}-{digest}", total, place)

    def remove_others(self) -> None:
        """Remove partitions of the same work with other settings or items, whose results these have replaced."""
        work = self.folder.name.rpartition("-")[0]
        for other in self.folder.parent.glob(f"{work}-*"):
            if other != self.folder and other.name.rpartition("-")[0] == work:
                shutil.rmtree(other)

    def path(self, number: int) -> Path:
        """Folder of a partition."""
        return self.folder / f"{number:05d}"

    def begin(self) -> list[int]:
        """Clear what an interrupted run left half-done, and give the partitions that are not finished.

        Raises:
            InputError: The folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"Expected to write {self.folder}, but {error.strerror or error}.") from None
        self.tidy()
        missing = [number for number in range(self.total) if self.record(number) is None]
        for number in missing:
            shutil.rmtree(self.path(number), ignore_errors=True)  # of damaged or removed files
        return missing

    def tidy(self) -> None:
        """Remove what workers that died left half-done, and the counts of tries."""
        for path in self.folder.glob(".*"):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)

    def write(self, number: int, fill: Callable[[Path], Record]) -> None:
        """Make one partition: `fill` writes its files into a folder and says what they hold.

        Where another worker has finished the same partition in the meantime, its files stay: they are the same.

        Raises:
            JostleError: The worker has died of this partition too often.
        """
        self._count_try(number)
        folder = Path(tempfile.mkdtemp(dir=self.folder, prefix=f".{number:05d}-"))
        try:
            start = time.process_time()
            made = fill(folder)
            seconds = round(time.process_time() - start, 3)
            files = {path.name: _digest(path) for path in sorted(folder.iterdir())}
            (folder / RECORD).write_text(
                json.dumps({"files": files, "cpu_seconds": seconds, "made": made}), encoding="utf-8"
            )
            folder.chmod(0o755)
            try:
                folder.rename(self.path(number))
            except OSError:
                if self.record(number) is None:
                    raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def record(self, number: int) -> Record | None:
        """What a finished partition holds; None where it is not there, or a file is missing or altered."""
        try:
            record = json.loads((self.path(number) / RECORD).read_text(encoding="utf-8"))
            whole = all(_digest(self.file(number, name)) == digest for name, digest in record["files"].items())
        except (OSError, ValueError):
            return None
        made: Record = record["made"]
        return made if whole else None

    def file(self, number: int, name: str) -> Path:
        """Where a file of a partition is: in its folder, or where it was moved to."""
        own = self.path(number) / name
        return own if own.exists() or self.place is None else self.place(number, name)

    def move(self) -> None:
        """Move the files of all partitions to their places; the records stay, and tell what is missing later."""
        assert self.place is not None
        for number in range(self.total):
            for own in self.path(number).glob("*.parquet"):
                target = self.place(number, own.name)
                target.parent.mkdir(exist_ok=True)
                own.replace(target)

    def _count_try(self, number: int) -> None:
        """Note that a worker begins, before it can die."""
        tries = self.folder / f".{number:05d}.tries"
        with tries.open("a", encoding="utf-8") as file:
            file.write(".")
        if tries.stat().st_size > MAX_TRIES:
            raise JostleError(
                f"Expected partition {number} of {self.folder} to be finished, but {MAX_TRIES} workers died at it, "
                "which lack of memory does. What is finished stays: give the workers more memory and run again."
            )


def digest_of(*parts: str) -> str:
    """Sixteen digits that tell work from other work.

    >>> digest_of("a", "b") == digest_of("ab", ""), len(digest_of("a"))
    (False, 16)
    """
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(f"{len(encoded)}:".encode() + encoded)
    return digest.hexdigest()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]
