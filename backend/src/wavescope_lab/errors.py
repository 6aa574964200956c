"""Errors of the laboratory. Of the simulator's, routes raise InvalidExperiment, which the service knows."""

from __future__ import annotations

from pathlib import Path

from wavescope.errors import WavescopeError


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


class RejectedConfiguration(WavescopeError):
    """A configuration that HAProxy does not accept: it goes on with the previous one. ``reason``: its own lines."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"HAProxy refuses the configuration: {reason}")
        self.reason = reason


class InvalidTrace(WavescopeError):
    """A trace file with a line that is not a request. ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line} of the trace: {reason}")
        self.line, self.reason = line, reason


class ServerUnreachable(WavescopeError):
    """A server that does not accept connections, or that stops in the middle of an answer."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url} does not answer: {reason}")
        self.url, self.reason = url, reason


class UnexpectedResponse(WavescopeError):
    """An answer that this kind of server does not give: a status, or content that cannot be read."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{url}: {reason}")
        self.url, self.reason = url, reason


class OtherTrials(WavescopeError):
    """A file with the finished trials of an experiment that differs from the one to continue."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} has the trials of another experiment, or of an earlier version of this one")
        self.path = path


class GoalNotReachable(WavescopeError):
    """No number of nodes and no cache meets the goal of a plan. ``part``: of the system, that stands in the way."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(f"no number of nodes and no cache helps: {reason}")
        self.part, self.reason = part, reason
