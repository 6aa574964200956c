"""QIDO-RS: searching studies, series and instances (dicomweb.md)."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.fast_route import FastRoute
from wavescope.api.routes.protocols.dicom_paths import (
    DICOM_JSON,
    DOCUMENTS,
    ROOT,
    SERIES,
    STUDY,
    dicom_object,
    dicom_parameters,
    dicom_root,
    require_json,
)
from wavescope.api.routing import any_query, new_router
from wavescope.api.state import principal_without_waiting, services_of
from wavescope.service.protocols.dicom.uids import UidKind

router = new_router("dicomweb", "reads", route_class=FastRoute, default_response_class=Response)

QUERY = ("limit", "offset", "includefield", "fuzzymatching")
NAMED = {"study": "StudyInstanceUID", "series": "SeriesInstanceUID"}


@router.get(ROOT + "/studies", responses=DOCUMENTS, openapi_extra=dicom_parameters(query=QUERY))
@any_query
async def search_dicom_studies(request: Request) -> Response:
    """The studies that the client may see: one for each slide (DW12 to DW14)."""
    return await _search(request, UidKind.STUDY)


@router.get(ROOT + "/series", responses=DOCUMENTS, openapi_extra=dicom_parameters(query=QUERY))
@any_query
async def search_dicom_series(request: Request) -> Response:
    """The series that the client may see (DW12 to DW14)."""
    return await _search(request, UidKind.SERIES)


@router.get(ROOT + "/instances", responses=DOCUMENTS, openapi_extra=dicom_parameters(query=QUERY))
@any_query
async def search_dicom_instances(request: Request) -> Response:
    """The instances that the client may see (DW12 to DW14)."""
    return await _search(request, UidKind.INSTANCE)


@router.get(STUDY + "/series", responses=DOCUMENTS, openapi_extra=dicom_parameters("study", query=QUERY))
@any_query
async def search_dicom_series_of_study(request: Request) -> Response:
    """The series of a study (DW12 to DW14)."""
    return await _search(request, UidKind.SERIES)


@router.get(STUDY + "/instances", responses=DOCUMENTS, openapi_extra=dicom_parameters("study", query=QUERY))
@any_query
async def search_dicom_instances_of_study(request: Request) -> Response:
    """The instances of a study (DW12 to DW14)."""
    return await _search(request, UidKind.INSTANCE)


@router.get(SERIES + "/instances", responses=DOCUMENTS, openapi_extra=dicom_parameters("study", "series", query=QUERY))
@any_query
async def search_dicom_instances_of_series(request: Request) -> Response:
    """The instances of a series (DW12 to DW14)."""
    return await _search(request, UidKind.INSTANCE)


async def _search(request: Request, kind: UidKind) -> Response:
    """Nothing found is an empty list. A study of the path must be one that the client may see."""
    require_json(request)
    path = request.scope["path_params"]
    if "study" in path:
        await dicom_object(request)
    principal = await principal_without_waiting(request)
    pairs = [*request.query_params.multi_items(), *((NAMED[name], uid) for name, uid in path.items())]
    found = await services_of(request).dicom_search.search(principal, kind, pairs, dicom_root(request))
    headers = {"cache-control": "no-store"}
    if found.notices:
        headers["warning"] = ", ".join(f'299 wavescope "{notice}"' for notice in found.notices)
    return Response(json.dumps(found.results).encode(), 200, headers, DICOM_JSON)
