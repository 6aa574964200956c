"""``wavescope reencode``: a new version of a stored slide, from its own pixels."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from wavescope.catalog.catalog import Catalog
from wavescope.cli.configured import config_of
from wavescope.cli.imports.advice import check_workers
from wavescope.cli.imports.ingest import progress_reports, summary
from wavescope.cli.output import OK, print_line, quantity, result
from wavescope.cli.quality import quality_words
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.config import Config
from wavescope.ingest.memory import limited_memory
from wavescope.ingest.pipeline import Ingested, Options, ingest
from wavescope.ingest.quality.presets import quality_of
from wavescope.ingest.stored_source import spec_of
from wavescope.service.storage import object_backend, version_in_folder
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import Manifest, load_manifest


def run(arguments: argparse.Namespace) -> int:
    """Encode the slide once more; the version before stays until it is collected."""
    check_workers(arguments)
    config = config_of(arguments)
    with opened_catalog(config) as catalog, limited_memory(config.limits.ingest_memory):
        began, digest = time.monotonic(), catalog.resolve(arguments.id)
        with version_in_folder(config, digest, "reencode") as folder:
            before = load_manifest(StorePaths(folder).slides, digest)
            made = reencoded(folder, before, arguments, config, catalog)
        seconds = time.monotonic() - began
        record(catalog, "reencoded", arguments.id, quality=made.manifest.chosen_quality, replaced=before.digest)
    size = sum(map(sum, before.bytes))
    if arguments.json:
        result({**summary(made, seconds), "replaced": before.digest, "replaced_bytes": size})
        return OK
    print_line(f"{arguments.id}: {quality_words(made.manifest)}, {_sizes(made, size)}, version {made.digest[:12]}")
    if before.profile != "lossless":
        print_line("  the losses of both versions add up; the dB are those beside the file, estimated from both")
    print_line(f"  version {before.digest[:12]} can still be read until: wavescope collect")
    return OK


def reencoded(
    folder: Path, before: Manifest, arguments: argparse.Namespace, config: Config, catalog: Catalog
) -> Ingested:
    """Encodes and publishes. Raises InvalidParameter where the quality makes no sense for this version (ST68)."""
    quality = quality_of(arguments.quality).name
    backend = object_backend(config)
    options = Options(arguments.id, quality=quality, steps=arguments.steps, workers=arguments.workers, backend=backend)
    with progress_reports(arguments, arguments.id) as report:
        return ingest(spec_of(folder, before.digest), config.store, catalog, options, report)


def _sizes(made: Ingested, before: int) -> str:
    size = sum(map(sum, made.manifest.bytes))
    return f"{quantity(size)} instead of {quantity(before)}"
