"""The version of jostle: one place, read by the package, the wheel and every signature."""

__version__ = "0.1.0"
