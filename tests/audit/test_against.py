"""Cases that stand in another file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jostle.audit.against import overlap_with
from jostle.audit.base import Case, EvalSet
from jostle.audit.corpus import documents
from jostle.audit.leakage import LeakageCheck
from jostle.errors import InputError

Write = Callable[[str, Any], Path]
LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"


def case(k: int, **sides: str) -> Case:
    return Case(f"c{k}", "\n".join(sides.values()), sides)


def test_levels_of_overlap(write: Write) -> None:
    rows = [
        case(0, input="What is a quark made of?"),
        case(1, input="Who wrote the long novel?"),
        case(2, input=LONG),
        case(3, input="Nobody else has asked this one."),
        case(4, input="Yes, it is."),
    ]
    path = write(
        "train.jsonl",
        [
            {"q": "What is a quark made of?", "a": ["x"]},
            {"q": {"deep": "who wrote, the LONG novel"}},
            {"q": f"Before it {LONG} and after."},
            {"q": "Oh yes, it is. Sure."},
        ],
    )
    found = overlap_with(rows, path)
    assert (found.identical, found.normalised, found.by_ngram) == ({0}, {1}, [2])
    assert found.covered[2] == 1.0  # 15 words: three runs of 13, all there
    assert (found.n_documents, found.n_short) == (4, 1)  # three words: only as a whole


def test_the_share_of_runs_that_are_covered(write: Write) -> None:
    path = write("corpus.txt", " ".join(LONG.split()[:13]) + "\n")
    found = overlap_with([case(0, input=LONG)], path)
    assert found.covered.tolist() == [pytest.approx(1 / 3)]  # the first of three runs of 13 words


def test_runs_do_not_span_documents_or_cells(write: Write) -> None:
    text = "alpha beta gamma delta epsilon zeta"
    split = write("corpus.txt", "alpha beta gamma\ndelta epsilon zeta\n")
    assert overlap_with([case(0, input=text)], split).by_ngram == []
    cells = write("rows.jsonl", [{"a": "alpha beta gamma", "b": "delta epsilon zeta"}])
    assert overlap_with([case(0, input=text)], cells).by_ngram == []


def test_a_pair_needs_both_sides_in_one_document(write: Write) -> None:
    pair = case(0, premise="It rains.", hypothesis="It is wet.")
    one = write("one.jsonl", [{"premise": "It rains.", "hypothesis": "It is dry."}, {"hypothesis": "It is wet."}])
    assert (overlap_with([pair], one).identical, overlap_with([pair], one).one_side) == (frozenset(), {0})
    both = write("both.jsonl", [{"premise": "It rains.", "hypothesis": "It is wet."}])
    assert (overlap_with([pair], both).identical, overlap_with([pair], both).one_side) == ({0}, frozenset())


def test_long_corpora_are_looked_up_in_parts(write: Write) -> None:
    lines = [f"noise {k} " * 20 for k in range(4000)]  # more than one lot of 50,000 words
    lines[1000] = f"x {LONG}"
    lines[3900] = "who wrote the long novel"
    rows = [case(0, input=LONG), case(1, input="Who wrote the long novel?")]
    found = overlap_with(rows, write("corpus.txt", "\n".join(lines)))
    assert (found.by_ngram, found.normalised) == ([0], {1})


def test_every_form_of_file(write: Write, tmp_path: Path) -> None:
    row = {"q": "What is it?", "n": 3, "options": ["a", "b"]}
    pq.write_table(pa.Table.from_pylist([row, row]), tmp_path / "t.parquet")
    expected = ["What is it?", "a", "b"]
    assert list(documents(tmp_path / "t.parquet")) == [expected, expected]
    assert list(documents(write("t.jsonl", [row]))) == [expected]
    assert list(documents(write("t.json", json.dumps([row])))) == [expected]
    assert list(documents(write("t.csv", 'q,n\n"What is it?",\n'))) == [["q", "n"], ["What is it?"]]
    assert list(documents(write("t.tsv", "What is it?\tb\n"))) == [["What is it?", "b"]]
    assert list(documents(write("t.txt", "\ufeffWhat is it?\n\nb\n"))) == [["What is it?"], ["b"]]


def test_bad_files_are_named_with_the_line(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"bad.jsonl, line 2"):
        list(documents(_lines(tmp_path)))
    with pytest.raises(InputError, match="does not exist"):
        list(documents(tmp_path / "none.txt"))
    with pytest.raises(InputError, match="UTF-8"):
        list(documents(write("latin.txt", "caf\u00e9".encode("latin-1"))))
    with pytest.raises(InputError, match="parquet"):
        list(documents(write("t.parquet", b"no parquet")))


def _lines(folder: Path) -> Path:
    path = folder / "bad.jsonl"
    path.write_text('{"a": "b"}\n{"a": \n', encoding="utf-8")
    return path


def test_the_check_tells_the_levels_and_what_it_compared(write: Write) -> None:
    rows = [case(0, input="What is a quark made of?"), case(1, input=LONG), case(2, input="This one is new to all.")]
    evalset = EvalSet(rows, {"input": "input"}, "set.jsonl")
    path = write("train.txt", f"What is a quark made of?\nso {LONG}\n")
    result = LeakageCheck(against=path).run(evalset)
    assert {f.kind: f.case_ids for f in result.findings} == {"in_other_file": ("c0",), "ngrams_in_other_file": ("c1",)}
    assert result.stats["against"]["n_documents"] == 2
    assert not LeakageCheck(against=write("other.txt", "nothing of it\n")).run(evalset).findings
    assert any("give a train file" in text for text in LeakageCheck().run(evalset).limitations)


def test_common_wording_of_the_set_is_no_overlap(write: Write) -> None:
    rows = [case(k, input=f"{LONG} and a word{k} of its own") for k in range(11)]
    path = write("corpus.txt", f"{LONG}\n")
    assert overlap_with(rows, path).by_ngram == []  # the runs stand in eleven cases
    assert len(overlap_with(rows[:10], path).by_ngram) == 10
