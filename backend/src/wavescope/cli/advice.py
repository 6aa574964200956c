"""``wavescope ingest --dry-run``"""

from __future__ import annotations

from wavescope.cli.output import print_line, quantity, result
from wavescope.config import Config
from wavescope.ingest.advice import advice_fields, advise
from wavescope.source.base import reader_limits
from wavescope.source.open import open_source


def dry_run(file: str, config: Config, workers: int | None, as_json: bool) -> None:
    """Prints the size and the time that an ingest of this file would need; nothing is written. Raises SourceError
    kinds.
    """
    store = config.store
    source = open_source(file, reader_limits(config.limits))
    try:
        advice = advise(source, store, workers)
    finally:
        source.close()
    if as_json:
        result({"file": file, **advice_fields(advice)})
        return
    planes = f" x {advice.planes} planes" if advice.planes > 1 else ""
    print_line(
        f"{file}: {advice.width} x {advice.height}{planes}, {quantity(advice.source_bytes)}, {advice.tiles} tiles"
    )
    for name, expected in advice.profiles.items():
        note = "" if advice.fits(name) else ", more than there is room for"
        share = f"{expected.bytes / advice.raw_bytes:.3f} x raw"
        print_line(f"  {name:9} about {quantity(expected.bytes)} ({share}), {expected.seconds:.0f} s{note}")
    print_line(f"  free space of the store: {quantity(advice.free_bytes)}; nothing was written")
