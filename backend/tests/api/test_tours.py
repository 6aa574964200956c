"""Guided tours (tours.md)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API, problem, running_client
from service.world import World


@pytest.fixture
async def client(world: World, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a store of its own."""
    async with running_client(world.copy(tmp_path / "store").store) as client:
        yield client


def waypoint(number: int, **fields: Any) -> dict[str, Any]:
    return {"id": f"w{number}", "title": f"Stop {number}", "text": "**Look**", "view": {"l0_x": number}, **fields}


def tour(*waypoints: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"format": "wavescope-tour", "version": 1, "title": "A tour", "waypoints": list(waypoints), **fields}


async def made(client: httpx.AsyncClient, document: dict[str, Any], **owner: str) -> dict[str, Any]:
    answer = await client.post(f"{API}/tours", params=owner or {"slide": "visual"}, json=document)
    assert answer.status_code == 201, answer.text
    body: dict[str, Any] = answer.json()
    assert (answer.headers["location"], answer.headers["etag"]) == (f"{API}/tours/{body['id']}", '"r1"')
    return body


async def test_a_tour_is_kept_as_it_was_given_and_listed_by_its_slide_to8(client: httpx.AsyncClient) -> None:
    mark = {"kind": "arrow", "l0_x": 1.5, "l0_y": 2, "l0_width": -3, "l0_height": 4, "text": "here"}
    body = await made(client, tour(waypoint(1, marks=[mark], annotations=["a1"]), waypoint(2, slide="planes")))
    kept = (await client.get(f"{API}/tours/{body['id']}")).json()["tour"]
    assert kept["waypoints"][0]["marks"] == [mark]
    assert [stop["view"] for stop in kept["waypoints"]] == [{"l0_x": 1}, {"l0_x": 2}]
    listed = (await client.get(f"{API}/tours", params={"slide": "visual"})).json()["tours"]
    assert [(one["title"], one["waypoints"], one["revision"]) for one in listed] == [("A tour", 2, 1)]
    assert (await client.get(f"{API}/tours", params={"slide": "planes"})).json()["tours"] == []


async def test_the_exported_file_can_be_imported_again_to10(client: httpx.AsyncClient) -> None:
    body = await made(client, tour(waypoint(1)))
    answer = await client.get(f"{API}/tours/{body['id']}/file")
    assert "attachment" in answer.headers["content-disposition"]
    again = await made(client, answer.json(), slide="lossless")
    assert again["tour"] == body["tour"]
    assert (again["slide_id"], again["id"] != body["id"]) == ("lossless", True)


async def test_nobodys_change_is_overwritten_unseen_to9(client: httpx.AsyncClient) -> None:
    url = f"{API}/tours/{(await made(client, tour()))['id']}"
    first = await client.put(url, json=tour(waypoint(1)), headers={"if-match": '"r1"'})
    assert (first.status_code, first.headers["etag"]) == (200, '"r2"')
    late = await client.put(url, json=tour(waypoint(2)), headers={"if-match": '"r1"'})
    assert (problem(late), late.json()["newest"]) == ((412, "stale-revision"), 2)
    assert problem(await client.put(url, json=tour())) == (428, "revision-required")
    assert problem(await client.delete(url, headers={"if-match": '"r1"'})) == (412, "stale-revision")
    assert (await client.get(url)).json()["tour"]["waypoints"][0]["id"] == "w1"
    assert (await client.delete(url, headers={"if-match": '"r2"'})).status_code == 204
    assert problem(await client.get(url)) == (404, "unknown-tour")


async def test_a_tour_goes_with_its_purged_slide_and_stays_when_its_case_is_deleted_to11(
    client: httpx.AsyncClient,
) -> None:
    of_slide = await made(client, tour())
    case = (await client.post(f"{API}/cases", json={"title": "c", "slides": ["planes"]})).json()["id"]
    of_case = await made(client, tour(waypoint(1, slide="planes")), case=case)
    listed = (await client.get(f"{API}/tours", params={"case": case})).json()["tours"]
    assert [one["id"] for one in listed] == [of_case["id"]]
    await client.delete(f"{API}/cases/{case}")
    assert (await client.get(f"{API}/tours/{of_case['id']}")).json()["case_id"] is None
    await client.delete(f"{API}/slides/visual")
    assert (await client.get(f"{API}/tours/{of_slide['id']}")).is_success
    await client.delete(f"{API}/trash/visual")
    assert problem(await client.get(f"{API}/tours/{of_slide['id']}")) == (404, "unknown-tour")


REFUSED: dict[str, dict[str, Any]] = {
    "another version (TO1)": tour(version=2),
    "an unknown member (TO1)": tour(colour="red"),
    "no title (TO2)": tour(title=" "),
    "a long text (TO2)": tour(text="x" * 20_001),
    "two waypoints of one id (TO3)": tour(waypoint(1), waypoint(1)),
    "too many waypoints (TO3)": tour(*(waypoint(number) for number in range(501))),
    "an id of other characters (TO3)": tour(waypoint(1, id="a b")),
    "a view that is none (TO5)": tour(waypoint(1, view=None)),
    "a huge view (TO5)": tour(waypoint(1, view={"x": "y" * 9000})),
    "a mark of no kind (TO7)": tour(waypoint(1, marks=[{"kind": "cloud", "l0_x": 0, "l0_y": 0}])),
    "a mark out of this world (TO7)": tour(waypoint(1, marks=[{"kind": "point", "l0_x": 1e12, "l0_y": 0}])),
}


@pytest.mark.parametrize("document", REFUSED.values(), ids=REFUSED.keys())
async def test_a_tour_is_refused_for(client: httpx.AsyncClient, document: dict[str, Any]) -> None:
    answer = await client.post(f"{API}/tours", params={"slide": "visual"}, json=document)
    assert problem(answer) == (422, "invalid-parameter")


async def test_a_tour_belongs_to_a_slide_or_a_case_that_is_there_to8(client: httpx.AsyncClient) -> None:
    for owner, expected in (
        ({"slide": "nobody"}, (404, "unknown-slide")),
        ({"case": "nobody"}, (404, "unknown-case")),
        ({}, (422, "invalid-parameter")),
        ({"slide": "visual", "case": "x"}, (422, "invalid-parameter")),
    ):
        assert problem(await client.post(f"{API}/tours", params=owner, json=tour())) == expected
    large = tour(*(waypoint(n, text="x" * 20_000) for n in range(60)))
    answer = await client.post(f"{API}/tours", params={"slide": "visual"}, json=large)
    assert problem(answer) == (413, "too-large")
