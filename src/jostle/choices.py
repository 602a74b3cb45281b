"""Options and answers of multiple choice, in the forms that public sets write them."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .errors import InputError
from .items import LETTERS
from .rows import Row, RowFile, is_unlabelled, whole

JSON_TEXT, PYTHON_TEXT = "JSON text", "Python list text"


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of one row.

    Args:
        texts: The options.
        letters: What stands before them: letters, unless the row has its own.
        form: What they were parsed from, one of the two kinds of text; empty for a list.
    """

    texts: list[str]
    letters: list[str]
    form: str = ""


def read_choices(value: Any, file: RowFile, k: int, column: str) -> Choices:
    """Options from a list, {"text": [...], "label": [...]}, [{"text": ..., "label": ...}, ...], or the text of a list.

    Raises:
        InputError: They are none of these; with the place of the row.
    """
    letters: list[str] = []
    texts, form = text_list(value) if isinstance(value, str) else (value, "")
    options = [option for option in texts if isinstance(option, dict)] if isinstance(texts, list) else []
    if options and isinstance(texts, list) and len(options) == len(texts):
        texts = {name: [option[name] for option in options if name in option] for name in ("text", "label")}
    if isinstance(texts, dict):
        letters, texts = [str(v) for v in texts.get("label") or []], texts.get("text")
    counts = isinstance(texts, list) and len(letters) in (0, len(texts))
    if not counts or not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise InputError(
            f"Expected a list of option texts in column {column!r}, but {file.at(k)} has {value!r:.60}. "
            'Write it as a list, or as the text of one: ["Paris", "Rome"].'
        )
    return Choices(texts, letters or list(LETTERS[: len(texts)]), form)


LETTER_COLUMNS = tuple(", ".join(LETTERS[:count]) for count in range(2, 11))


def flat_choices(file: RowFile) -> RowFile:
    """Rows in which the question and the options of multiple choice have a column each.

    An object `question` becomes the columns `question.stem`, `question.choices` and so on; columns A, B, C ... become
    the column "A, B, C", where the last of them may be empty.

    >>> row = {"question": {"stem": "2 + 2?", "choices": [{"text": "4", "label": "A"}]}, "answerKey": "A"}
    >>> sorted(flat_choices(RowFile("arc.jsonl", [row], ["line 1"])).rows[0])
    ['answerKey', 'question.choices', 'question.stem']
    """
    nested = all(isinstance(row.get("question"), dict) and "stem" in row["question"] for row in file.rows)
    names = {name for row in file.rows for name in row}
    letters = next((columns for columns in reversed(LETTER_COLUMNS) if names >= set(columns.split(", "))), "")
    if not nested and (not letters or names & {"choices", "options"}):
        return file
    rows = [_stem(row) if nested else _lettered(row, letters) for row in file.rows]
    return RowFile(file.source, rows, file.places)


def _stem(row: Row) -> Row:
    inner = {f"question.{name}": value for name, value in row["question"].items()}
    return {**inner, **{name: value for name, value in row.items() if name != "question"}}


def _lettered(row: Row, letters: str) -> Row:
    columns = letters.split(", ")
    options = [None if row.get(name) is None else str(row[name]) for name in columns]
    while options and options[-1] is None:
        options.pop()
    return {letters: options or None, **{name: value for name, value in row.items() if name not in columns}}


def text_list(text: str) -> tuple[list[str] | None, str]:
    """Strings and numbers of a list that is written as text, and in which form: JSON, or failing that Python's.

    Numbers stay as they are written. What is no such list gives None: other values in the list, and strings that
    touch without a comma (`['a' 'b']`, as arrays are printed), which Python would join to one.

    >>> text_list('["1.50", 2.0]'), text_list("['it is', 7]"), text_list("['a' 'b']")
    ((['1.50', '2.0'], 'JSON text'), (['it is', '7'], 'Python list text'), (None, ''))
    """
    if not text.lstrip().startswith("["):
        return None, ""
    for form, parse in ((JSON_TEXT, _json_list), (PYTHON_TEXT, _python_list)):
        try:
            return parse(text.strip()), form
        except (ValueError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError):
            continue
    return None, ""


def _json_list(text: str) -> list[str]:
    found = json.loads(text, parse_int=str, parse_float=str)  # a number as it is written
    if not all(isinstance(one, str) for one in found):
        raise ValueError("neither strings nor numbers")
    return list(found)


def _python_list(text: str) -> list[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a backslash that escapes nothing: no list that Python wrote
        node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.List):
        raise SyntaxError("no list")
    values = [ast.literal_eval(element) for element in node.elts]
    if any(isinstance(value, bool) or not isinstance(value, str | int | float) for value in values):
        raise ValueError("neither strings nor numbers")
    touching = "#" in text or _TOUCHING.search(text)  # a look at the tokens is slow, and rarely needed
    if touching and _count_strings(text) != sum(isinstance(value, str) for value in values):
        raise SyntaxError("strings without a comma")
    segments = [ast.get_source_segment(text, element) or "" for element in node.elts]
    return [value if isinstance(value, str) else number for value, number in zip(values, segments, strict=True)]


# A quote that closes a string may be one that opens the next: there is no comma between two of them.
_TOUCHING = re.compile(r"""['"][\s\\]*[rRbBuUfF]{0,2}['"]""")


def _count_strings(text: str) -> int:
    return sum(token.type == tokenize.STRING for token in tokenize.generate_tokens(io.StringIO(text).readline))


def hold_indices(answers: Sequence[Any], choices: Sequence[Choices]) -> bool:
    """Whether a column of answers can only be read as indices: each could be one, and some are no option's text."""
    pairs = [
        (_answer_text(answer, own), own)
        for answer, own in zip(answers, choices, strict=True)
        if not is_unlabelled(whole(answer))
    ]
    all_fit = all(text.isdecimal() and int(text) < len(own.texts) for text, own in pairs)
    return all_fit and any(text not in own.texts for text, own in pairs)


def _answer_text(answer: Any, own: Choices) -> str:
    """The text of a cell; "1.0", as pandas writes an index into a csv column with gaps, is 1 if no option is "1.0"."""
    text = str(whole(answer)).strip()
    return text if text in own.texts else text.removesuffix(".0")


def read_answer(value: Any, own: Choices, indices: bool, file: RowFile, k: int) -> int | None:
    """Place of the gold option, from an index, a letter or the text of exactly one option.

    Args:
        value: The cell.
        own: Options of the row.
        indices: Whether the column is known to hold indices (see `hold_indices`).
        file: Where the row stands.
        k: Number of the row.

    Raises:
        InputError: It is none of these, or two that differ; with the place of the row.
    """
    value = whole(value)
    if is_unlabelled(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(own.texts):
        return value
    text = _answer_text(value, own)
    if text in own.letters:
        return own.letters.index(text)
    index = int(text) if text.isdecimal() and int(text) < len(own.texts) else None
    same = own.texts.index(text) if own.texts.count(text) == 1 else None
    if index is not None and same is not None and index != same and not indices:
        raise InputError(
            f"Expected an answer that is clear, but {file.at(k)} has {value!r}: the text of option {same} and "
            "the index of another. Write the answers as letters or numbers."
        )
    if index is not None or same is not None:
        return index if index is not None else same
    raise InputError(
        f"Expected an answer that is an index below {len(own.texts)}, one of {', '.join(own.letters)} or the text "
        f"of one option, but {file.at(k)} has {value!r}."
    )
