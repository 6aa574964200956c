"""What is requested of servers, and how many bytes requests and answers have."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import simpy

from wavescope_lab.simulator.system.links import Channel
from wavescope_lab.simulator.system.slides import Part

HEAD_BYTES, RESPONSE_HEAD_BYTES = 250, 311
ENTRY_BYTES, FRAME_BYTES = 22, 12
"""Of each block of a batch: in the request, and around it in the answer."""
KINDS = ("manifest", "part", "get", "batch", "pixels")


@dataclass(frozen=True)
class Request:
    """One request. ``kind``: `manifest`, `part` (index page or approximation), `get` (a block), `batch`, or `pixels`
    (a view that the server makes). ``parts``: bytes of what is requested. ``raw``: bytes that are read for pixels;
    ``body``: those that are answered, 0 for all parts. ``fresh``: it is the first one on its connection."""

    kind: str
    client: int
    slide: int
    parts: Mapping[Part, int] = field(default_factory=dict)
    raw: float = 0.0
    body: int = 0
    fresh: bool = False

    @property
    def size(self) -> int:
        """Bytes of the request."""
        return HEAD_BYTES + (ENTRY_BYTES * len(self.parts) if self.kind == "batch" else 0)

    @property
    def content(self) -> int:
        """Bytes that are answered."""
        return self.body or sum(self.parts.values())

    def response_bytes(self, parts: int, body: int) -> int:
        """Bytes of an answer, or of a piece of it, with so many parts."""
        return body + (FRAME_BYTES * parts if self.kind == "batch" else 0)


class Source(Protocol):
    """Something that answers: over a link, or one of several origins."""

    def fetch(self, request: Request) -> Generator[simpy.Event, Any, None]:
        """Ends when the last byte is here."""
        ...

    def renew(self) -> None:
        """Further requests have new connections."""
        ...


class Remote:
    """A source over the connections of a channel."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def fetch(self, request: Request) -> Generator[simpy.Event, Any, None]:
        """See Source."""
        return self._channel.exchange(request, request.size)

    def renew(self) -> None:
        """See Source."""
        self._channel.renew()
