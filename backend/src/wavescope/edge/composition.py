"""The composition of an edge: its parts, made in order by their constructors."""

from __future__ import annotations

from dataclasses import dataclass

from wavescope.blocks.cache.disk import DiskCache
from wavescope.blocks.cache.memory import MemoryCache
from wavescope.blocks.cache.policies import POLICIES
from wavescope.blocks.cached import CachedSource
from wavescope.blocks.coalescing import CoalescingSource
from wavescope.blocks.measured import MeasuredSource, SourceReads
from wavescope.config import Config
from wavescope.edge.entry_cache import EntryCache
from wavescope.edge.origins import EdgeOrigins
from wavescope.edge.passthrough import PassThrough
from wavescope.edge.responses import ResponseCache
from wavescope.edge.rights import Rights
from wavescope.edge.slides import EdgePrincipalReader, EdgeSlides
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.push.service import PushService
from wavescope.service.version_services import VersionServices


@dataclass(frozen=True)
class EdgeServices(VersionServices):
    """The parts of one edge."""

    origins: EdgeOrigins
    rights: Rights
    cached: CachedSource
    coalescing: CoalescingSource
    pass_through: PassThrough

    async def close(self) -> None:
        """Ends all work and closes what is open."""
        await self.rights.close()
        self.pixels.close()
        await self.blocks.close()
        await self.origins.close()


def compose_edge(config: Config) -> EdgeServices:
    """The parts of an edge, not running. Raises InvalidParameter, MissingPackage."""
    origins = EdgeOrigins(config)
    rights = Rights(origins)
    memory = MemoryCache(config.edge_memory, POLICIES[config.edge_policy]())
    disk = DiskCache(config.edge_cache, config.edge_disk, config.edge_policy) if config.edge_disk else None
    entries = EntryCache(memory, disk)
    coalescing = CoalescingSource(origins.source)
    cached = CachedSource(coalescing, memory, disk)
    blocks = MeasuredSource(cached, SourceReads())
    slides = EdgeSlides(origins, rights, entries, config.edge_lost_seconds)
    slides.attach(blocks)
    return EdgeServices(
        config=config,
        blocks=blocks,
        authenticator=EdgePrincipalReader(),
        versions=slides,
        push=PushService(slides.open, blocks, config.limits),
        visibility=slides,
        pixels=PixelRenderer(blocks, config.limits),
        colours=ColourService(blocks, config.limits.colour_cache),
        origins=origins,
        rights=rights,
        cached=cached,
        coalescing=coalescing,
        pass_through=PassThrough(rights, ResponseCache(entries), slides, config),
    )
