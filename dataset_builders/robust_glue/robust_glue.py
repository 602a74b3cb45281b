"""Paraphrased, perturbed and adversarial GLUE as a `datasets` builder.

`datasets` no longer runs loading scripts, so this is a class to import:

    from robust_glue import RobustGlue

    builder = RobustGlue("sst2-pert", data_files="sst2_validation.parquet")
    builder.download_and_prepare()
    rows = builder.as_dataset(split="validation")

or a folder to make once with `jostle build` and to load by name with `load_dataset`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import datasets

from jostle.builder.base import base_items, content_hash
from jostle.builder.make import BuildPlan, make_rows
from jostle.builder.schema import KINDS, features
from jostle.measures.version import __version__
from jostle.perturb import of_kinds
from jostle.tasks import TASKS

GLUE = ("sst2", "mnli", "qqp", "qnli")


@dataclass
class RobustGlueConfig(datasets.BuilderConfig):
    """One task and kind.

    Args:
        seed: Seed of the variants.
        side: Side of a pair that is edited.
        rate: Share of words edited; None leaves it to each operator.
        operators: Names of operators instead of all of the kind.
    """

    seed: int = 0
    side: str = "auto"
    rate: float | None = None
    operators: tuple[str, ...] = ()

    @property
    def task(self) -> str:
        """Task of the configuration."""
        return self.name.partition("-")[0]

    @property
    def kind(self) -> str:
        """Kind of the configuration: orig, para, pert, adv, contrast or all."""
        return self.name.partition("-")[2]


class RobustGlue(datasets.GeneratorBasedBuilder):
    """Variants of GLUE that keep what their operators promise.

    Configurations are `{sst2,mnli,qqp,qnli}-{orig,para,pert,adv,contrast,all}`. Base data come from the Hub
    (`nyu-mll/glue`) or from `data_files`. Rows, checks and columns are those of `jostle build`. The cache key holds the
    version of jostle and a hash of the source, so neither an update nor another file serves stale rows.
    """

    BUILDER_CONFIG_CLASS = RobustGlueConfig
    BUILDER_CONFIGS: ClassVar[list[RobustGlueConfig]] = [
        RobustGlueConfig(name=f"{task}-{kind}", version=datasets.Version(__version__))
        for task in GLUE
        for kind in (*KINDS, "all")
    ]

    def __init__(self, config_name: str, data_files: str | Path | None = None, **kwargs: Any) -> None:
        self._file = None if data_files is None else Path(data_files)
        task = config_name.partition("-")[0]
        kwargs.setdefault("hash", content_hash(task, self._file))
        super().__init__(dataset_name="robust_glue", config_name=config_name, **kwargs)

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description=__doc__ or "",
            features=features(TASKS[self.config.task]),
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        task = TASKS[self.config.task]
        splits = task.splits if self._file is None else (self._file_split(),)
        return [datasets.SplitGenerator(name=split, gen_kwargs={"split": split}) for split in splits]

    def _file_split(self) -> str:
        """The split that the file's name says, the task's first otherwise."""
        assert self._file is not None
        splits = TASKS[self.config.task].splits
        return next((split for split in splits if split in self._file.stem), splits[0])

    def _generate_examples(self, split: str) -> Iterator[tuple[str, dict[str, Any]]]:
        config: RobustGlueConfig = self.config
        items = base_items(config.task, split, self._file)
        plan = BuildPlan(
            TASKS[config.task],
            split,
            list(config.operators) or of_kinds(config.task, KINDS if config.kind == "all" else [config.kind]),
            config.seed,
            config.side,
            config.rate,
            originals=config.kind in ("orig", "all"),
        )
        for piece in make_rows(items, plan):
            for row in piece.rows:
                yield row["key"], row
