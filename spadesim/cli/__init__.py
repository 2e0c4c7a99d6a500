"""The command line: the commands, the options that they share, and how they end."""

from spadesim.cli.app import main

__all__ = ["main"]
