"""The overlays of slides over HTTP (OV22 to OV36)."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from api.asking import API, problem
from overlays.shapes import mixed
from service.world import HEIGHT, WIDTH, World, running_service
from wavescope.api.app import build_app
from wavescope.overlays.shapes import QUARTERS, Shapes
from wavescope.overlays.tile import Place, decoded
from wavescope.service.composition import Services

OVERLAYS = f"{API}/slides/visual/overlays"
NAMES = ("Tumour", "Immune", "Stroma", "Other")


def document(shapes: Shapes) -> dict[str, Any]:
    """GeoJSON as QuPath writes it, with a score."""
    features, ring_starts = [], [0, *shapes.ring_ends.tolist()]
    shape_starts = [0, *shapes.shape_ends.tolist()]
    for n, (first, last) in enumerate(pairwise(shape_starts)):
        rings = [
            (shapes.corners[begin:end] / QUARTERS).tolist()
            for begin, end in zip(ring_starts[first:last], ring_starts[first + 1 : last + 1], strict=True)
        ]
        if len(rings[0]) == 1:
            geometry: dict[str, Any] = {"type": "Point", "coordinates": rings[0][0]}
        elif len(rings[0]) == 2:
            geometry = {"type": "LineString", "coordinates": rings[0]}
        else:
            geometry = {"type": "Polygon", "coordinates": [[*ring, ring[0]] for ring in rings]}
        number = int(shapes.classes[n])
        properties = {
            "objectType": "detection",
            "classification": {"name": NAMES[number], "color": [number, 0, 255]},
            "measurements": {"Probability": int(shapes.scores[n]) / 255},
        }
        features.append({"type": "Feature", "geometry": geometry, "properties": properties})
    return {"type": "FeatureCollection", "features": features}


@pytest.fixture(scope="module")
def cells() -> tuple[Shapes, bytes]:
    shapes = mixed(3, 1000)
    return shapes, json.dumps(document(shapes)).encode()


@pytest.fixture
async def service(world: World, tmp_path: Path) -> AsyncIterator[Services]:
    async with running_service(world.copy(tmp_path / "store").without_log().store) as running:
        yield running


@pytest.fixture
async def client(service: Services) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(build_app(service), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as opened:
        yield opened


async def ended(client: httpx.AsyncClient, job: str) -> dict[str, Any]:
    """The job as it is when it has ended."""
    last: dict[str, Any] = {}
    async with client.stream("GET", f"{API}/jobs/{job}/events") as events:
        async for line in events.aiter_lines():
            if line.startswith("data:"):
                last = json.loads(line.removeprefix("data:"))
    return last


async def added(client: httpx.AsyncClient, content: bytes, **query: str) -> str:
    """The id of the overlay."""
    answer = await client.post(OVERLAYS, params={"filename": "cells.geojson", **query}, content=content)
    assert answer.status_code == 202, answer.text
    assert answer.headers["location"] == f"{API}/jobs/{answer.json()['id']}"
    job = await ended(client, answer.json()["id"])
    assert (job["state"], job["slide_id"], job["overlay_of"]) == ("done", "visual", "visual"), job
    return str(job["id"])


@pytest.mark.slow
async def test_a_file_becomes_an_overlay_whose_tiles_are_read_ov25_ov28_ov29(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes]
) -> None:
    shapes, content = cells
    overlay = await added(client, content, name="Nuclei", score="Probability")
    (listed,) = (await client.get(OVERLAYS)).json()["overlays"]
    assert (listed["id"], listed["name"], listed["shapes"]) == (overlay, "Nuclei", len(shapes))
    assert (listed["width"], listed["height"], listed["top"]) == (WIDTH, HEIGHT, 2)
    assert listed["score"] == {"name": "Probability", "least": 0, "most": 1}
    assert listed["transform"] == [1, 0, 0, 0, 1, 0]
    counts = {one["name"]: one["count"] for one in listed["classes"]}
    assert counts == {name: int((shapes.classes == n).sum()) for n, name in enumerate(NAMES)}
    assert {one["name"]: one["color"] for one in listed["classes"]}["Immune"] == "0100FF"
    found = 0
    for level in range(3):
        for x in range(3 >> level or 1):
            for y in range(3 >> level or 1):
                answer = await client.get(f"{OVERLAYS}/{overlay}/tiles/{level}/{x}/{y}?v={listed['digest']}")
                if answer.status_code == 204:
                    assert answer.content == b""
                    continue
                assert answer.headers["content-type"] == "application/octet-stream"
                assert "content-encoding" not in answer.headers
                assert "immutable" in answer.headers["cache-control"]
                assert gzip.decompress(answer.content)
                found += len(decoded(answer.content, Place(level, x, y, True)).shapes)
                again = await client.get(str(answer.url), headers={"if-none-match": answer.headers["etag"]})
                assert (again.status_code, again.content) == (304, b"")
    assert found == len(shapes)
    assert (await client.get(f"{OVERLAYS}/{overlay}/tiles/0/2/2")).status_code == 204
    assert problem(await client.get(f"{OVERLAYS}/nothing/tiles/0/0/0")) == (404, "unknown-overlay")
    assert problem(await client.get(f"{API}/slides/lossless/overlays/{overlay}/tiles/0/0/0")) == (
        404,
        "unknown-overlay",
    )


@pytest.mark.slow
async def test_overlays_are_renamed_moved_deleted_and_restored_ov30_ov31(
    client: httpx.AsyncClient, cells: tuple[Shapes, bytes]
) -> None:
    one, two = await added(client, cells[1], name="one"), await added(client, cells[1], name="two")

    async def names() -> list[str]:
        return [overlay["name"] for overlay in (await client.get(OVERLAYS)).json()["overlays"]]

    assert await names() == ["one", "two"]
    assert (await client.patch(f"{OVERLAYS}/{two}", json={"position": 0, "name": " zwei "})).json()["name"] == "zwei"
    assert await names() == ["zwei", "one"]
    assert problem(await client.patch(f"{OVERLAYS}/{two}", json={"name": "a\nb"})) == (422, "invalid-parameter")
    assert (await client.delete(f"{OVERLAYS}/{two}")).status_code == 204
    assert await names() == ["one"]
    assert problem(await client.get(f"{OVERLAYS}/{two}/tiles/2/0/0")) == (404, "unknown-overlay")
    assert problem(await client.delete(f"{OVERLAYS}/{two}")) == (404, "unknown-overlay")
    assert (await client.post(f"{OVERLAYS}/{two}/restore")).json()["name"] == "zwei"
    assert await names() == ["zwei", "one"]
    assert (await client.get(f"{OVERLAYS}/{two}/tiles/2/0/0")).status_code == 200
    assert one != two


@pytest.mark.slow
async def test_shapes_come_out_as_they_went_in_ov33(client: httpx.AsyncClient, cells: tuple[Shapes, bytes]) -> None:
    shapes, content = cells
    overlay = await added(client, content, score="Probability")
    url = f"{OVERLAYS}/{overlay}/shapes"
    whole = await client.get(url)
    assert whole.headers["content-type"] == "application/geo+json"
    assert whole.headers["content-disposition"] == 'attachment; filename="cells.geojson"'
    again = await added(client, whole.content, score="Probability")
    both = {one["id"]: one for one in (await client.get(OVERLAYS)).json()["overlays"]}
    assert counts_of(both[again]) == counts_of(both[overlay])
    assert sorted(outlines(whole.json())) == sorted(outlines((await client.get(f"{OVERLAYS}/{again}/shapes")).json()))
    assert sorted(outlines(whole.json())) == sorted(outlines(document(shapes)))
    region = "100.5,80,300,250"
    part = (await client.get(f"{url}?region={region}")).json()
    least, most = shapes.boxes()
    touching = ((most >= np.array([402, 320])) & (least <= np.array([1602, 1320]))).all(axis=1)
    assert len(part["features"]) == np.count_nonzero(touching)
    table = (await client.get(f"{url}?region={region}&format=csv")).text.splitlines()
    assert table[0] == "x,y,width,height,area,class,Probability"
    assert len(table) == 1 + np.count_nonzero(touching)
    assert problem(await client.get(f"{url}?region=1,2,3")) == (422, "invalid-parameter")


def counts_of(overlay: dict[str, Any]) -> dict[str, int]:
    return {one["name"]: one["count"] for one in overlay["classes"]}


def outlines(collection: dict[str, Any]) -> list[str]:
    """Each feature's class, score and rings, whichever ring comes first."""
    found = []
    for feature in collection["features"]:
        kind, coordinates = feature["geometry"]["type"], feature["geometry"]["coordinates"]
        rings = {"Point": [[coordinates]], "LineString": [coordinates]}.get(kind, coordinates)
        if kind == "MultiPolygon":
            rings = [ring for polygon in coordinates for ring in polygon]
        properties = feature["properties"]
        score = round(255 * properties["measurements"]["Probability"])
        found.append(json.dumps([properties["classification"], score, sorted(map(str, rings))]))
    return found
