"""Which release gate a command holds its pairs to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..config import find_file, read_settings

if TYPE_CHECKING:
    from ..pairs.gate import Gate


def chosen_gate(gate: Path | None, config: Path | None, no_config: bool, data: Path) -> Gate | None:
    """The gate of `--gate`, else the section `[gate]` of the settings file, else none.

    Raises:
        UsageError: A bad gate or settings file.
    """
    from ..pairs.gate import SECTION, gate_of, load_gate

    if gate is not None:
        return load_gate(gate)
    path = None if no_config else config or find_file(data)
    section = read_settings(path).get(SECTION) if path else None
    return None if section is None else gate_of(section, str(path))
