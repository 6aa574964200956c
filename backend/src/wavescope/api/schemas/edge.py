"""What an edge shows of itself: its cache, its origins, and both over time (ED32)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from wavescope.api.schemas.numbers import Count

OriginState = Literal["ok", "trial", "out", "leaving"]
"""``out``: it failed and is not asked; ``trial``: a probe decides whether it is asked again."""

Amount = Annotated[float, Field(ge=0)]


class EdgeOriginSample(BaseModel):
    """One origin at one time. Bytes, requests and failures are counted since it joined."""

    number: Count = Field(description="as in the metrics: the first origin is 0; a number is not used again")
    bytes: Count
    requests: Count
    failures: Count
    in_flight: Count | None = Field(description="bytes that are requested and not received; null with one origin")
    open: Count = Field(description="requests in flight")
    window: Count | None = Field(description="bytes that may be in flight (OG3); null with one origin")
    latency: Amount | None = Field(description="seconds to the first byte; null: not measured")
    bandwidth: Amount | None = Field(description="bytes per second while answers arrive; null: not measured")
    score: Amount | None = Field(description="bytes per second that a block gets now, with its delay; 0: it is out")


class EdgeSample(BaseModel):
    """An edge at one time. Hits, misses, their bytes, coalesced, evicted are counted since the edge was started."""

    number: Count
    at: Amount = Field(description="seconds since 1970")
    memory_hits: Count
    disk_hits: Count
    misses: Count
    hit_bytes: Count
    missed_bytes: Count
    coalesced: Count
    evicted: Count
    memory_bytes: Count
    disk_bytes: Count
    waiting: Count = Field(description="blocks that wait for an origin")
    requests: Count = Field(description="requests of clients that are being answered")
    pushes: Count = Field(description="open connections of push")
    websockets: Count = Field(description="open WebSockets, those of push included")
    origins: list[EdgeOriginSample]


class EdgeOriginView(BaseModel):
    """An origin that has joined. ``failures`` by their cause."""

    number: Count
    url: str
    state: OriginState
    reason: str = Field(description="why it failed last")
    slow: Amount | None = Field(description="95th percentile of the delay, in seconds")
    hedges: Count
    hedges_won: Count
    probes: Count
    probes_failed: Count
    failures: dict[str, Count]


class EdgeStatusView(BaseModel):
    """The state of an edge, and its samples after the number in the query, the oldest first."""

    policy: str = Field(description="which entry a full cache gives up (ED10)")
    assignment: str = Field(description="how blocks are assigned to several origins (OG2)")
    memory_limit: Count
    disk_limit: Count = Field(description="0: no cache on disk")
    damaged: Count
    dropped: Count
    lost: bool = Field(description="no origin answers")
    interval: Amount = Field(description="seconds between two samples")
    origins: list[EdgeOriginView]
    samples: list[EdgeSample]
