"""Publishing on the Hub: repositories, tags and who may read them, against the stub."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.measures.version import __version__
from jostle.publish import dataset_bundle, metric_bundles, space_bundle

from ..hub_stub import HubStub, Repo, hub_env

Publish = Callable[..., subprocess.CompletedProcess[str]]
TAG = f"v{__version__}"
NAMES = [
    "class_balance",
    "discrimination",
    "flip_rate",
    "invariance_drift",
    "near_duplicates",
    "pair_consistency",
    "robustness_ratio",
]
WRITES = ("POST", "PUT", "DELETE")


def contents(repo: Repo, revision: str = "main") -> dict[str, bytes]:
    return {path: data for path, data in repo.at(revision)[1].items() if path != ".gitattributes"}


def sent(hub: HubStub) -> list[str]:
    """Requests that change something; the check of a card's front matter does not."""
    return [request for request in hub.requests if request.startswith(WRITES) and "validate-yaml" not in request]


@pytest.fixture
def built(jostle: Callable[..., Any], tmp_path: Path) -> Path:
    """A data set as `jostle build` writes it."""
    rows = [{"idx": k, "sentence": f"It isn't a bad film, take {k}.", "label": 1} for k in range(5)]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    folder = tmp_path / "robust_glue"
    done = jostle("build", "--task", "sst2", "--data", tmp_path / "items.jsonl", "--out", folder, "--quiet")
    assert done.code == 0, done.err
    return folder


@pytest.mark.slow
def test_metrics_go_up_as_tagged_private_spaces(hub_stub: HubStub, publish: Publish) -> None:
    done = publish("metrics", "--to", "org")
    url = f"{hub_stub.url}/spaces/org"
    assert done.stderr.splitlines() == [f"published {url}/{name} (private, tag {TAG})" for name in NAMES]
    assert sorted(hub_stub.repos) == [("space", f"org/{name}") for name in NAMES]
    for bundle in metric_bundles():
        repo = hub_stub.repos["space", f"org/{bundle.name}"]
        assert repo.private
        assert contents(repo) == contents(repo, TAG) == {path: bundle.read(path) for path in bundle.files}
    assert "dummy" not in done.stdout + done.stderr  # the token


@pytest.mark.slow
def test_publishing_again_changes_nothing_and_takes_out_what_is_gone(hub_stub: HubStub, publish: Publish) -> None:
    publish("space", "--to", "org")
    repo = hub_stub.repos["space", "org/jostle"]
    bundle = space_bundle()
    assert contents(repo) == {path: bundle.read(path) for path in bundle.files}
    refs = dict(repo.refs)
    publish("space", "--to", "org")
    assert repo.refs == refs
    hub_stub.add_file("space", "org/jostle", "old/tab.py", b"x = 1\n")
    publish("space", "--to", "org")
    assert contents(repo) == contents(repo, TAG)
    assert repo.refs[f"tags/{TAG}"] == refs[f"tags/{TAG}"]


@pytest.mark.slow
def test_a_tag_never_moves(hub_stub: HubStub, publish: Publish) -> None:
    """The last of the metrics has other files under the tag: none of them is published."""
    hub_stub.add_file("space", "org/robustness_ratio", "README.md", b"other\n")
    repo = hub_stub.repos["space", "org/robustness_ratio"]
    repo.refs[f"tags/{TAG}"] = repo.refs["heads/main"]
    done = publish("metrics", "--to", "org", code=3)
    assert len(done.stderr.splitlines()) == 1
    assert f"tag {TAG} of org/robustness_ratio exists and holds another README.md. Raise __version__" in done.stderr
    assert sent(hub_stub) == []
    assert contents(repo) == {"README.md": b"other\n"}


@pytest.mark.slow
def test_a_tag_that_differs_in_a_large_file_alone_does_not_move_either(hub_stub: HubStub, publish: Publish) -> None:
    """Of what lies in large-file storage the Hub tells the sha256; git's hash would be that of a pointer."""
    publish("space", "--to", "org")
    repo = hub_stub.repos["space", "org/jostle"]
    hub_stub.add_file("space", "org/jostle", "examples/outcomes.parquet", b"other")
    repo.refs[f"tags/{TAG}"] = repo.refs["heads/main"]
    done = publish("space", "--to", "org", code=3)
    assert f"tag {TAG} of org/jostle exists and holds another examples/outcomes.parquet." in done.stderr
    assert repo.refs[f"tags/{TAG}"] == repo.refs["heads/main"]


@pytest.mark.slow
def test_who_may_read_what_is_there_stays_and_is_said(hub_stub: HubStub, publish: Publish) -> None:
    assert f"(public, tag {TAG})" in publish("space", "--to", "org", "--public").stderr
    assert f"(public, tag {TAG})" in publish("space", "--to", "org").stderr
    hub_stub.repos["space", "org/jostle"].private = True
    assert f"(private, tag {TAG})" in publish("space", "--to", "org", "--public").stderr


def test_a_dry_run_asks_nobody(hub_stub: HubStub, publish: Publish) -> None:
    assert publish("metrics", "--to", "org", "--dry-run").stdout.count(f"space, private, {TAG}") == len(NAMES)
    assert hub_stub.requests == []


@pytest.mark.slow
def test_a_refusal_is_one_line(hub_stub: HubStub, publish: Publish) -> None:
    done = publish("metrics", "--to", "org", code=3, HF_TOKEN="")
    assert len(done.stderr.splitlines()) == 1
    assert re.match(r"Error: Expected to publish org/class_balance, but the Hub refused: \S", done.stderr)
    assert hub_stub.repos == {}


PRIVATE = """
import evaluate
module = evaluate.load("org/flip_rate")
columns = {"item_ids": ["a", "a", "b", "b"], "conditions": ["orig", "para/x"] * 2, "references": [1] * 4}
print(module.compute(predictions=[1, 0, 1, 1], **columns)["flip_rate"])
"""


@pytest.mark.slow
@pytest.mark.parametrize(("token", "code"), [("dummy", 0), ("", 1)])
def test_a_private_module_loads_for_those_who_may_read_it(
    hub_stub: HubStub, publish: Publish, tmp_path: Path, token: str, code: int
) -> None:
    """Of two items, a flips."""
    publish("metrics", "--to", "org")
    env = hub_env(hub_stub.url, tmp_path / "reader") | {"HF_TOKEN": token}
    command = [sys.executable, "-c", PRIVATE]
    loaded = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert loaded.returncode == code, loaded.stderr
    assert loaded.stdout.split() == (["0.5"] if code == 0 else [])
    assert code == 0 or "doesn't exist on the Hugging Face Hub" in loaded.stderr


LOAD = """
import sys
import datasets
rows = datasets.load_dataset("org/robust_glue", "sst2-pert", split="validation")
print(len(rows), sorted(set(rows["kind"])))
"""


@pytest.mark.slow
def test_a_built_folder_goes_up_under_its_name(
    hub_stub: HubStub, publish: Publish, built: Path, tmp_path: Path
) -> None:
    hub_stub.add_file("dataset", "org/robust_glue", "notes.md", b"kept\n")
    (built / ".build-left").mkdir()
    (built / ".build-left" / "sst2-pert.parquet").write_bytes(b"unfinished")
    done = publish("dataset", built, "--to", "org")
    assert done.stderr == f"published {hub_stub.url}/datasets/org/robust_glue (public)\n"
    repo = hub_stub.repos["dataset", "org/robust_glue"]
    bundle = dataset_bundle(built)
    expected = {path: bundle.read(path) for path in bundle.files} | {"notes.md": b"kept\n"}
    assert contents(repo) == expected
    assert list(repo.refs) == ["heads/main"]  # its version is not that of jostle
    env = hub_env(hub_stub.url, tmp_path / "reader")
    loaded = subprocess.run([sys.executable, "-c", LOAD], env=env, capture_output=True, text=True, check=True)
    count, kinds = loaded.stdout.split(maxsplit=1)
    assert int(count) > 0
    assert kinds.strip() == "['pert']"
