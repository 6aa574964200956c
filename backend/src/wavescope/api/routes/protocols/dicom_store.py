"""STOW-RS: whole-slide instances become ingest jobs (dicomweb.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from wavescope.api.http.body import announced_length
from wavescope.api.http.immutable import header
from wavescope.api.http.multipart import boundary_in, multipart_parts
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import InstancesParameter, SlidesParameter
from wavescope.api.problems import UnsupportedBody
from wavescope.api.routes.protocols.dicom_paths import DICOM_JSON, ROOT, STUDY, dicom_root
from wavescope.api.routing import API, counted, new_router
from wavescope.api.state import PrincipalParameter
from wavescope.service.jobs.dicom.instances import InstanceOutcome
from wavescope.service.protocols.dicom.uids import UidKind, uid_of

router = new_router("dicomweb", "reads")

BODY = 'multipart/related; type="application/dicom"'
INSTANCES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"multipart/related": {"schema": {"type": "string", "format": "binary"}}},
    }
}
RESPONSES: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "what became of each instance; 409 if all were refused",
        "content": {DICOM_JSON: {"schema": {"type": "object"}}},
    }
}
COERCED = 0xB000  # a slide of ours has other UIDs than what it was made of
CLASS, INSTANCE, URL = "00081150", "00081155", "00081190"
FAILURE, WARNING, FAILURES, STORED = "00081197", "00081196", "00081198", "00081199"


@router.post(ROOT + "/studies", status_code=202, openapi_extra=INSTANCES, responses=RESPONSES, response_class=Response)
@counted("uploads")
async def store_dicom(
    request: Request, instances: InstancesParameter, slides: SlidesParameter, principal: PrincipalParameter
) -> Response:
    """Stores whole-slide instances: each series becomes a job (DW15 to DW18)."""
    return await _store(request, instances, slides, principal, None)


@router.post(STUDY, status_code=202, openapi_extra=INSTANCES, responses=RESPONSES, response_class=Response)
@counted("uploads")
async def store_dicom_study(
    study: str,
    request: Request,
    instances: InstancesParameter,
    slides: SlidesParameter,
    principal: PrincipalParameter,
) -> Response:
    """Stores whole-slide instances that all belong to this study (DW15 to DW18)."""
    return await _store(request, instances, slides, principal, study)


async def _store(
    request: Request,
    instances: InstancesParameter,
    slides: SlidesParameter,
    principal: PrincipalParameter,
    study: str | None,
) -> Response:
    media = (header(request, b"content-type") or b"").decode("latin-1")
    kind = media.replace('"', "").replace(" ", "").lower()
    if not kind.startswith("multipart/related") or "type=application/dicom" not in kind.split(";"):
        await instances.check(principal)
        raise UnsupportedBody(media, BODY)
    parts = multipart_parts(request.stream(), boundary_in(media))
    outcomes = await instances.store(principal, study, parts, announced_length(request))
    urls = dict[str, str]()
    for slide_id in {one.slide for one in outcomes if one.slide is not None}:
        uid = uid_of((await slides.get(principal, slide_id)).digest, UidKind.STUDY)
        urls[slide_id] = f"{dicom_root(request)}/studies/{uid}"
    jobs = sorted({one.job for one in outcomes if one.job is not None})
    audit_detail(request, jobs=",".join(jobs), instances=len(outcomes))
    headers = {"cache-control": "no-store"}
    if jobs:
        headers["link"] = ", ".join(f'<{API}/jobs/{job}>;rel="monitor"' for job in jobs)
    status = 202 if any(one.failure is None for one in outcomes) else 409
    return Response(json.dumps(response_of(outcomes, urls)).encode(), status, headers, DICOM_JSON)


def response_of(outcomes: Sequence[InstanceOutcome], urls: dict[str, str]) -> dict[str, Any]:
    """The answer to a request (PS3.18 table I.1-1). ``urls``: of studies by the ids of their slides."""
    failed = [{**_named(one), FAILURE: _value("US", one.failure)} for one in outcomes if one.failure is not None]
    stored = [
        {
            **_named(one),
            **({URL: _value("UR", urls[one.slide])} if one.slide is not None else {}),
            WARNING: _value("US", COERCED),
        }
        for one in outcomes
        if one.failure is None
    ]
    sequences = ((FAILURES, failed), (STORED, stored))
    return {tag: {"vr": "SQ", "Value": items} for tag, items in sequences if items}


def _named(outcome: InstanceOutcome) -> dict[str, Any]:
    uids = ((CLASS, outcome.identity.sop_class), (INSTANCE, outcome.identity.sop_instance))
    return {tag: _value("UI", uid) for tag, uid in uids if uid}


def _value(kind: str, value: str | int | None) -> dict[str, Any]:
    return {"vr": kind, "Value": [value]}
