"""What the bytes are worth: PSNR in the middle of each level, ours by layers beside DZI."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from traffic import Dzi, Wavescope, box_reduced, psnr, quality_view

from wavescope.source.open import open_source


def psnr_per_level(slide: Path, service: str, dzis: dict[str, Path], levels: int = 4) -> list[dict[str, Any]]:
    """One record per level: dB of the complete stored picture, of fewer layers, and of each DZI."""
    ours, info = Wavescope(service), open_source(slide).info
    l0_size = (info.width, info.height)
    records = []
    for level in range(levels):
        view = quality_view(ours.pyramid, level)
        reference = box_reduced(slide, view)
        layers = {f"layers 1 to {k}": psnr(reference, ours.pixels(view, k)) for k in range(1, ours.layers + 1)}
        others = {name: psnr(reference, Dzi(path, l0_size).pixels(view)) for name, path in dzis.items()}
        records.append({"level": level, **layers, **others})
    return records
