"""Errors of the simulator. Of these, routes raise InvalidExperiment."""

from __future__ import annotations

from wavescope.errors.base import WavescopeError


class InvalidExperiment(WavescopeError):
    """An experiment or file of component times that cannot be simulated. ``place``: the table and key that is wrong."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place, self.reason = place, reason


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
