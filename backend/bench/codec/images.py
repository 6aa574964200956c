"""The pictures the codec benches look at: clean tissue reduced 2x and 4x, and freshly made specimens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wavescope import rd
from wavescope.source.open import open_source, open_specimen

Pixels = NDArray[np.uint8]
ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("WAVESCOPE_TEST_DATA", ROOT.parent / "shared" / "data"))
CROP = DATA / "minerva_CRC01_HE_box2_crop2048_c.png"
TCGA = DATA / "tcga-cr-7395-01a-01-ts1.svs"


def half(image: Pixels) -> Pixels:
    """Means of 2 x 2 pixels."""
    height, width = (side // 2 * 2 for side in image.shape[:2])
    four = image[:height, :width].reshape(height // 2, 2, width // 2, 2, -1).sum((1, 3), dtype=np.int32)
    return ((four + 2) >> 2).astype(np.uint8)


def region(name: str, x: int, y: int, side: int) -> Pixels:
    """Level-0 pixels of a slide."""
    return open_source(name).read_region(0, x, y, side, side)


def specimen(seed: int, side: int = 2048) -> Pixels:
    """The middle of a specimen made now."""
    source = open_specimen(f"specimen:{3 * side}x{3 * side}?seed={seed}")
    return source.read_region(0, side, side, side, side)


def tissue(whole: bool, seeds: tuple[int, ...] = (1, 2)) -> Iterator[tuple[str, int, Pixels]]:
    """(name, reduction, pixels): every picture reduced 2x, then 4x. ``whole``: all of the crop, not its middle."""
    if CROP.exists():
        crop = rd.read_image(CROP)
        yield "crop", 2, crop if whole else crop[512:1536, 512:1536]
        yield "crop", 4, half(crop)
    if TCGA.exists():
        slide = half(region(str(TCGA), 1024, 512, 2048))
        yield "tcga", 2, slide
        yield "tcga", 4, half(slide)
    try:
        from skimage.data import immunohistochemistry
    except ImportError:
        pass
    else:
        picture = immunohistochemistry()  # type: ignore[no-untyped-call]
        yield "immunohistochemistry", 2, picture
        yield "immunohistochemistry", 4, half(picture)
    for seed in seeds:
        made = half(specimen(seed))
        yield f"specimen {seed}", 2, made
        yield f"specimen {seed}", 4, half(made)
