"""Errors that people see: one or two lines, and the exit code the command line gives them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_DAMAGED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


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


@contextmanager
def as_written_by(writer: str, place: str) -> Iterator[None]:
    """A file of another's make can have any shape inside: what is not as expected is an error that names its place.

    Raises:
        InputError: Something in the block does not have the type, key or length that the writer gives it.
    """
    try:
        yield
    except JostleError:
        raise
    except _DAMAGED as error:
        raise InputError(
            f"Expected what {writer} writes, but {place} is not that ({type(error).__name__}: {str(error)!r:.120}). "
            "Remove or repair it."
        ) from error
