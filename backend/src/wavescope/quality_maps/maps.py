"""The maps of a slide, and what they come to (QM9)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.quality_maps.artefacts import bubbles_of, pen_of
from wavescope.quality_maps.bands import Bands, Floats, Mask, in_cells, in_pixels
from wavescope.quality_maps.findings import Findings
from wavescope.quality_maps.focus import Focus, focus_of
from wavescope.quality_maps.tissue import absorption, tissue_of

SOFT, BLURRED = 2.0, 3.0
"""Pixels of level 0, the standard deviation of a blur: from here on tissue is soft, and out of focus."""
COVERED = 0.5
"""Of a cell: so much of it is tissue where its focus is judged."""
NONE, SHARP_TISSUE, SOFT_TISSUE, BLURRED_TISSUE, UNJUDGED, PEN, BUBBLE = range(7)
"""The labels of the map."""
CALLED = {
    SHARP_TISSUE: ("Sharp", "2a9d8f"),
    SOFT_TISSUE: ("Soft", "e9c46a"),
    BLURRED_TISSUE: ("Out of focus", "d62828"),
    UNJUDGED: ("Focus not judged", "8d99ae"),
    PEN: ("Ink", "6a4c93"),
    BUBBLE: ("Air bubble", "1982c4"),
}
"""What they are called, and their colours (RRGGBB)."""


class QualityMaps(NamedTuple):
    """``tissue``, ``pen``, ``bubbles``: of pixels; ``focus``: of cells."""

    tissue: Mask
    pen: Mask
    bubbles: Mask
    focus: Focus

    def blur(self) -> Floats:
        """Of each pixel, in pixels of level 0; NaN where no focus was judged."""
        cells = np.where(self.focus.judged, self.focus.blur, np.nan)
        blur: Floats = np.where(self._judged, in_pixels(cells, self.tissue.shape), np.nan)
        return blur

    @property
    def _judged(self) -> Mask:
        judged: Mask = self.tissue & in_pixels(self.focus.judged, self.tissue.shape)
        return judged

    def labels(self) -> NDArray[np.uint16]:
        """Of each pixel."""
        blur = np.nan_to_num(self.blur())
        found = np.where(self.tissue, np.where(self._judged, SHARP_TISSUE, UNJUDGED), NONE)
        found = np.where(blur >= SOFT, SOFT_TISSUE, found)
        found = np.where(blur >= BLURRED, BLURRED_TISSUE, found)
        found = np.where(self.bubbles, BUBBLE, found)
        return np.where(self.pen, PEN, found).astype(np.uint16)

    def findings(self) -> Findings:
        labels = np.bincount(self.labels().ravel(), minlength=7)
        judged = int(labels[[SHARP_TISSUE, SOFT_TISSUE, BLURRED_TISSUE]].sum())
        tissue = judged + int(labels[UNJUDGED])
        looked = max(tissue + int(labels[PEN] + labels[BUBBLE]), 1)
        return Findings(
            tissue=tissue / self.tissue.size,
            judged=judged / max(tissue, 1),
            blurred=int(labels[BLURRED_TISSUE]) / max(judged, 1),
            pen=int(labels[PEN]) / looked,
            bubbles=int(labels[BUBBLE]) / looked,
        )


def coarse_tissue(light: NDArray[np.uint8]) -> Mask:
    """The cells that are tissue at least to a part, before anything of their details is known."""
    return in_cells(tissue_of(absorption(light))) > 0


def maps_of(bands: Bands) -> QualityMaps:
    """The maps of a slide."""
    absorbed = absorption(bands.light)
    found = tissue_of(absorbed)
    pen = pen_of(absorbed, found)
    bubbles = bubbles_of(absorbed, pen)
    tissue = found & ~pen & ~bubbles
    return QualityMaps(tissue, pen, bubbles, focus_of(bands, in_cells(tissue) >= COVERED))
