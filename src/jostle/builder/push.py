"""Publishing a built folder on the Hub."""

from __future__ import annotations

from pathlib import Path

from ..errors import JostleError, UsageError


def push_folder(folder: Path, repo_id: str, public: bool = False) -> str:
    """Upload the folder as a data set, in one commit.

    Args:
        folder: What `jostle build` wrote.
        repo_id: ORG/NAME.
        public: Whether everyone may read it.

    Returns:
        Address of the data set.

    Raises:
        UsageError: The name is no Hub id.
        JostleError: The Hub refuses or cannot be reached.
    """
    from huggingface_hub import HfApi

    if repo_id.count("/") != 1:
        raise UsageError(f"Expected --push ORG/NAME, but got {repo_id!r}.")
    api = HfApi()
    try:
        api.create_repo(repo_id, repo_type="dataset", private=not public, exist_ok=True)
        api.upload_folder(
            repo_id=repo_id,
            repo_type="dataset",
            folder_path=folder,
            ignore_patterns=[".build-*"],
            commit_message="Data set built by jostle",
        )
    except Exception as error:  # huggingface_hub and its HTTP client raise a dozen kinds for a refusal
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise JostleError(f"Expected to publish {repo_id}, but the Hub refused: {reason}") from error
    return f"{api.endpoint}/datasets/{repo_id}"
