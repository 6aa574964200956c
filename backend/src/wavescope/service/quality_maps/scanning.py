"""A stored slide is judged: its findings are kept with it, and a map of what is worth a look is laid over it (QM11)."""

from __future__ import annotations

import asyncio
import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.findings import note_findings
from wavescope.catalog.slide_rows import source_of
from wavescope.config import Config
from wavescope.errors import WavescopeError
from wavescope.overlays.reading.files import Reading
from wavescope.quality_maps.bands import PIXEL
from wavescope.quality_maps.maps import CALLED, QualityMaps, maps_of
from wavescope.service.overlays.importing import OverlayImport, import_overlay
from wavescope.service.overlays.rasters import LabelSource
from wavescope.service.quality_maps.reading import is_mappable, read_bands
from wavescope.service.storage import block_source
from wavescope.source.masks import MaskClass

NAME = "Scan quality"
PLACED = (float(PIXEL), 0.0, 0.0, 0.0, float(PIXEL), 0.0)


def scan(config: Config, catalog: Catalog, slide_id: str) -> QualityMaps | None:
    """Keeps what is found in the current version of a slide. Where there is a warning, the map becomes an overlay that
    is hidden at first; one that was deleted does not come back. None: the slide has no maps (QM1).

    Raises UnknownSlide, CorruptBlock, CorruptStore, Unavailable, StoreFull, StoreBusy.
    """
    slide = catalog.get(slide_id)
    with ThreadPoolExecutor(1) as aside:  # who asks may be in an event loop
        maps = aside.submit(asyncio.run, _maps(config, slide.digest)).result()
    if maps is None:
        return None
    source, findings = source_of(slide.manifest), maps.findings()
    note_findings(catalog, slide_id, source, findings)
    if findings.warning:
        named = {label: MaskClass(*called) for label, called in CALLED.items()}
        labels = LabelSource(Path(NAME), Reading("", PLACED, "labels"), maps.labels(), named)
        overlay = hashlib.sha256(f"{slide_id} {source}".encode()).hexdigest()[:32]
        import_overlay(config, catalog, OverlayImport(overlay, slide_id, NAME, "", labels, hidden=True))
    return maps


def scan_after_import(config: Config, catalog: Catalog, slide_id: str) -> str:
    """As ``scan``; what a person should know of it, empty: nothing. A slide that was imported stays imported: what
    cannot be judged is said.
    """
    try:
        maps = scan(config, catalog, slide_id)
    except WavescopeError as error:
        return f"The quality of the scan could not be judged: {error}"
    return maps.findings().warning if maps else ""


async def _maps(config: Config, digest: str) -> QualityMaps | None:
    blocks, _ = block_source(config)
    try:
        version = await blocks.version(digest)
        return maps_of(await read_bands(blocks, version)) if is_mappable(version) else None
    finally:
        await blocks.close()
