"""The written contract is the one that is served."""

from __future__ import annotations

import json

import httpx
import pytest

from api.asking import API
from service.world import World
from wavescope.api.contract import CONTRACT


async def test_the_contract_in_the_repository_is_up_to_date(client: httpx.AsyncClient) -> None:
    served = (await client.get("/openapi.json")).json()
    written = json.loads(CONTRACT.read_text())
    assert served == written, "run: node shared/tools/generate-wire.mjs"


async def test_every_reference_in_the_contract_leads_somewhere(client: httpx.AsyncClient) -> None:
    text = (await client.get("/openapi.json")).text
    document = json.loads(text)
    for reference in {part.split('"')[0] for part in text.split('"$ref":"')[1:]}:
        here = document
        for key in reference.removeprefix("#/").split("/"):
            here = here[key]


async def test_every_operation_says_that_its_errors_are_problems_wi30(client: httpx.AsyncClient) -> None:
    document = (await client.get("/openapi.json")).json()
    problem = {"$ref": "#/components/schemas/ProblemView"}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            errors = {status: response for status, response in operation["responses"].items() if status[0] in "45d"}
            assert errors.keys() >= {"4XX", "5XX"}, (method, path)
            for reference in errors.values():
                response = document["components"]["responses"][reference["$ref"].rpartition("/")[2]]
                assert response["content"].keys() == {"application/problem+json"}, (method, path)
                assert response["content"]["application/problem+json"]["schema"] == problem, (method, path)
    described = document["components"]["schemas"]["ProblemView"]
    assert set(described["required"]) == {"type", "title", "status", "detail"}


async def test_the_hot_routes_are_described_like_the_others(client: httpx.AsyncClient) -> None:
    paths = (await client.get("/openapi.json")).json()["paths"]
    block = paths["/api/v1/slides/{slide_id}/v/{digest}/blocks/{z}/{c}/{level}/{x}/{y}"]["get"]
    names = [parameter["name"] for parameter in block["parameters"] if parameter["in"] != "header"]
    assert names == ["slide_id", "digest", "z", "c", "level", "x", "y", "from", "to"]
    assert {"200", "204", "206", "304", "4XX", "5XX"} <= set(block["responses"])
    assert "requestBody" in paths["/api/v1/slides/{slide_id}/v/{digest}/blocks:batch"]["post"]
    assert all(operation["operationId"] for path in paths.values() for operation in path.values())


VERSION = "/slides/{slide_id}/v/{digest}"
REGION = "x=0&y=0&width=9&height=9"


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        *((f"{VERSION}/tiles/{{z}}/{{level}}/{{x}}/{{y}}.{{kind}}", kind) for kind in ("png", "jpg", "webp")),
        *((f"{VERSION}/region", f"{REGION}&format={kind}") for kind in ("png", "jpg", "webp", "npy")),
        *((f"{VERSION}/thumbnail", f"format={kind}") for kind in ("png", "jpg", "webp")),
        *(("/slides/{slide_id}/thumbnail", f"format={kind}") for kind in ("png", "jpg", "webp")),
    ],
)
async def test_the_contract_names_every_kind_of_picture_that_a_route_gives(
    client: httpx.AsyncClient, world: World, path: str, asked: str
) -> None:
    names = {"slide_id": "visual", "digest": world.digests["visual"], "z": 0, "level": 0, "x": 0, "y": 0, "kind": asked}
    query = asked if "=" in asked else ""
    answer = await client.get(f"{API}{path.format(**names)}?{query}")
    document = (await client.get("/openapi.json")).json()
    assert answer.status_code == 200
    assert answer.headers["content-type"] in document["paths"][API + path]["get"]["responses"]["200"]["content"]
