"""Giving slides a scale whose files state none (WI80)."""

from __future__ import annotations

import asyncio
import math
import time
from functools import partial

from wavescope.catalog.calibrations import calibrate
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import SlideRecord
from wavescope.catalog.scale import Calibration, Line
from wavescope.config import Limits
from wavescope.errors import InvalidParameter
from wavescope.service.access.gate import Gate, Principal, require_in_thread


class CalibrationService:
    """For those who may edit a slide."""

    def __init__(self, catalog: Catalog, gate: Gate, limits: Limits) -> None:
        self._catalog, self._gate, self._limits = catalog, gate, limits

    async def put(
        self, principal: Principal, slide_id: str, um_per_pixel: float | None, line: Line | None
    ) -> SlideRecord:
        """Enters a scale: the value, or a line of known length. Raises Forbidden, UnknownSlide, InvalidParameter,
        ScaleStated.
        """
        await require_in_thread(self._gate, principal, "calibrate slide", slide_id)
        if (um_per_pixel is None) == (line is None):
            raise InvalidParameter("body", "{}", "um_per_pixel, or a line")
        if line is not None:
            await asyncio.to_thread(self._check_line, slide_id, line)
        value = line.um_per_pixel if line is not None else um_per_pixel or 0.0
        least, most = self._limits.um_per_pixel
        if not least <= value <= most:
            raise InvalidParameter("um_per_pixel", f"{value:g}", f"{least:g} to {most:g} um per pixel")
        calibration = Calibration(value, principal.name, time.time(), line)
        return await asyncio.to_thread(partial(calibrate, self._catalog, slide_id, calibration))

    async def remove(self, principal: Principal, slide_id: str) -> SlideRecord:
        """Deletes an entered scale. Raises Forbidden, UnknownSlide."""
        await require_in_thread(self._gate, principal, "calibrate slide", slide_id)
        return await asyncio.to_thread(partial(calibrate, self._catalog, slide_id, None))

    def _check_line(self, slide_id: str, line: Line) -> None:
        manifest = self._catalog.get(slide_id).manifest
        if not all(map(math.isfinite, line)):
            raise InvalidParameter("line", "not finite", "finite numbers")
        inside = all(0 <= x <= manifest["width"] for x in (line.x0, line.x1))
        inside &= all(0 <= y <= manifest["height"] for y in (line.y0, line.y1))
        if not inside or math.hypot(line.x1 - line.x0, line.y1 - line.y0) < self._limits.calibration_pixels:
            least = self._limits.calibration_pixels
            raise InvalidParameter("line", str(list(line)), f"both ends on the slide, at least {least} pixels apart")
