"""The commands: parameters in, rooms asked, lines out, errors to exit codes."""

from wavescope.cli.app import main

__all__ = ["main"]
