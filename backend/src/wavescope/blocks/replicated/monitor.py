"""What has to happen when nothing happens: hedges of stragglers, silent origins, probes."""

from __future__ import annotations

import asyncio

from wavescope.blocks.replicated import breaker as breakers
from wavescope.blocks.replicated.dispatcher import Dispatcher
from wavescope.blocks.replicated.limits import ReplicationLimits, debit, hedge_after, timeout_after
from wavescope.blocks.replicated.measures import Probed
from wavescope.blocks.replicated.origin import Origin
from wavescope.blocks.replicated.reads import OriginRequest, PendingRead
from wavescope.errors import Unavailable

TICK = 0.02  # seconds between looks at the requests in flight
LATE = 0.1  # seconds that this process itself was busy: no origin is to blame for them


class RequestMonitor:
    """Looks at the requests in flight every tick, and at the origins when a probe is due. Its timer ends with them."""

    def __init__(self, dispatcher: Dispatcher, limits: ReplicationLimits) -> None:
        self._dispatcher, self._limits = dispatcher, limits
        self._probes: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False

    def schedule(self) -> None:
        """Something is sent, or an origin has joined."""
        self._schedule(TICK)

    async def stop(self) -> None:
        """Ends it, with its probes."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
        probes = list(self._probes)
        for probe in probes:
            probe.cancel()
        await asyncio.gather(*probes, return_exceptions=True)

    def _schedule(self, seconds: float) -> None:
        """The next look in so many seconds, or before."""
        loop = asyncio.get_running_loop()
        if self._timer is not None and self._timer.when() <= loop.time() + seconds:
            return
        if self._timer is not None:
            self._timer.cancel()
        if not self._stopped:
            self._timer = loop.call_later(seconds, self._tick)

    def _tick(self) -> None:
        now = self._dispatcher.clock()
        late = now - (self._timer.when() if self._timer is not None else now)
        self._timer = None
        if late > LATE:
            self._compensate_loop_lag(late)
        try:
            self._check()
        finally:
            due = self._probe_all()
            if self._dispatcher.requests.in_flight or not self._dispatcher.idle:
                self._schedule(TICK)
            elif due is not None:
                self._schedule(max(TICK, due - now))

    def _compensate_loop_lag(self, seconds: float) -> None:
        for origin in self._dispatcher.origins.values():
            origin.progressed += seconds
        for request in self._dispatcher.requests.in_flight:
            request.progressed += seconds

    def _check(self) -> None:
        now = self._dispatcher.clock()
        if not self._dispatcher.requests.in_flight:
            self._dispatcher.pump()
        for request in list(self._dispatcher.requests.in_flight):
            origin = request.origin
            others = self._others(request)
            quiet = now - (origin.progressed if others else request.progressed)
            stuck = now - request.progressed >= self._limits.last_resort_timeout
            if stuck or quiet >= timeout_after(self._limits, origin.measures, bool(others)):
                self._dispatcher.requests.time_out(request, early=bool(others))
            elif self._limits.hedging and not request.hedged and others:
                self._hedge(request, others, now)

    def _others(self, request: OriginRequest) -> list[Origin]:
        """The origins that work and could answer what is open."""
        pending = request.pending()
        if not pending or pending[0].retried:
            return []
        now, tried = self._dispatcher.clock(), {request.origin.name, *pending[0].failures}
        others = self._dispatcher.holders(request.slide, tried)
        return [origin for origin in others if origin.state(now) == "closed" and not origin.lacks(request.slide, now)]

    def _hedge(self, request: OriginRequest, others: list[Origin], now: float) -> None:
        """Asks a second origin for what a straggler still has to answer, as far as the budget goes."""
        if now - request.progressed < hedge_after(self._limits, request.origin.measures):
            return
        requests = self._dispatcher.requests
        reads: list[PendingRead] = []
        for read in request.pending():
            budget = debit(requests.budget, read.expected)
            if budget is None:
                break
            requests.budget = budget
            reads.append(read)
        if reads:
            request.hedged = True
            requests.start(self._dispatcher.cheapest(others, sum(read.expected for read in reads)), reads, hedge=True)

    def _probe_all(self) -> float | None:
        """Starts the probes that are due. The time of the next one, None if no origin has a probe."""
        now, times = self._dispatcher.clock(), []
        for origin in self._dispatcher.origins.values():
            if origin.probe is None or origin.leaving or origin.probing:
                continue
            if origin.state(now) == "closed":
                due = max(origin.progressed, origin.probed) + self._limits.probe_every
            else:
                due = max(origin.breaker.until, origin.probed + TICK)
            if due > now:
                times.append(due)
                continue
            origin.probing, origin.probed = True, now
            task = asyncio.get_running_loop().create_task(self._probe(origin), name=f"probe {origin.name}")
            self._probes.add(task)
            task.add_done_callback(self._probes.discard)
        return min(times, default=None)

    async def _probe(self, origin: Origin) -> None:
        if origin.probe is None:
            return
        clock = self._dispatcher.clock
        begin = clock()
        origin.counts.probes += 1
        try:
            if await asyncio.wait_for(origin.probe(), self._limits.probe_seconds) is False:
                raise Unavailable(f"origin {origin.name}", "its probe failed")
        except Exception as error:  # whatever it is, the origin is not well
            origin.counts.probes_failed += 1
            origin.update(breakers.failed(origin.breaker, clock(), f"probe: {type(error).__name__}"))
        else:
            origin.note(Probed(clock() - begin))
            if origin.tried_by_probe:
                origin.update(breakers.succeeded(origin.breaker, trial=True))
        finally:
            origin.probing = False
            self.schedule()
        self._dispatcher.pump()
