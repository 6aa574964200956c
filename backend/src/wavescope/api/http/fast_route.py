"""Routes that are requested hundreds of times for one view: no dependency solving, but described in OpenAPI."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from wavescope.api.credentials import credentials_of
from wavescope.api.http.immutable import PUBLIC
from wavescope.api.http.numbers import query_integers
from wavescope.api.problems import PROBLEM_RESPONSES
from wavescope.api.routing import LateRoute
from wavescope.api.state import PRINCIPAL, principal_of, version_services_of
from wavescope.errors import Forbidden, StaleVersion, UnknownSlide
from wavescope.store.version import SlideVersion

OPENED = "wavescope.opened_version"  # the key of the Opened that a route answers from, in a request's scope


class FastRoute(LateRoute):
    """Calls ``endpoint(request)`` directly."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        endpoint: Callable[[Request], Coroutine[Any, Any, Response]] = self.endpoint
        return endpoint


async def version_of(request: HTTPConnection) -> SlideVersion:
    """The version that the path names, else the current one, without solving dependencies."""
    scope, path = request.scope, request.scope["path_params"]
    versions, credentials, slide_id = version_services_of(request).versions, credentials_of(request), path["slide_id"]
    try:
        digest = path.get("digest") or await versions.current(credentials, slide_id)
        opened = await versions.open(credentials, slide_id, digest)
    except (Forbidden, UnknownSlide, StaleVersion):
        await asyncio.to_thread(principal_of, request)  # for the log
        raise
    scope[OPENED], scope[PUBLIC], scope[PRINCIPAL] = opened, opened.public, opened.principal
    return opened.version


def plane_of(request: Request, version: SlideVersion) -> int:
    """The focal plane ``z`` of the query, the middle one if it is absent. Raises InvalidParameter, OutOfRange."""
    (z,) = query_integers(request.scope["query_string"], ("z",))
    return version.middle_plane if z is None else version.plane(z)


def described(
    path: Sequence[str],
    query: Mapping[str, str] | None = None,
    choices: Mapping[str, Sequence[str]] | None = None,
    texts: Sequence[str] = (),
    version: bool = True,
    query_texts: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """OpenAPI parameters of a fast route: slide, digest, integers, choices and texts in the path, optional integers and
    texts in the query. ``version``: whether the path has a digest.
    """
    names = ("slide_id", *(("digest",) if version else ()), *texts)
    parameters = [_parameter(name, "path", {"type": "string"}, True) for name in names]
    parameters += [_parameter(name, "path", {"type": "integer", "minimum": 0}, True) for name in path]
    for name, text in (query or {}).items():
        schema = {"type": "integer", "minimum": 0}
        parameters.append({**_parameter(name, "query", schema, False), "description": text})
    for name, text in (query_texts or {}).items():
        parameters.append({**_parameter(name, "query", {"type": "string"}, False), "description": text})
    for name, values in (choices or {}).items():
        parameters.append(_parameter(name, "path", {"type": "string", "enum": list(values)}, True))
    return {"parameters": parameters}


def _parameter(name: str, where: str, schema: dict[str, Any], required: bool) -> dict[str, Any]:
    return {"name": name, "in": where, "required": required, "schema": schema}


NOT_MODIFIED: dict[int | str, dict[str, Any]] = {304: {"description": "not modified"}}


def _schema(media_type: str) -> dict[str, str]:
    """Clients read JSON, whatever its media type, as what it says."""
    return {"type": "object"} if media_type.endswith("+json") else {"type": "string", "format": "binary"}


def binary(*media_types: str, empty: bool = False, ranges: bool = True) -> dict[int | str, dict[str, Any]]:
    """OpenAPI responses of a binary route; ``ranges``: it is ``immutable``, so conditional and in byte ranges."""
    answers: dict[int | str, dict[str, Any]] = {
        200: {"content": {one: {"schema": _schema(one)} for one in media_types}},
        **PROBLEM_RESPONSES,
    }
    if ranges:
        answers |= {206: {"description": "the requested byte range"}, **NOT_MODIFIED}
    if empty:
        answers[204] = {"description": "an empty block: every coefficient is zero"}
    return answers
