"""Write the pages that are made from the code: python docs/generate.py. A test holds them up to date."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from jostle.perturb import Operator, available

FOLDER = Path(__file__).parent
GROUPS = {
    "para": "Paraphrases (`para`): other wording, same meaning",
    "pert": "Perturbations (`pert`): surface noise",
    "adv": "Adversarial changes (`adv`): made to mislead, label kept",
    "contrast": "Contrast edits (`contrast`): the gold label changes in a known way",
}


def operators_page() -> str:
    """The table of all operators, by kind."""
    return "\n".join(_lines()) + "\n"


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


def _row(op: Operator) -> str:
    tasks = "all" if "*" in op.tasks else ", ".join(op.tasks)
    cells = (f"`{op.name}`", tasks, op.promise, " ".join(op.limitations))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    (FOLDER / "operators.md").write_text(operators_page(), encoding="utf-8")
