"""How every router of the api is made: each of its routes has a class of requests and refuses parameters it does not
have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, TypeVar
from urllib.parse import parse_qsl

from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import Route, compile_path, get_name
from starlette.types import ASGIApp, Receive, Scope, Send

from wavescope.api.problems import PROBLEM_RESPONSES, UnknownParameter
from wavescope.errors import Unavailable

API = "/api/v1"
RouteClass = Literal["blocks", "pixels", "reads", "changes", "uploads", "exports", "sign_in", "join", "live", "probes"]
"""What the requests of a route are counted as (PR11); ``probes`` have no rate."""
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
RATE_CLASS = "rate_class"  # the attribute of a route, and of an endpoint that differs from its router
ANY_QUERY = "any_query"  # the attribute of an endpoint that another party calls with parameters of its own
BOUND = "bound"  # the attribute of an endpoint of which a process answers few requests at one time


def new_router(tag: str, reads: RouteClass, prefix: str = API, **options: Any) -> Router:
    """A router whose routes are named by their functions and describe their problems.

    Its GETs are counted as ``reads``, its other routes as changes, unless they say otherwise (``counted``).
    """
    return Router(
        reads,
        prefix=prefix,
        tags=[tag],
        responses=dict(PROBLEM_RESPONSES),
        generate_unique_id_function=route_name,
        **options,
    )


def counted(name: RouteClass) -> Callable[[Endpoint], Endpoint]:
    """Marks an endpoint whose requests are counted as another class than those of its router."""
    return _marked(RATE_CLASS, name)


def any_query(endpoint: Endpoint) -> Endpoint:
    """Marks an endpoint that ignores unknown query parameters."""
    return _marked(ANY_QUERY, True)(endpoint)


class Bound:
    """How many requests of some routes a process works on at one time. Others are refused before they cost anything:
    their clients come back later, and those that are accepted wait for few others. Raises Unavailable.
    """

    def __init__(self, what: str, most: int) -> None:
        self._what, self._most, self._requests = what, most, 0

    def __call__(self, endpoint: Endpoint) -> Endpoint:
        """Marks an endpoint as one of these routes."""
        return _marked(BOUND, self)(endpoint)

    def around(self, app: ASGIApp) -> ASGIApp:
        """Wraps the application of a route."""

        async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
            if self._requests >= self._most:
                raise Unavailable(self._what, f"{self._requests} requests are in progress")
            self._requests += 1
            try:
                await app(scope, receive, send)
            finally:
                self._requests -= 1

        return bounded


def _marked(attribute: str, value: object) -> Callable[[Endpoint], Endpoint]:
    def mark(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, attribute, value)
        return endpoint

    return mark


class LateRoute(APIRoute):
    """A route that FastAPI analyses when it is first requested or described: a start would wait for all of them, and a
    process answers few. Until then it has only what a request is matched by.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self.path, self.endpoint, self.name = path, endpoint, get_name(endpoint)
        self.methods = set(options["methods"] or {"GET"})
        self.include_in_schema = options["include_in_schema"]
        self.path_regex, self.path_format, self.param_convertors = compile_path(path)
        self._options: dict[str, Any] | None = options

    def __getattr__(self, name: str) -> Any:
        """Called for an attribute that is not there: the first time, FastAPI makes them all."""
        options = self.__dict__.pop("_options", None)
        if options is None:
            raise AttributeError(name)
        super().__init__(self.path, self.endpoint, **options)
        if (bound := getattr(self.endpoint, BOUND, None)) is not None:
            self.app = bound.around(self.app)
        if not getattr(self.endpoint, ANY_QUERY, False):
            reject_unknown(self, lambda: query_names(self))
        return getattr(self, name)

    def analyse(self) -> None:
        """Does what the first request would wait for."""
        _ = self.app


class Router(APIRouter):
    """See ``new_router``."""

    def __init__(self, reads: RouteClass, **options: Any) -> None:
        super().__init__(**{"route_class": LateRoute, **options})
        self._reads = reads

    def add_api_route(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        """Adds a route with its class, strict about its query."""
        super().add_api_route(path, endpoint, **options)
        route = self.routes[-1]
        assert isinstance(route, LateRoute)
        default = self._reads if route.methods == {"GET"} else "changes"
        setattr(route, RATE_CLASS, getattr(endpoint, RATE_CLASS, default))


def rate_class_of(route: Route) -> RouteClass:
    """The class of a route of a ``Router``."""
    name: RouteClass = getattr(route, RATE_CLASS)
    return name


def query_names(route: APIRoute) -> tuple[str, ...]:
    """The query parameters that a route documents, sorted."""
    described = (route.openapi_extra or {}).get("parameters", ())
    return tuple(sorted({*_solved(route.dependant), *(one["name"] for one in described if one["in"] == "query")}))


def _solved(dependant: Dependant) -> Iterator[str]:
    yield from (field.alias for field in dependant.query_params)
    for part in dependant.dependencies:
        yield from _solved(part)


def reject_unknown(route: Route, names: Callable[[], Iterable[str]]) -> None:
    """Makes a route refuse query parameters that are not in ``names``, which the first query asks for (WI91)."""
    route.app = StrictQuery(route.app, names)


class StrictQuery:
    """Wraps the application of a route. Raises UnknownParameter."""

    def __init__(self, app: ASGIApp, names: Callable[[], Iterable[str]]) -> None:
        self._app, self._names = app, names

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The known parameters."""
        return tuple(self._names())

    @cached_property
    def _known(self) -> frozenset[bytes]:
        return frozenset(name.encode() for name in self.names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        query = scope["query_string"]
        if query and not {part.partition(b"=")[0] for part in query.split(b"&")} <= self._known:
            for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True):  # names may be percent-encoded
                if name not in self.names:
                    raise UnknownParameter(name, self.names)
        await self._app(scope, receive, send)


def route_name(route: APIRoute) -> str:
    """The operation's id."""
    return route.name
