"""Multiple choice: a question, its options, and the place of the right one."""

from __future__ import annotations

from .base import Task

MCQ = Task("mcq", ("question",), (), ("question",), splits=("validation", "test"))
