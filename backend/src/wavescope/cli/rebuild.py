"""``wavescope rebuild-catalog``"""

from __future__ import annotations

import argparse

from wavescope.cli.configured import config_of
from wavescope.cli.imports.ingest import slug, title_of
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, result
from wavescope.cli.recorded import record
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter
from wavescope.ingest.pipeline import DEIDENTIFIED
from wavescope.service.rebuild import rebuild_catalog
from wavescope.store.manifest import Manifest

LOST = "titles, tags, cases, tours, annotations, accounts and rights come back from a backup only"


def run(arguments: argparse.Namespace) -> int:
    """Make the catalog of the stored slides; exit code 1 if a slide is damaged."""
    config = config_of(arguments)
    if not config.store.is_dir():
        raise InvalidParameter("store", str(config.store), "a folder that exists")
    made = rebuild_catalog(config, named, replace=arguments.replace)
    with opened_catalog(config) as catalog:
        record(catalog, "catalog rebuilt", slides=len(made.slides))
    for error in made.damaged:
        print_stderr(str(error))
    if arguments.json:
        damaged = [error.digest for error in made.damaged]
        result({"slides": made.slides, "damaged": damaged, "aside": None if made.aside is None else str(made.aside)})
    else:
        for slide_id, digest in made.slides.items():
            print_line(f"{slide_id}: version {digest[:12]}")
        print_line(f"{len(made.slides)} slide(s) added; {LOST}")
        if made.aside is not None:
            print_line(f"the damaged catalog was renamed to {made.aside}")
    return DAMAGED if made.damaged else OK


def named(manifest: Manifest) -> tuple[str, str]:
    """The id and title that an ingest of its source gives a new slide."""
    if manifest.source.name == DEIDENTIFIED:
        name = f"{DEIDENTIFIED}-{manifest.source.fingerprint[:8]}"
        return name, name
    return slug(manifest.source.name), title_of(manifest.source.name)
