"""`python -m spadesim`."""

from spadesim.cli import main

main()
