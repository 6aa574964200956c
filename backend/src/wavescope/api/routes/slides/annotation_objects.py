"""The routes of single annotations, of changes to many, and of classes (annotations.md)."""

from __future__ import annotations

import asyncio
import gzip
from typing import Annotated

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.annotations.document import load_json
from wavescope.annotations.geometry import Box
from wavescope.api.http.body import json_body, read_body, read_model
from wavescope.api.http.immutable import header
from wavescope.api.http.revisions import required_revision, revision_tag
from wavescope.api.parameters import AnnotationsParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.annotations import (
    AnnotationChanges,
    AnnotationClasses,
    AnnotationContent,
    AnnotationOutcomes,
    AnnotationView,
    outcomes_text,
    page_text,
    view_text,
)
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.changes import AnnotationRecord
from wavescope.catalog.changes import Query as AnnotationQuery
from wavescope.errors import InvalidParameter
from wavescope.service.slides.annotations import RequestedChange

router = new_router("annotations", "reads")

ANNOTATIONS = "/slides/{slide_id}/annotations"
WORTH_PACKING = 16 * 1024  # bytes


def box_of(bbox: Annotated[str | None, Query(description="x,y,width,height in level-0 pixels")] = None) -> Box | None:
    """The box of a query. Raises InvalidParameter."""
    if bbox is None:
        return None
    try:
        x, y, width, height = map(float, bbox.split(","))
    except ValueError as cause:
        raise InvalidParameter("bbox", bbox[:80], "x,y,width,height") from cause
    return Box(x, y, x + width, y + height)


BoxParameter = Annotated[Box | None, Depends(box_of)]


async def list_annotations(
    request: Request,
    slide_id: str,
    annotations: AnnotationsParameter,
    principal: PrincipalParameter,
    query: AnnotationQuery,
) -> Response:
    """A page of objects as JSON (AN8)."""
    page = await annotations.page(principal, slide_id, query)
    return await json_response(
        request,
        await asyncio.to_thread(page_text, page, await asyncio.to_thread(annotations.author, principal, slide_id)),
    )


@router.get(ANNOTATIONS + "/{annotation_id}", response_model=AnnotationView)
async def get_annotation(
    slide_id: str, annotation_id: str, annotations: AnnotationsParameter, principal: PrincipalParameter
) -> Response:
    """One object; its revision is the ETag (AN5)."""
    return _one(await annotations.get(principal, slide_id, annotation_id))


@router.put(
    ANNOTATIONS + "/{annotation_id}",
    response_model=AnnotationView,
    openapi_extra=json_body(AnnotationContent),
    responses={201: {"model": AnnotationView, "description": "created"}},
)
async def put_annotation(
    slide_id: str,
    annotation_id: str,
    request: Request,
    annotations: AnnotationsParameter,
    principal: PrincipalParameter,
) -> Response:
    """Creates an object (``If-None-Match: *``) or changes it (``If-Match``) (AN5)."""
    base = 0 if header(request, b"if-none-match") == b"*" else required_revision(request)
    content = load_json(await read_body(request, limits_of(request).annotation_body))
    if content is None:
        raise InvalidParameter("content", "null", "an object")
    record = await annotations.change(principal, slide_id, RequestedChange(annotation_id, base, content))
    assert record is not None
    return _one(record, 201 if record.revision == 1 else 200)


@router.delete(ANNOTATIONS + "/{annotation_id}", status_code=204)
async def delete_annotation(
    slide_id: str,
    annotation_id: str,
    request: Request,
    annotations: AnnotationsParameter,
    principal: PrincipalParameter,
) -> None:
    """Deletes an object; its id and revision stay stored (AN5)."""
    await annotations.change(principal, slide_id, RequestedChange(annotation_id, required_revision(request), None))


@router.put(ANNOTATIONS + "/{annotation_id}/lock", response_model=AnnotationView)
async def lock_annotation(
    slide_id: str, annotation_id: str, annotations: AnnotationsParameter, principal: PrincipalParameter
) -> Response:
    """Locks an object: nobody changes or deletes it until it is unlocked (AN45)."""
    return _one(await annotations.lock(principal, slide_id, annotation_id, True))


@router.delete(ANNOTATIONS + "/{annotation_id}/lock", response_model=AnnotationView)
async def unlock_annotation(
    slide_id: str, annotation_id: str, annotations: AnnotationsParameter, principal: PrincipalParameter
) -> Response:
    """Unlocks an object: who locked it, its author, or who owns the slide (AN45)."""
    return _one(await annotations.lock(principal, slide_id, annotation_id, False))


@router.post(ANNOTATIONS + ":batch", response_model=AnnotationOutcomes, openapi_extra=json_body(AnnotationChanges))
async def change_annotations(
    slide_id: str, request: Request, annotations: AnnotationsParameter, principal: PrincipalParameter
) -> Response:
    """Applies or refuses each of many changes (AN6)."""
    body = await read_model(request, AnnotationChanges, limits_of(request).annotation_body)
    wanted = [RequestedChange(one.id, one.revision, one.content) for one in body.changes]
    outcomes, sequence = await annotations.apply(principal, slide_id, wanted)
    return await json_response(request, outcomes_text(outcomes, [one.id for one in wanted], sequence))


@router.patch(ANNOTATIONS + ":classes", openapi_extra=json_body(AnnotationClasses))
async def set_annotation_classes(
    slide_id: str, request: Request, annotations: AnnotationsParameter, principal: PrincipalParameter
) -> AnnotationClasses:
    """Sets the colours of classes, or deletes classes; returns all classes of the slide (AN9)."""
    body = await read_model(request, AnnotationClasses)
    wanted = {name: None if color is None else list(color) for name, color in body.classes.items()}
    return AnnotationClasses(classes={**await annotations.set_classes(principal, slide_id, wanted)})


async def json_response(request: Request, text: str) -> Response:
    """JSON that is not cached; compressed if it is long and the client accepts gzip."""
    body, headers = text.encode(), {"cache-control": "no-store", "vary": "Accept, Accept-Encoding"}
    if len(body) >= WORTH_PACKING and b"gzip" in (header(request, b"accept-encoding") or b""):
        body = await asyncio.to_thread(gzip.compress, body, 1)
        headers["content-encoding"] = "gzip"
    return Response(body, 200, headers, "application/json")


def _one(record: AnnotationRecord, status: int = 200) -> Response:
    headers = {"cache-control": "no-store", "etag": revision_tag(record.revision)}
    return Response(view_text(record), status, headers, "application/json")
