"""A Hugging Face Hub on the loopback interface: repositories in memory, and the HTTP that its clients speak.

Clients read the endpoint when they are imported, so they run in a process of their own with `hub_env`. Not here: xet
storage, pull requests, deletion of repositories and refs, search, the dataset viewer. A request without a route is
answered 501, and every request stands in `HubStub.requests`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import yaml  # type: ignore[import-untyped]

Files = dict[str, bytes]
Entry = dict[str, Any]
LFS_SUFFIXES = (".parquet", ".arrow", ".safetensors", ".bin", ".gguf", ".gz", ".zip")
DATE = "2026-01-01T00:00:00.000Z"
SOURCE = Path(__file__).resolve().parents[1] / "src"


def hub_env(url: str, tmp_path: Path) -> dict[str, str]:
    """Environment of a process that takes the stub for the Hub; all its caches are in `tmp_path`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING", "TRANSFORMERS_"))}
    return kept | {
        "HF_ENDPOINT": url,
        "HF_TOKEN": "dummy",
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        "NO_PROXY": "*",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(SOURCE),
    }


class Answer(NamedTuple):
    """Status, body and headers of a response."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}


class HubError(Exception):
    """A refusal; clients make their own exceptions from `code`."""

    def __init__(self, status: int, message: str, code: str = "", **headers: str) -> None:
        super().__init__(message)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers |= {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
        self.answer = Answer(status, json.dumps({"error": message}).encode(), headers)


@dataclass(frozen=True)
class Request:
    """What a client asked: parts of the path by name, query, headers, body."""

    parts: Mapping[str, str]
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def revision(self) -> str:
        return self.parts.get("revision", "main")


@dataclass
class Repo:
    """A repository: the files of every commit, and the refs that name commits."""

    kind: str
    name: str
    private: bool = False
    commits: dict[str, Files] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def commit(self, files: Files, title: str, branch: str = "main") -> str:
        lines = [self.branches.get(branch, ""), title, *(f"{path} {git_sha(files[path])}" for path in sorted(files))]
        sha = hashlib.sha1("\n".join(lines).encode()).hexdigest()
        self.commits[sha], self.titles[sha], self.branches[branch] = files, title, sha
        return sha

    def at(self, revision: str) -> tuple[str, Files]:
        """Commit and files by branch, tag or commit."""
        name = re.sub("^refs/(heads|tags)/", "", revision)
        sha = self.branches.get(name) or self.tags.get(name) or revision
        if sha not in self.commits:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return sha, self.commits[sha]

    def entries(self, revision: str, expand: bool = False) -> dict[str, Entry]:
        """Files and folders by path."""
        sha, files = self.at(revision)
        folders = {str(folder) for path in files for folder in list(PurePosixPath(path).parents)[:-1]}
        found = {path: file_entry(path, data) for path, data in files.items()}
        found |= {path: {"type": "directory", "path": path, "oid": git_sha(path.encode())} for path in folders}
        last = {"lastCommit": {"id": sha, "title": self.titles[sha], "date": DATE}} if expand else {}
        return {path: found[path] | last for path in sorted(found)}


def git_sha(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def is_lfs(path: str, size: int) -> bool:
    return size > 0 and (path.endswith(LFS_SUFFIXES) or size > 10_000_000)


def file_entry(path: str, data: bytes) -> Entry:
    entry: Entry = {"type": "file", "path": path, "size": len(data), "oid": git_sha(data)}
    lfs = {"oid": hashlib.sha256(data).hexdigest(), "size": len(data), "pointerSize": 130}
    return entry | {"lfs": lfs} if is_lfs(path, len(data)) else entry


def card_data(card: bytes) -> dict[str, Any]:
    """YAML between the dashes at the top of a card; empty where there is none."""
    block = re.match(rb"\s*---\r?\n(.*?)\r?\n---", card, re.DOTALL)
    return (yaml.safe_load(block.group(1)) or {}) if block else {}


def as_json(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode(), {"Content-Type": "application/json"})


def is_on(values: Mapping[str, list[str]], name: str) -> bool:
    return values.get(name, ["false"])[0].lower() in ("true", "1")


def ranged(data: bytes, wanted: str, headers: Mapping[str, str]) -> Answer:
    """The bytes that a Range header asks for: `bytes=2-5`, `bytes=2-` or `bytes=-5`."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted)
    if not match or not any(match.groups()):
        return Answer(200, data, {"Accept-Ranges": "bytes", **headers})
    first, last = match.groups()
    start = int(first) if first else max(0, len(data) - int(last))
    stop = min(int(last) + 1, len(data)) if first and last else len(data)
    if start >= stop:
        raise HubError(416, "Requested range not satisfiable", Content_Range=f"bytes */{len(data)}")
    return Answer(206, data[start:stop], {"Content-Range": f"bytes {start}-{stop - 1}/{len(data)}", **headers})


class HubStub:
    """A running stub: `url`; `repos` by (kind, "org/name"); `requests`, a list of "METHOD /path?query"."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.blobs: dict[str, bytes] = {}
        self.requests: list[str] = []
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"hub": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> HubStub:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def add_file(self, kind: str, name: str, path: str, data: bytes) -> str:
        """Commit a file to main, in a new repository where there is none; gives the commit."""
        with self._lock:
            repo = self.repos.get((kind, name)) or self._create(kind, name)
            return repo.commit({**repo.at("main")[1], path: data}, f"Add {path}")

    def answer(self, method: str, url: str, headers: Mapping[str, str], body: bytes) -> Answer:
        split = urlsplit(url)
        with self._lock:
            self.requests.append(f"{method} {url}")
            try:
                for methods, pattern, act, needs_token in ROUTES:
                    if method in methods.split() and (match := re.fullmatch(pattern, split.path)):
                        if needs_token and not headers.get("Authorization"):
                            raise HubError(401, "Invalid username or password.")
                        parts = {name: unquote(part) for name, part in match.groupdict().items() if part}
                        return act(self, Request(parts, parse_qs(split.query), headers, body))
                raise HubError(501, f"The stub has no route for {method} {split.path}")
            except HubError as error:
                return error.answer

    def _create(self, kind: str, name: str, private: bool = False) -> Repo:
        repo = self.repos[kind, name] = Repo(kind, name, private)
        rules = "".join(f"*{suffix} filter=lfs diff=lfs merge=lfs -text\n" for suffix in LFS_SUFFIXES)
        repo.commit({".gitattributes": rules.encode()}, "initial commit")
        return repo

    def _repo(self, request: Request) -> Repo:
        repo = self.repos.get((request.parts.get("kind", "model"), request.parts["name"]))
        known = bool(request.headers.get("Authorization"))
        if repo is None or (repo.private and not known):
            raise HubError(404 if known else 401, "Repository not found", "RepoNotFound")
        return repo

    def whoami(self, request: Request) -> Answer:
        return as_json({"type": "user", "name": "tester", "orgs": [{"name": "org"}]})

    def validate_yaml(self, request: Request) -> Answer:
        try:
            found = card_data(json.loads(request.body)["content"].encode())
        except yaml.YAMLError as error:
            return as_json({"errors": [{"message": str(error)}], "warnings": []}, 400)
        missing = {"message": "empty or missing yaml metadata in repo card"}
        return as_json({"errors": [], "warnings": [] if found else [missing]})

    def create(self, request: Request) -> Answer:
        wanted = json.loads(request.body)
        kind, name = wanted.get("type", "model"), f"{wanted.get('organization') or 'tester'}/{wanted['name']}"
        url = f"{self.url}/{'' if kind == 'model' else f'{kind}s/'}{name}"
        if (kind, name) in self.repos:
            return as_json({"error": f"You already created this {kind} repo: {name}", "url": url}, 409)
        self._create(kind, name, wanted.get("visibility") == "private")
        return as_json({"url": url})

    def info(self, request: Request) -> Answer:
        repo = self._repo(request)
        sha, files = repo.at(request.revision)
        siblings: list[Entry] = [{"rfilename": path} for path in files]
        if is_on(request.query, "blobs"):
            found = [file_entry(path, data) for path, data in files.items()]
            siblings = [{"rfilename": e["path"], "size": e["size"], "blobId": e["oid"]} for e in found]
            for sibling, lfs in [(s, e["lfs"]) for s, e in zip(siblings, found, strict=True) if "lfs" in e]:
                sibling["lfs"] = {"sha256": lfs["oid"], "size": lfs["size"], "pointerSize": lfs["pointerSize"]}
        card = card_data(files.get("README.md", b""))
        about = {"id": repo.name, "sha": sha, "private": repo.private, "createdAt": DATE, "lastModified": DATE}
        return as_json({**about, "tags": card.get("tags", []), "cardData": card, "siblings": siblings})

    def refs(self, request: Request) -> Answer:
        repo = self._repo(request)

        def listed(folder: str, refs: Mapping[str, str]) -> list[Entry]:
            return [{"name": name, "ref": f"refs/{folder}/{name}", "targetCommit": refs[name]} for name in refs]

        return as_json({"branches": listed("heads", repo.branches), "tags": listed("tags", repo.tags), "converts": []})

    def new_ref(self, request: Request) -> Answer:
        repo, wanted = self._repo(request), json.loads(request.body or b"{}")
        refs, name, start = repo.branches, request.revision, wanted.get("startingPoint", "main")
        if "tag" in wanted:
            refs, name, start = repo.tags, wanted["tag"], request.revision
        if name in refs:
            raise HubError(409, f"Reference {name} exists already")
        refs[name] = repo.at(start)[0]
        return as_json({})

    def tree(self, request: Request) -> Answer:
        found = self._repo(request).entries(request.revision, is_on(request.query, "expand"))
        under = request.parts.get("path", "").strip("/")
        if under and found.get(under, {}).get("type") != "directory":
            raise HubError(404, f"{under} does not exist on {request.revision}", "EntryNotFound")
        inside = [found[path] for path in found if not under or path.startswith(f"{under}/")]
        folder = PurePosixPath(under)
        everything = is_on(request.query, "recursive")
        return as_json([entry for entry in inside if everything or PurePosixPath(entry["path"]).parent == folder])

    def paths_info(self, request: Request) -> Answer:
        form = parse_qs(request.body.decode())
        found = self._repo(request).entries(request.revision, is_on(form, "expand"))
        return as_json([found[path] for path in form.get("paths", []) if path in found])

    def preupload(self, request: Request) -> Answer:
        found = self._repo(request).entries(request.revision)
        modes = []
        for file in json.loads(request.body)["files"]:
            known = found.get(file["path"], {})
            mode = "lfs" if is_lfs(file["path"], file["size"]) else "regular"
            oid = known.get("lfs", known).get("oid")
            modes.append({"path": file["path"], "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        return as_json({"files": modes})

    def lfs_batch(self, request: Request) -> Answer:
        self._repo(request)
        objects = [{"oid": item["oid"], "size": item["size"]} for item in json.loads(request.body)["objects"]]
        for item in [item for item in objects if item["oid"] not in self.blobs]:
            hrefs = {"upload": f"{self.url}/lfs/{item['oid']}", "verify": f"{self.url}/lfs/verify"}
            item["actions"] = {what: {"href": href} for what, href in hrefs.items()}
        return as_json({"transfer": "basic", "objects": objects})

    def lfs_put(self, request: Request) -> Answer:
        if hashlib.sha256(request.body).hexdigest() != request.parts["oid"]:
            raise HubError(400, "The content does not have the sha256 of its address")
        self.blobs[request.parts["oid"]] = request.body
        return Answer(200)

    def lfs_verify(self, request: Request) -> Answer:
        wanted = json.loads(request.body)
        if len(self.blobs.get(wanted["oid"], b"")) != wanted["size"]:
            raise HubError(404, f"There is no object {wanted['oid']} of {wanted['size']} bytes")
        return as_json({})

    def lfs_get(self, request: Request) -> Answer:
        data, oid = self.blobs[request.parts["oid"]], request.parts["oid"]
        return ranged(data, request.headers.get("Range") or "", {"ETag": f'"{oid}"'})

    def commit(self, request: Request) -> Answer:
        repo = self._repo(request)
        head, files = repo.at(request.revision)
        files, title = dict(files), ""
        for line in map(json.loads, request.body.splitlines()):
            value = line["value"]
            path = value.get("path", "")
            if line["key"] == "header":
                title = value["summary"]
                if value.get("parentCommit", head) != head:
                    raise HubError(412, "A commit has happened since. Please refresh and try again.")
            elif line["key"] == "file":
                files[path] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                files[path] = self.blobs[value["oid"]]
            else:  # deletedFile, deletedFolder
                files = {name: files[name] for name in files if name != path and not name.startswith(f"{path.rstrip('/')}/")}
        sha = repo.commit(files, title, request.revision)
        return as_json({"commitOid": sha, "commitUrl": f"{self.url}/{repo.name}/commit/{sha}"})

    def resolve(self, request: Request) -> Answer:
        sha, files = self._repo(request).at(request.revision)
        path = request.parts["path"]
        if path not in files:
            raise HubError(404, "Entry not found", "EntryNotFound", X_Repo_Commit=sha)
        data, entry = files[path], file_entry(path, files[path])
        headers = {"X-Repo-Commit": sha, "ETag": f'"{entry["oid"]}"'}
        if "lfs" not in entry:
            return ranged(data, request.headers.get("Range") or "", headers)
        oid = entry["lfs"]["oid"]
        self.blobs[oid] = data  # a file of `add_file` was never uploaded
        headers |= {"X-Linked-Size": str(len(data)), "X-Linked-ETag": f'"{oid}"', "Location": f"{self.url}/lfs/{oid}"}
        return Answer(302, b"", headers)


API = r"/api/(?P<kind>model|dataset|space)s/(?P<name>[^/]+/[^/]+)"
PAGE = r"/(?:(?P<kind>dataset|space)s/)?(?P<name>[^/]+/[^/]+)"  # models have no prefix outside /api
AT = r"/(?P<revision>[^/]+)"
ROUTES: tuple[tuple[str, str, Callable[[HubStub, Request], Answer], bool], ...] = (
    ("GET", "/api/whoami-v2", HubStub.whoami, True),
    ("POST", "/api/validate-yaml", HubStub.validate_yaml, False),
    ("POST", "/api/repos/create", HubStub.create, True),
    ("GET", f"{API}(?:/revision{AT})?", HubStub.info, False),
    ("GET", f"{API}/refs", HubStub.refs, False),
    ("GET", f"{API}/tree{AT}(?P<path>/.*)?", HubStub.tree, False),
    ("POST", f"{API}/paths-info{AT}", HubStub.paths_info, False),
    ("POST", f"{API}/preupload{AT}", HubStub.preupload, True),
    ("POST", f"{API}/commit{AT}", HubStub.commit, True),
    ("POST", f"{API}/(?:tag|branch){AT}", HubStub.new_ref, True),
    ("POST", rf"{PAGE}\.git/info/lfs/objects/batch", HubStub.lfs_batch, True),
    ("POST", "/lfs/verify", HubStub.lfs_verify, True),
    ("PUT", "/lfs/(?P<oid>[0-9a-f]{64})", HubStub.lfs_put, False),
    ("GET HEAD", "/lfs/(?P<oid>[0-9a-f]{64})", HubStub.lfs_get, False),
    ("GET HEAD", f"{PAGE}/resolve{AT}/(?P<path>.+)", HubStub.resolve, False),
)


class _Handler(BaseHTTPRequestHandler):
    """Reads a request, chunked or not, and writes the stub's answer."""

    hub: HubStub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _serve(self) -> None:
        answer = self.hub.answer(self.command, self.path, self.headers, self._body())
        self.send_response(answer.status)
        for name, value in {"Content-Length": str(len(answer.body)), **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_HEAD = do_POST = do_PUT = _serve  # noqa: N815 - http.server looks for these names

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep stderr to the tests; requests stand in `HubStub.requests`."""
