"""The catalog's routes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.codings import DIGEST, digest_field
from wavescope.api.http.fast_route import NOT_MODIFIED
from wavescope.api.http.immutable import header, matches
from wavescope.api.middleware.audit_trail import audit_slide
from wavescope.api.parameters import SlidesParameter, TrashParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.slides import (
    FacetList,
    ManifestView,
    SlideChange,
    SlideList,
    TagsChange,
    facet_list,
    manifest_view,
    slide_list,
)
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.sorting import NEWEST
from wavescope.errors import InvalidParameter

router = new_router("slides", "reads")

LabelParameter = Annotated[Sequence[str], Query(max_length=100)]


@dataclass(frozen=True)
class SlideListParameters:
    """Which page of which slides."""

    search: Annotated[str, Query(max_length=200)] = ""
    page: int = 1
    per_page: int = 50
    label: LabelParameter = ()
    sort: Annotated[str, Query(max_length=45)] = NEWEST


@router.get("/slides")
async def list_slides(
    slides: SlidesParameter, principal: PrincipalParameter, parameters: Annotated[SlideListParameters, Depends()]
) -> SlideList:
    """A page of the catalog, in the order of ``sort`` (WI6)."""
    labels = labels_of(parameters.label)
    found = await slides.list(
        principal, parameters.search, parameters.page, parameters.per_page, labels, parameters.sort
    )
    return slide_list(found, principal)


@router.patch("/slides", status_code=204, openapi_extra=json_body(TagsChange))
async def tag_slides(request: Request, slides: SlidesParameter, principal: PrincipalParameter) -> None:
    """Changes tags of several slides: of all or of none (WI12)."""
    change = await read_model(request, TagsChange)
    await slides.tag(principal, change.slides, change.tags)
    for slide_id in change.slides:
        audit_slide(request, slide_id)


@router.get("/facets")
async def list_facets(
    slides: SlidesParameter,
    principal: PrincipalParameter,
    search: Annotated[str, Query(max_length=200)] = "",
    label: LabelParameter = (),
) -> FacetList:
    """The labels by which the slides of a search can be filtered (WI39)."""
    return facet_list(await slides.facets(principal, search, labels_of(label)))


@router.get("/slides/{slide_id}", response_model=ManifestView, responses=NOT_MODIFIED)
async def get_slide(
    slide_id: str, request: Request, slides: SlidesParameter, principal: PrincipalParameter
) -> Response:
    """The manifest of the current version (WI7)."""
    record = await slides.get(principal, slide_id)
    view = manifest_view(record, principal, await slides.shown(principal, slide_id))
    rights = zlib.crc32("\n".join([*view.allowed, view.original.sha256 if view.original else ""]).encode())
    etag = f'"{record.digest}-{record.updated:.6f}{"-editable" if view.editable else ""}-{rights:08x}"'
    headers = {"cache-control": "no-cache", "etag": etag}
    condition = header(request, b"if-none-match")
    if condition is not None and matches(condition, etag.encode()):
        return Response(status_code=304, headers=headers)
    await slides.open_digest(record.digest)  # CorruptStore if its manifest is damaged
    body = view.model_dump_json().encode()
    headers[DIGEST.decode()] = digest_field(sha256(body).digest()).decode()
    return Response(body, 200, headers, "application/json")


@router.patch("/slides/{slide_id}", openapi_extra=json_body(SlideChange))
async def change_slide(
    slide_id: str, request: Request, slides: SlidesParameter, principal: PrincipalParameter
) -> ManifestView:
    """Changes the title or the tags of the slide (WI12)."""
    change = await read_model(request, SlideChange)
    if change.title is None and not change.tags:
        raise InvalidParameter("body", "{}", "a title or tags")
    changed = await slides.change(principal, slide_id, change.title, change.tags)
    return manifest_view(changed, principal, await slides.shown(principal, slide_id))


@router.delete("/slides/{slide_id}", status_code=204)
async def delete_slide(slide_id: str, trash: TrashParameter, principal: PrincipalParameter) -> None:
    """Moves the slide to the trash (WI12)."""
    await trash.put(principal, slide_id)


def labels_of(texts: Sequence[str]) -> list[tuple[str, str]]:
    """``NAME:VALUE`` as pairs (WI39). Raises InvalidParameter."""
    pairs = [text.partition(":") for text in texts]
    for (name, colon, value), text in zip(pairs, texts, strict=True):
        if not (name and colon and value) or len(text) > 300:
            raise InvalidParameter("label", text[:80], "NAME:VALUE")
    return [(name, value) for name, _, value in pairs]
