"""The contract describes everything that a client needs (WI92): a check that fails for what is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
from starlette.routing import Route

from api.asking import API, problem, running_client
from service.world import World
from wavescope.api.app import all_routes
from wavescope.api.contract import contract
from wavescope.api.description.headers import RESPONSE
from wavescope.api.routing import StrictQuery

ANYWHERE = {"unknown-parameter", "too-many-requests", "forbidden", "sign-in-required", "credentials-expired"}
STREAMS = ("/events",)
IGNORES = {
    *("finish_oidc", "begin_launch", "begin_launch_by_form", "finish_launch", "register_platform"),
    *(f"search_dicom_{name}" for name in ("studies", "series", "instances")),
    *(f"search_dicom_{name}" for name in ("series_of_study", "instances_of_study", "instances_of_series")),
}


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(contract())
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each operation, its shared answers in place of their references."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            answers = {status: resolved(document, one) for status, one in operation["responses"].items()}
            yield f"{method.upper()} {path}", {**operation, "responses": answers}


def resolved(document: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    name = answer.get("$ref", "").rpartition("/")[2]
    return dict(document["components"]["responses"][name]) if name else answer


def faults_of(document: dict[str, Any]) -> list[str]:
    """What the operations of a contract leave out."""
    faults = []
    for name, operation in operations(document):
        if not operation.get("summary") or not operation.get("description"):
            faults.append(f"{name}: no description")
        for parameter in operation.get("parameters", ()):
            faults += [
                f"{name}: {parameter['name']} has no {key}"
                for key in ("description", "example")
                if key not in parameter
            ]
        for status, answer in operation["responses"].items():
            if answer.get("description", "Successful Response") == "Successful Response":
                faults.append(f"{name}: {status} has no description")
            content = answer.get("content", {}).get("application/json")
            if content is not None and "example" not in content:
                faults.append(f"{name}: {status} has no example")
        body = operation.get("requestBody", {}).get("content", {}).get("application/json", {"example": 0})
        if "example" not in body:
            faults.append(f"{name}: the body has no example")
        if not any(re.fullmatch(r"4\d\d", status) for status in operation["responses"]):
            faults.append(f"{name}: no documented error")
    return faults


def test_every_route_and_parameter_is_described_with_an_example_and_its_errors_wi92(document: dict[str, Any]) -> None:
    assert faults_of(document) == []


@pytest.mark.parametrize("part", ["description", "example"])
def test_a_parameter_without_description_or_example_is_found_wi92(document: dict[str, Any], part: str) -> None:
    operation = document["paths"][f"{API}/slides"]["get"]
    parameter = next(one for one in operation["parameters"] if one["name"] == "sort")
    value = parameter.pop(part)
    try:
        assert faults_of(document) == [f"GET {API}/slides: sort has no {part}"]
    finally:
        parameter[part] = value


def test_every_route_of_the_application_is_in_the_contract_wi92(document: dict[str, Any]) -> None:
    routes = [route for route in all_routes() if isinstance(route, Route) and route.include_in_schema]
    served = {(method.lower(), route.path) for route in routes for method in (route.methods or set()) - {"HEAD"}}
    assert served == {(method, path) for path, methods in document["paths"].items() for method in methods}


def test_the_documented_query_is_what_a_route_accepts_wi91(document: dict[str, Any]) -> None:
    """Each route refuses what it does not document; both come from the same declaration."""
    routes = [route for route in all_routes() if isinstance(route, Route) and route.include_in_schema]
    for route in routes:
        for method in (route.methods or set()) - {"HEAD"}:
            operation = document["paths"][route.path][method.lower()]
            documented = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
            if route.name in IGNORES:
                assert not isinstance(route.app, StrictQuery)
            else:
                assert isinstance(route.app, StrictQuery)
                assert set(route.app.names) == documented, (method, route.path)


@pytest.mark.slow
def test_examples_are_valid_by_their_schemas_wi92(document: dict[str, Any]) -> None:
    def checked(name: str, schema: dict[str, Any], example: object) -> None:
        whole = {**schema, "components": document["components"]}
        assert jsonschema_rs.is_valid(whole, example), (name, example)

    for name, operation in operations(document):
        for parameter in operation.get("parameters", ()):
            checked(f"{name} {parameter['name']}", parameter["schema"], parameter["example"])
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for body in bodies:
            for media in body.get("content", {}).values():
                if "example" in media:
                    checked(name, media["schema"], media["example"])


def test_the_headers_of_conditions_ranges_and_revisions_are_documented_wi92(document: dict[str, Any]) -> None:
    def headers(method: str, path: str) -> dict[str, bool]:
        parameters = document["paths"][API + path][method]["parameters"]
        return {one["name"]: one["required"] for one in parameters if one["in"] == "header"}

    version = "/slides/{slide_id}/v/{digest}"
    block = document["paths"][f"{API}{version}/blocks/{{z}}/{{c}}/{{level}}/{{x}}/{{y}}"]["get"]
    assert headers("get", f"{version}/region") == {"If-None-Match": False, "Range": False, "If-Range": False}
    assert {"ETag", "Content-Range"} <= set(block["responses"]["206"]["headers"])
    assert set(resolved(document, block["responses"]["429"])["headers"]) == {"Retry-After"}
    assert headers("put", "/slides/{slide_id}/annotations/{annotation_id}") == {
        "If-Match": False,
        "If-None-Match": False,
    }
    assert headers("delete", "/tours/{tour_id}") == {"If-Match": True}
    assert set(document["components"]["securitySchemes"]) == {"token", "sign_in", "share_link", "guest"}


@pytest.mark.slow
async def test_the_documented_headers_of_answers_are_sent_wi92(
    client: httpx.AsyncClient, document: dict[str, Any], world: World
) -> None:
    """Of the requests that need nothing to be made first."""
    names = {"slide_id": "visual", "digest": world.digests["visual"], "kind": "png"}
    tried = 0
    for path, methods in document["paths"].items():
        if "get" not in methods or "_id}" in path.replace("{slide_id}", "") or path.endswith(STREAMS):
            continue
        url = re.sub(r"{(\w+)}", lambda match: names.get(match[1], "0"), path)
        answer = await client.get(url, params={"x": 0, "y": 0, "width": 9, "height": 9} if "region" in path else {})
        described = resolved(document, methods["get"]["responses"].get(str(answer.status_code), {}))
        missing = [name for name in described.get("headers", ()) if name.lower() not in answer.headers]
        assert not missing, (path, answer.status_code, missing)
        tried += 1
    assert tried > 30


def test_every_described_header_is_used_wi92(document: dict[str, Any]) -> None:
    used = {
        name
        for _, one in operations(document)
        for answer in one["responses"].values()
        for name in answer.get("headers", ())
    }
    assert used == set(RESPONSE)


@pytest.mark.parametrize(
    ("path", "parameter", "nearest"),
    [
        ("/slides?pages=2", "pages", "page"),
        ("/slides/visual?laels=1", "laels", None),
        ("/slides/visual/region?x=0&y=0&width=9&heigth=9", "heigth", "height"),
        ("/slides/visual/tiles/0/0/0/0.png?layer=1", "layer", "layers"),
        ("/uploads?filname=a", "filname", "filename"),
        ("/../../openapi.json?x=1", "x", None),
        ("/slides/visual/annotations?%7A=1&%7Aoom=1", "zoom", None),
    ],
)
async def test_an_unknown_query_parameter_is_refused_with_the_nearest_name_wi91(
    client: httpx.AsyncClient, path: str, parameter: str, nearest: str | None
) -> None:
    url = path.removeprefix("/../..") if path.startswith("/..") else f"{API}{path}"
    answer = await client.request("POST" if "uploads" in path else "GET", url)
    assert problem(answer) == (400, "unknown-parameter")
    assert (answer.json()["parameter"], answer.json()["nearest"]) == (parameter, nearest)


def test_the_contract_is_the_same_however_often_it_is_made_wi92(document: dict[str, Any]) -> None:
    assert json.loads(contract()) == document


async def test_wi92_every_example_of_a_request_is_accepted(world: World, tmp_path: Path) -> None:
    """With all its examples of parameters; slides are those that are there."""
    needs_content = {"import_annotations", "reencode_slide", "upload"}  # files, and a slide that is not lossy
    sent = 0
    async with running_client(world.copy(tmp_path / "store").store) as client:
        for path, operations in (await client.get("/openapi.json")).json()["paths"].items():
            for method, operation in operations.items():
                bodies = operation.get("requestBody", {}).get("content", {})
                if method not in ("post", "put", "patch") or "application/json" not in bodies:
                    continue
                if operation["operationId"] in needs_content or "/planner/" in path:
                    continue
                given = {one["name"]: one for one in operation.get("parameters", ())}
                named = {name: given[name].get("example", "x") for name in re.findall(r"{(\w+)}", path)}
                if "slide" in given:  # a tour belongs to a slide, or else to a case
                    given.pop("case", None)
                queries = {n: one["example"] for n, one in given.items() if one["in"] == "query" and "example" in one}
                body = bodies["application/json"]["example"]
                answer = await client.request(
                    method,
                    path.format_map({**named, "digest": world.digests["visual"]}).replace("biopsy-7", "visual"),
                    params={name: "visual" if value == "biopsy-7" else value for name, value in queries.items()},
                    content=json.dumps(body).replace("biopsy-7", "visual"),
                )
                assert answer.status_code != 422, (method, path, body, answer.text)
                sent += 1
    assert sent > 20
