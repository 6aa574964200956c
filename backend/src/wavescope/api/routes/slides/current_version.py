"""The paths with a version, requested without one: they lead to the current version (WI10)."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from wavescope.api.routing import API, RATE_CLASS, query_names, rate_class_of, reject_unknown
from wavescope.api.state import principal_of, services_of

VERSION = "/v/{digest}"


async def redirect_to_version(request: Request) -> Response:
    """The same path below the current version (WI10)."""
    slide_id = request.path_params["slide_id"]
    services = services_of(request)
    digest = await services.lookups.of(lambda: services.slides.current(principal_of(request), slide_id))
    start = f"{API}/slides/{slide_id}"
    suffix = quote(request.scope["path"].removeprefix(start))
    query_string = request.scope["query_string"].decode("latin-1")
    query = f"?{query_string}" if query_string else ""
    return RedirectResponse(f"{start}/v/{digest}{suffix}{query}", 307, {"cache-control": "no-cache"})


def redirects(routes: Iterable[BaseRoute]) -> list[Route]:
    """A route without a version for each described one with a version that has no counterpart yet (WI10)."""
    known = [route for route in routes if isinstance(route, APIRoute) and route.include_in_schema]
    paths = {(route.path, method) for route in known for method in route.methods or ()}
    found = []
    for route in known:
        path = route.path.replace(VERSION, "")
        if path != route.path and not any((path, method) in paths for method in route.methods or ()):
            found.append(_redirect(path, route))
    return found


def _redirect(path: str, versioned: APIRoute) -> Route:
    """Counted like the route that it leads to, with the same query parameters."""
    name, methods = f"{versioned.name}_of_current", sorted(versioned.methods or ())
    route = Route(path, redirect_to_version, methods=methods, name=name)
    setattr(route, RATE_CLASS, rate_class_of(versioned))
    reject_unknown(route, lambda: query_names(versioned))
    return route
