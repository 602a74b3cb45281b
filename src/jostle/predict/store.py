"""Finished predictions in one SQLite file, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError
from .protocol import Completion, LabelScore

APPLICATION_ID = 0x4A73746C  # in the header of the file: tells a store from other SQLite files
VERSION = 1
BUSY_SECONDS = 60.0  # how long to wait for another process that writes
_BLOCK = 500  # prompts a query; SQLite allows 999 parameters in old builds
_TABLES = (
    "CREATE TABLE settings (id INTEGER PRIMARY KEY, setting TEXT NOT NULL UNIQUE)",
    "CREATE TABLE predictions (setting INTEGER NOT NULL REFERENCES settings, prompt BLOB NOT NULL, "
    "sample INTEGER NOT NULL, completion TEXT NOT NULL, PRIMARY KEY (setting, prompt, sample)) WITHOUT ROWID",
    f"PRAGMA application_id={APPLICATION_ID}",
    f"PRAGMA user_version={VERSION}",
)
_ADVICE = {
    "SQLITE_NOTADB": "Name another file.",
    "SQLITE_CORRUPT": "Put the file aside and run again.",
    "SQLITE_FULL": "Free some space and run again: what is stored stays.",
    "SQLITE_BUSY": "Run again when the other process has ended.",
    "SQLITE_READONLY": "Name a file that can be written.",
    "SQLITE_CANTOPEN": "Name a file in a folder that can be written.",
}


class Setting(NamedTuple):
    """Model and decoding of a prediction; `decoding` holds what matters to one sample, as JSON.

    Model and revision are as `revision.identity` gives them: a folder has no name, however it is typed.
    """

    model: str
    revision: str
    decoding: str
    seed: int


class Key(NamedTuple):
    """Names one prediction: the prompt stands as a hash."""

    setting: Setting
    prompt: bytes
    sample: int


class PredictionStore:
    """A file of finished predictions that several processes on one machine may read and write at once.

    Args:
        path: The file; it is made, with its folder, where there is none.

    Raises:
        InputError: The file is no store, is of a newer version of jostle, or cannot be read or written.

    Limitations: on a network folder only one machine may use a store at a time. A power cut (not a killed process) may
    cost the last seconds.

    >>> key = Key(Setting("model", "1", "{}", 0), b"hash", 0)
    >>> with PredictionStore(getfixture("tmp_path") / "store.sqlite") as store:
    ...     stored = store.put({key: Completion("item", 0, "positive")})
    ...     store.get([key])[key].text
    'positive'
    """

    def __init__(self, path: str | Path) -> None:
        self._numbers: dict[Setting, int] = {}
        self.path = Path(path).absolute()  # a relative ":memory:" would not be a file
        with self._errors():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> PredictionStore:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._errors():
            self._db.close()

    def get(self, keys: Iterable[Key]) -> dict[Key, Completion]:
        """The predictions that are stored, of those asked for."""
        asked: dict[Setting, dict[bytes, None]] = {}
        wanted = set(keys)
        for key in wanted:
            asked.setdefault(key.setting, {})[key.prompt] = None
        with self._errors():
            found = [pair for setting, prompts in asked.items() for pair in self._read(setting, list(prompts))]
        return {key: completion for key, completion in found if key in wanted}

    def put(self, completions: Mapping[Key, Completion]) -> dict[Key, Completion]:
        """Store predictions in one transaction, and give what is stored under their keys.

        A prediction that another process stored first stays, so that every run reports the same one.
        """
        with self._errors():
            rows = [
                (self._number_of(key.setting, make=True), key.prompt, key.sample, dump(done))
                for key, done in completions.items()
            ]
            before = self._db.total_changes
            with self._transaction():
                self._db.executemany("INSERT OR IGNORE INTO predictions VALUES (?, ?, ?, ?)", rows)
            added = self._db.total_changes - before
        return dict(completions) if added == len(completions) else self.get(completions)

    @property
    def has_log(self) -> bool:
        """Whether the file has a write-ahead log, with which a commit is cheap; network folders have none."""
        return bool(self._pragma("journal_mode") == "wal")

    def _prepare(self) -> None:
        with self._transaction():  # takes the lock, so that of two processes only one makes the tables
            tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if self._pragma("application_id") != APPLICATION_ID and tables:
                raise InputError(
                    f"Expected a prediction store, but {self.path} holds something else. Name another file."
                )
            if self._pragma("user_version") > VERSION:
                raise InputError(
                    f"Expected a prediction store of version {VERSION}, but {self.path} has version "
                    f"{self._pragma('user_version')}. Update jostle, or name another file."
                )
            if not tables:
                for statement in _TABLES:
                    self._db.execute(statement)
        self._start_log()
        self._pragma("synchronous=NORMAL")

    def _start_log(self) -> None:
        """Switch to a write-ahead log; SQLite does not wait by itself when another process does so, too."""
        deadline = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._pragma("journal_mode=WAL")
            except sqlite3.OperationalError as error:
                if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def _pragma(self, text: str) -> Any:
        row = self._db.execute(f"PRAGMA {text}").fetchone()
        return row and row[0]

    def _number_of(self, setting: Setting, make: bool = False) -> int | None:
        """What stands for a setting in the file; it stays, so it is read once."""
        if setting not in self._numbers:
            text = (json.dumps(setting),)
            if make:
                self._db.execute("INSERT OR IGNORE INTO settings (setting) VALUES (?)", text)
            found = self._db.execute("SELECT id FROM settings WHERE setting = ?", text).fetchone()
            if found is None:
                return None
            self._numbers[setting] = found[0]
        return self._numbers[setting]

    def _read(self, setting: Setting, prompts: Sequence[bytes]) -> Iterator[tuple[Key, Completion]]:
        number = self._number_of(setting)  # None matches no row
        for start in range(0, len(prompts), _BLOCK):
            block = prompts[start : start + _BLOCK]
            marks = ",".join("?" * len(block))
            query = f"SELECT prompt, sample, completion FROM predictions WHERE setting=? AND prompt IN ({marks})"  # noqa: S608 - marks alone
            for prompt, sample, completion in self._db.execute(query, (number, *block)):
                yield Key(setting, prompt, sample), load(completion)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        finally:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InputError(f"Expected to keep predictions in {self.path}, but {error.strerror or error}.") from None
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            advice = next((text for code, text in _ADVICE.items() if name.startswith(code)), "Name another file.")
            raise InputError(f"Expected to keep predictions in {self.path}, but {error}. {advice}") from None


def dump(done: Completion) -> str:
    """A completion as JSON, which `load` reads."""
    scores = done.label_scores
    numbers = None if scores is None else {label: (score.logprob, score.tokens) for label, score in scores.items()}
    return json.dumps([done.key, done.sample, done.text, numbers, done.finish])


def load(text: str) -> Completion:
    """The completion that `dump` wrote."""
    key, sample, written, numbers, finish = json.loads(text)
    scores = None if numbers is None else {label: LabelScore(*pair) for label, pair in numbers.items()}
    return Completion(key, sample, written, scores, finish)
