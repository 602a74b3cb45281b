"""Write the pages that are made from the code: python docs/generate.py. A test holds them up to date."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from jostle.perturb import Operator, available

FOLDER = Path(__file__).parent
GROUPS = {
    "para": "Paraphrases (`para`): other wording, same meaning",
    "pert": "Perturbations (`pert`): surface noise",
    "adv": "Adversarial changes (`adv`): made to mislead, label kept",
    "contrast": "Contrast edits (`contrast`): the gold label changes in a known way",
}
# The function behind each evaluate module, and behind each measure that stands in reports alone.
MEASURES = {
    "invariance_drift": "drift.drift",
    "flip_rate": "flips.flips",
    "robustness_ratio": "ratio.ratio",
    "pair_consistency": "pairs.pairs",
    "discrimination": "discriminate.discriminate",
    "class_balance": "balance.class_balance",
    "near_duplicates": "duplicate_levels.duplicate_levels",
    "position_bias": "positions.positions",
    "unparsed_rate": "unparsed.unparsed",
}
OF_THE_CARD = ("Output values", "Degenerate cases", "Examples", "Limitations and bias", "Further references")
API = {
    "jostle": "Everything of the first hour",
    "jostle.perturb": "Operators and variants",
    "jostle.tasks": "Tasks, and labels read off completions",
    "jostle.report": "Reports",
    "jostle.pairs": "Contrast pairs",
    "jostle.audit": "The audit of an evaluation set",
    "jostle.compare": "Models compared",
    "jostle.importers": "Results of other harnesses",
    "jostle.builder": "Perturbed data sets",
    "jostle.publish": "Publishing",
    "jostle.integrations.perturbed": "Training loops: the perturbed set",
    "jostle.integrations.trainer": "Training loops: the Trainer",
    "jostle.integrations.evaluator": "Training loops: the evaluator",
    "jostle.integrations.suite": "Training loops: the suite",
    "jostle.integrations.inspect_ai": "Inspect AI",
}
MADE = "Made by `python docs/generate.py` from the docstrings{}; a test holds it up to date."
_HEADS = ("Args", "Returns", "Raises", "Attributes", "Yields")
_LONG = 100  # characters from which a signature has a line for each parameter
_LONG_DEFAULT = 40  # characters from which a default is left out


def operators_page() -> str:
    """The table of all operators, by kind."""
    return _page(_lines())


def _lines() -> Iterator[str]:
    yield "# Operators"
    yield ""
    yield "Made by `python docs/generate.py` from what each operator states about itself. What reading samples of them"
    yield "showed is in [validity.md](validity.md)."
    for group, title in GROUPS.items():
        found = sorted((op for op in available().values() if op.group == group), key=lambda op: op.name)
        if not found:
            continue
        yield ""
        yield f"## {title}"
        yield ""
        yield "| operator | tasks | promise | limitations |"
        yield "| --- | --- | --- | --- |"
        yield from map(_row, found)


def _page(lines: Iterator[str]) -> str:
    """Lines as a page, with no more than one empty line between two parts."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip("\n") + "\n"


def _row(op: Operator) -> str:
    tasks = "all" if "*" in op.tasks else ", ".join(op.tasks)
    cells = (f"`{op.name}`", tasks, op.promise, " ".join(op.limitations))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def measure_pages() -> dict[str, str]:
    """One page a measure, by its path: what the card says, and the function behind it."""
    return {f"measures/{name}.md": _page(_measure(name, path)) for name, path in MEASURES.items()}


def _measure(name: str, path: str) -> Iterator[str]:
    module = importlib.import_module(f"jostle.measures.{path.split('.', maxsplit=1)[0]}")
    function = getattr(module, path.split(".")[1])
    card = FOLDER.parent / "metrics" / name / "README.md"
    yield from (f"# {name}", "")
    if not card.is_file():
        yield from (MADE.format(""), "", "## Definition", "", f"`jostle.measures.{path}`, which reports call.", "")
        yield from (*_docstring(function), "", "## Limitations", "", *(f"* {line}" for line in module.LIMITATIONS))
        return
    text = card.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL))
    yield MADE.format(f" and the [card](../../metrics/{name}/README.md), which has inputs and options too")
    yield from ("", sections["What it is"].strip(), "", "## Definition", "")
    yield from (f'`jostle.measures.{path}`, which `jostle.load("{name}").compute(...)` calls.', "")
    yield from _docstring(function)
    for title in OF_THE_CARD:
        yield from ("", f"## {title}", "", sections[title].strip())


def api_page() -> str:
    """Reference of every public name, from its docstring."""
    return _page(_api())


def _api() -> Iterator[str]:
    yield "# API reference"
    yield ""
    yield MADE.format("")
    yield ""
    yield "The functions behind the evaluate modules have [pages of their own](README.md#what-the-numbers-mean)."
    told: dict[Any, str] = {}
    for name, title in API.items():
        module = importlib.import_module(name)
        yield from ("", f"## {title}: `{name}`")
        for public, value in public_names(module).items():
            yield from ("", f"### `{name}.{public}`", "")
            if value in told:
                yield f"The same as `{told[value]}`."
                continue
            told[value] = f"{name}.{public}"
            yield from _entry(public, value)


def public_names(module: Any) -> Mapping[str, Any]:
    """Classes and functions of a module's `__all__`, else those defined in it, by name."""
    names = getattr(module, "__all__", None) or [
        name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__
    ]
    found = {name: getattr(module, name) for name in sorted(names, key=str.lower) if not name.startswith("_")}
    return {name: value for name, value in found.items() if inspect.isclass(value) or inspect.isroutine(value)}


def _entry(name: str, value: Any) -> Iterator[str]:
    yield from ("```python", _signature(name, value), "```", "")
    yield from _docstring(value)
    for key, found in vars(value).items() if inspect.isclass(value) else ():
        call = getattr(found, "__func__", found)  # of a class method
        if not key.startswith("_") and inspect.isfunction(call):
            yield from ("", f"`.{_signature(key, call, own=not isinstance(found, staticmethod))}`: {_first(call)}")
        elif not key.startswith("_") and isinstance(found, property | cached_property):
            yield from ("", f"`.{key}`: {_first(found)}")


def _signature(name: str, value: Any, own: bool = False) -> str:
    """`name(parameter: type = default) -> type`, without `self`; long ones with a line for each parameter."""
    try:
        signature = inspect.signature(value)
    except ValueError:  # an exception
        return name
    parameters = list(_parameters(signature))[1 if own else 0 :]
    silent = inspect.isclass(value) or signature.return_annotation is inspect.Signature.empty
    returned = "" if silent else f" -> {_type(signature.return_annotation)}"
    short = f"{name}({', '.join(parameters)}){returned}"
    if own or len(short) <= _LONG:
        return short
    return "\n".join([f"{name}(", *(f"    {parameter}," for parameter in parameters), f"){returned}"])


def _parameters(signature: inspect.Signature) -> Iterator[str]:
    """The parameters, with the star before those that are passed by name alone."""
    starred = False
    for parameter in signature.parameters.values():
        starred |= parameter.kind is parameter.VAR_POSITIONAL
        if parameter.kind is parameter.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        text = str(parameter.replace(annotation=parameter.empty, default=parameter.empty))
        if parameter.annotation is not parameter.empty:
            text += f": {_type(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            shown = repr(parameter.default)
            text += f" = {'...' if len(shown) > _LONG_DEFAULT or '<' in shown else shown}"
        yield text


def _type(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _first(value: Any) -> str:
    return " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())


def _docstring(value: Any) -> Iterator[str]:
    """A docstring as Markdown: heads in bold, their entries as a list, examples as code."""
    for part in (inspect.getdoc(value) or "").split("\n\n"):
        head, _, rest = part.partition(":\n")
        if part.startswith(">>>"):
            yield from ("```python", part, "```", "")
        elif head in _HEADS:
            yield from (f"**{head}**", "", *_entries(rest), "")
        else:
            yield from (part, "")


def _entries(text: str) -> Iterator[str]:
    """`name: meaning` lines as list items, each with the lines that go on; other text as it is."""
    lines = textwrap.dedent(text).splitlines()
    for line in lines:
        entry = re.match(r"(\*{0,2}\w+(?:, \w+)*): (.*)", line)
        yield f"* `{entry[1]}`: {entry[2]}" if entry else (f"  {line.strip()}" if line.startswith(" ") else line)


def pages() -> dict[str, str]:
    """Every page that is made, by its path below docs/."""
    return {"operators.md": operators_page(), "api.md": api_page(), **measure_pages()}


if __name__ == "__main__":
    for path, text in pages().items():
        (FOLDER / path).parent.mkdir(exist_ok=True)
        (FOLDER / path).write_text(text, encoding="utf-8")
