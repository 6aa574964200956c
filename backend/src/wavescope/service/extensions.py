"""Parts that other installed packages add to a service, for routes of their own."""

from __future__ import annotations

from typing import Protocol

from wavescope.config import Config
from wavescope.installation import additions
from wavescope.service.access.gate import Gate


class Extension(Protocol):
    """One such part. It is made with ``(gate, config)``, and idle until a route uses it."""

    async def stop(self) -> None:
        """Ends its work, with the service."""
        ...


def extensions(gate: Gate, config: Config) -> dict[str, Extension]:
    """A part of each kind that is installed, by the name of its entry point."""
    return {point.name: point.load()(gate, config) for point in additions("extensions")}
