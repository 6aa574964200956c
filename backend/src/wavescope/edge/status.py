"""What the status page of an edge shows: its state now, and samples of the last minutes (ED32)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic, time

from wavescope.api.metrics.registry import Metrics
from wavescope.api.schemas.edge import EdgeOriginSample, EdgeOriginView, EdgeSample, EdgeStatusView, OriginState
from wavescope.blocks.replicated.status import OriginStatus
from wavescope.edge.composition import EdgeServices
from wavescope.edge.origins import EdgeOrigin

INTERVAL = 2.0  # seconds between two samples
SAMPLES = 450  # a quarter of an hour

STATES: dict[str, OriginState] = {"closed": "ok", "half-open": "trial", "open": "out"}


class EdgeStatus:
    """The state of an edge, and its samples in memory. ``run`` takes them; so does a reading, if one is due."""

    def __init__(self, services: EdgeServices, metrics: Metrics, clock: Callable[[], float] = monotonic) -> None:
        self._services, self._metrics, self._clock = services, metrics, clock
        self._samples: deque[EdgeSample] = deque(maxlen=SAMPLES)
        self._number, self._sampled = 0, -INTERVAL

    async def run(self) -> None:
        """Takes samples until it is cancelled."""
        while True:
            self._sample()
            await asyncio.sleep(INTERVAL)

    async def view(self, since: int = 0) -> EdgeStatusView:
        """The state now, and the samples after number ``since``; all of them if the edge was restarted after it."""
        if self._clock() - self._sampled >= INTERVAL:
            self._sample()
        services = self._services
        disk = services.cached.disk
        origins = [await self._origin(one) for one in services.origins.all]
        return EdgeStatusView(
            policy=services.config.edge_policy,
            assignment=services.config.edge_assignment,
            memory_limit=services.cached.memory.budget,
            disk_limit=disk.budget if disk else 0,
            damaged=disk.damaged if disk else 0,
            dropped=disk.dropped if disk else 0,
            lost=all(one.state in ("out", "leaving") for one in origins),
            interval=INTERVAL,
            origins=origins,
            samples=[one for one in self._samples if one.number > since or since > self._number],
        )

    def _sample(self) -> None:
        services, metrics = self._services, self._metrics
        counts, memory, disk = services.cached.counts, services.cached.memory, services.cached.disk
        fetches = services.coalescing.counts
        several = services.origins.source.status
        self._number += 1
        self._sampled = self._clock()
        self._samples.append(
            EdgeSample(
                number=self._number,
                at=time(),
                memory_hits=counts.memory_hits,
                disk_hits=counts.disk_hits,
                misses=fetches.fetched,
                hit_bytes=counts.hit_bytes + fetches.coalesced_bytes,
                missed_bytes=fetches.fetched_bytes,
                coalesced=fetches.coalesced,
                evicted=memory.evicted + (disk.evicted if disk else 0),
                memory_bytes=memory.bytes,
                disk_bytes=disk.bytes if disk else 0,
                waiting=several.waiting if several else 0,
                requests=metrics.in_progress,
                pushes=services.push.connections,
                websockets=metrics.open_websockets,
                origins=[_sample_of(one, services.origins.source.of(one)) for one in services.origins.all],
            )
        )

    async def _origin(self, origin: EdgeOrigin) -> EdgeOriginView:
        known, counts = self._services.origins.source.of(origin), origin.remote.counts
        return EdgeOriginView(
            number=origin.number,
            url=origin.name,
            state=await _state_of(origin, known),
            reason=known.reason if known else "",
            slow=known.slow if known else None,
            hedges=known.counts.hedges if known else 0,
            hedges_won=known.counts.hedges_won if known else 0,
            probes=known.counts.probes if known else 0,
            probes_failed=known.counts.probes_failed if known else 0,
            failures=dict(sorted(counts.failures.items())),
        )


async def _state_of(origin: EdgeOrigin, known: OriginStatus | None) -> OriginState:
    """By its breaker, or whether it answers now."""
    if origin.leaving:
        return "leaving"
    if known is not None:
        return STATES[known.state]
    return "ok" if await origin.liveness.answers_soon() else "out"


def _sample_of(origin: EdgeOrigin, known: OriginStatus | None) -> EdgeOriginSample:
    counts = origin.remote.counts
    measured = known is not None and known.counts.requests > 0
    return EdgeOriginSample(
        number=origin.number,
        bytes=counts.bytes,
        requests=counts.requests,
        failures=counts.failures.total(),
        in_flight=known.in_flight if known else None,
        open=counts.open,
        window=known.window if known else None,
        latency=known.latency if known and measured else min(counts.delays, default=None),
        bandwidth=known.bandwidth if known and known.samples else counts.bandwidth,
        score=known.score if known else None,
    )
