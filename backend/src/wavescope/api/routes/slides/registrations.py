"""Where the tissue of one slide lies on another (shared/spec/registration.md)."""

from __future__ import annotations

from fastapi import Response
from pydantic import BaseModel, Field

from wavescope.api.parameters import RegistrationsParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.numbers import Count
from wavescope.api.state import PrincipalParameter

router = new_router("registrations", "reads")


class RegistrationBody(BaseModel):
    """A registration of two slides, in pixels of level 0 (RE3, RE4)."""

    left: str = Field(description="the digest of the left slide's version")
    right: str = Field(description="the digest of the right slide's version")
    affine: list[float] = Field(description="a, b, c, d, e, f: x' = a x + b y + c, y' = d x + e y + f")
    columns: Count = Field(description="of the control points of the field")
    rows: Count
    spacing: float = Field(description="between control points, in pixels of the left slide; the first is at -spacing")
    shifts: list[float] = Field(description="x and y of each control point, row by row, in pixels of the right slide")
    likeness: float = Field(description="0 to 1: the mean over the tissue of both")
    cell: float = Field(description="the side of what has one residual, in pixels of the left slide")
    residuals: list[tuple[float, float, float, float, float]] = Field(
        description="x and y of a cell's middle on the left slide, what is left there in pixels of the right one, and "
        "how alike both are, 0 to 1"
    )


@router.get("/slides/{slide_id}/registrations/{other_id}")
@counted("exports")
async def get_registration(
    slide_id: str,
    other_id: str,
    response: Response,
    registrations: RegistrationsParameter,
    principal: PrincipalParameter,
) -> RegistrationBody:
    """Where the tissue of a slide lies on another one; made at the first request, which takes seconds (RE6)."""
    (left, right), result = await registrations.get(principal, slide_id, other_id)
    response.headers["cache-control"] = "no-cache"
    return RegistrationBody(left=left, right=right, **result)
