"""Where `build` and `run` work: in this process, or on a Ray."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..integrations.ray_engine import Engine

_OF_RAY = ("ray_address", "ray_workers", "num_gpus")


def ray_engine(values: dict[str, Any]) -> Engine | None:
    """The Ray of `--engine ray`; None for the local engine.

    Raises:
        UsageError: A flag of Ray with the local engine, or `--processes` with Ray.
        MissingExtra: Ray is not installed.
    """
    if values.get("engine", "local") == "local":
        for name in _OF_RAY:
            if values.get(name):
                raise UsageError(f"Expected --engine ray with --{name.replace('_', '-')}, but got --engine local.")
        return None
    if values.get("processes", 1) > 1:
        raise UsageError(
            f"Expected --ray-workers with --engine ray, but got --processes {values['processes']}. Leave it out."
        )
    from ..integrations.ray_engine import Engine, import_ray

    import_ray()
    return Engine(values["ray_address"], values["ray_workers"], values.get("num_gpus", 0))


def must_have_begun(out: Path, engine: Engine | None) -> None:
    """Refuse to resume what keeps no predictions, or was never begun: a mistyped folder would start all over.

    Raises:
        UsageError: A classifier with the local engine, or a folder without partitions.
    """
    if engine is None:
        raise UsageError(
            "Expected --resume with --decoding greedy, sample or score, or with --engine ray, but got a local "
            "classifier, which keeps no finished predictions. Run again without it."
        )
    from ..integrations.partitions import FOLDER

    if not (out / FOLDER).is_dir():
        raise UsageError(
            f"Expected --resume with the folder of a run that was begun, but {out} holds no {FOLDER}. "
            "Name its folder in --out, or leave --resume out."
        )
