"""Request ids: accepted from clients and proxies, made where there is none, passed on to other nodes (OP51)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")  # W3C Trace Context
ID_HEADER, TRACE_HEADER = "x-request-id", "traceparent"


@dataclass(frozen=True)
class RequestTrace:
    """``id``: in log lines, problem answers and headers. ``trace``, ``flags``, ``parent``: of a valid ``traceparent``;
    ``span``: the id of the request's own span, where traces are switched on.
    """

    id: str
    trace: str = ""
    flags: str = "00"
    parent: str = ""
    span: str = ""


TRACE: ContextVar[RequestTrace | None] = ContextVar("trace", default=None)
"""The request that is worked on; set by the outermost middleware."""


def request_trace(request_id: str, traceparent: str, made: str | None = None) -> RequestTrace:
    """The trace of a request from the values of its headers; invalid values are ignored.

    The id is that of ``X-Request-Id``, else the trace id of ``traceparent``, else ``made``, by default a new one.
    """
    parts = TRACEPARENT.fullmatch(traceparent)
    trace, flags, parent = "", "00", ""
    if parts and _is_valid(*parts.groups()):
        trace, parent, flags = parts[2], parts[3], parts[4]
    found = request_id if ID.fullmatch(request_id) else trace or (new_id() if made is None else made)
    return RequestTrace(found, trace, flags, parent)


def new_id() -> str:
    """The id of a request that has none."""
    return os.urandom(16).hex()


def _is_valid(version: str, trace: str, parent: str, _flags: str, more: str | None) -> bool:
    """As W3C Trace Context says of its parts."""
    return version != "ff" and not (version == "00" and more) and trace != "0" * 32 and parent != "0" * 16


def current_id() -> str:
    """The id of the request that is worked on; empty outside of requests."""
    trace = TRACE.get()
    return "" if trace is None else trace.id


def outgoing_headers() -> Mapping[str, str]:
    """The headers with which a request to another node belongs to the request that is worked on; none outside of one.

    A trace id is passed on with a new parent id.
    """
    trace = TRACE.get()
    if trace is None:
        return {}
    headers = {ID_HEADER: trace.id}
    if trace.trace:
        headers[TRACE_HEADER] = f"00-{trace.trace}-{trace.span or os.urandom(8).hex()}-{trace.flags}"
    return headers
