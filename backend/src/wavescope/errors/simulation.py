"""What is not simulated."""

from __future__ import annotations

from wavescope.errors.base import WavescopeError


class InvalidExperiment(WavescopeError):
    """An experiment or file of component times that cannot be simulated. ``place``: the table and key that is wrong."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place, self.reason = place, reason
