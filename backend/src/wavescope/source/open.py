"""Choosing the reader of a source, by its content, never by its name alone."""

from __future__ import annotations

import hashlib
from pathlib import Path

from wavescope.errors import MissingPackage, SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits, SlideSource, check_extent
from wavescope.source.czi.segments import is_czi
from wavescope.source.czi.with_pylibczirw import open_czi
from wavescope.source.dicom.channels import has_channels, open_channels
from wavescope.source.dicom.series import is_dicom, whole_slide_of
from wavescope.source.dicom.with_wsidicom import WsiDicomSource
from wavescope.source.direct_tiles import with_direct_tiles
from wavescope.source.files import (
    check_regular,
    companion_files,
    files_fingerprint,
    folder_files,
    head_of,
    holds_dicom,
    irregular_files,
    of_time,
    source_files,
)
from wavescope.source.focus_series import open_series, series_files
from wavescope.source.nd2.chunks import is_nd2
from wavescope.source.nd2.with_nd2 import open_nd2
from wavescope.source.notices import check_time
from wavescope.source.ome_zarr.metadata import is_ome_zarr
from wavescope.source.ome_zarr.with_zarr import open_ome_zarr
from wavescope.source.rendering import UnsupportedCoding
from wavescope.source.specimen.spec import parse_spec
from wavescope.source.tiff.chain import check_chain, is_tiff
from wavescope.source.tiff.ome_files import is_companion
from wavescope.source.tiff.with_tifffile import open_tiff
from wavescope.source.with_openslide import OpenSlideSource, detect
from wavescope.source.with_pillow import open_picture

DEFAULT_SPECIMEN = "specimen:5120x4096x5?seed=8"
SPECIMEN = "specimen:"
EXPORT = "export.json"
READABLE = (
    "SVS, NDPI, MRXS, SCN, BIF, VMS and the other formats of OpenSlide, TIFF and OME-TIFF, "
    "DICOM whole slides, OME-Zarr, CZI, ND2, PNG, JPEG and BMP"
)
MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"BM": "bmp"}


def open_source(path: Path | str, limits: Limits | None = None) -> SlideSource:
    """Open a slide file, a folder or a ``specimen:`` description.

    Raises UnsupportedSource (a kind not read here), UnreadableSource (damaged, truncated, implausible) or
    MissingPackage (an extra reads it, and is not installed).
    """
    path, limits = str(path), limits or Limits()
    if path.startswith(SPECIMEN):
        check_time(Path(path), 1, limits.time)
        return open_specimen(path)
    path = Path(path)
    try:
        source = _open(path, limits)
    except OSError as error:
        raise UnreadableSource(path, error.strerror or str(error)) from error
    try:
        check_extent(path, source.info)
        check_time(path, source.info.times, limits.time)
    except SourceError:
        source.close()
        raise
    return source


def open_specimen(spec: str = DEFAULT_SPECIMEN) -> SlideSource:
    """The synthetic specimen ``specimen:WIDTHxHEIGHT[xPLANES][?seed=N][&channels=N]``; InvalidParameter if it is
    misspelt.
    """
    parsed = parse_spec(spec)
    if parsed.channels:
        from wavescope.source.specimen.fluorescence import fluorescence_source

        return fluorescence_source(parsed)
    from wavescope.source.specimen.source import SpecimenSource  # its painter is rarely needed

    return SpecimenSource(parsed)


def fingerprint(path: Path | str, time: int = 0) -> str:
    """Hexadecimal identity of all of a source's content and the time point that is read (ST97); it reads every byte.

    Raises UnreadableSource, and UnsupportedSource for what is no file and for a folder without slide files.
    """
    return of_time(_fingerprint(path), time)


def _fingerprint(path: Path | str) -> str:
    if str(path).startswith(SPECIMEN):
        return hashlib.sha256(parse_spec(str(path)).canonical().encode()).hexdigest()
    if (Path(path) / EXPORT).is_file():  # an exported slide, whose manifest has the hash of every file
        return files_fingerprint([Path(path) / "manifest.json"])
    if Path(path).is_dir() and not is_ome_zarr(Path(path)):
        _check_folder(Path(path))
    return files_fingerprint(source_files(Path(path)), Path(path))


def _open(path: Path, limits: Limits) -> SlideSource:
    if path.is_dir():
        return _open_folder(path, limits)
    if not path.exists():
        raise UnreadableSource(path, "there is no such file")
    check_regular(path)
    companion_files(path)
    head = head_of(path)
    if not head:
        raise UnreadableSource(path, "the file is empty (0 bytes)")
    if is_dicom(head):
        return _open_dicom(path, limits)
    if is_tiff(head) or is_companion(path):
        return _open_tiff(path, limits)
    if is_czi(head):
        return _open_czi(path, limits)
    if is_nd2(head):
        return open_nd2(path, limits)
    if detect(path) is not None:
        return OpenSlideSource(path, limits)
    for magic, kind in MAGIC.items():
        if head.startswith(magic):
            return open_picture(path, kind, limits)
    raise UnsupportedSource(path, f"unrecognised format: it is {_guess(head)}. Supported: {READABLE}")


def _open_tiff(path: Path, limits: Limits) -> SlideSource:
    if is_companion(path):
        return open_tiff(path, limits)
    check_chain(path, limits)
    vendor = detect(path)
    if vendor not in (None, "generic-tiff"):
        return with_direct_tiles(path, OpenSlideSource(path, limits), limits)
    try:
        return open_tiff(path, limits)
    except (UnsupportedCoding, MissingPackage):  # openslide may have this codec
        if vendor is None:
            raise
        return OpenSlideSource(path, limits)


def _open_czi(path: Path, limits: Limits) -> SlideSource:
    try:
        return open_czi(path, limits)
    except MissingPackage:
        try:
            return OpenSlideSource(path, limits)  # it reads colour
        except UnreadableSource:
            pass
        raise


def _open_dicom(path: Path, limits: Limits) -> SlideSource:
    series = whole_slide_of(path, limits)
    if has_channels(series):
        return open_channels(path, series, limits)
    # openslide looks into every file beside a DICOM file: it would wait for a FIFO, and use files that must be ignored
    apart = bool(series.notices or irregular_files(series.instances[0].path.parent))
    for instance in () if apart else series.instances:
        if detect(instance.path) == "dicom":
            try:
                return OpenSlideSource(instance.path, limits, series)
            except UnreadableSource:
                break  # openslide supports no focal planes and not every kind of instance
    return WsiDicomSource(path, series)


def _open_folder(path: Path, limits: Limits) -> SlideSource:
    if is_ome_zarr(path):
        return open_ome_zarr(path, limits)
    if _check_folder(path):
        return _open_dicom(path, limits)
    return open_series(path, series_files(path), limits)


def _check_folder(path: Path) -> bool:
    """Whether the folder contains DICOM files; UnsupportedSource unless it contains them or TIFF files."""
    try:
        if holds_dicom(folder_files(path)):
            return True
        if series_files(path):
            return False
    except OSError as error:
        raise UnreadableSource(path, error.strerror or str(error)) from error
    raise UnsupportedSource(
        path, "this folder holds neither a DICOM whole slide nor a focus series of TIFF files nor an OME-Zarr"
    )


def _guess(head: bytes) -> str:
    """A word on what an unknown file seems to be."""
    if head.startswith(b"PK"):
        return "an archive (unpack it first)"
    if head.lstrip().startswith((b"<", b"{")):
        return "text (markup or JSON), not a picture"
    # the last bytes may be the first of a longer character
    text = head.decode(errors="replace")[:-3] or head.decode("latin-1")
    if "\ufffd" not in text and "".join(text.split()).isprintable():
        return "text, not a picture"
    return "no image file that Wavescope knows"
