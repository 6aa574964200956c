"""The contract: what FastAPI finds out of the routes, and everything else that a client needs to know."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from typing import Any

from starlette.routing import BaseRoute, Route

from wavescope.api import credentials, problems
from wavescope.api.description.errors import describe_errors
from wavescope.api.description.examples import Sampler, describe_bodies
from wavescope.api.description.headers import describe_responses, request_headers
from wavescope.api.description.parameters import describe_parameter
from wavescope.api.routes.slides.current_version import VERSION, redirect_to_version

SUCCESS = {
    "200": "success",
    "201": "created",
    "202": "accepted: a job works on it",
    "204": "done, without content",
    "206": "the requested bytes",
    "303": "see the page that Location names",
    "304": "what the client has is still right",
    "307": "ask the address that Location names",
}
UNNAMED = "Successful Response"  # FastAPI's description of an answer that has none
BROWSER_COOKIES = {"type": "apiKey", "in": "cookie"}
SECURITY_SCHEMES: dict[str, dict[str, Any]] = {
    "token": {"type": "http", "scheme": "bearer", "description": "a personal token (AC35), or a signed grant (AC44)"},
    "sign_in": {
        **BROWSER_COOKIES,
        "name": credentials.SIGN_IN.name,
        "description": "set by POST /api/v1/sign-in (AC31); a change needs the header Origin as well (PR7)",
    },
    "share_link": {
        **BROWSER_COOKIES,
        "name": credentials.LINKS.name,
        "description": "set by POST /api/v1/links/open with the token of a share link (AC23)",
    },
    "guest": {
        **BROWSER_COOKIES,
        "name": credentials.GUEST.name,
        "description": "set by POST /api/v1/sessions/{code}/join for a member without an account (SE4)",
    },
}
ANNOTATION_DOCUMENT = {
    "type": "object",
    "title": "AnnotationDocument",
    "description": "GeoJSON as QuPath writes it (AN15), or a page of Web Annotations (AN16)",
}
ABOUT = """A virtual microscope's wavelet tile service. Numbers in brackets are those of the rules in shared/spec/wire.

Errors are `application/problem+json` (RFC 9457). A route refuses query parameters that it does not have. Every path
below `/slides/{slide_id}/v/{digest}/` also exists without `v/{digest}/`: it answers 307 to the current version, so a
client that follows redirects needs no digest. Without accounts no credentials are needed; with accounts a script sends
a personal token."""


def complete(document: dict[str, Any], routes: Iterable[BaseRoute]) -> dict[str, Any]:
    """FastAPI's document, completed; it is left as it is, since it shares parts with the routes."""
    document = copy.deepcopy(document)
    document["info"]["description"] = ABOUT
    components = document.setdefault("components", {})
    definitions = components.setdefault("schemas", {})
    definitions.setdefault(problems.ProblemView.__name__, problems.ProblemView.model_json_schema())
    definitions.setdefault("AnnotationDocument", copy.deepcopy(ANNOTATION_DOCUMENT))
    components["securitySchemes"] = copy.deepcopy(SECURITY_SCHEMES)
    document["security"] = [{}, *({name: []} for name in SECURITY_SCHEMES)]
    sampler = Sampler(definitions)
    for path in document["paths"].values():
        for method, operation in path.items():
            _complete(method, operation, sampler)
    _add_redirects(document["paths"], routes)
    components["responses"] = _share_problems(document["paths"])
    return document


def _complete(method: str, operation: dict[str, Any], sampler: Sampler) -> None:
    name = operation["operationId"]
    for parameter in operation.get("parameters", ()):
        describe_parameter(name, parameter)
    headers = list(request_headers(name, operation["responses"]))
    if headers:
        operation["parameters"] = [*operation.get("parameters", ()), *headers]
    describe_errors(name, method, operation)
    for status, response in operation["responses"].items():
        if response.get("description", UNNAMED) == UNNAMED:
            response["description"] = SUCCESS[status]
    describe_responses(name, operation["responses"])
    describe_bodies(name, operation, sampler)


def _share_problems(paths: dict[str, Any]) -> dict[str, Any]:
    """Moves the answers of problems, which many operations have, to components named by their problems."""
    shared: dict[str, Any] = {}
    for operation in (one for operations in paths.values() for one in operations.values()):
        for status, response in operation["responses"].items():
            if problems.MEDIA_TYPE not in response.get("content", ()):
                continue
            names = re.findall(r"`([\w-]+)`", response["description"])
            name = ".".join(names) or f"problem-{status}"
            if shared.setdefault(name, response) == response:
                operation["responses"][status] = {"$ref": f"#/components/responses/{name}"}
    return shared


def _add_redirects(paths: dict[str, Any], routes: Iterable[BaseRoute]) -> None:
    """The operations of the paths without a version, which are those with one that are reached by a redirect (WI10)."""
    versioned = {path.replace(VERSION, ""): operations for path, operations in paths.items() if VERSION in path}
    for route in routes:
        if not isinstance(route, Route) or route.endpoint is not redirect_to_version:
            continue
        for method in sorted((route.methods or set()) - {"HEAD"}):
            operation = copy.deepcopy(versioned[route.path][method.lower()])
            operation["operationId"] = route.name
            operation["summary"] = f"{operation['summary']} of the current version"
            operation["description"] = f"Leads to the current version (WI10). {operation['description']}"
            operation["parameters"] = [one for one in operation["parameters"] if one["name"] != "digest"]
            operation["responses"].pop("410")
            redirect = {"307": {"description": SUCCESS["307"]}}
            describe_responses(route.name, redirect)
            operation["responses"] = redirect | operation["responses"]
            paths.setdefault(route.path, {})[method.lower()] = operation
