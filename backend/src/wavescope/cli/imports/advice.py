"""``wavescope ingest --dry-run``: without the catalog, whose libraries take longer to load than the estimate."""

from __future__ import annotations

import argparse
from dataclasses import replace

from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, quantity, result
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.ingest.advice import Expectation, advice_fields, advise
from wavescope.ingest.memory import limited_memory
from wavescope.ingest.quality.ssimulacra2 import NAME
from wavescope.source.base import Limits, reader_limits
from wavescope.source.open import open_source
from wavescope.store.manifest import EXACT_PSNR

MAX_WORKERS = 256
MAX_TIME = 1 << 31


def run(arguments: argparse.Namespace) -> int:
    """Print what an ingest of every FILE would take; nothing is written."""
    check_arguments(arguments)
    config = config_of(arguments)
    for file in dict.fromkeys(arguments.files):
        with limited_memory(config.limits.ingest_memory):
            dry_run(file, config, arguments)
    return OK


def check_arguments(arguments: argparse.Namespace) -> None:
    """Raises InvalidParameter."""
    if (arguments.id or arguments.title) and len(arguments.files) > 1:
        raise InvalidParameter("--id or --title", len(arguments.files), "to go with one FILE only")
    if not 1 <= arguments.time <= MAX_TIME:
        raise InvalidParameter("--time", arguments.time, f"1 to {MAX_TIME:,}")
    check_workers(arguments)


def read_part(arguments: argparse.Namespace, config: Config) -> Limits:
    """The limits of a reader, with the time point that is named."""
    return replace(reader_limits(config.limits), time=arguments.time - 1)


def check_workers(arguments: argparse.Namespace) -> None:
    """Raises InvalidParameter."""
    if arguments.workers is not None and not 1 <= arguments.workers <= MAX_WORKERS:
        raise InvalidParameter("--workers", arguments.workers, f"1 to {MAX_WORKERS}")


def dry_run(file: str, config: Config, arguments: argparse.Namespace) -> None:
    """Prints the estimate for one file. Raises SourceError kinds."""
    store = config.store
    source = open_source(file, read_part(arguments, config))
    try:
        for notice in source.info.notices:
            print_stderr(notice)
        advice = advise(source, store, file, arguments.quality, arguments.workers)
    finally:
        source.close()
    if arguments.json:
        result({"file": file, **advice_fields(advice)})
        return
    planes = f" x {advice.planes} planes" if advice.planes > 1 else ""
    print_line(
        f"{file}: {advice.width} x {advice.height}{planes}, {quantity(advice.source_bytes)}, {advice.tiles} tiles"
    )
    for name, expected in advice.presets.items():
        note = "" if advice.fits(expected) else ", not enough space"
        if name == "lossless" and advice.window is not None:
            print_line(f"  {name:9} refused: {advice.window.describe()}")
            continue
        share = f"{expected.bytes / advice.raw_bytes:.3f} x raw"
        shown = _shown(expected, advice.measure)
        size = f"about {quantity(expected.bytes)} ({share})"
        print_line(f"  {name:9} {size}, {shown}, {expected.seconds:.0f} s{note}")
    print_line(f"  free space of the store: {quantity(advice.free_bytes)}; nothing was written")


def _shown(expected: Expectation, measure: str) -> str:
    """How true it is."""
    if expected.psnr == EXACT_PSNR:
        return "exact"
    return (
        f"{expected.psnr:.1f} dB, {NAME} {expected.score:.0f}" if measure == NAME else f"{expected.score:.2f} {measure}"
    )
