"""Identifying data of a slide file: label, macro image, barcode, patient, free text (PR40).

Readers publish an allow-list (``properties.ALLOWED``); this is the rest, for those who may look at it. Nothing here can
fail an ingest: a file whose identifying parts cannot be read has none.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PIL import Image

from wavescope.source.dicom.series import identifying_instances, identifying_texts, is_dicom
from wavescope.source.files import folder_files, head_of, holds_dicom, irregular_files, source_files
from wavescope.source.focus_series import series_files
from wavescope.source.properties import ALLOWED
from wavescope.source.tiff.chain import is_tiff
from wavescope.source.tiff.metadata import tag_texts
from wavescope.source.with_openslide import detect, identifying

MAX_TEXTS = 500
LONGEST_TEXT = 20_000
LONGEST_SIDE = 2048
MAX_PIXELS = 64 << 20
TECHNICAL = ("openslide.", "tiff.XResolution", "tiff.YResolution", "tiff.ResolutionUnit")  # openslide's own figures


@dataclass(frozen=True)
class Identity:
    """Texts by name, and pictures by name as PNG."""

    texts: Mapping[str, str] = field(default_factory=dict)
    images: Mapping[str, bytes] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.texts or self.images)


NOTHING = Identity()


def identity_of(path: Path | str) -> Identity:
    """The identifying parts of a source; NOTHING for a ``specimen:`` and for what cannot be read."""
    try:
        return _read(Path(path))
    except MemoryError:
        raise
    except Exception:  # libraries meet hostile files with exceptions of every kind
        return NOTHING


def _read(path: Path) -> Identity:
    if not path.exists():
        return NOTHING
    first = path if path.is_file() else _first(path)
    if first is None:
        return NOTHING
    head = head_of(first)
    if is_dicom(head):
        texts, images = identifying_texts(path), _dicom_images(path)
    elif detect(first) not in (None, "generic-tiff"):
        texts, images = identifying(first, MAX_PIXELS)
    elif is_tiff(head):
        texts, images = tag_texts(first), {}
    else:
        texts, images = _image_texts(first), {}
    return Identity(_bounded(texts), {name: _png(image) for name, image in images.items()})


def _first(folder: Path) -> Path | None:
    """The first file of the slide in a folder; other files in it are left alone."""
    files = source_files(folder) if holds_dicom(folder_files(folder)) else series_files(folder)
    return next(iter(files), None)


def _dicom_images(path: Path) -> dict[str, Image.Image]:
    """The label and overview instances of a series, as far as openslide shows them beside the slide."""
    for file in identifying_instances(path):
        if not irregular_files(file.parent) and detect(file) == "dicom":
            return identifying(file, MAX_PIXELS)[1]
    return {}


def _image_texts(path: Path) -> dict[str, str]:
    """Text chunks, comments and EXIF of a picture."""
    with Image.open(path) as picture:
        named = {str(name): value for name, value in picture.info.items() if isinstance(value, str | bytes)}
        exif = {f"exif.{tag}": value for tag, value in picture.getexif().items()}
    texts = {name: _text(value) for name, value in (named | exif).items() if name not in ("icc_profile", "exif")}
    return {name: text for name, text in texts.items() if text}


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _bounded(texts: Mapping[str, str]) -> dict[str, str]:
    """What is not published, by name, without empty ones and those that only describe the picture."""
    kept = {name: text.strip("\0 \r\n\t")[:LONGEST_TEXT] for name, text in _of_persons(texts.items())}
    return dict([(name, text) for name, text in sorted(kept.items()) if text][:MAX_TEXTS])


def _of_persons(texts: Iterable[tuple[str, str]]) -> Iterable[tuple[str, str]]:
    return ((name, text) for name, text in texts if name not in ALLOWED and not name.startswith(TECHNICAL))


def _png(image: Image.Image) -> bytes:
    image = image.convert("RGB")
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
