"""Nothing that was finished is lost or asked twice, whoever stops or shares the run; trouble names the file."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jostle
from jostle.errors import InputError, ModelError, UsageError
from jostle.predict import store as module
from jostle.predict import stored
from jostle.predict.protocol import Advance, Completion, Decoding, LabelScore, Predictor, Request, Stop
from jostle.predict.store import Key, PredictionStore, Setting
from jostle.predict.stored import Stored, prompt_hash, setting_of

SETTING = Setting("model", "1", "{}", 0)
GREEDY, SAMPLE, SCORE = Decoding("greedy"), Decoding("sample", k=3, seed=5), Decoding("score")
REQUESTS = [Request(f"i{k}", f"prompt {k}", {"good": " good", "bad": " bad"}) for k in range(6)]


@dataclass
class Fake:
    """Answers last request first, and counts; `break_at` completions it stops with an error."""

    name: str = "fake"
    revision: str = "r1"
    break_at: int | None = None
    error: BaseException = field(default_factory=KeyboardInterrupt)
    asked: list[str] = field(default_factory=list)

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        done = 0
        for request in reversed(requests):
            self.asked.append(request.key)
            for sample in range(decoding.k):
                if done == self.break_at:
                    raise self.error
                done += 1
                advance(1)
                scores = {"good": LabelScore(-0.1, 2)} if decoding.mode == "score" else None
                yield Completion(request.key, sample, f"{request.prompt}: {sample}", scores, "length")

    def manifest(self) -> dict[str, Any]:
        return {"model": self.name}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[PredictionStore]:
    with PredictionStore(tmp_path / "new" / "store.sqlite") as opened:
        yield opened


def run(
    store: PredictionStore, predictor: Predictor, decoding: Decoding = GREEDY, requests: Sequence[Request] = REQUESTS
) -> list[Completion]:
    return list(Stored(predictor, store).complete(requests, decoding))


def expected(decoding: Decoding, requests: Sequence[Request] = REQUESTS) -> list[Completion]:
    by_place = {(done.key, done.sample): done for done in Fake().complete(requests, decoding)}
    return [by_place[request.key, sample] for request in requests for sample in range(decoding.k)]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(), st.text(), st.binary(min_size=1), st.integers(-(2**70), 2**70), st.floats(max_value=0))
def test_whatever_is_put_comes_back(tmp_path: Path, name: str, text: str, prompt: bytes, seed: int, log: float) -> None:
    key = Key(Setting(name, text, name, seed), prompt, 0)
    other = key._replace(sample=1)
    done = Completion("\ud800", 0, text + "\0\n\ud800", {name: LabelScore(log, 3)}, "scored")
    with PredictionStore(tmp_path / "any.sqlite") as opened:
        opened.put({key: done})
    with PredictionStore(tmp_path / "any.sqlite") as opened:
        assert opened.get([other, key, key]) == {key: done}


def test_many_prompts_at_once(store: PredictionStore) -> None:
    rows = {Key(SETTING, str(k).encode(), 0): Completion("a", 0, str(k)) for k in range(3001)}
    assert store.get(rows) == {}
    store.put(rows)
    assert store.get(rows) == rows


@pytest.mark.parametrize("decoding", [GREEDY, SAMPLE, SCORE], ids=lambda decoding: decoding.mode)
def test_the_second_run_asks_nothing(store: PredictionStore, decoding: Decoding) -> None:
    first, second = Fake(), Fake()
    assert run(store, first, decoding) == expected(decoding)
    assert run(store, second, decoding) == expected(decoding)
    assert (len(first.asked), second.asked) == (6, [])


def test_only_what_is_new_is_asked_and_all_is_counted(store: PredictionStore) -> None:
    run(store, Fake(), SAMPLE, REQUESTS[1:4])
    fake, counted = Fake(), list[int]()
    assert list(Stored(fake, store).complete(REQUESTS, SAMPLE, counted.append)) == expected(SAMPLE)
    assert sorted(fake.asked) == ["i0", "i4", "i5"]
    assert (counted[0], sum(counted)) == (9, 18)


def test_what_was_stored_before_is_counted(store: PredictionStore) -> None:
    def reused(decoding: Decoding, requests: Sequence[Request] = REQUESTS) -> int:
        stored = Stored(Fake(), store)
        assert len(list(stored.complete(requests, decoding))) == len(requests) * decoding.k
        return stored.n_reused

    assert reused(SAMPLE, REQUESTS[:2]) == 0
    # 2 of 6 requests with 3 samples each; then 3 of 5 samples of all 6.
    assert reused(SAMPLE) == 6
    assert reused(replace(SAMPLE, k=5)) == 18
    assert reused(replace(SAMPLE, seed=6)) == 0


def test_fewer_samples_are_known_and_more_keep_the_first_ones(store: PredictionStore) -> None:
    run(store, Fake(), SAMPLE)
    fake = Fake()
    assert run(store, fake, replace(SAMPLE, k=2)) == expected(replace(SAMPLE, k=2))
    assert fake.asked == []
    key = Key(setting_of(fake, SAMPLE), prompt_hash(REQUESTS[0], SAMPLE), 4)
    kept = store.put({key: Completion("i0", 4, "kept")})[key]
    assert run(store, fake, replace(SAMPLE, k=5))[4] == kept
    assert len(fake.asked) == 6


@pytest.mark.parametrize(
    ("predictor", "decoding"),
    [
        (Fake(name="other"), SAMPLE),
        (Fake(revision="r2"), SAMPLE),
        (Fake(), replace(SAMPLE, seed=6)),
        (Fake(), replace(SAMPLE, temperature=0.5)),
        (Fake(), replace(SAMPLE, top_p=0.5)),
        (Fake(), replace(SAMPLE, max_new_tokens=3)),
        (Fake(), replace(SAMPLE, until=("!",))),
        (Fake(), GREEDY),
    ],
)
def test_another_model_or_decoding_is_another_prediction(
    store: PredictionStore, predictor: Fake, decoding: Decoding
) -> None:
    run(store, Fake(), SAMPLE)
    predictor.asked.clear()
    run(store, predictor, decoding)
    assert len(predictor.asked) == 6


def test_a_stop_that_cuts_texts_is_part_of_the_setting() -> None:
    def decided(request: Request, text: str) -> bool:
        return True

    assert setting_of(Fake(), GREEDY, decided) != setting_of(Fake(), GREEDY)
    assert setting_of(Fake(), GREEDY, decided) == setting_of(Fake(), GREEDY, decided)


def test_what_a_request_is_known_by() -> None:
    request = REQUESTS[0]
    renamed, other = replace(request, key="other"), replace(request, answers={"good": " fine"})
    assert prompt_hash(renamed, GREEDY) == prompt_hash(other, GREEDY) == prompt_hash(request, GREEDY)
    assert prompt_hash(renamed, SAMPLE) != prompt_hash(request, SAMPLE)  # the key seeds what is drawn
    assert prompt_hash(other, SCORE) != prompt_hash(request, SCORE) == prompt_hash(renamed, SCORE)
    assert prompt_hash(replace(request, prompt="\ud800"), GREEDY) != prompt_hash(request, GREEDY)


def test_prompts_alike_are_asked_once_where_nothing_is_drawn(store: PredictionStore) -> None:
    twins = [replace(request, prompt="same") for request in REQUESTS]
    fake, counted = Fake(), list[int]()
    done = list(Stored(fake, store).complete(twins, GREEDY, counted.append))
    assert [(d.key, d.text) for d in done] == [(request.key, "same: 0") for request in twins]
    assert (len(fake.asked), sum(counted)) == (1, 6)
    run(store, fake, SAMPLE, twins)
    assert len(fake.asked) == 7


def test_keys_alike_and_completions_left_out(store: PredictionStore) -> None:
    with pytest.raises(UsageError, match="a key for each of 2 requests, but got 1 different"):
        run(store, Fake(), GREEDY, [REQUESTS[0], replace(REQUESTS[1], key="i0")])

    class Lazy(Fake):
        def complete(self, *args: Any, **kwargs: Any) -> Iterator[Completion]:
            yield from list(super().complete(*args, **kwargs))[:-1]

    with pytest.raises(ModelError, match="Expected a completion for 'i0', sample 0, but the model gave none"):
        run(store, Lazy())
    assert run(store, Fake(), GREEDY, []) == []


@pytest.mark.parametrize("has_log", [True, False])
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ModelError("Expected more.")], ids=["interrupt", "error"])
def test_an_interrupted_run_keeps_all_that_was_finished(
    store: PredictionStore, monkeypatch: pytest.MonkeyPatch, has_log: bool, error: BaseException
) -> None:
    assert store.has_log
    monkeypatch.setattr(PredictionStore, "has_log", has_log)
    with pytest.raises(type(error)):
        run(store, Fake(break_at=7, error=error), SAMPLE)
    fake = Fake()
    assert run(store, fake, SAMPLE) == expected(SAMPLE)
    assert fake.asked == ["i3", "i2", "i1", "i0"]  # two whole requests and one sample of i3 were there


def test_a_run_that_is_no_longer_read_keeps_what_was_finished(store: PredictionStore) -> None:
    started = Stored(Fake(), store).complete(REQUESTS[::-1], GREEDY)
    next(started)
    started.close()  # type: ignore[attr-defined]
    fake = Fake()
    run(store, fake)
    assert fake.asked == []  # the fake answers in reverse, so the first in order was its last


@pytest.mark.parametrize(("rows", "seconds"), [(50, 1e9), (1000, 0.4)])
def test_without_a_log_rows_are_gathered(
    store: PredictionStore, monkeypatch: pytest.MonkeyPatch, rows: int, seconds: float
) -> None:
    monkeypatch.setattr(PredictionStore, "has_log", False)
    monkeypatch.setattr(stored, "_ROWS", rows)
    monkeypatch.setattr(stored, "_SECONDS", seconds)
    put, sizes = store.put, list[int]()
    monkeypatch.setattr(store, "put", lambda found: sizes.append(len(found)) or put(found))  # type: ignore[func-returns-value]

    class Slow(Fake):
        def complete(self, *args: Any, **kwargs: Any) -> Iterator[Completion]:
            for done in super().complete(*args, **kwargs):
                time.sleep(0.5 if done.sample == 60 else 0)
                yield done

    run(store, Slow(), Decoding("sample", k=120), REQUESTS[:1])
    assert sizes == ([50, 50, 20] if rows == 50 else [61, 59])


SCRIPT = """
import json, os, sys, time
from jostle.predict.protocol import Completion, Decoding, Request
from jostle.predict.store import PredictionStore
from jostle.predict.stored import Stored

path, log, count, pause = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])

class Slow:
    name, revision = "slow", ""
    def complete(self, requests, decoding, advance=None, stop=None):
        with open(log, "a", buffering=1) as file:
            for request in requests:
                time.sleep(pause)
                for sample in range(decoding.k):
                    yield Completion(request.key, sample, f"{request.prompt} by {os.getpid()}")
                    file.write(f"{request.key} {sample}\\n")
    def manifest(self):
        return {}

requests = [Request(f"i{k}", f"prompt {k}") for k in range(count)]
with PredictionStore(path) as store:
    done = Stored(Slow(), store).complete(requests, Decoding("sample", k=2))
    print(json.dumps([[d.key, d.sample, d.text] for d in done]))
"""


def start(path: Path, log: Path, count: int, pause: float) -> subprocess.Popen[str]:
    source = str(Path(jostle.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), str(log), str(count), str(pause)],
        env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def finish(process: subprocess.Popen[str]) -> list[list[Any]]:
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    found: list[list[Any]] = json.loads(out)
    return found


def lines(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines() if log.exists() else []


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "waited for a minute"
        time.sleep(0.005)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
def test_killed_again_and_again_nothing_finished_is_lost(tmp_path: Path) -> None:
    path, log = tmp_path / "store.sqlite", tmp_path / "log.txt"
    for more in (3, 8):
        before = len(lines(log))
        process = start(path, log, 30, 0.01)
        wait_for(lambda before=before, more=more: len(lines(log)) >= before + more)  # type: ignore[misc]
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
    finished = lines(log)
    done = finish(start(path, log, 30, 0.0))
    assert [(key, sample) for key, sample, _ in done] == [(f"i{k}", s) for k in range(30) for s in range(2)]
    asked_later = set(lines(log)[len(finished) :])
    whole = {line[:-2] for line in finished if line.endswith(" 1")}
    assert len(whole) >= 4
    assert not {line[:-2] for line in asked_later} & whole
    assert len({text.split(" by ")[1] for _, _, text in done}) == 3  # each process left its part


def test_two_processes_share_a_store_and_report_the_same(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    both = [start(path, tmp_path / f"log{k}.txt", 150, 0.001) for k in range(2)]
    first, second = map(finish, both)
    assert first == second
    assert len(first) == 300
    with PredictionStore(path) as store:
        assert store._db.execute("SELECT count(*) FROM predictions").fetchone() == (300,)


def test_a_writer_waits_for_another_and_gives_up(store: PredictionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    key = Key(SETTING, b"a", 0)
    store.put({key: Completion("a", 0, "old")})
    with PredictionStore(store.path) as other, store._transaction():
        assert other.get([key])[key].text == "old"  # readers do not wait
        with pytest.raises(
            InputError, match=r"predictions in .*store\.sqlite, but database is locked\. Run again when"
        ):
            other.put({key: Completion("a", 0, "new")})


def test_the_first_of_two_answers_stays(store: PredictionStore) -> None:
    key, other = Key(SETTING, b"a", 0), Key(SETTING, b"b", 0)
    first, second = Completion("a", 0, "first"), Completion("a", 0, "second")
    assert store.put({key: first}) == {key: first}
    assert store.put({key: second, other: second}) == {key: first, other: second}


def test_a_full_file_is_a_message_and_what_was_stored_stays(store: PredictionStore) -> None:
    pages = store._pragma("page_count")
    store._pragma(f"max_page_count={pages + 3}")
    long = [Request(f"i{k}", "x" * 3000 + str(k)) for k in range(20)]
    with pytest.raises(InputError, match=r"store\.sqlite, but database or disk is full\. Free some space and run"):
        run(store, Fake(), GREEDY, long)
    store._pragma("max_page_count=100000")
    fake = Fake()
    assert run(store, fake, GREEDY, long) == expected(GREEDY, long)
    assert 0 < len(fake.asked) < 20


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB, where the tests may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(folder)]
    root = getattr(os, "geteuid", lambda: 1)() == 0 and sys.platform == "linux"
    if not root or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only root may mount a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    long = [Request(f"i{k}", "x" * 3000 + str(k)) for k in range(100)]
    path = small_disk / "store.sqlite"
    with pytest.raises(InputError, match=r"in .*store\.sqlite, but .*(full|I/O)"), PredictionStore(path) as store:
        run(store, Fake(), GREEDY, long)
    moved = small_disk.parent / "moved.sqlite"  # a larger disk
    for suffix in ("", "-wal"):
        if (old := Path(f"{path}{suffix}")).exists():
            Path(f"{moved}{suffix}").write_bytes(old.read_bytes())
    fake = Fake()
    with PredictionStore(moved) as store:
        assert run(store, fake, GREEDY, long) == expected(GREEDY, long)
    assert 0 < len(fake.asked) < 100


def message_of(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        PredictionStore(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_files_that_are_no_store_stay_as_they_are(tmp_path: Path) -> None:
    text, foreign = tmp_path / "notes.txt", tmp_path / "foreign.sqlite"
    text.write_text("my notes, which nobody should overwrite\n", encoding="utf-8")
    db = sqlite3.connect(foreign)
    db.execute("CREATE TABLE mine (a)")
    db.commit()
    db.close()
    before = foreign.read_bytes()
    assert message_of(text).endswith("but file is not a database. Name another file.")
    assert "holds something else. Name another file." in message_of(foreign)
    assert text.read_text(encoding="utf-8").startswith("my notes")
    assert foreign.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["foreign.sqlite", "notes.txt"]


def test_a_store_of_a_newer_version(store: PredictionStore) -> None:
    store._pragma("user_version=99")
    assert "of version 1, but" in (message := message_of(store.path))
    assert message.endswith("has version 99. Update jostle, or name another file.")


def test_a_damaged_store(store: PredictionStore) -> None:
    run(store, Fake())
    store.close()
    content = bytearray(store.path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    store.path.write_bytes(content)
    with pytest.raises(InputError, match=r"store\.sqlite, but .*malformed.*Put the file aside"):
        run(PredictionStore(store.path), Fake())


def test_folders_and_files_in_the_way(tmp_path: Path) -> None:
    assert "Name a file in a folder that can be written" in message_of(tmp_path)
    (tmp_path / "file").touch()
    assert "but " in message_of(tmp_path / "file" / "store.sqlite")
    with PredictionStore(tmp_path / "file") as store:  # an empty file is what a run killed at once leaves
        assert run(store, Fake()) == expected(GREEDY)


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert "Name a file in a folder that can be written" in message_of(tmp_path / "store.sqlite")
    finally:
        tmp_path.chmod(0o700)


def test_a_store_that_may_only_be_read(store: PredictionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    run(store, Fake())
    store.close()
    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **options: real(f"file:{path}?mode=ro", uri=True, **options))
    with PredictionStore(store.path) as opened:
        assert run(opened, Fake()) == expected(GREEDY)  # all is there, so nothing is written
        with pytest.raises(
            InputError, match=r"store\.sqlite, but .*readonly database\. Name a file that can be written"
        ):
            run(opened, Fake(), SAMPLE)


def test_a_name_that_sqlite_reads_as_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with PredictionStore(":memory:") as store:
        run(store, Fake())
    assert (tmp_path / ":memory:").exists()


def test_name_revision_and_manifest_are_those_of_the_predictor(store: PredictionStore) -> None:
    stored: Predictor = Stored(Fake(), store)
    assert (stored.name, stored.revision, stored.manifest()) == ("fake", "r1", {"model": "fake"})
