"""``wavescope scan-quality``"""

from __future__ import annotations

import argparse

import tifffile

from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, result
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter
from wavescope.service.quality_maps.scanning import scan


def run(arguments: argparse.Namespace) -> int:
    """Find tissue, blur, ink and bubbles from the coarse bands of a slide, and keep what was found with it. Write
    the map if it is wanted.
    """
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        maps = scan(config, catalog, arguments.slide)
    if maps is None:
        raise InvalidParameter("SLIDE", arguments.slide, "a slide in colour with a side of more than 2048 pixels")
    if arguments.map is not None:
        tifffile.imwrite(arguments.map, maps.labels(), compression="zlib")
    found = maps.findings()
    if arguments.json:
        result(found.to_json())
        return OK
    print_line(f"tissue: {found.tissue:.1%} of the slide; its focus was judged on {found.judged:.0%} of it")
    print_line(f"out of focus: {found.blurred:.1%} of that")
    print_line(f"ink: {found.pen:.1%}, air bubbles: {found.bubbles:.1%} of the tissue and what covers it")
    return OK
