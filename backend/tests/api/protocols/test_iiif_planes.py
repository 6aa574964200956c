"""Focal planes as images of their own, and as choices of a canvas."""

from __future__ import annotations

import httpx
import pytest

from api.asking import API, problem
from service.world import World


def image(world: World, api: str = "3") -> str:
    return f"{API}/slides/planes/v/{world.digests['planes']}/iiif/{api}"


@pytest.mark.parametrize("api", ["2", "3"])
async def test_a_focal_plane_is_an_image_of_its_own_if14(client: httpx.AsyncClient, world: World, api: str) -> None:
    base = image(world, api)
    for z in (0, 1):
        answer = await client.get(f"{base}/planes/{z}", follow_redirects=True)
        assert [one.status_code for one in answer.history] == [303]
        document = answer.json()
        assert document["id" if api == "3" else "@id"].endswith(f"{base}/planes/{z}")
        assert (document["width"], document["height"]) == (700, 600)
        picture = await client.get(f"{base}/planes/{z}/10,20,300,200/300,200/0/default.png")
        area = f"region?x=10&y=20&width=300&height=200&format=png&z={z}"
        assert picture.content == (await client.get(f"{API}/slides/planes/v/{world.digests['planes']}/{area}")).content
        assert f"{base}/planes/{z}/10,20,300,200/" in picture.headers["link"]
    whole, first, middle = [
        (await client.get(f"{base}{plane}/full/90,/90/gray.png")).content for plane in ("", "/planes/0", "/planes/1")
    ]
    assert whole == middle != first


@pytest.mark.parametrize("rest", ["", "/info.json", "/full/9,/0/default.png"])
async def test_a_plane_that_the_slide_does_not_have_is_refused_if14(
    client: httpx.AsyncClient, world: World, rest: str
) -> None:
    assert problem(await client.get(f"{image(world)}/planes/2{rest}")) == (400, "out-of-range")
    assert problem(await client.get(f"{image(world)}/planes/-1{rest}")) == (400, "out-of-range")
    assert problem(await client.get(f"{image(world)}/planes/b{rest}")) == (422, "invalid-parameter")
    assert problem(await client.get(f"{image(world)[:-1]}4/planes/0{rest}")) == (404, "not-found")


async def test_a_canvas_has_a_choice_of_planes_the_middle_one_first_if15(
    client: httpx.AsyncClient, world: World
) -> None:
    (canvas,) = (await client.get(f"{API}/slides/planes/iiif/manifest")).json()["items"]
    choice = canvas["items"][0]["items"][0]["body"]
    assert choice["type"] == "Choice"
    services = [one["service"][0]["id"] for one in choice["items"]]
    assert [one.removeprefix("http://127.0.0.1:8000") for one in services] == [
        f"{image(world)}/planes/{z}" for z in (1, 0)
    ]
    for one, label in zip(choice["items"], ("Focal plane 2 of 2", "Focal plane 1 of 2"), strict=True):
        assert one["label"]["en"][0].startswith(label)
        assert (one["type"], one["width"], one["height"]) == ("Image", 700, 600)
        assert (await client.get(one["id"])).status_code == 200
