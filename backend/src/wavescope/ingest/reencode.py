"""A new version of a stored one: which qualities make sense, and what they take (ST68)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from wavescope.ingest.advice import Advice, Expectation, advise
from wavescope.ingest.ingest_source import IngestSource, ingest_source_of, stored_ingest_source
from wavescope.ingest.quality.presets import quality_of
from wavescope.ingest.stored_source import spec_of, stored_source
from wavescope.source.phi import NOTHING
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest
from wavescope.store.phi import PhiStore
from wavescope.store.reader import StoreReader


def check_quality(before: Manifest, quality: str) -> None:
    """Raises InvalidParameter where the quality makes no sense for this version."""
    stored_ingest_source("", before, NOTHING).target(quality_of(quality))


def advise_version(store: Path, digest: str, workers: int | None = None) -> Advice:
    """What encoding the version again would take; every PSNR is that beside the file. Raises StaleVersion,
    CorruptStore.
    """
    spec = spec_of(store, digest)
    ingest_source = ingest_source_of(spec, PhiStore(StorePaths(store)), deidentify=False)
    source = stored_source(StoreReader.open(store, digest))
    try:
        advice = advise(source, store, spec, workers=workers)
    finally:
        source.close()
    presets = {name: _beside_file(ingest_source, one) for name, one in advice.presets.items()}
    return replace(advice, presets=presets, by_psnr=tuple(_beside_file(ingest_source, one) for one in advice.by_psnr))


def _beside_file(ingest_source: IngestSource, expected: Expectation) -> Expectation:
    return expected._replace(psnr=ingest_source.beside_file(expected.psnr))
