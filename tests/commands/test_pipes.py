"""Pipes in the place of files: read as the file that they would be, under their own names."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

ROWS = [{"condition": name, "correct": bool((k + shift) % 3), "id": f"q{k}"}
        for k in range(12) for shift, name in enumerate(("orig", "pert/typos"))]  # fmt: skip
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
COLUMNS = ("predictions", "references", "item_ids", "conditions")
CELLS = [("a", "a", "1", "orig"), ("b", "a", "1", "s"), ("a", "a", "2", "orig"), ("a", "a", "2", "s")]


def parquet() -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(zip(COLUMNS, zip(*CELLS, strict=True), strict=True))), sink)
    return sink.getvalue().to_pybytes()


def table(separator: str) -> bytes:
    return "".join(separator.join(row) + "\n" for row in (COLUMNS, *CELLS)).encode()


@pytest.fixture
def pipe(tmp_path: Path) -> Callable[[bytes], Path]:
    """A named pipe that gives some bytes, once."""

    def made(content: bytes) -> Path:
        path = tmp_path / f"pipe{len(list(tmp_path.iterdir()))}"
        os.mkfifo(path)
        threading.Thread(target=path.write_bytes, args=(content,), daemon=True).start()
        return path

    return made


Pipe = Callable[[bytes], Path]
CONTENTS = {
    "jsonl": LINES,
    "jsonl.gz": gzip.compress(LINES),
    "json": json.dumps(ROWS).encode(),
    "object": json.dumps({"orig": [True, False], "s": [True, True]}).encode(),
    "marked": b"\xef\xbb\xbf" + LINES,
    "csv": table(","),
    "tsv": table("\t"),
    "parquet": parquet(),
}


@pytest.mark.parametrize("form", CONTENTS)
def test_a_report_of_a_pipe_is_that_of_the_file(
    jostle: Callable[..., Any], pipe: Pipe, write: Callable[..., Path], form: str
) -> None:
    path = pipe(CONTENTS[form])
    done = jostle("report", path, "--format", "json", "--resamples", "200")
    assert done.code == 0, done.err
    ending = {"object": "json", "marked": "jsonl", "jsonl.gz": "jsonl"}.get(form, form)
    content = LINES if form == "jsonl.gz" else CONTENTS[form]
    file = jostle("report", write(f"x.{ending}", content), "--format", "json", "--resamples", "200")
    ours, theirs = json.loads(done.out), json.loads(file.out)
    assert ours["measures"] == theirs["measures"]
    assert ours["source"] == str(path)


def test_two_pipes_are_two_conditions(jostle: Callable[..., Any], pipe: Pipe) -> None:
    one = json.dumps([{"condition": "x", "correct": bool(k % 2), "id": str(k)} for k in range(4)]).encode()
    done = jostle("report", "--condition", f"a={pipe(one)}", "--condition", f"b={pipe(one)}", "--format", "json",
                  "--resamples", "200")  # fmt: skip
    assert done.code == 0, done.err
    assert "a=0.500, b=0.500" in json.loads(done.out)["summary"]["text"]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"", "but it is empty"),
        (b"hello\n", "but it begins with 'hello'"),
        (b"\x1f\x8bnothing", "cannot be read"),
        (b'{"condition": 1}\nnot json\n', "line 2 is not"),
    ],
)
def test_what_a_pipe_cannot_be_names_the_pipe(
    jostle: Callable[..., Any], pipe: Pipe, content: bytes, found: str
) -> None:
    path = pipe(content)
    done = jostle("report", path)
    assert (done.code, done.out) == (3, "")
    assert found in done.err
    assert str(path) in done.err
    assert "jostle-" not in done.err


def test_items_from_a_pipe(jostle: Callable[..., Any], pipe: Pipe, tiny_model: Callable[..., Path]) -> None:
    rows = [{"sentence": f"It isn't bright , take {k} .", "label": k % 2} for k in range(4)]
    path = pipe("".join(json.dumps(row) + "\n" for row in rows).encode())
    model = tiny_model("negative", "positive")
    done = jostle("run", "--task", "sst2", "--data", path, "--model", model, "--dry-run")
    assert done.code == 0, done.err
    assert "items      4\n" in done.out
