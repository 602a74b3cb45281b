"""A Hugging Face Hub on the loopback interface: repositories in memory, and the HTTP that its clients speak.

Clients read the endpoint when they are imported, so they run in a process of their own with `hub_env`. Not here: xet
storage, redirects to a CDN, pull requests, deletion of repositories and refs, search, the dataset viewer. A request
without a route is answered 501, and every request stands in `HubStub.requests`.
"""

from __future__ import annotations

import base64
import json
import os
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.message import Message
from hashlib import sha1, sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import yaml  # type: ignore[import-untyped]

Answer = tuple[int, bytes, Mapping[str, str]]  # status, body, headers
LFS = (".parquet", ".arrow", ".safetensors", ".bin", ".gguf", ".gz", ".zip")
DATE = "2026-01-01T00:00:00.000Z"
API = r"/api/(?P<kind>model|dataset|space)s/(?P<name>[^/]+/[^/]+)"
PAGE = r"/(?:(?P<kind>dataset|space)s/)?(?P<name>[^/]+/[^/]+)"  # models have no prefix outside /api
AT = r"/(?P<revision>[^/]+)"


def hub_env(url: str, tmp_path: Path) -> dict[str, str]:
    """Environment of a process that takes the stub for the Hub and this clone for jostle; caches are in `tmp_path`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    return kept | {
        "HF_ENDPOINT": url,
        "HF_HOME": str(tmp_path / "hf"),
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_XET": "1",
        "HF_TOKEN": "dummy",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(Path(__file__).resolve().parents[1] / "src"),
        # What is meant for any other host comes here as well, and is refused: no name is looked up.
        **{"http_proxy": url, "https_proxy": url, "no_proxy": "127.0.0.1"},
    }


class HubError(Exception):
    """A refusal; clients make their own exceptions from `code`."""

    def __init__(self, status: int, message: str, code: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        named = {"X-Error-Message": message} | ({"X-Error-Code": code} if code else {})
        self.answer: Answer = status, json.dumps({"error": message}).encode(), named | dict(headers or {})


class Request(NamedTuple):
    """What a client asked: parts of the path by name, query (of the form, where there is one), headers, body."""

    parts: Mapping[str, str]
    query: Mapping[str, list[str]]
    headers: Message
    body: bytes

    @property
    def revision(self) -> str:
        return self.parts.get("revision", "main")

    def asks(self, flag: str) -> bool:
        return self.query.get(flag, [""])[0].lower() in ("true", "1")


@dataclass
class Repo:
    """A repository: the files of every commit, and the commit of every ref (`heads/main`, `tags/v1`)."""

    name: str
    private: bool = False
    commits: dict[str, dict[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)

    def commit(self, files: dict[str, bytes], branch: str = "main") -> str:
        tree = [f"{path} {git_sha(data)}" for path, data in sorted(files.items())]
        sha = sha1("\n".join([str(len(self.commits)), *tree]).encode()).hexdigest()
        self.commits[sha], self.refs[f"heads/{branch}"] = files, sha
        return sha

    def at(self, revision: str) -> tuple[str, dict[str, bytes]]:
        """Commit and files by branch, tag or commit."""
        names = (revision.removeprefix("refs/"), f"heads/{revision}", f"tags/{revision}")
        sha = next((self.refs[name] for name in names if name in self.refs), revision)
        if sha not in self.commits:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return sha, self.commits[sha]

    def entries(self, revision: str, expand: bool = False) -> dict[str, dict[str, Any]]:
        """Files and folders by path."""
        sha, files = self.at(revision)
        folders = {str(folder) for path in files for folder in list(PurePosixPath(path).parents)[:-1]}
        found: dict[str, dict[str, Any]] = {path: file_entry(path, data) for path, data in files.items()}
        found |= {path: {"type": "directory", "path": path, "oid": git_sha(path.encode())} for path in folders}
        last = {"lastCommit": {"id": sha, "title": "A commit", "date": DATE}} if expand else {}
        return {path: found[path] | last for path in sorted(found)}


def git_sha(data: bytes) -> str:
    return sha1(b"blob %d\0" % len(data) + data).hexdigest()


def is_lfs(path: str, size: int) -> bool:
    return size > 0 and path.endswith(LFS)


def file_entry(path: str, data: bytes) -> dict[str, Any]:
    entry = {"type": "file", "path": path, "rfilename": path, "size": len(data), "oid": git_sha(data)}
    oid = sha256(data).hexdigest()
    lfs = {"oid": oid, "sha256": oid, "size": len(data), "pointerSize": 130}
    return {**entry, "blobId": entry["oid"]} | ({"lfs": lfs} if is_lfs(path, len(data)) else {})


def card_data(card: bytes) -> dict[str, Any]:
    """YAML between the dashes at the top of a card; empty where there is none."""
    block = re.match(rb"---\n(.*?)\n---", card, re.DOTALL)
    return yaml.safe_load(block.group(1)) if block else {}


def as_json(value: Any, status: int = 200) -> Answer:
    return status, json.dumps(value).encode(), {"Content-Type": "application/json"}


def ranged(data: bytes, wanted: str, headers: Mapping[str, str]) -> Answer:
    """The bytes that a Range header asks for: `bytes=2-5`, `bytes=2-` or `bytes=-5`; all of them without one."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", wanted)
    first, last = match.groups() if match else ("", "")
    start = int(first) if first else max(0, len(data) - int(last)) if last else 0
    stop = min(int(last) + 1, len(data)) if first and last else len(data)
    if match and start >= stop:
        raise HubError(416, "Range not satisfiable", headers={"Content-Range": f"bytes */{len(data)}"})
    span = {"Content-Range": f"bytes {start}-{stop - 1}/{len(data)}"} if match else {"Accept-Ranges": "bytes"}
    return 206 if match else 200, data[start:stop], {**headers, **span}


class HubStub:
    """A running stub: `url`; `repos` by (kind, "org/name"); `requests` as "METHOD /path?query", and their `times`."""

    def __init__(self) -> None:
        self.repos: dict[tuple[str, str], Repo] = {}
        self.blobs: dict[str, bytes] = {}
        self.requests: list[str] = []
        self.times: list[float] = []  # by time.monotonic()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"hub": self}))
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
            return repo.commit({**repo.at("main")[1], path: data})

    def answer(self, method: str, url: str, headers: Message, body: bytes) -> Answer:
        path, query = urlsplit(url).path, parse_qs(urlsplit(url).query)
        if "form-urlencoded" in headers.get("Content-Type", ""):
            query |= parse_qs(body.decode())
        with self._lock:
            self.requests.append(f"{method} {url}")
            self.times.append(time.monotonic())
            try:
                for methods, pattern, endpoint, token in ROUTES:
                    if method in methods and (match := re.fullmatch(pattern, path)):
                        if token and not headers.get("Authorization"):
                            raise HubError(401, "Invalid username or password.")
                        parts = {name: unquote(part) for name, part in match.groupdict().items() if part}
                        return endpoint(self, Request(parts, query, headers, body))
                raise HubError(501, f"The stub has no route for {method} {path}")
            except HubError as error:
                return error.answer

    def _create(self, kind: str, name: str, private: bool = False) -> Repo:
        repo = self.repos[kind, name] = Repo(name, private)
        repo.commit({".gitattributes": "".join(f"*{suffix} filter=lfs -text\n" for suffix in LFS).encode()})
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
        warnings = [] if found else [{"message": "empty or missing yaml metadata in repo card"}]
        return as_json({"errors": [], "warnings": warnings})

    def create(self, request: Request) -> Answer:
        wanted = json.loads(request.body)
        kind, name = wanted.get("type", "model"), f"{wanted.get('organization') or 'tester'}/{wanted['name']}"
        url = f"{self.url}/{'' if kind == 'model' else f'{kind}s/'}{name}"
        if (kind, name) in self.repos:
            return as_json({"error": f"You already created this {kind} repo", "url": url}, 409)
        self._create(kind, name, wanted.get("visibility") == "private")
        return as_json({"url": url})

    def info(self, request: Request) -> Answer:
        repo = self._repo(request)
        sha, files = repo.at(request.revision)
        keys = ("rfilename", "size", "blobId", "lfs") if request.asks("blobs") else ("rfilename",)
        found = [file_entry(path, data) for path, data in files.items()]
        siblings = [{key: entry[key] for key in keys if key in entry} for entry in found]
        card = card_data(files.get("README.md", b""))
        about = {"id": repo.name, "sha": sha, "private": repo.private, "lastModified": DATE, "siblings": siblings}
        return as_json({**about, "cardData": card, "tags": card.get("tags", [])})

    def refs(self, request: Request) -> Answer:
        found = [(ref.split("/", 1), sha) for ref, sha in self._repo(request).refs.items()]
        listed: dict[str, list[dict[str, str]]] = {"heads": [], "tags": []}
        for (folder, name), sha in found:
            listed[folder].append({"name": name, "ref": f"refs/{folder}/{name}", "targetCommit": sha})
        return as_json({"branches": listed["heads"], "tags": listed["tags"], "converts": []})

    def new_ref(self, request: Request) -> Answer:
        repo, wanted = self._repo(request), json.loads(request.body or b"{}")
        name, start = f"heads/{request.revision}", wanted.get("startingPoint", "main")
        if request.parts["what"] == "tag":
            name, start = f"tags/{wanted['tag']}", request.revision
        if name in repo.refs:
            raise HubError(409, f"Reference {name} exists already")
        repo.refs[name] = repo.at(start)[0]
        return as_json({})

    def tree(self, request: Request) -> Answer:
        found = self._repo(request).entries(request.revision, request.asks("expand"))
        folder = PurePosixPath(request.parts.get("path", "."))
        inside = [found[path] for path in found if folder in PurePosixPath(path).parents]
        if not inside:
            raise HubError(404, f"{folder} does not exist on {request.revision}", "EntryNotFound")
        deep = request.asks("recursive")
        return as_json([entry for entry in inside if deep or PurePosixPath(entry["path"]).parent == folder])

    def paths_info(self, request: Request) -> Answer:
        found = self._repo(request).entries(request.revision, request.asks("expand"))
        return as_json([found[path] for path in request.query.get("paths", []) if path in found])

    def preupload(self, request: Request) -> Answer:
        found, modes = self._repo(request).entries(request.revision), []
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
            upload, verify = f"{self.url}/lfs/{item['oid']}", f"{self.url}/lfs/verify"
            item["actions"] = {"upload": {"href": upload}, "verify": {"href": verify}}
        return as_json({"transfer": "basic", "objects": objects})

    def lfs_put(self, request: Request) -> Answer:
        if sha256(request.body).hexdigest() != request.parts["oid"]:
            raise HubError(400, "The content does not have the sha256 of its address")
        self.blobs[request.parts["oid"]] = request.body
        return as_json({})

    def lfs_verify(self, request: Request) -> Answer:
        wanted = json.loads(request.body)
        if len(self.blobs.get(wanted["oid"], b"")) != wanted["size"]:
            raise HubError(404, f"There is no object {wanted['oid']} of {wanted['size']} bytes")
        return as_json({})

    def commit(self, request: Request) -> Answer:
        repo = self._repo(request)
        head, old = repo.at(request.revision)
        files = dict(old)
        for operation in map(json.loads, request.body.splitlines()):
            key, value = operation["key"], operation["value"]
            if key == "header" and value.get("parentCommit", head) != head:
                raise HubError(412, "A commit has happened since. Please refresh and try again.")
            if key == "file":
                files[value["path"]] = base64.b64decode(value["content"])
            elif key == "lfsFile":
                files[value["path"]] = self.blobs[value["oid"]]
            elif key.startswith("deleted"):
                gone = PurePosixPath(value["path"])
                files = {p: files[p] for p in files if gone not in (PurePosixPath(p), *PurePosixPath(p).parents)}
        sha = repo.commit(files, request.revision)
        return as_json({"commitOid": sha, "commitUrl": f"{self.url}/{repo.name}/commit/{sha}"})

    def resolve(self, request: Request) -> Answer:
        sha, files = self._repo(request).at(request.revision)
        path = request.parts["path"]
        if path not in files:
            raise HubError(404, "Entry not found", "EntryNotFound", {"X-Repo-Commit": sha})
        entry = file_entry(path, files[path])
        headers = {"X-Repo-Commit": sha, "ETag": f'"{entry["oid"]}"'}
        if "lfs" in entry:
            headers |= {"X-Linked-Size": str(entry["size"]), "X-Linked-ETag": f'"{entry["lfs"]["oid"]}"'}
        return ranged(files[path], request.headers.get("Range") or "", headers)


# Methods, path, who answers, whether a token is needed.
ROUTES: list[tuple[str, str, Callable[[HubStub, Request], Answer], bool]] = [
    ("GET", "/api/whoami-v2", HubStub.whoami, True),
    ("POST", "/api/validate-yaml", HubStub.validate_yaml, False),
    ("POST", "/api/repos/create", HubStub.create, True),
    ("GET", f"{API}(?:/revision{AT})?", HubStub.info, False),
    ("GET", f"{API}/refs", HubStub.refs, False),
    ("POST", f"{API}/(?P<what>tag|branch){AT}", HubStub.new_ref, True),
    ("GET", f"{API}/tree{AT}(?:/(?P<path>.+))?", HubStub.tree, False),
    ("POST", f"{API}/paths-info{AT}", HubStub.paths_info, False),
    ("POST", f"{API}/preupload{AT}", HubStub.preupload, True),
    ("POST", rf"{PAGE}\.git/info/lfs/objects/batch", HubStub.lfs_batch, True),
    ("PUT", "/lfs/(?P<oid>[0-9a-f]{64})", HubStub.lfs_put, False),
    ("POST", "/lfs/verify", HubStub.lfs_verify, True),
    ("POST", f"{API}/commit{AT}", HubStub.commit, True),
    ("GET HEAD", f"{PAGE}/resolve{AT}/(?P<path>.+)", HubStub.resolve, False),
]


class _Handler(BaseHTTPRequestHandler):
    """Reads a request and writes the stub's answer."""

    hub: HubStub
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, content, headers = self.hub.answer(self.command, self.path, self.headers, body)
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"" if self.command == "HEAD" else content)

    do_GET = do_HEAD = do_POST = do_PUT = _serve  # noqa: N815 - http.server looks for these names

    def log_message(self, *args: object) -> None:
        """Keep stderr to the tests; requests stand in `HubStub.requests`."""
