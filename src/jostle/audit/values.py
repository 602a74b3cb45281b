"""Cells of an evaluation set: inputs, turns, gold answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..choices import Choices, read_answer, text_list
from ..errors import InputError
from ..rows import RowFile, is_unlabelled, kind_of, whole


def text_of(value: Any, file: RowFile, k: int, column: str) -> str:
    """A cell that holds text.

    Raises:
        InputError: It does not; with the row, the column and what it is instead.
    """
    if isinstance(value, str) and value.strip():
        return value
    kind, hint = kind_of(value), ""
    if isinstance(value, str):
        kind = "empty text"
    elif isinstance(value, list) and value and all(isinstance(turn, str) or _is_message(turn) for turn in value):
        what = "turns" if isinstance(value[0], str) else "chat messages"
        kind, hint = f"a list of {len(value)} {what}", f" If each is a turn of one case: --map turns={column}."
    elif isinstance(value, list):
        hint = f" A list of texts is read with --map turns={column}."
    raise InputError(f"Expected text in column {column!r}, but {file.at(k)} has {kind} ({value!r:.60}).{hint}")


def turns_of(value: Any, file: RowFile, k: int, column: str) -> tuple[str, ...]:
    """The turns of a case: a list of texts or chat messages, or the text of a list.

    What another role than the user says has the role in front.

    Raises:
        InputError: It is none of these.
    """
    parts = text_list(value)[0] if isinstance(value, str) else value
    turns = [_turn(part) for part in parts] if isinstance(parts, list) else []
    if not turns or not all(turn and turn.strip() for turn in turns):
        raise InputError(
            f"Expected a list of turns in column {column!r}, each a text or a message with role and content, but "
            f"{file.at(k)} has {kind_of(value)} ({value!r:.60})."
        )
    return tuple(turn for turn in turns if turn)


def _is_message(turn: Any) -> bool:
    return isinstance(turn, dict) and "role" in turn and "content" in turn


def _turn(part: Any) -> str | None:
    if isinstance(part, str):
        return part
    if not _is_message(part):
        return None
    content = part["content"]
    if isinstance(content, list):
        texts = [piece.get("text") if isinstance(piece, dict) else piece for piece in content]
        if not all(isinstance(text, str) for text in texts):
            return None
        content = "\n".join(map(str, texts))
    if not isinstance(content, str):
        return None
    return content if part["role"] == "user" else f"{part['role']}: {content}"


def label_of(value: Any, file: RowFile, k: int, column: str) -> str | None:
    """A class by name; None where there is none.

    Raises:
        InputError: A list or an object.
    """
    if isinstance(value, (list, dict)):
        raise InputError(
            f"Expected one label in column {column!r}, but {file.at(k)} has {kind_of(value)} ({value!r:.60})."
        )
    return class_of(value)


def class_of(value: Any) -> str | None:
    """The name of a class, from a name or an index; None where the cell has none.

    >>> class_of(" billing "), class_of(2.0), class_of(-1), class_of("")
    ('billing', '2', None, None)
    """
    value = whole(value)
    return None if is_unlabelled(value) else str(value).strip() or None


def answers_of(value: Any, file: RowFile, k: int, column: str) -> tuple[str, ...]:
    """Reference answers: one, a list, an object whose `text` is a list, or the text of a list.

    Raises:
        InputError: None of these.
    """
    value = whole(value)
    if isinstance(value, dict) and isinstance(value.get("text"), list):
        value = value["text"]
    if isinstance(value, str) and value.lstrip().startswith("["):
        parts = text_list(value)[0]
        value = value if parts is None else parts
    parts = value if isinstance(value, list) else [] if value is None or value == "" else [value]
    if not all(isinstance(part, (str, int, float)) for part in parts):
        raise InputError(
            f"Expected an answer or a list of answers in column {column!r}, but {file.at(k)} has {kind_of(value)} "
            f"({value!r:.60})."
        )
    return tuple(str(part) for part in parts)


def gold_options(value: Any, own: Choices, indices: bool, file: RowFile, k: int) -> list[int]:
    """Places of the gold options: mostly one; none where the row has no gold; several where it lists them.

    Raises:
        InputError: One that is no option.
    """
    parts: Sequence[Any] = value if isinstance(value, list) else [value]
    found = [read_answer(part, own, indices, file, k) for part in parts]
    return list(dict.fromkeys(index for index in found if index is not None))
