"""The documents of an exported slide beside the files of its version (``spec/static.md``, SH2)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

from wavescope.api.schemas.slides import manifest_view
from wavescope.catalog.records import SlideRecord
from wavescope.pixels.colour import NODES, Colour
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.slides.slides import SlideAccess
from wavescope.store.exported.sinks import DOCUMENT

FORMAT, VERSION = "wavescope-export", "1.0"
THUMBNAIL_FILE, TABLE, ANNOTATIONS = "thumbnail.jpg", "colour.png", "annotations.json"


class ExportedImages(NamedTuple):
    """What the service makes of the slide."""

    thumbnail: bytes
    colour: Colour


def document_of(slide: SlideRecord, colour: Colour, annotations: bool) -> dict[str, Any]:
    """The document that the export is opened by (SH2): the manifest as a reader without rights sees it."""
    view = manifest_view(replace(slide, tags={}), LOCAL_USER, SlideAccess((), None)).model_dump(mode="json")
    view |= {"url": ".", "thumbnail": THUMBNAIL_FILE, "editable": False}
    view["scale"] = view["scale"] and {**view["scale"], "by": None}
    shown = {"profile": colour.profile, "state": colour.state, "nodes": NODES}
    return {"format": FORMAT, "version": VERSION, "slide": view, "colour": shown, "annotations": annotations}


def own_files(
    slide: SlideRecord, made: ExportedImages, annotations: str | None, overlays: bool = False
) -> dict[str, bytes]:
    """The files beside those of the version (SH2). ``overlays``: whether the export has them."""
    document = {**document_of(slide, made.colour, annotations is not None), "overlays": overlays}
    files = {DOCUMENT: json.dumps(document, ensure_ascii=False).encode(), THUMBNAIL_FILE: made.thumbnail}
    if made.colour.state == "table":
        files[TABLE] = made.colour.table
    if annotations is not None:
        files[ANNOTATIONS] = annotations.encode()
    return files
