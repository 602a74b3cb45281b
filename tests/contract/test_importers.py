"""One contract over every importer: a result or an InputError, whatever the file has become."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType

import pytest

from jostle.errors import InputError
from jostle.importers import Reading, importers, read_results
from jostle.outcomes import Outcomes

from ..fuzz.mutations import ODD_VALUES, file_mutated
from ..fuzz.seeds import LOGS, Files, as_json

N_MUTATIONS = 1000
MODULES = {module.__name__.rpartition(".")[2]: module for module in importers()}
SEEDS = [(name, k) for name, seeds in LOGS.items() for k in range(len(seeds))]
every_seed = pytest.mark.parametrize(("name", "k"), SEEDS, ids=[f"{name}-{k}" for name, k in SEEDS])


def write(folder: Path, files: Files) -> Path:
    """The files in a folder; the path to give to an importer: the folder where there are several."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder if len(files) > 1 else folder / next(iter(files))


def check_message(text: str) -> None:
    assert "Expected " in text  # after the name of the file, where there is one
    assert len(text.splitlines()) <= 2


def read_or_refuse(path: Path, module: ModuleType | None = None) -> Outcomes | None:
    """What is read; None where it is refused with a message of two lines at most. Anything else is raised."""
    try:
        outcomes = read_results(path) if module is None else module.read(path, Reading())
    except InputError as refused:
        return check_message(str(refused))
    assert isinstance(outcomes, Outcomes)
    assert len({len(column) for column in outcomes.columns.values()}) == 1
    return outcomes


def claims(module: ModuleType, path: Path) -> bool:
    """Whether the importer takes the file; text that is no text may be refused at once."""
    try:
        return bool(module.matches(path))
    except InputError as refused:
        check_message(str(refused))
        return False


def test_every_importer_has_a_valid_file() -> None:
    assert set(MODULES) == set(LOGS)


@every_seed
def test_the_valid_file_is_read_by_its_importer(name: str, k: int, tmp_path: Path) -> None:
    path = write(tmp_path, LOGS[name][k])
    assert [own for own, module in MODULES.items() if module.matches(path)][:1] == [name]
    assert (read_or_refuse(path) is None) == (name == "evallint")  # which is recognised to be refused


@every_seed
@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b"\x00", b"null", b"{}", b"[]"], ids=repr)
def test_an_empty_file(name: str, k: int, content: bytes, tmp_path: Path) -> None:
    path = write(tmp_path, dict.fromkeys(LOGS[name][k], content))
    read_or_refuse(path)
    read_or_refuse(path, MODULES[name])


@every_seed
def test_a_file_that_is_cut_off(name: str, k: int, tmp_path: Path) -> None:
    files = LOGS[name][k]
    for changed, content in files.items():
        for end in range(0, len(content), max(1, len(content) // 60)):
            read_or_refuse(write(tmp_path, {**files, changed: content[:end]}))


@every_seed
def test_values_of_other_types(name: str, k: int, tmp_path: Path) -> None:
    """The document as a whole, and each of its own fields."""
    files = LOGS[name][k]
    for changed in files:
        for value in ODD_VALUES:
            read_or_refuse(write(tmp_path, {**files, changed: as_json(value)}), MODULES[name])


@pytest.mark.slow
@every_seed
def test_a_thousand_mutations(name: str, k: int, tmp_path: Path) -> None:
    rng = random.Random(f"{name}-{k}")
    module, files, read = MODULES[name], LOGS[name][k], 0
    for _ in range(N_MUTATIONS):
        changed = rng.choice(list(files))
        path = write(tmp_path, {**files, changed: file_mutated(files[changed], rng)})
        read += read_or_refuse(path) is not None
        if claims(module, path):
            read_or_refuse(path, module)
    assert read > 0 or name == "evallint"  # not all of them are refused at the door
