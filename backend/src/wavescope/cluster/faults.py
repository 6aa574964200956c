"""What can be wrong with a cluster. These errors are shown by the command only, never by HTTP."""

from __future__ import annotations

from pathlib import Path

from wavescope.errors import WavescopeError


class MissingProgram(WavescopeError):
    """A program that a cluster needs is not installed. ``source``: the command that installs it."""

    def __init__(self, program: str, source: str) -> None:
        super().__init__(f"{program} is not installed{': ' + source if source else ''}")
        self.program, self.source = program, source


class PartFailed(WavescopeError):
    """A part does not start, or a command to it failed. ``reason``: what it printed last."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"{part}: {reason}")
        self.part, self.reason = part, reason


class NoCluster(WavescopeError):
    """No cluster runs in a folder."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(f"no cluster runs in {folder} (start one with: wavescope cluster up)")
        self.folder = str(folder)
