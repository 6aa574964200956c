"""The audit log for admins (PR35)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Query
from pydantic import BaseModel
from starlette.concurrency import iterate_in_threadpool
from starlette.responses import Response, StreamingResponse

from wavescope.api.parameters import AuditParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.numbers import Count, ParameterInteger
from wavescope.api.schemas.slides import time_of
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.access.audit import AuditQuery, AuditRecord
from wavescope.service.access.audit import ACTIONS, PAGE

router = new_router("audit", "reads")

LINES: dict[int | str, dict[str, Any]] = {200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}}


class AuditEntryView(BaseModel):
    """An entry: which principal (kind, id, name, address) did what to which slide, and when."""

    sequence: Count
    time: datetime
    kind: str
    principal: str
    name: str
    address: str
    action: str
    slide: str | None
    detail: dict[str, Any]
    hash: str


class AuditPage(BaseModel):
    """Entries, newest first. ``before``: the parameter of the next page, null: no more. ``actions``: all actions."""

    entries: list[AuditEntryView]
    before: int | None
    actions: list[str]


def audit_query(
    action: Annotated[str, Query(max_length=40)] = "",
    slide: Annotated[str, Query(max_length=128)] = "",
    name: Annotated[str, Query(max_length=200)] = "",
    since: datetime | None = None,
    until: datetime | None = None,
) -> AuditQuery:
    """The filter of the request; ``name`` is a part of a name."""
    return AuditQuery(action, slide, name, _milliseconds(since), _milliseconds(until))


QueryParameter = Annotated[AuditQuery, Depends(audit_query)]


@router.get("/audit")
async def list_audit(
    audit: AuditParameter,
    principal: PrincipalParameter,
    query: QueryParameter,
    before: ParameterInteger | None = None,
    limit: ParameterInteger = 100,
) -> AuditPage:
    """A page of the log (PR35)."""
    records = await audit.list(principal, query, before, min(limit, PAGE))
    following = records[-1].sequence if len(records) == limit else None
    return AuditPage(entries=[_view(record) for record in records], before=following, actions=list(ACTIONS))


@router.get("/audit.ndjson", response_class=StreamingResponse, responses=LINES)
async def export_audit(audit: AuditParameter, principal: PrincipalParameter, query: QueryParameter) -> Response:
    """All matching entries, oldest first, one JSON value per line (PR35)."""
    records = audit.all(principal, query)

    async def lines() -> AsyncIterator[str]:
        async for record in iterate_in_threadpool(records):
            yield _view(record).model_dump_json() + "\n"

    headers = {"content-disposition": 'attachment; filename="audit.ndjson"', "cache-control": "no-store"}
    return StreamingResponse(lines(), 200, headers, "application/x-ndjson")


def _view(record: AuditRecord) -> AuditEntryView:
    entry = record.entry
    return AuditEntryView(
        sequence=record.sequence,
        time=time_of(entry.time / 1000),
        kind=entry.kind,
        principal=entry.principal,
        name=entry.name,
        address=entry.address,
        action=entry.action,
        slide=entry.slide_id,
        detail=dict(entry.detail),
        hash=record.hash,
    )


def _milliseconds(time: datetime | None) -> int | None:
    return None if time is None else int(time.timestamp() * 1000)
