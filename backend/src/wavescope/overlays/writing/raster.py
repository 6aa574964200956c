"""Pixels of a raster as files: npy, TIFF (OV76)."""

from __future__ import annotations

import io
from typing import Any, Literal

import numpy as np
import tifffile
from numpy.typing import NDArray

RasterFormat = Literal["npy", "tiff"]


def raster_file(numbers: NDArray[Any], form: RasterFormat) -> bytes:
    """The file of an array (rows, columns)."""
    out = io.BytesIO()
    if form == "npy":
        np.lib.format.write_array(out, np.ascontiguousarray(numbers), version=(1, 0), allow_pickle=False)
    else:
        tifffile.imwrite(out, numbers, compression="zlib", predictor=True, metadata=None, software="Wavescope")
    return out.getvalue()
