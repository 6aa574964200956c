"""The synthetic specimen as a slide source."""

from __future__ import annotations

import numpy as np

from wavescope.source.base import Pixels, SourceInfo, check_region
from wavescope.source.segment_cache import SegmentCache
from wavescope.source.specimen.focus import PLANE_SPACING_UM
from wavescope.source.specimen.painter import PATCH, Painter
from wavescope.source.specimen.spec import Spec

MPP = 0.25
OBJECTIVE = 40.0
CACHE_BYTES = 24 << 20


class SpecimenSource:
    """A specimen painted region by region, on request; the last patches painted are cached."""

    def __init__(self, spec: Spec) -> None:
        self._painter = Painter(spec)
        self._cache = SegmentCache(CACHE_BYTES)
        self._info = SourceInfo(
            width=spec.width,
            height=spec.height,
            channels=3,
            format="specimen",
            source_bytes=0,
            properties={},
            planes=spec.planes,
            plane_spacing_um=PLANE_SPACING_UM if spec.planes > 1 else None,
            mpp_x=MPP,
            mpp_y=MPP,
            objective_power=OBJECTIVE,
            vendor="Wavescope",
        )

    @property
    def info(self) -> SourceInfo:
        return self._info

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        region = np.empty((height, width, 3), dtype=np.uint8)
        right, bottom = l0_x + width, l0_y + height
        for row in range(l0_y // PATCH, (bottom - 1) // PATCH + 1):
            for column in range(l0_x // PATCH, (right - 1) // PATCH + 1):
                x0, y0 = column * PATCH, row * PATCH
                left, top = max(l0_x, x0), max(l0_y, y0)
                end_x, end_y = min(right, x0 + PATCH), min(bottom, y0 + PATCH)
                patch = self._patch(z, column, row)[top - y0 : end_y - y0, left - x0 : end_x - x0]
                region[top - l0_y : end_y - l0_y, left - l0_x : end_x - l0_x] = patch
        return region

    def close(self) -> None:
        """No file is open."""

    def _patch(self, z: int, column: int, row: int) -> Pixels:
        return self._cache.get((z, column, row), lambda: self._painter.patch(z, column, row))
