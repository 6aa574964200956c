"""The composition of an edge: its parts, made in order by their constructors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from wavescope.blocks.base import BlockSource
from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import POLICIES
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.blocks.remote.client import Permits
from wavescope.blocks.remote.source import RemoteSource
from wavescope.blocks.replicated.policies import policy
from wavescope.blocks.replicated.source import ReplicatedSource
from wavescope.config import Config
from wavescope.edge.answers import Answers
from wavescope.edge.grants import EdgeGrants
from wavescope.edge.origin import Origin
from wavescope.edge.parts import EdgeParts
from wavescope.edge.passthrough import PassThrough
from wavescope.edge.slides import Askers, EdgeSlides
from wavescope.errors import InvalidParameter
from wavescope.service.push.service import PushService
from wavescope.service.slides.colour import ColourService
from wavescope.service.slides.pixels import PixelRenderer
from wavescope.service.version_services import VersionServices


@dataclass(frozen=True)
class EdgeServices(VersionServices):
    """The parts of one edge."""

    origin: Origin
    grants: EdgeGrants
    cached: CachedSource
    coalescing: CoalescingSource
    remotes: tuple[RemoteSource, ...]
    probed: tuple[Origin, ...]
    pass_through: PassThrough

    async def close(self) -> None:
        """Ends all work and closes what is open."""
        await self.grants.close()
        self.pixels.close()
        await self.blocks.close()
        for origin in (self.origin, *self.probed):
            await origin.close()


def compose_edge(config: Config) -> EdgeServices:
    """The parts of an edge, not running. Raises InvalidParameter."""
    if not config.edge_origins:
        raise InvalidParameter("--origin", "", "the address of at least one Wavescope service")
    origin, permits = Origin(config.edge_origins[0]), Permits()
    remotes = tuple(
        RemoteSource(
            str(Origin(url).url),
            permits,
            connections=config.edge_connections,
            silence=config.edge_silence_seconds,
        )
        for url in config.edge_origins
    )
    memory = MemoryCache(config.edge_memory, POLICIES[config.edge_policy]())
    disk = DiskCache(config.edge_cache, config.edge_disk, config.edge_policy) if config.edge_disk else None
    parts = EdgeParts(memory, disk)
    probed = tuple(Origin(remote.url, connections=1) for remote in remotes) if len(remotes) > 1 else ()
    coalescing = CoalescingSource(_replicated(config, remotes, probed) if probed else remotes[0])
    cached = CachedSource(coalescing, memory, disk)
    blocks = MeasuredSource(cached, SourceReads())
    grants = EdgeGrants(origin, config.edge_silence_seconds)
    slides = EdgeSlides(grants, remotes, permits, parts, config.edge_lost_seconds)
    slides.attach(blocks)
    return EdgeServices(
        config=config,
        blocks=blocks,
        authenticator=Askers(),
        versions=slides,
        push=PushService(slides.open, blocks, config.limits),
        visibility=slides,
        pixels=PixelRenderer(blocks, config.limits),
        colours=ColourService(blocks, config.limits.colour_cache),
        origin=origin,
        grants=grants,
        cached=cached,
        coalescing=coalescing,
        remotes=remotes,
        probed=probed,
        pass_through=PassThrough(origin, Answers(parts), slides, config.edge_sockets),
    )


def _replicated(config: Config, remotes: Sequence[RemoteSource], probed: Sequence[Origin]) -> BlockSource:
    """Several origins as one source. Raises MissingPackage."""
    by_name = {remote.url: remote for remote in remotes}
    probes = {remote.url: origin.answers for remote, origin in zip(remotes, probed, strict=True)}
    replicated = ReplicatedSource(by_name, policy(config.edge_assignment), probes=probes)
    for url, remote in by_name.items():
        remote.when_progressing(partial(replicated.progress, url))
    return replicated
