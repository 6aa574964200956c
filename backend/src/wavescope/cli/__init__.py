"""The commands: parameters in, calls of the modules, lines out, errors to exit codes."""

from wavescope.cli.app import main

__all__ = ["main"]
