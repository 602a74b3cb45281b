"""`python -m jostle`."""

from .cli import main

main()
