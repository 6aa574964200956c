"""Scales entered for slides whose files state none (WI80)."""

from __future__ import annotations

from starlette.requests import Request

from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import CalibrationsParameter, SlidesParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.scale import CalibrationChange
from wavescope.api.schemas.slides import ManifestView, manifest_view
from wavescope.api.state import PrincipalParameter

router = new_router("calibration", "reads")


@router.put("/slides/{slide_id}/calibration", openapi_extra=json_body(CalibrationChange))
async def put_calibration(
    slide_id: str,
    request: Request,
    calibrations: CalibrationsParameter,
    slides: SlidesParameter,
    principal: PrincipalParameter,
) -> ManifestView:
    """Sets the slide's scale, by value or by a line of known length (WI80)."""
    change = await read_model(request, CalibrationChange)
    line = None if change.line is None else change.line.line()
    record = await calibrations.put(principal, slide_id, change.um_per_pixel, line)
    if record.calibration is not None:
        audit_detail(request, um_per_pixel=f"{record.calibration.um_per_pixel:.6g}", way="line" if line else "value")
    return manifest_view(record, principal, await slides.shown(principal, slide_id))


@router.delete("/slides/{slide_id}/calibration")
async def remove_calibration(
    slide_id: str, calibrations: CalibrationsParameter, slides: SlidesParameter, principal: PrincipalParameter
) -> ManifestView:
    """Deletes an entered scale (WI80)."""
    record = await calibrations.remove(principal, slide_id)
    return manifest_view(record, principal, await slides.shown(principal, slide_id))
