"""The Hub by name: uploads, data sets, models and modules, each in a process and with a cache of its own."""

from __future__ import annotations

import http.client
import io
import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from .hub_stub import HubStub, hub_env

REPO = Path(__file__).resolve().parents[1]
Ask = Callable[..., tuple[int, dict[str, str], bytes]]
Call = Callable[..., subprocess.CompletedProcess[str]]
ROWS = [{"sentence": f"a film that I do not like, number {k}", "label": k % 2, "idx": k} for k in range(12)]
CARD = b"""---
tags: [robustness]
configs:
- config_name: sst2
  data_files: [{split: validation, path: sst2/validation-*.parquet}]
- config_name: other
  data_files: [{split: test, path: other/test.parquet}]
---
# A card
"""


def parquet(rows: list[dict[str, Any]]) -> bytes:
    pq.write_table(pa.Table.from_pylist(rows), buffer := io.BytesIO())
    return buffer.getvalue()


def publish_rows(hub: HubStub) -> None:
    hub.add_file("dataset", "org/rows", "README.md", CARD)
    hub.add_file("dataset", "org/rows", "sst2/validation-0.parquet", parquet(ROWS))
    hub.add_file("dataset", "org/rows", "other/test.parquet", parquet(ROWS[:1]))


@pytest.fixture
def call(hub_stub: HubStub, tmp_path: Path) -> Call:
    """Run Python against the stub: `call("-c", code, ...)`; `cache` names a cache, new by default."""
    caches = iter(range(99))

    def run(*arguments: object, cache: str = "", code: int = 0, **env: str) -> subprocess.CompletedProcess[str]:
        folder = tmp_path / (cache or f"cache-{next(caches)}")
        done = subprocess.run(
            [sys.executable, *map(str, arguments)],
            env=hub_env(hub_stub.url, folder) | env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stderr
        return done

    return run


@pytest.fixture
def ask(hub_stub: HubStub) -> Ask:
    """One request: status, headers and body."""

    def send(method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection(hub_stub.url.removeprefix("http://"), timeout=10)
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        answer = response.status, dict(response.headers), response.read()
        connection.close()
        return answer

    return send


def test_files_by_branch_tag_and_commit(hub_stub: HubStub, ask: Ask) -> None:
    old = hub_stub.add_file("model", "org/m", "a/b.txt", b"old")
    hub_stub.repos["model", "org/m"].refs["tags/v1"] = old
    new = hub_stub.add_file("model", "org/m", "a/b.txt", b"new!")
    for revision, commit, content in [("main", new, b"new!"), ("v1", old, b"old"), (old, old, b"old")]:
        status, headers, body = ask("GET", f"/org/m/resolve/{revision}/a/b.txt")
        assert (status, headers["X-Repo-Commit"], body) == (200, commit, content)
    # printf 'new!' | git hash-object --stdin
    assert ask("HEAD", "/org/m/resolve/main/a/b.txt")[1]["ETag"] == '"6e0240ba2e7fcb8321a75cc910b5596a5030dda9"'
    assert hub_stub.requests[0] == "GET /org/m/resolve/main/a/b.txt"


@pytest.mark.parametrize(
    ("wanted", "status", "part", "span"),
    [
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=-2", 206, b"89", "bytes 8-9/10"),
        ("bytes=8-99", 206, b"89", "bytes 8-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
    ],
)
def test_a_range_of_a_large_file(hub_stub: HubStub, ask: Ask, wanted: str, status: int, part: bytes, span: str) -> None:
    hub_stub.add_file("dataset", "org/d", "x.parquet", b"0123456789")
    found, headers, body = ask("GET", "/datasets/org/d/resolve/main/x.parquet", Range=wanted)
    assert (found, headers["Content-Range"]) == (status, span)
    assert body == part or status == 416
    _, headers, body = ask("HEAD", "/datasets/org/d/resolve/main/x.parquet")
    # printf 0123456789 | sha256sum
    assert headers["X-Linked-ETag"] == '"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"'
    assert (headers["X-Linked-Size"], body) == ("10", b"")


@pytest.mark.parametrize(
    ("path", "token", "status", "code"),
    [
        ("/api/models/org/none", "Bearer x", 404, "RepoNotFound"),
        ("/api/models/org/none", "", 401, "RepoNotFound"),
        ("/api/models/org/m/revision/v9", "", 404, "RevisionNotFound"),
        ("/org/m/resolve/v9/a.txt", "", 404, "RevisionNotFound"),
        ("/org/m/resolve/main/b.txt", "", 404, "EntryNotFound"),
        ("/api/models/org/m/tree/main/folder", "", 404, "EntryNotFound"),
        ("/org/secret/resolve/main/a.txt", "", 401, "RepoNotFound"),
        ("/org/secret/resolve/main/a.txt", "Bearer x", 200, None),
        ("/api/whoami-v2", "", 401, None),
        ("/api/no-such-thing", "Bearer x", 501, None),
    ],
)
def test_refusals(hub_stub: HubStub, ask: Ask, path: str, token: str, status: int, code: str) -> None:
    hub_stub.add_file("model", "org/m", "a.txt", b"a")
    hub_stub.add_file("model", "org/secret", "a.txt", b"a")
    hub_stub.repos["model", "org/secret"].private = True
    found, headers, _ = ask("GET", path, **({"Authorization": token} if token else {}))
    assert (found, headers.get("X-Error-Code")) == (status, code)


UPLOAD = """
import json, sys
from huggingface_hub import HfApi
api, folder = HfApi(), sys.argv[1]
for _ in range(2):
    api.create_repo("org/rows", repo_type="dataset", private=True, exist_ok=True)
first = api.upload_folder(folder_path=folder, repo_id="org/rows", repo_type="dataset")
again = api.upload_folder(folder_path=folder, repo_id="org/rows", repo_type="dataset")
assert first.oid == again.oid, "nothing changed, yet there is a commit"
api.create_tag("org/rows", tag="v1", repo_type="dataset")
api.upload_file(path_or_fileobj=b"x", path_in_repo="notes/a.txt", repo_id="org/rows", repo_type="dataset")
head = api.delete_file("other/test.parquet", repo_id="org/rows", repo_type="dataset").oid
tree = [e.path for e in api.list_repo_tree("org/rows", repo_type="dataset", recursive=True, expand=True)]
old = api.repo_info("org/rows", repo_type="dataset", revision="v1", files_metadata=True)
refs = api.list_repo_refs("org/rows", repo_type="dataset")
print(json.dumps({
    "private": old.private, "tags": old.tags, "first": first.oid, "old": old.sha, "head": head, "tree": tree,
    "lfs": {s.rfilename: s.lfs.size for s in old.siblings if s.lfs},
    "refs": [r.name for r in refs.branches + refs.tags],
    "info": [e.path for e in api.get_paths_info("org/rows", ["notes", "README.md", "none"], repo_type="dataset")],
}))
"""
LOAD = """
import sys
import datasets
rows = datasets.load_dataset("org/rows", "sst2", revision="v1")["validation"]
other = datasets.load_dataset("org/rows", "other", split="test", streaming=True, revision="v1")
print(rows.num_rows, rows[3]["sentence"], [row["idx"] for row in other])
"""


@pytest.mark.slow
def test_a_folder_of_rows_goes_up_and_is_loaded_by_name(hub_stub: HubStub, call: Call, tmp_path: Path) -> None:
    publish_rows(hub_stub)
    files = hub_stub.repos.pop(("dataset", "org/rows")).at("main")[1]
    for path, data in files.items():
        (tmp_path / "up" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "up" / path).write_bytes(data)
    found = json.loads(call("-c", UPLOAD, tmp_path / "up").stdout)
    parquets = {path: len(data) for path, data in files.items() if path.endswith(".parquet")}
    assert found["lfs"] == parquets
    assert {hub_stub.blobs[oid] for oid in hub_stub.blobs} == {files[path] for path in parquets}
    assert (found["private"], found["tags"], found["refs"]) == (True, ["robustness"], ["main", "v1"])
    assert found["old"] == found["first"] != found["head"]
    assert found["tree"] == [".gitattributes", "README.md", "notes", "notes/a.txt", "sst2", "sst2/validation-0.parquet"]
    assert found["info"] == ["notes", "README.md"]
    assert call("-c", LOAD).stdout.strip() == f"12 {ROWS[3]['sentence']} [0]"


@pytest.mark.slow
def test_a_data_set_is_pushed_and_loaded(call: Call) -> None:
    rows = "import datasets; datasets.Dataset.from_dict({'a': [1, 2, 3]})"
    call("-c", f"{rows}.push_to_hub('org/pushed', 'one', split='test')")
    load = "import datasets; print(datasets.load_dataset('org/pushed', 'one')['test']['a'][:])"
    assert call("-c", load).stdout.strip() == "[1, 2, 3]"


def test_nothing_reaches_another_host(hub_stub: HubStub, call: Call) -> None:
    ask = "import httpx2; print(httpx2.get('http://example.org/a').status_code, httpx2.get('https://example.org/b'))"
    assert "ProxyError" in call("-c", ask, code=1).stderr
    assert hub_stub.requests == ["GET http://example.org/a"]


ITEMS = """
import datasets
from jostle.errors import InputError
from jostle.hub import load_hub_items
names = datasets.ClassLabel(names=["Positive", "Negative"])  # sst2 counts them the other way round
features = datasets.Features({"sentence": datasets.Value("string"), "label": names})
rows = datasets.Dataset.from_dict({"sentence": ["a", "b", "c"], "label": [0, 1, -1]}, features=features)
rows.push_to_hub("org/turned", "first", split="validation")
rows.push_to_hub("org/turned", "second", split="validation")
try:
    load_hub_items("org/turned", "sst2", {})
except InputError as error:
    print(error)
rows.push_to_hub("org/turned", "third", split="validation", set_default=True)
print([item.label for item in load_hub_items("org/turned", "sst2", {}).items])
print([item.label for item in load_hub_items("org/turned", "custom", {"text": "sentence", "label": "label"}).items])
"""


def test_items_have_their_classes_by_name_and_come_from_the_default_configuration(call: Call) -> None:
    error, *labels = call("-c", ITEMS).stdout.splitlines()
    assert error.startswith("Expected a configuration 'sst2' or a default one in org/turned, but it has first, second.")
    assert labels == ["['positive', 'negative', None]", "['Positive', 'Negative', None]"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/models/org/m/commit/main", {"key": "header", "value": {"parentCommit": "0" * 40}}, 412),
        ("POST", "/api/models/org/m/commit/v9", {}, 404),
        ("POST", "/api/models/org/m/tag/main", {"tag": "v1"}, 409),
        ("POST", "/api/repos/create", {"organization": "org", "name": "m", "type": "model"}, 409),
        ("POST", "/api/validate-yaml", {"content": "---\na: [\n---\n"}, 400),
        ("POST", "/lfs/verify", {"oid": "0" * 64, "size": 3}, 404),
        ("PUT", f"/lfs/{'0' * 64}", {}, 400),
    ],
)
def test_refused_writes(hub_stub: HubStub, ask: Ask, method: str, path: str, body: dict[str, Any], status: int) -> None:
    hub_stub.add_file("model", "org/m", "a.txt", b"a")
    repo = hub_stub.repos["model", "org/m"]
    repo.refs["tags/v1"] = repo.at("main")[0]
    before = dict(repo.refs)
    assert ask(method, path, json.dumps(body).encode(), Authorization="Bearer x")[0] == status
    assert repo.refs == before
    if method == "POST" and path.startswith("/api/models"):
        assert ask(method, path, json.dumps(body).encode())[0] == 401


PREDICT = """
import sys, torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer
torch.set_num_threads(1)
model = AutoModelForSequenceClassification.from_pretrained(sys.argv[1], use_safetensors=True)
tokenizer = AutoTokenizer.from_pretrained(sys.argv[1])
print(model(**tokenizer("a good film", return_tensors="pt")).logits.tolist())
"""


@pytest.fixture
def model(hub_stub: HubStub, tiny_model: Callable[..., Path]) -> Path:
    """A small model, on the stub as org/tiny."""
    folder = tiny_model("negative", "positive")
    for file in folder.iterdir():
        hub_stub.add_file("model", "org/tiny", file.name, file.read_bytes())
    return folder


@pytest.mark.slow
def test_a_model_by_name_gives_what_its_folder_gives(model: Path, call: Call) -> None:
    by_name = call("-c", PREDICT, "org/tiny").stdout
    assert by_name == call("-c", PREDICT, model).stdout
    assert by_name.startswith("[[")


RUN = ("-m", "jostle", "run", "--task", "sst2", "--variants", "orig,para", "--resamples", "100", "--format", "json")


@pytest.mark.slow
def test_jostle_run_by_name_measures_what_the_files_measure(
    hub_stub: HubStub, model: Path, call: Call, tmp_path: Path
) -> None:
    publish_rows(hub_stub)
    (tmp_path / "rows.parquet").write_bytes(parquet(ROWS))
    by_name = call(*RUN, "--data", "org/rows", "--model", "org/tiny", "--out", tmp_path / "a")
    by_file = call(*RUN, "--data", tmp_path / "rows.parquet", "--model", model, "--out", tmp_path / "b")
    report, expected = json.loads(by_name.stdout), json.loads(by_file.stdout)
    assert report["source"].startswith("org/rows (validation), task sst2, model org/tiny")
    assert report["measures"] == expected["measures"]
    assert "Generating" not in by_name.stderr  # bars only on a terminal


@pytest.mark.slow
@pytest.mark.parametrize(("data", "name"), [("org/none", "embedded"), ("rows.jsonl", "org/none")])
def test_an_unknown_name_is_one_line_within_five_seconds(
    hub_stub: HubStub, call: Call, tmp_path: Path, data: str, name: str
) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROWS[0]) + "\n", encoding="utf-8")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = call(*RUN, "--quiet", "--data", data, "--model", name, code=3)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Work and waiting apart: the work is importing torch, whose time by the clock is up to who else uses the machine.
    assert now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime <= 5
    assert time.monotonic() - hub_stub.times[0] <= 5
    assert len(hub_stub.requests) <= 5, "asked again and again"
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("Error: Expected a ")
    assert "org/none cannot be loaded: " in done.stderr or "at org/none, but it cannot be loaded: " in done.stderr
    assert ".." not in done.stderr


PUBLISH = """
import sys
from huggingface_hub import HfApi
api = HfApi()
api.create_repo("org/flip_rate", repo_type="space", space_sdk="gradio")
api.upload_folder(folder_path=sys.argv[1], repo_id="org/flip_rate", repo_type="space")
api.create_tag("org/flip_rate", tag="v0.1.0", repo_type="space")
assert "evaluate" in api.space_info("org/flip_rate").tags
"""
EVALUATE = """
import sys
import evaluate
metric = evaluate.load("org/flip_rate", revision=sys.argv[1] or None)
rows = {"item_ids": ["a", "b"] * 2, "conditions": ["orig"] * 2 + ["para/x"] * 2}
result = metric.compute(predictions=[1, 1, 0, 1], references=[1] * 4, **rows)
print(result["flip_rate"], result["n_items"], "jostle" in sys.modules)
"""


@pytest.mark.slow
def test_a_metric_is_published_as_a_space_and_loaded_by_name(hub_stub: HubStub, call: Call, tmp_path: Path) -> None:
    shutil.copytree(REPO / "metrics" / "flip_rate", tmp_path / "space")  # copies what the links point to
    call("-c", PUBLISH, tmp_path / "space")
    expected = "0.5 2 False"  # item a flips, item b does not
    assert call("-c", EVALUATE, "", cache="first").stdout.strip() == expected
    # A later commit that does not load: the tag and the cache still do.
    hub_stub.add_file("space", "org/flip_rate", "flip_rate.py", b"raise SystemExit('broken')\n")
    assert call("-c", EVALUATE, "v0.1.0").stdout.strip() == expected
    n_requests = len(hub_stub.requests)
    assert call("-c", EVALUATE, "", cache="first", HF_EVALUATE_OFFLINE="1").stdout.strip() == expected
    assert len(hub_stub.requests) == n_requests
    assert "broken" in call("-c", EVALUATE, "", code=1).stderr
