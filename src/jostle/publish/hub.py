"""Uploading to the Hub; the token is found by huggingface_hub, and stays there."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha1, sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..errors import JostleError
from ..network import require_hub
from .bundle import Bundle

_MADE_BY_THE_HUB = ".gitattributes"


class Pushed(NamedTuple):
    """Where a repository is, who may read it, and its tag."""

    url: str
    private: bool
    tag: str | None

    def __str__(self) -> str:
        """The address, and what is worth knowing of it."""
        tagged = f", tag {self.tag}" if self.tag else ""
        return f"{self.url} ({'private' if self.private else 'public'}{tagged})"


def push(bundle: Bundle, repo_id: str, public: bool = False, quiet: bool = False) -> Pushed:
    """Upload a bundle in one commit, and tag it.

    A Space then holds the files of the bundle and no others; in a data set, files of others stay. Who may read a
    repository that exists already is not changed.

    Args:
        bundle: What to upload.
        repo_id: ORG/NAME.
        public: Whether everyone may read it, where it is new.
        quiet: No progress bars; without a terminal there are none anyway.

    Raises:
        JostleError: The tag exists and holds other files; or the Hub refuses or cannot be reached.
    """
    from huggingface_hub import HfApi

    require_hub(repo_id)
    api, kind = HfApi(), bundle.kind
    sdk, gone = ("gradio", "*") if kind == "space" else (None, None)
    with _explained(repo_id), _bars(not quiet and sys.stderr.isatty()), TemporaryDirectory() as folder:
        bundle.write(Path(folder))
        api.create_repo(repo_id, repo_type=kind, private=not public, exist_ok=True, space_sdk=sdk)
        tagged = bundle.tag is not None and _tagged(bundle, repo_id)
        done = api.upload_folder(
            repo_id=repo_id,
            repo_type=kind,
            folder_path=folder,
            delete_patterns=gone,
            commit_message=f"Published by jostle {bundle.tag or ''}".rstrip(),
        )
        if bundle.tag and not tagged:
            api.create_tag(repo_id, tag=bundle.tag, revision=done.oid, repo_type=kind)
        private = bool(api.repo_info(repo_id, repo_type=kind).private)
    return Pushed(f"{api.endpoint}/{kind}s/{repo_id}", private, bundle.tag)


def refuse_stale_tags(bundles: Sequence[Bundle], org: str) -> None:
    """See that no bundle would leave its tag behind, before the first of them is uploaded.

    Raises:
        JostleError: A tag exists and holds other files; or the Hub refuses or cannot be reached.
    """
    from huggingface_hub import HfApi

    for bundle in bundles:
        repo_id = f"{org}/{bundle.name}"
        require_hub(repo_id)
        with _explained(repo_id):
            if bundle.tag and HfApi().repo_exists(repo_id, repo_type=bundle.kind):
                _tagged(bundle, repo_id)


def _tagged(bundle: Bundle, repo_id: str) -> bool:
    """Whether the tag of the bundle exists; a tag never moves, or a pinned revision would mean two things."""
    from huggingface_hub import HfApi

    refs = HfApi().list_repo_refs(repo_id, repo_type=bundle.kind)
    if bundle.tag not in [ref.name for ref in refs.tags]:
        return False
    theirs = _hashes(repo_id, bundle)
    changed = sorted(path for path in {*bundle.files, *theirs} if not _same(bundle, path, theirs))
    if changed:
        raise JostleError(
            f"Expected a new version, but tag {bundle.tag} of {repo_id} exists and holds another {changed[0]}. "
            "Raise __version__ in src/jostle/measures/version.py."
        )
    return True


def _hashes(repo_id: str, bundle: Bundle) -> Mapping[str, tuple[str, str | None]]:
    """Of each file under the tag: git's hash, and that of the content where it lies in large-file storage."""
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import RepoFile

    entries = HfApi().list_repo_tree(repo_id, repo_type=bundle.kind, revision=bundle.tag, recursive=True)
    files = [entry for entry in entries if isinstance(entry, RepoFile) and entry.path != _MADE_BY_THE_HUB]
    return {file.path: (file.blob_id, file.lfs.sha256 if file.lfs else None) for file in files}


def _same(bundle: Bundle, path: str, theirs: Mapping[str, tuple[str, str | None]]) -> bool:
    if path not in bundle.files or path not in theirs:
        return False
    content, (blob, large) = bundle.read(path), theirs[path]
    if large is not None:
        return sha256(content).hexdigest() == large
    return sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest() == blob


@contextmanager
def _bars(wanted: bool) -> Iterator[None]:
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    hide = not wanted and not are_progress_bars_disabled()
    if hide:
        disable_progress_bars()
    try:
        yield
    finally:
        if hide:
            enable_progress_bars()


@contextmanager
def _explained(repo_id: str) -> Iterator[None]:
    try:
        yield
    except JostleError:
        raise
    except Exception as error:  # huggingface_hub and its HTTP client raise a dozen kinds for a refusal
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise JostleError(f"Expected to publish {repo_id}, but the Hub refused: {reason}") from error
