"""Several origins as one BlockSource."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from wavescope.blocks.base import Answer, BlockRequest, BlockSource
from wavescope.blocks.replicated.dispatcher import Dispatcher
from wavescope.blocks.replicated.limits import ReplicationLimits
from wavescope.blocks.replicated.monitor import RequestMonitor
from wavescope.blocks.replicated.origin import Origin, Probe
from wavescope.blocks.replicated.problem import Policy
from wavescope.blocks.replicated.reads import BLOCK, Call, PendingRead, SizeKey
from wavescope.blocks.replicated.status import ReplicatedStatus
from wavescope.caches import BoundedCache
from wavescope.errors import InvalidParameter, StaleVersion, WavescopeError
from wavescope.geometry import Address
from wavescope.store.version import SlideVersion

VERSIONS = 256  # handles of versions that are cached


class ReplicatedSource:
    """BlockSource over origins that each have some of the slides. An error is raised only if no origin that has the
    version can answer.

    ``policy`` assigns blocks to origins. ``probes``: for an origin of this name one small request, sent while it is
    idle or out. Belongs to the event loop of its first read.
    """

    def __init__(
        self,
        origins: Mapping[str, BlockSource],
        policy: Policy,
        *,
        limits: ReplicationLimits | None = None,
        probes: Mapping[str, Probe] | None = None,
    ) -> None:
        limits, probes = limits or ReplicationLimits(), probes or {}
        self._dispatcher = Dispatcher(policy, limits, _clock)
        self._monitor = RequestMonitor(self._dispatcher, limits)
        self._origins = self._dispatcher.origins
        self._versions: BoundedCache[str, SlideVersion] = BoundedCache(VERSIONS)
        self._background: set[asyncio.Task[None]] = set()
        for name, source in origins.items():
            self._origins[name] = Origin(name, source, probes.get(name))

    def join(self, name: str, source: BlockSource, probe: Probe | None = None) -> None:
        """Adds an origin, which gets work at once. Raises InvalidParameter for a name that is in use."""
        if name in self._origins:
            raise InvalidParameter("the name of the origin", name, "one that is not in use")
        self._origins[name] = Origin(name, source, probe)
        self._monitor.schedule()
        self._dispatcher.pump()

    async def leave(self, name: str) -> None:
        """Removes an origin: it gets no new work, what is in flight is finished, then its source is closed."""
        origin = self._origins.get(name)
        if origin is None or origin.leaving:
            raise InvalidParameter("the name of the origin", name, f"one of {', '.join(self._origins)}")
        origin.leaving = True
        self._dispatcher.release(origin)
        self._dispatcher.pump()
        while tasks := [request.task for request in self._dispatcher.requests.of(origin) if request.task is not None]:
            await asyncio.wait(tasks)
        del self._origins[name]
        await origin.source.close()

    def progress(self, name: str) -> None:
        """Bytes of an answer that is not complete yet have arrived from an origin: it is not silent."""
        self._dispatcher.requests.note_progress(self._origins[name], _clock())

    def status(self) -> ReplicatedStatus:
        """What the metrics show. Needs a running event loop."""
        dispatcher, now = self._dispatcher, _clock()
        return ReplicatedStatus(
            policy=dispatcher.policy.name,
            origins=tuple(origin.status(now) for origin in self._origins.values()),
            waiting=dispatcher.waiting,
            hedge_budget=round(dispatcher.requests.budget.bytes),
            solver=dispatcher.solver,
        )

    async def version(self, slide: str) -> SlideVersion:
        """See BlockSource. The other origins are asked in the background: this tells which ones have the version."""
        version = self._versions.find(slide)
        if version is None:
            found: SlideVersion = await self._call(slide, ("version",), lambda source: source.version(slide))
            version = self._versions.find(slide)
            if version is None:
                version = found
                self._versions.put(slide, version)
                self._look_for_holders(slide)
        return version

    async def get(self, slide: str, address: Address, layers: range) -> bytes:
        """See BlockSource."""
        key = _block_key(address, layers)
        data: bytes = await self._call(slide, key, lambda source: source.get(slide, address, layers))
        return data

    async def get_many(self, slide: str, requests: Sequence[BlockRequest]) -> AsyncGenerator[Answer, None]:
        """See BlockSource. In the order of arrival."""
        arrived: asyncio.Queue[tuple[int, Any]] = asyncio.Queue()
        reads = []
        for position, request in enumerate(requests):
            key = _block_key(request.address, request.layers)
            reads.append(PendingRead(slide, request, key, _deliver_to(arrived, position)))
        try:
            self._monitor.schedule()
            if reads:
                self._dispatcher.submit(reads)
            for _ in reads:
                position, answer = await arrived.get()
                if not isinstance(answer, bytes | WavescopeError):
                    raise answer
                if isinstance(answer, StaleVersion):
                    self._drop_version(slide)
                yield position, answer
        finally:
            await _leave(reads)

    async def approximation(self, slide: str, z: int, c: int, layers: range) -> bytes:
        """See BlockSource."""
        key = ("approximation", layers.start, layers.stop)
        data: bytes = await self._call(slide, key, lambda source: source.approximation(slide, z, c, layers))
        return data

    async def index_page(self, slide: str, z: int, c: int, level: int, page: int) -> bytes:
        """See BlockSource."""
        data: bytes = await self._call(
            slide, ("index_page",), lambda source: source.index_page(slide, z, c, level, page)
        )
        return data

    async def icc_profile(self, slide: str) -> bytes | None:
        """See BlockSource."""
        data: bytes | None = await self._call(slide, ("icc_profile",), lambda source: source.icc_profile(slide))
        return data

    def forget(self, slide: str) -> None:
        """See BlockSource."""
        self._drop_version(slide)
        for origin in list(self._origins.values()):
            origin.forget(slide)

    async def close(self) -> None:
        """See BlockSource. Cancels what is in flight; its callers get Unavailable."""
        await self._monitor.stop()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        origins = list(self._origins.values())
        for origin in origins:
            origin.leaving = True
        await self._dispatcher.requests.stop()
        for origin in origins:
            await origin.source.close()

    async def _call(self, slide: str, key: SizeKey, call: Call) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        read = PendingRead(slide, call, key, lambda value: _resolve(answer, value))
        self._monitor.schedule()
        try:
            self._dispatcher.send(read)
            return await answer
        except StaleVersion:
            self._drop_version(slide)
            raise
        finally:
            await _leave([read])

    def _drop_version(self, slide: str) -> None:
        self._versions.drop(lambda key: key == slide)

    def _look_for_holders(self, slide: str) -> None:
        """Asks every origin for a version once, at the cost of a manifest each; what they lack is remembered."""
        for origin in self._origins.values():
            if not origin.leaving and origin.state(_clock()) == "closed":
                task = asyncio.get_running_loop().create_task(self._dispatcher.requests.ask_for_version(origin, slide))
                self._background.add(task)
                task.add_done_callback(self._background.discard)


async def _leave(reads: Sequence[PendingRead]) -> None:
    """Ends what only this caller still waited for, and waits until it has ended."""
    requests = {request for read in reads if not read.done for request in read.requests}
    for read in reads:
        read.release()
    if tasks := [request.task for request in requests if request.task is not None and request.task.cancelling()]:
        await asyncio.wait(tasks)


def _clock() -> float:
    return asyncio.get_running_loop().time()


def _block_key(address: Address, layers: range) -> SizeKey:
    return (*BLOCK, address.level, layers.start, layers.stop)


def _deliver_to(queue: asyncio.Queue[tuple[int, Any]], position: int) -> Any:
    return lambda answer: queue.put_nowait((position, answer))


def _resolve(future: asyncio.Future[Any], value: Any) -> None:
    if future.done():
        return
    if isinstance(value, BaseException):
        future.set_exception(value)
    else:
        future.set_result(value)
