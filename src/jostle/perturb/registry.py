"""Find operators: this package's own modules, installed entry points, and users' files."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace

from ..errors import UsageError
from .contract import STATED, Operator, operator_from

GROUP = "jostle.operators"
ALL_KINDS = ("orig", "para", "pert", "adv", "contrast")


@cache
def built_in() -> dict[str, Operator]:
    """The operators of this package, by name: every module beside this one that states a KIND."""
    package = __name__.rpartition(".")[0]
    names = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    modules = {name: importlib.import_module(f"{package}.{name}") for name in names}
    return {name: operator_from(name, module) for name, module in modules.items() if hasattr(module, "KIND")}


@cache
def _all() -> dict[str, Operator]:
    found = dict(built_in())
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if entry.name in found:
            raise UsageError(_taken(entry.name, f"the entry point {entry.value}"))
        found[entry.name] = operator_from(entry.name, entry.load())
    return found


def available() -> dict[str, Operator]:
    """All operators by name: those of jostle and those that installed packages offer as `jostle.operators`.

    Raises:
        UsageError: An installed operator has the name of another, or does not state what an operator must.

    >>> available()["typos"].condition
    'pert/typos'
    """
    return dict(_all())


def of_kinds(task: str, kinds: Iterable[str]) -> list[Operator]:
    """The operators of some kinds that are meant for the task.

    Args:
        task: Task of the items.
        kinds: Of `para`, `pert`, `adv` (the gold label holds) and `contrast` (it changes); `orig` has none.

    Raises:
        UsageError: An unknown kind.

    >>> "typos" in [operator.name for operator in of_kinds("sst2", ["pert"])]
    True
    """
    wanted = list(kinds)
    strange = [kind for kind in wanted if kind not in ALL_KINDS]
    if strange:
        raise UsageError(f"Expected kinds of {', '.join(ALL_KINDS)}, but got {strange[0]!r}.")
    return [op for op in available().values() if op.covers(task) and op.group in wanted]


def find(operator: str | Operator) -> Operator:
    """The operator of that name.

    Raises:
        UsageError: There is none; the message lists the names.
    """
    if isinstance(operator, Operator):
        return operator
    if operator not in _all():
        raise UsageError(f"Expected an operator out of {', '.join(_all())}, but got {operator!r}.")
    return _all()[operator]


def load_operator(reference: str) -> Operator:
    """Load an operator from a user's file: `path/to/file.py:name`.

    `name` is the function of the operator (`edits`-like, or `vary`-like when its first parameter is called
    `item`), and the file states KIND, RELATION, TASKS, PROMISE and LIMITATIONS; or it is a class or object
    that has these and an `edits` or `vary` function itself. The operator is called `name`. The file is run as
    Python code.

    Raises:
        UsageError: The file, the name or a statement is missing, the file fails when run, or jostle has an
        operator
            of that name.
    """
    location, _, name = reference.rpartition(":")
    path = Path(location)
    if not name.isidentifier() or not path.is_file():
        raise UsageError(
            f"Expected an operator as path/to/file.py:name, but got {reference!r}. Check that the file exists."
        )
    module = _run(path)
    if not hasattr(module, name):
        raise UsageError(f"Expected {path} to define {name!r}, but it does not. Check the name after the colon.")
    if name in _all():
        raise UsageError(_taken(name, reference))
    return operator_from(name, _source(module, name))


def _run(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"jostle_operator_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"Expected a Python file, but got {path}. Give a file that ends in .py.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UsageError(
            f"Expected {path} to run, but got {type(error).__name__}: {error}. Correct the file."
        ) from error
    return module


def _source(module: ModuleType, name: str) -> object:
    found: object = getattr(module, name)
    if not inspect.isfunction(found):
        return found
    role = "vary" if next(iter(inspect.signature(found).parameters), "") == "item" else "edits"
    optional = ("RATE", "VARIANTS", "CONDITION")
    stated = {key: getattr(module, key) for key in (*STATED, *optional) if hasattr(module, key)}
    return SimpleNamespace(**stated, **{role: found})


def _taken(name: str, origin: str) -> str:
    return f"Expected a new name for an operator, but got {name!r} from {origin}, which is taken. Rename the operator."
