"""Annotations as documents: one address, four formats, chosen by ``format`` or the Accept header (AN15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from fastapi import Depends, Query
from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.addresses import slide_address
from wavescope.api.http.body import read_body
from wavescope.api.http.immutable import header
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import AnnotationsParameter
from wavescope.api.problems import NotAcceptable
from wavescope.api.routes.slides.annotation_objects import ANNOTATIONS, BoxParameter, list_annotations
from wavescope.api.routing import new_router
from wavescope.api.schemas.annotations import AnnotationImport, AnnotationList
from wavescope.api.schemas.numbers import ParameterInteger
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.changes import Query as AnnotationQuery
from wavescope.errors import InvalidParameter
from wavescope.service.slides.annotations import DocumentFormat

router = new_router("annotations", "reads")

W3C_TYPE = 'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"'
MEDIA: dict[DocumentFormat, str] = {
    "geojson": "application/geo+json",
    "w3c": W3C_TYPE,
    "csv": "text/csv; charset=utf-8",
}
SUFFIX: dict[DocumentFormat, str] = {"geojson": "geojson", "w3c": "jsonld", "csv": "csv"}
FORMATS: tuple[DocumentFormat, ...] = get_args(DocumentFormat)
OFFERED: dict[str, Literal["json"] | DocumentFormat] = {
    "application/json": "json",
    "application/*": "json",
    "*/*": "json",
    "application/geo+json": "geojson",
    "application/ld+json": "w3c",
    "text/csv": "csv",
}
SCHEMA = {"$ref": "#/components/schemas/AnnotationDocument"}  # in api/description
EXPORTS: dict[str, Any] = {
    media.partition(";")[0]: {"schema": {"type": "string"} if kind == "csv" else SCHEMA}
    for kind, media in MEDIA.items()
}
DOCUMENT = {
    "requestBody": {"required": True, "content": {name: body for name, body in EXPORTS.items() if name != "text/csv"}}
}


@dataclass(frozen=True)
class ReadParameters:
    """Which annotations, and in which format; a document always contains all of them."""

    box: BoxParameter
    since: ParameterInteger | None = None
    limit: ParameterInteger = 1000
    z: ParameterInteger | None = None
    format: Annotated[Literal["json", "geojson", "w3c", "csv"] | None, Query()] = None


@router.get(ANNOTATIONS, response_model=AnnotationList, responses={200: {"content": EXPORTS}})
async def read_annotations(
    slide_id: str,
    request: Request,
    annotations: AnnotationsParameter,
    principal: PrincipalParameter,
    parameters: Annotated[ReadParameters, Depends()],
) -> Response:
    """Objects in the order of their changes as JSON (AN8), or all of them as a document (AN15)."""
    chosen = parameters.format or accepted(header(request, b"accept"))
    if chosen == "json":
        query = AnnotationQuery(parameters.since, parameters.limit, parameters.box, parameters.z)
        return await list_annotations(request, slide_id, annotations, principal, query)
    source = slide_address(request, slide_id)
    text = await annotations.export(principal, slide_id, chosen, source)
    name = f"{slide_id}.annotations.{SUFFIX[chosen]}"
    audit_detail(request, file=name)
    disposition = f'attachment; filename="{name}"'
    headers = {"cache-control": "no-store", "vary": "Accept", "content-disposition": disposition}
    return Response(text.encode(), 200, {**headers, "content-type": MEDIA[chosen]})


@router.post(ANNOTATIONS + ":import", openapi_extra=DOCUMENT)
async def import_annotations(
    slide_id: str,
    request: Request,
    annotations: AnnotationsParameter,
    principal: PrincipalParameter,
    format: Annotated[Literal["geojson", "w3c"] | None, Query()] = None,
    name: Annotated[str, Query(max_length=200, description="the document's, stored with its objects")] = "",
) -> AnnotationImport:
    """Adds the objects of a document (AN20); its format is the parameter or the Content-Type."""
    chosen = format or _announced(header(request, b"content-type"))
    body = await read_body(request, limits_of(request).import_body)
    report = await annotations.import_(principal, slide_id, chosen, body, name)
    lists = {"ids": list(report.ids), "reasons": list(report.reasons)}
    return AnnotationImport(**{**vars(report), "created": report.created, **lists})


def accepted(value: bytes | None) -> Literal["json"] | DocumentFormat:
    """The best offer for an Accept header. Raises NotAcceptable."""
    if not value:
        return "json"
    wanted: list[tuple[float, str]] = []
    for part in value.decode("latin-1").split(","):
        media, *parameters = (chunk.strip() for chunk in part.split(";"))
        quality = next((chunk[2:] for chunk in parameters if chunk.startswith("q=")), "1")
        wanted.append((float(quality) if quality.replace(".", "", 1).isdigit() else 0.0, media.lower()))
    for share, media in sorted(wanted, key=lambda one: -one[0]):
        if share > 0 and media in OFFERED:
            return OFFERED[media]
    raise NotAcceptable(value.decode("latin-1"))


def _announced(value: bytes | None) -> DocumentFormat:
    media = (value or b"").decode("latin-1").partition(";")[0].strip().lower()
    found = OFFERED.get(media, "json")
    if found == "json":
        raise InvalidParameter("format", media, "format=geojson or w3c, or their Content-Type")
    return found
