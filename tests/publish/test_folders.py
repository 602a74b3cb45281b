"""Publishing into a folder: exactly the files that go to the Hub."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from jostle.errors import InputError
from jostle.measures.version import __version__
from jostle.publish import Bundle, dataset_bundle, space_bundle, write_bundles
from jostle.publish.bundle import files_below

Jostle = Callable[..., Any]
REPO = Path(__file__).resolve().parents[2]
NAMES = [
    "class_balance",
    "discrimination",
    "flip_rate",
    "invariance_drift",
    "near_duplicates",
    "pair_consistency",
    "robustness_ratio",
]


def tree(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if not p.is_dir()}


def test_metrics_are_written_with_files_for_links(jostle: Jostle, tmp_path: Path) -> None:
    done = jostle("publish", "metrics", "--to", tmp_path / "out")
    assert (done.code, done.out) == (0, "")
    assert done.err.splitlines() == [f"wrote {tmp_path}/out/{name}/" for name in NAMES]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == NAMES
    for name in NAMES:
        written = tree(tmp_path / "out" / name)
        source = REPO / "metrics" / name
        assert written == {p.name: p.read_bytes() for p in source.iterdir() if p.is_file()}
        assert {"README.md", "app.py", "metric_page.py", "requirements.txt", f"{name}.py"} <= set(written)
        assert not any(path.is_symlink() for path in (tmp_path / "out" / name).iterdir())


def test_the_space_has_the_package_beside_the_app(jostle: Jostle, tmp_path: Path) -> None:
    assert jostle("publish", "space", "--to", f"{tmp_path}/out", "--quiet").err == ""
    written = tree(tmp_path / "out" / "jostle")
    assert {"app.py", "README.md", "LICENSE", "requirements.txt", "examples/outcomes.parquet"} <= set(written)
    for home, place in (("src/jostle", "jostle"), ("metrics", "jostle/_metrics")):
        for path in [*(REPO / home).rglob("*.py"), *(REPO / home).rglob("*.txt")]:
            assert written[f"{place}/{path.relative_to(REPO / home).as_posix()}"] == path.read_bytes()
    assert not [path for path in written if path.endswith(".pyc") or "/test_" in path or "/." in f"/{path}"]


def test_the_space_needs_what_the_package_needs(tmp_path: Path) -> None:
    lines = space_bundle().read("requirements.txt").decode().splitlines()
    assert f"gradio=={gr.__version__}" in lines
    assert {"click>=8.1", "evaluate>=0.4.6", "torch>=2.4", "transformers>=5.0"} <= set(lines)
    assert lines == sorted(set(lines))
    with pytest.raises(InputError, match=r"Expected a clone of jostle with spaces/jostle/app\.py, but .* has none"):
        space_bundle(tmp_path)


def test_hidden_files_and_caches_stay_at_home_and_broken_links_do_not_pass(tmp_path: Path) -> None:
    for name in ("a.py", "b/c.txt", ".secret", ".git/config", "__pycache__/a.cpython-311.pyc", "b/d.pyc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "link.py").symlink_to("a.py")
    assert list(files_below(tmp_path)) == ["a.py", "b/c.txt", "link.py"]
    (tmp_path / "gone.py").symlink_to("nothing.py")
    with pytest.raises(InputError, match=r"the link .*gone\.py points nowhere"):
        files_below(tmp_path)


def test_what_is_there_is_not_touched(jostle: Jostle, tmp_path: Path) -> None:
    (tmp_path / "pair_consistency").mkdir()
    (tmp_path / "pair_consistency" / "mine.txt").write_text("x")
    done = jostle("publish", "metrics", "--to", tmp_path)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert f"Expected a new folder, but {tmp_path}/pair_consistency exists." in done.err
    assert list(tree(tmp_path)) == ["pair_consistency/mine.txt"]


def test_a_folder_is_whole_or_not_there(tmp_path: Path) -> None:
    bundle = Bundle("space", "half", {"a.txt": "a", "b.txt": tmp_path / "vanished.txt"})
    with pytest.raises(InputError, match=r"Expected to write .*out, but No such file"):
        write_bundles([bundle], tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_dry_run_lists_files_with_sizes_and_writes_nothing(jostle: Jostle, tmp_path: Path) -> None:
    done = jostle("publish", "metrics", "--to", f"{tmp_path}/out", "--dry-run")
    assert done.code == 0
    assert not (tmp_path / "out").exists()
    lines = done.out.splitlines()
    source = REPO / "metrics" / "flip_rate"
    sizes = {path.name: path.stat().st_size for path in source.iterdir() if path.is_file()}
    at = lines.index(f"{tmp_path}/out/flip_rate ({len(sizes)} files, {sum(sizes.values()):,} bytes)")
    assert lines[at + 1 : at + len(sizes) + 1] == [f"{size:12,}  {name}" for name, size in sorted(sizes.items())]
    remote = jostle("publish", "metrics", "--to", "org", "--dry-run", "--public").out
    assert f"org/flip_rate (space, public, v{__version__}, {len(sizes)} files" in remote
    assert jostle("publish", "space", "--to", "org", "--dry-run").out.startswith("org/jostle (space, private, v")


def test_an_existing_folder_is_a_folder(jostle: Jostle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "org").mkdir()
    assert jostle("publish", "metrics", "--to", "org").code == 0
    assert sorted(path.name for path in (tmp_path / "org").iterdir()) == NAMES


def test_the_settings_file_may_say_where_to(jostle: Jostle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jostle.toml").write_text('[publish]\nto = "./out"\n')
    assert jostle("publish", "metrics").code == 0
    assert (tmp_path / "out" / "flip_rate" / "app.py").is_file()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["metrics"], "Expected --to FOLDER (with a slash) or --to ORG, but got ''."),
        (["metrics", "--to", "my org"], "but got 'my org'."),
        (["metrics", "folder", "--to", "x/y"], "Expected a FOLDER with dataset alone, but got metrics and folder."),
        (["dataset", "--to", "x/y"], "Expected a FOLDER with dataset alone, but got dataset and no folder."),
        (["models", "--to", "x/y"], "'models' is not one of 'metrics', 'dataset', 'space'"),
    ],
)
def test_usage_errors(jostle: Jostle, arguments: list[str], message: str) -> None:
    done = jostle("publish", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("files", [[], ["README.md"], ["a/b.parquet"]])
def test_a_folder_that_build_did_not_write_is_refused(tmp_path: Path, files: list[str]) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    with pytest.raises(InputError, match=r"Expected a folder with README\.md and parquet files, but .* is none"):
        dataset_bundle(tmp_path)


@pytest.mark.parametrize("name", ["robust", "a/b/c"])
def test_build_refuses_a_bad_name_before_it_builds(jostle: Jostle, tmp_path: Path, name: str) -> None:
    done = jostle("build", "--task", "sst2", "--data", "embedded", "--out", tmp_path / "built", "--push", name)
    assert (done.code, done.err) == (2, f"Error: Expected --push ORG/NAME, but got {name!r}.\n")
    assert not (tmp_path / "built").exists()
