"""Errors of the commands that start and change a cluster. No route raises them."""

from __future__ import annotations

from pathlib import Path

from wavescope.errors.base import WavescopeError


class MissingProgram(WavescopeError):
    """A program that a part of a cluster needs is not installed. ``source``: the command that installs it."""

    def __init__(self, name: str, source: str) -> None:
        super().__init__(f"{name} is not installed{': ' + source if source else ''}")
        self.name, self.source = name, source


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


class RefusedConfiguration(WavescopeError):
    """A configuration that HAProxy does not accept: it goes on with the previous one. ``reason``: its own lines."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"HAProxy refuses the configuration: {reason}")
        self.reason = reason
