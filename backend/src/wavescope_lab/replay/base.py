"""What the driver knows of a kind of server."""

from __future__ import annotations

from typing import Protocol

from wavescope_lab.replay.exchange import Counts
from wavescope_lab.workload.pathologist import Field


class Viewer(Protocol):
    """One client of a server, with all it has received so far. It never requests what it has."""

    @property
    def counts(self) -> Counts:
        """What was received so far."""
        ...

    async def open(self) -> tuple[int, int]:
        """What comes before the first field; width and height of the slide in level-0 pixels."""
        ...

    async def show(self, field: Field) -> None:
        """Returns when the last byte of the field is there."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
