"""Finished predictions in one SQLite file, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import InputError, ModelError, UsageError
from .protocol import Advance, Completion, Decoding, LabelScore, Predictor, Request, Stop
from .revision import identity

APPLICATION_ID = 0x4A73746C  # in the header of the file: tells a store from other SQLite files
VERSION = 1
BUSY_SECONDS = 60.0  # how long to wait for another process that writes
_BLOCK = 500  # prompts a query; SQLite allows 999 parameters in old builds
_ROWS, _SECONDS = 50, 1.0  # a commit without a write-ahead log waits for the disk, so rows are gathered
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


class Stored:
    """A predictor that asks another one only for what a store does not hold yet.

    What is known is a matter of the model and its revision, the prompt and the answers to score, and the decoding; of
    the request's key and the seed only where samples are drawn. Prompts alike are asked once where nothing is drawn.
    More samples than are stored cost the request anew, and those stored stay.

    Args:
        predictor: Where new predictions come from.
        store: Where all of them are kept.

    `n_reused` counts the completions that were stored before they were asked for.

    Limitations: tells models apart by fingerprint, or name and revision, alone, and the callers' `stop` by its name.
    Without a write-ahead log (see `PredictionStore.has_log`) a killed process may lose its last second or 50
    completions.
    """

    def __init__(self, predictor: Predictor, store: PredictionStore) -> None:
        self.name, self.revision = predictor.name, predictor.revision
        self.predictor, self._store = predictor, store
        self.n_reused = 0

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""
        return self.predictor.manifest()

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        """Yield every completion in the order of the requests and samples; each is stored before that.

        Raises:
            UsageError: Two requests have one key.
            ModelError: The predictor left a completion out.
            InputError: The store cannot be read or written.
        """
        keys = self._keys(requests, decoding, stop)
        known = self._store.get(key for own in keys.values() for key in own)
        self.n_reused += sum(key in known for own in keys.values() for key in own)
        rest = {own[0].prompt: r for r in requests if not known.keys() >= set(own := keys[r.key])}
        advance((len(requests) - len(rest)) * decoding.k)
        with closing(self._ask(list(rest.values()), keys, decoding, advance, stop)) as finished:
            for request in requests:
                for key in keys[request.key]:
                    while key not in known:
                        known.update(_next(finished, request, key.sample))
                    yield replace(known[key], key=request.key)

    def _keys(self, requests: Sequence[Request], decoding: Decoding, stop: Stop | None) -> dict[str, list[Key]]:
        """The names of every request's predictions."""
        setting = setting_of(self, decoding, stop)
        keys: dict[str, list[Key]] = {}
        for request in requests:
            prompt = prompt_hash(request, decoding)
            keys[request.key] = [Key(setting, prompt, sample) for sample in range(decoding.k)]
        if len(keys) < len(requests):
            raise UsageError(
                f"Expected a key for each of {len(requests)} requests, but got {len(keys)} different ones."
            )
        return keys

    def _ask(
        self,
        requests: Sequence[Request],
        keys: Mapping[str, Sequence[Key]],
        decoding: Decoding,
        advance: Advance,
        stop: Stop | None,
    ) -> Generator[Mapping[Key, Completion]]:
        """What the predictor finishes, once it is stored; what is left is stored when the generator is closed."""
        rows = 1 if self._store.has_log else _ROWS
        gathered: dict[Key, Completion] = {}
        start = time.monotonic()
        try:
            for done in self.predictor.complete(requests, decoding, advance, stop) if requests else ():
                gathered[keys[done.key][done.sample]] = done
                if len(gathered) >= rows or time.monotonic() - start > _SECONDS:
                    full, gathered, start = gathered, {}, time.monotonic()
                    yield self._store.put(full)
        finally:
            left = self._store.put(gathered) if gathered else {}
        yield left


def setting_of(predictor: Predictor, decoding: Decoding, stop: Stop | None = None) -> Setting:
    """What a prediction depends on beside its request: all settings but k, which decides how many there are."""
    settings = decoding.settings()
    settings.pop("k", None)
    seed = settings.pop("seed", 0)
    settings["stop"] = stop and getattr(stop, "__qualname__", type(stop).__qualname__)
    return Setting(*identity(predictor.name, predictor.revision), json.dumps(settings), seed)


def prompt_hash(request: Request, decoding: Decoding) -> bytes:
    """Hash of what a prediction depends on in its request: the prompt, the answers to score, the key in sampling."""
    answers = sorted((request.answers or {}).items()) if decoding.mode == "score" else []
    key = request.key if decoding.mode == "sample" else ""
    return sha256(json.dumps([request.prompt, answers, key]).encode()).digest()


def _next(finished: Iterator[Mapping[Key, Completion]], request: Request, sample: int) -> Mapping[Key, Completion]:
    try:
        return next(finished)
    except StopIteration:
        raise ModelError(
            f"Expected a completion for {request.key!r}, sample {sample}, but the model gave none. Run again."
        ) from None


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
