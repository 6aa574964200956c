"""The origins of an edge: they join and leave while it runs (OG11)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from time import monotonic

from wavescope.blocks.base import BlockSource
from wavescope.blocks.remote.client import Permits
from wavescope.blocks.remote.source import RemoteSource
from wavescope.blocks.replicated.policies import policy
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.blocks.replicated.status import OriginStatus, ReplicatedStatus
from wavescope.blocks.wrapper import SourceWrapper
from wavescope.config import Config
from wavescope.edge.grants import EdgeGrants
from wavescope.edge.liveness import LiveClient, Liveness
from wavescope.edge.origin import OriginUpstream, checked_url
from wavescope.errors import InvalidParameter, Unavailable
from wavescope.logs.loggers import get_logger

LOST_SECONDS = 5.0  # for which others are asked before an origin that did not answer
DRAIN_SECONDS = 30.0  # for which requests in flight to an origin that leaves may last

log = get_logger(__name__)


class EdgeOrigin:
    """One origin. ``number`` names it in metrics; ``upstream`` passes requests on, ``remote`` reads blocks,
    ``liveness`` knows whether it answers.
    """

    def __init__(self, number: int, url: str, config: Config) -> None:
        timeout = config.edge_silence_seconds
        self.number, self.upstream, self.permits = number, OriginUpstream(url), Permits()
        self.liveness = Liveness(OriginUpstream(url, connections=1), timeout)
        client = LiveClient(str(self.upstream.url), self.permits, config.edge_connections, timeout, self.liveness)
        self.remote = RemoteSource(client.url, self.permits, client=client)
        self.grants = EdgeGrants(self.upstream, self.liveness, timeout)
        self.leaving = False
        self._lost_until = 0.0
        self._used = 0
        self._unused = asyncio.Event()

    @property
    def name(self) -> str:
        """Its address, without a password."""
        return str(self.upstream.url.with_user(None)).rstrip("/")

    @property
    def lost(self) -> bool:
        """Whether it did not answer a moment ago: others are asked before it."""
        return monotonic() < self._lost_until

    def note(self, answers: bool) -> None:
        """Whether it answered now."""
        self._lost_until = 0.0 if answers else monotonic() + LOST_SECONDS

    @contextmanager
    def used(self) -> Iterator[None]:
        """While a request is passed on to it: it is not closed before."""
        self._used += 1
        self._unused.clear()
        try:
            yield
        finally:
            self._used -= 1
            if not self._used:
                self._unused.set()

    async def drained(self) -> None:
        """Returns when nothing is in flight to it."""
        while self._used:
            await self._unused.wait()
        await self.remote.drained()

    async def close(self) -> None:
        """Ends all connections."""
        await self.grants.close()
        await self.liveness.close()
        await self.upstream.close()
        await self.remote.close()


class _Member(SourceWrapper):
    """A remote source whose owner closes it after its last request, of whatever kind."""

    async def close(self) -> None:
        """Leaves the source open."""


class OriginsSource(SourceWrapper):
    """The blocks of all origins: read from the only one, or assigned to several."""

    def __init__(self, origins: Sequence[EdgeOrigin], assignment: str) -> None:
        super().__init__(origins[0].remote)
        self._assignment = assignment
        self._several: ReplicatedSource | None = None
        if len(origins) > 1:
            self._several = self._inner = self._replicated(origins)

    @property
    def status(self) -> ReplicatedStatus | None:
        """What is known of several origins; None of a single one."""
        return None if self._several is None else self._several.status()

    def of(self, origin: EdgeOrigin) -> OriginStatus | None:
        """What is known of one of several."""
        status = self.status
        return next((one for one in status.origins if one.name == origin.remote.url), None) if status else None

    def join(self, origins: Sequence[EdgeOrigin]) -> None:
        """The last of these is new. Raises MissingPackage."""
        if self._several is None:
            self._several = self._inner = self._replicated(origins)
        else:
            new = origins[-1]
            self._several.join(new.remote.url, _Member(new.remote), new.liveness.answers)
            new.remote.when_progressing(partial(self._several.progress, new.remote.url))

    async def leave(self, origin: EdgeOrigin) -> None:
        """Gives it no new work, and returns when what was assigned to it is answered."""
        if self._several is not None:
            await self._several.leave(origin.remote.url)
            origin.remote.when_progressing(lambda: None)

    def _replicated(self, origins: Sequence[EdgeOrigin]) -> ReplicatedSource:
        by_name: dict[str, BlockSource] = {origin.remote.url: _Member(origin.remote) for origin in origins}
        probes = {origin.remote.url: origin.liveness.answers for origin in origins}
        replicated = ReplicatedSource(by_name, policy(self._assignment), probes=probes)
        for origin in origins:
            origin.remote.when_progressing(partial(replicated.progress, origin.remote.url))
        return replicated


class EdgeOrigins:
    """The origins in the order in which they joined. At least one. Raises InvalidParameter, MissingPackage."""

    def __init__(self, config: Config) -> None:
        if not config.edge_origins:
            raise InvalidParameter("--origin", "", "the address of at least one Wavescope service")
        self._config, self._numbers = config, count()
        self._forgotten: Callable[[str], None] = lambda _: None
        self._drains: set[asyncio.Task[None]] = set()
        self.all: list[EdgeOrigin] = []
        for url in config.edge_origins:
            self.all.append(self._new(url))
        self.source = OriginsSource(self.all, config.edge_assignment)

    def when_forgotten(self, call: Callable[[str], None]) -> None:
        """``call`` is called with each version that an origin does not have any more."""
        self._forgotten = call

    @property
    def joined(self) -> list[EdgeOrigin]:
        """Those that get new requests."""
        return [origin for origin in self.all if not origin.leaving]

    @property
    def by_health(self) -> list[EdgeOrigin]:
        """``joined``, those last that did not answer a moment ago."""
        return sorted(self.joined, key=lambda origin: origin.lost)

    async def failover_origins(self, origin: EdgeOrigin, credentials: bool) -> list[EdgeOrigin]:
        """The origins that may answer a reading request in place of one that does not. With ``credentials`` only those
        that sign grants with the same keys: they have the same accounts (OG13).
        """
        others = [one for one in self.by_health if one is not origin]
        if not credentials:
            return others
        found = []
        for one in others:
            if not one.grants.keys and not one.lost:
                try:
                    await one.grants.fetch_keys()
                except Unavailable:
                    one.note(False)
            if one.grants.keys & origin.grants.keys:
                found.append(one)
        return found

    @property
    def first(self) -> EdgeOrigin:
        """The one that joined first: it answers what no slide decides."""
        return self.joined[0]

    def join(self, url: str) -> EdgeOrigin:
        """Adds an origin, which gets requests at once. Raises InvalidParameter, MissingPackage."""
        origin = self._new(url)
        self.source.join([*self.joined, origin])
        self.all.append(origin)
        log.info("an origin has joined", origin=origin.name)
        return origin

    def leave(self, url: str) -> asyncio.Task[None]:
        """Removes an origin: it gets no new requests. The task ends when those in flight have ended and it is closed.

        Raises InvalidParameter.
        """
        name = _name_of(url)
        found = [origin for origin in self.joined if origin.name == name]
        if not found:
            raise InvalidParameter("origin", name, f"one of {', '.join(one.name for one in self.joined)}")
        if len(self.joined) == 1:
            raise InvalidParameter("origin", name, "one of several: an edge needs at least one origin")
        found[0].leaving = True
        drain = asyncio.ensure_future(self._drain(found[0]))
        self._drains.add(drain)
        drain.add_done_callback(self._drains.discard)
        return drain

    async def close(self) -> None:
        """Ends all connections."""
        for drain in self._drains:
            drain.cancel()
        await asyncio.gather(*self._drains, return_exceptions=True)
        for origin in self.all:
            await origin.close()

    async def _drain(self, origin: EdgeOrigin) -> None:
        await self.source.leave(origin)
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await origin.drained()
        except TimeoutError:
            log.warning("requests to an origin that leaves are ended", origin=origin.name)
        self.all.remove(origin)
        await origin.close()
        log.info("an origin has left", origin=origin.name)

    def _new(self, url: str) -> EdgeOrigin:
        name = _name_of(url)
        if any(one.name == name for one in self.all):
            raise InvalidParameter("origin", name, "an origin that has not joined yet")
        origin = EdgeOrigin(next(self._numbers), url, self._config)
        origin.remote.forgotten = lambda digest: self._forgotten(digest)
        return origin


def _name_of(url: str) -> str:
    return str(checked_url(url).with_user(None)).rstrip("/")
