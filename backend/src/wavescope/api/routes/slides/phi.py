"""Label, macro image and identifying texts of a slide (PR42)."""

from __future__ import annotations

from pydantic import BaseModel
from starlette.responses import Response

from wavescope.api.http.fast_route import binary
from wavescope.api.parameters import PhiParameter
from wavescope.api.routing import counted, new_router
from wavescope.api.schemas.numbers import Count
from wavescope.api.state import PrincipalParameter

router = new_router("identity", "reads")

SECRET = {"cache-control": "no-store"}


class IdentityView(BaseModel):
    """Which identifying data is stored, without its content; not logged as access. ``images``: names."""

    images: list[str]
    texts: Count


class IdentityTexts(BaseModel):
    """Identifying texts of the source file by name."""

    texts: dict[str, str]


@router.get("/slides/{slide_id}/identity")
async def get_identity(
    slide_id: str, response: Response, phi: PhiParameter, principal: PrincipalParameter
) -> IdentityView:
    """Lists the stored identifying data (PR42)."""
    found = await phi.summary(principal, slide_id)
    response.headers.update(SECRET)
    return IdentityView(images=list(found.images), texts=found.texts)


@router.delete("/slides/{slide_id}/identity", status_code=204)
async def drop_identity(slide_id: str, phi: PhiParameter, principal: PrincipalParameter) -> None:
    """Deletes the identifying data permanently (PR44)."""
    await phi.drop(principal, slide_id)


@router.get("/slides/{slide_id}/identity/texts")
async def get_identity_texts(
    slide_id: str, response: Response, phi: PhiParameter, principal: PrincipalParameter
) -> IdentityTexts:
    """The identifying texts; the access is logged (PR42)."""
    response.headers.update(SECRET)
    return IdentityTexts(texts=await phi.texts(principal, slide_id))


@router.get(
    "/slides/{slide_id}/identity/images/{name}", responses=binary("image/png", ranges=False), response_class=Response
)
@counted("pixels")
async def get_identity_image(slide_id: str, name: str, phi: PhiParameter, principal: PrincipalParameter) -> Response:
    """An image with identifying data; the access is logged (PR42)."""
    return Response(await phi.image(principal, slide_id, name), 200, SECRET, "image/png")
