"""Sentences for the benchmarks of models: several lengths, every one different, not sorted."""

from __future__ import annotations

from pathlib import Path

from jostle.embedded_items import TASKS, embedded_items

COLUMNS = (("sst2", "sentence"), ("qnli", "sentence"), ("qnli", "question"))
FILES = "sst2_validation.parquet and qnli_validation.parquet of GLUE"


def sentences(data: Path | None, most: int) -> list[str]:
    """The first sentences of SST-2 and QNLI (questions and answers) by turns, or the texts of the embedded items."""
    if data is None:
        texts = [text for task in TASKS for item in embedded_items(task).items for text in item.fields.values()]
    else:
        import pyarrow.parquet as pq

        columns = [pq.read_table(data / f"{task}_validation.parquet")[field].to_pylist() for task, field in COLUMNS]
        texts = [text for row in zip(*columns, strict=False) for text in row]
    return list(dict.fromkeys(texts))[:most]


def described(texts: list[str]) -> str:
    """How many sentences, and how long."""
    return f"{len(texts):,} sentences of {sum(len(text.split()) for text in texts) / len(texts):.0f} words"
