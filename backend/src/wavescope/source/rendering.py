"""From the samples in a TIFF to grey or RGB pixels of 8 bits, by stated rules.

8-bit grey and RGB stay as they are; white-is-zero grey is inverted; a palette is resolved (its 16-bit entries lose
their low byte); a fourth sample is alpha and is composited over white; 16-bit grey is windowed (window.py); 16-bit
RGB is scaled from 0..65535, all channels alike. Everything else is refused by name.
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


READ = "read are grey and RGB of unsigned 8 or 16 bits"


@dataclass(frozen=True)
class Rendering:
    """How to show the samples of one slide."""

    channels: Literal[1, 3]
    inverted: bool
    palette: NDArray[np.uint8] | None
    wide: bool
    """Samples have 16 bits, so a window is needed."""

    def apply(self, samples: NDArray[Any], window: NDArray[np.uint8] | None) -> Pixels:
        """(height, width, samples) to (height, width, channels); ``window`` is the table of Window for 16-bit
        samples.
        """
        pixels: Pixels = window[samples] if window is not None else samples
        if self.palette is not None:
            return self.palette[pixels[..., 0]]
        if self.inverted:
            return 255 - pixels
        if self.channels == 3 and pixels.shape[2] == 4:
            return composite(pixels)
        return pixels

    def fixed_window(self) -> Window | None:
        """The window that needs no look at the pixels: none for 8 bits, the full range for 16-bit colour."""
        return FULL if self.wide and self.channels == 3 else None


def check_samples(path: Path, page: TiffPage) -> None:
    """UnsupportedSource unless this is a picture of one channel, of 8 or 16 bits."""
    kinds = ("uint8", "int8", "uint16", "int16")
    if page.dtype is None or page.dtype.name not in kinds or page.samplesperpixel != 1:
        raise UnsupportedSource(
            path, f"channels of {page.samplesperpixel} {page.dtype} samples are not read; read are 8 or 16 bits"
        )
    if page.photometric != PHOTOMETRIC.MINISBLACK:
        name = getattr(page.photometric, "name", page.photometric)
        raise UnsupportedCoding(path, f"channels of kind {name} are not read")


def rendering_of(path: Path, page: TiffPage) -> Rendering:
    """The rule for this kind of page; UnsupportedSource names the kind if there is none."""
    if page.dtype is None or page.dtype.name not in ("uint8", "uint16"):
        raise UnsupportedSource(path, f"samples of type {page.dtype} ({page.bitspersample} bits) are not read; {READ}")
    kind = page.photometric
    samples = page.samplesperpixel
    wide = page.dtype.name == "uint16"
    if kind in (PHOTOMETRIC.MINISBLACK, PHOTOMETRIC.MINISWHITE) and samples == 1:
        return Rendering(1, kind == PHOTOMETRIC.MINISWHITE, None, wide)
    if kind == PHOTOMETRIC.PALETTE and samples == 1 and not wide and page.colormap is not None:
        return Rendering(3, False, (page.colormap.T >> 8).astype(np.uint8), False)
    if kind in (PHOTOMETRIC.RGB, PHOTOMETRIC.YCBCR) and samples in (3, 4):
        return Rendering(3, False, None, wide)
    name = getattr(kind, "name", kind)
    raise UnsupportedCoding(path, f"TIFF pictures of kind {name} with {samples} samples are not read; {READ}")
