"""From the samples in a TIFF to pixels, by stated rules.

Grey of 8 or 16 bits and RGB of 8 stay as they are; white-is-zero grey is inverted; a palette is resolved (its 16-bit
entries lose their low byte); a fourth sample is alpha and is composited over white; 16-bit RGB is scaled from 0..65535,
all channels alike. Everything else is refused by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from tifffile import PHOTOMETRIC, TiffPage

from wavescope.errors import UnsupportedSource
from wavescope.source.base import Pixels, composite
from wavescope.source.window import FULL, Window


class UnsupportedCoding(UnsupportedSource):
    """A kind of samples or compression that this reader does not know, though another might."""


KINDS = ("uint8", "int8", "uint16", "int16")
READ = "read are grey and RGB of 8 or 16 bits"


@dataclass(frozen=True)
class Rendering:
    """How to show the samples of one slide."""

    channels: Literal[1, 3]
    inverted: bool
    palette: NDArray[np.uint8] | None
    wide: bool
    """Samples of colour have 16 bits, so a window is needed."""
    deep: bool = False
    """Samples of grey have 16 bits or a sign: they are stored as a channel."""

    def apply(self, samples: NDArray[Any], window: NDArray[np.uint8] | None) -> Pixels:
        """(height, width, samples) to (height, width, channels); ``window`` is the table of Window for 16-bit
        colour.
        """
        pixels: Pixels = window[samples] if window is not None else samples
        if self.palette is not None:
            return self.palette[pixels[..., 0]]
        if self.inverted:
            return ~pixels
        if self.channels == 3 and pixels.shape[2] == 4:
            return composite(pixels)
        return pixels

    def window(self) -> Window | None:
        """The full range for 16-bit colour."""
        return FULL if self.wide else None


def check_samples(path: Path, page: TiffPage) -> None:
    """UnsupportedSource unless this is a picture of one channel, of 8 or 16 bits."""
    if page.dtype is None or page.dtype.name not in KINDS or page.samplesperpixel != 1:
        raise UnsupportedSource(
            path, f"channels of {page.samplesperpixel} {page.dtype} samples are not read; read are 8 or 16 bits"
        )
    if page.photometric != PHOTOMETRIC.MINISBLACK:
        name = getattr(page.photometric, "name", page.photometric)
        raise UnsupportedCoding(path, f"channels of kind {name} are not read")


def rendering_of(path: Path, page: TiffPage) -> Rendering:
    """The rule for this kind of page; UnsupportedSource names the kind if there is none."""
    kind, samples = page.photometric, page.samplesperpixel
    type_name = "" if page.dtype is None else page.dtype.name
    grey = kind in (PHOTOMETRIC.MINISBLACK, PHOTOMETRIC.MINISWHITE) and samples == 1
    if type_name not in (KINDS if grey else ("uint8", "uint16")):
        raise UnsupportedSource(path, f"samples of type {page.dtype} ({page.bitspersample} bits) are not read; {READ}")
    wide = type_name == "uint16"
    if grey:
        return Rendering(1, kind == PHOTOMETRIC.MINISWHITE, None, wide=False, deep=type_name != "uint8")
    if kind == PHOTOMETRIC.PALETTE and samples == 1 and not wide and page.colormap is not None:
        return Rendering(3, False, (page.colormap.T >> 8).astype(np.uint8), False)
    if kind in (PHOTOMETRIC.RGB, PHOTOMETRIC.YCBCR) and samples in (3, 4):
        return Rendering(3, False, None, wide)
    name = getattr(kind, "name", kind)
    raise UnsupportedCoding(path, f"TIFF pictures of kind {name} with {samples} samples are not read; {READ}")
