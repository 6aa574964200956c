"""Manifests of the IIIF Presentation API 3, and the annotation pages that they name (iiif.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.addresses import service_address, slide_address
from wavescope.api.parameters import AnnotationsParameter, CasesParameter, SlidesParameter
from wavescope.api.routing import API, new_router
from wavescope.api.state import PrincipalParameter
from wavescope.service.protocols.iiif_manifest import CONTEXT, case_manifest, slide_manifest

router = new_router("iiif", "reads", default_response_class=Response)

MANIFEST_TYPE = f'application/ld+json;profile="{CONTEXT}"'
DOCUMENT: dict[int | str, dict[str, Any]] = {200: {"content": {"application/ld+json": {"schema": {"type": "object"}}}}}


@router.get("/slides/{slide_id}/iiif/manifest", responses=DOCUMENT)
async def get_slide_manifest(
    slide_id: str, request: Request, slides: SlidesParameter, principal: PrincipalParameter
) -> Response:
    """A slide for viewers of the IIIF Presentation API (IF10)."""
    slide = await slides.get(principal, slide_id)
    address = f"{slide_address(request, slide_id)}/iiif/manifest"
    return _manifest(slide_manifest(slide, address, partial(slide_address, request)))


@router.get("/slides/{slide_id}/iiif/canvas/annotations", responses=DOCUMENT)
async def get_canvas_annotations(
    slide_id: str, request: Request, annotations: AnnotationsParameter, principal: PrincipalParameter
) -> Response:
    """The annotations of a slide as a page of Web Annotations of its canvas (IF12)."""
    canvas = f"{slide_address(request, slide_id)}/iiif/canvas"
    text = await annotations.export(principal, slide_id, "w3c", canvas, CONTEXT)
    return Response(text.encode(), 200, {"cache-control": "no-store", "content-type": MANIFEST_TYPE})


@router.get("/cases/{case_id}/iiif/manifest", responses=DOCUMENT)
async def get_case_manifest(
    case_id: str, request: Request, cases: CasesParameter, principal: PrincipalParameter
) -> Response:
    """A case with the slides that the client may see, for viewers of the IIIF Presentation API (IF11)."""
    case = await cases.get(principal, case_id)
    address = f"{service_address(request)}{API}/cases/{case.id}/iiif/manifest"
    return _manifest(case_manifest(case, address, partial(slide_address, request)))


def _manifest(document: Mapping[str, Any]) -> Response:
    body = json.dumps(document, ensure_ascii=False).encode()
    return Response(body, 200, {"cache-control": "no-cache", "content-type": MANIFEST_TYPE})
