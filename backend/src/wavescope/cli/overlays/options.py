"""The options of ``wavescope overlay``."""

from __future__ import annotations

import argparse
from typing import Any


def overlay_options(commands: Any, common: argparse.ArgumentParser, json: argparse.ArgumentParser) -> None:
    """Adds ``wavescope overlay``."""
    text = "shapes over a slide, such as the cells that a model found: add, list, remove, restore"
    verbs = commands.add_parser("overlay", help=text, description=text).add_subparsers(metavar="VERB", required=True)

    def verb(name: str, text: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text, parents=[common, json])
        added.set_defaults(run=f"overlays.run:{name}")
        added.add_argument("id", metavar="SLIDE")
        return added

    add = verb("add", "add the shapes of a file to a slide")
    add.add_argument(
        "file",
        metavar="FILE",
        help="GeoJSON, CSV, GeoParquet, DICOM annotations, AnnData, SpatialData; masks: TIFF, OME-Zarr labels, DICOM "
        "segmentations, PNG; or specimen: the cells of a synthetic slide",
    )
    add.add_argument("--name", default="", help="the overlay's name (default: from the file's name)")
    add.add_argument("--score", default="", metavar="NAME", help="the measurement or column that is the score")
    add.add_argument(
        "--content",
        default="",
        choices=["shapes", "values", "labels"],
        help="what a picture of numbers becomes: outlines of its labels, or a raster of values or labels (default: "
        "values of real numbers and PNG, else shapes)",
    )
    add.add_argument("--transform", default="", help="applied to coordinates: scale; scale,x,y; or a,b,c,d,e,f")
    verb("list", "list the overlays of a slide")
    for name, text in (("remove", "delete an overlay; it can be restored"), ("restore", "restore a deleted overlay")):
        verb(name, text).add_argument("overlay", metavar="OVERLAY", help="its id or its name")
