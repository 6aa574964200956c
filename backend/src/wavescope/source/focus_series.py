"""A folder of TIFF files of one size: the focal planes of one slide, in the order of their names."""

from __future__ import annotations

from pathlib import Path

from wavescope.errors import UnsupportedSource
from wavescope.source.base import Limits, SlideSource
from wavescope.source.files import folder_files, head_of
from wavescope.source.tiff.chain import check_chain, is_tiff
from wavescope.source.tiff.ome_files import open_ome_files, whole_slide
from wavescope.source.tiff.with_tifffile import open_tiffs
from wavescope.source.with_openslide import detect

MAX_PLANES = 256


def series_files(folder: Path) -> list[Path]:
    """The TIFF files of a folder; other files in it are left alone."""
    return [file for file in folder_files(folder) if is_tiff(head_of(file))]


def open_series(folder: Path, files: list[Path], limits: Limits) -> SlideSource:
    """Open the files as planes. UnsupportedSource if they are slides of their own or are not alike."""
    if len(files) > MAX_PLANES:
        raise UnsupportedSource(
            folder, f"{len(files)} TIFF files are more than the {MAX_PLANES} planes of a focus series"
        )
    for file in files:
        check_chain(file, limits)
        if detect(file) not in (None, "generic-tiff"):
            raise UnsupportedSource(folder, f"this folder holds slides ({file.name}, ...); name one of them")
    spread = whole_slide(files, limits)
    if spread is not None:
        return open_ome_files(folder, spread, limits)
    opened = open_tiffs(files, folder, limits)
    if len(files) > 1:
        opened.note(f"the {len(files)} files of this folder are taken for focal planes, in the order of their names")
    return opened
