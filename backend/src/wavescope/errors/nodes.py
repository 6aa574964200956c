"""Errors of the nodes of a cluster."""

from __future__ import annotations

from wavescope.errors.base import Unavailable, WavescopeError


class NodeNameTaken(WavescopeError):
    """A living node has this name already."""

    def __init__(self, name: str) -> None:
        super().__init__(f"another node is running under the name {name!r}: give each node a node_name of its own")
        self.name = name


class AnnouncementTooLarge(WavescopeError):
    """An announcement is longer than PostgreSQL passes on. ``size`` and ``limit`` in bytes."""

    def __init__(self, topic: str, size: int, limit: int) -> None:
        super().__init__(f"an announcement of {topic} has {size} bytes, the limit is {limit}")
        self.topic, self.size, self.limit = topic, size, limit


class IngestClusterAway(Unavailable):
    """The Dask cluster that imports slides does not answer now: its scheduler is stopped, or has lost its work."""

    def __init__(self, reason: str = "its scheduler does not answer") -> None:
        super().__init__("the ingest cluster", reason)
