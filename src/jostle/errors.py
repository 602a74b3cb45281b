"""Errors that people see: one or two lines, and the exit code the command line gives them."""

from __future__ import annotations


class JostleError(Exception):
    """Base of every error that jostle raises on purpose; `exit_code` is what the command line returns."""

    exit_code = 3


class UsageError(JostleError, ValueError):
    """A flag, a setting or an argument is wrong; nothing was read or measured."""

    exit_code = 2


class InputError(JostleError, ValueError):
    """A file, a row or an item cannot be read as what it should be."""


class ModelError(JostleError):
    """A model cannot be loaded, or what it says cannot be matched to the labels of the task."""


class MissingExtra(JostleError, ImportError):
    """A package of an optional extra is not installed.

    >>> str(MissingExtra("torch", extra="models"))
    "Expected the package torch, but it is not installed. Run: pip install 'jostle[models]'"
    """

    def __init__(self, package: str, *, extra: str) -> None:
        super().__init__(f"Expected the package {package}, but it is not installed. Run: pip install 'jostle[{extra}]'")
        self.package = package
        self.extra = extra
