"""The card of a built data set, made from the record of what was built."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..files import write_text
from ..perturb import available
from ..tasks import TASKS, Task
from .schema import features
from .write import Summary

RECORD = "build.json"
EXAMPLES = 10
_LICENCES = {
    "sst2": "SST-2 (Socher et al. 2013) by way of GLUE: research use, no explicit licence upstream",
    "mnli": "MultiNLI (Williams et al. 2018): OANC licence, CC BY and CC BY-SA portions",
    "qqp": "Quora Question Pairs by way of GLUE: Quora's terms, non-commercial use",
    "qnli": "QNLI, from SQuAD (Rajpurkar et al. 2016): CC BY-SA 4.0",
    "mcq": "as the source of the items",
}


def record_build(out: Path, task: Task, split: str, summary: Summary, command: Mapping[str, Any]) -> None:
    """Add a build to the folder's record and write its card anew.

    Args:
        out: Folder of the data set.
        task: Task that was built.
        split: Split that was built.
        summary: What it holds.
        command: Source, seed, operators and versions: how to build it again.
    """
    path = out / RECORD
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    record.setdefault(task.name, {})[split] = {
        "rows": dict(sorted(summary.rows.items())),
        "bytes": dict(sorted(summary.sizes.items())),
        "by_operator": dict(sorted(summary.by_operator.items())),
        "dropped": [[condition, reason, n] for (condition, reason), n in sorted(summary.dropped.items())],
        "examples": [_example(row, task) for row in summary.examples[:EXAMPLES]],
        "command": dict(command),
    }
    record = dict(sorted(record.items()))
    write_text(path, json.dumps(record, indent=2, ensure_ascii=False, sort_keys=True) + "\n")
    write_text(out / "README.md", _card(out.resolve().name, record))


def _example(row: Mapping[str, Any], task: Task) -> dict[str, Any]:
    edits = [f"{edit['original']!r} -> {edit['replacement']!r}" for edit in row["edits"]]
    text = " / ".join(str(row[name]) for name in task.fields)
    return {"variant": row["variant"], "text": text, "edits": edits}


def _card(name: str, record: Mapping[str, Any]) -> str:
    from huggingface_hub import DatasetCardData
    from jinja2 import Environment, PackageLoader, StrictUndefined

    data = DatasetCardData(
        language="en",
        pretty_name=name,
        license="other",
        tags=["robustness", "evaluation", "jostle"],
        task_categories=["text-classification"],
    )
    _configs(record).to_dataset_card_data(data)
    _infos(record).to_dataset_card_data(data)
    known = available()
    conditions = {name for splits in record.values() for build in splits.values() for name in build["by_operator"]}
    used = sorted({name.split("/", 1)[-1] for name in conditions})
    environment = Environment(  # noqa: S701 - Markdown, not HTML
        loader=PackageLoader("jostle.builder"), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("card.md").render(
        front=data.to_yaml(),
        name=name,
        record=record,
        operators=[known[op] for op in used if op in known],
        licences={task: _LICENCES.get(task, "as the source") for task in record},
    )


def _configs(record: Mapping[str, Any]) -> Any:
    """One configuration per task and kind, and `<task>-all`, which reads the files of the others."""
    from datasets.utils.metadata import MetadataConfigs

    configs: dict[str, Any] = {}
    for task, splits in record.items():
        files: dict[str, list[str]] = {}
        for split, build in splits.items():
            for config in build["rows"]:
                path = f"{config}/{split}-*"
                configs.setdefault(config, {"data_files": []})["data_files"].append({"split": split, "path": path})
                files.setdefault(split, []).append(path)
        configs[f"{task}-all"] = {"data_files": [{"split": s, "path": paths} for s, paths in files.items()]}
    return MetadataConfigs(configs)


def _infos(record: Mapping[str, Any]) -> Any:
    from datasets import DatasetInfo, SplitDict, SplitInfo
    from datasets.info import DatasetInfosDict

    infos = {}
    for task, splits in record.items():
        names: Sequence[str] = list(dict.fromkeys(c for build in splits.values() for c in build["rows"]))
        for config in [*names, f"{task}-all"]:
            wanted = SplitDict()
            for split, build in splits.items():
                rows, size = _size(build, config, task)
                if rows:
                    wanted.add(SplitInfo(split, num_bytes=size, num_examples=rows))
            infos[config] = DatasetInfo(features=features(TASKS[task]), splits=wanted)
    return DatasetInfosDict(infos)


def _size(build: Mapping[str, Any], config: str, task: str) -> tuple[int, int]:
    if config == f"{task}-all":
        return sum(build["rows"].values()), sum(build["bytes"].values())
    return build["rows"].get(config, 0), build["bytes"].get(config, 0)
