"""Pixels over HTTP."""

from __future__ import annotations

from io import BytesIO

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from api.asking import API, problem, running_client
from service.world import HEIGHT, WIDTH, World
from wavescope.api.routes.slides.pixels import RegionParameters, read_region
from wavescope.config import Limits
from wavescope.geometry import TILE


def pixels(response: httpx.Response) -> NDArray[np.uint8]:
    assert response.status_code == 200, response.text
    return np.asarray(Image.open(BytesIO(response.content)))


async def test_a_png_tile_of_a_lossless_slide_is_the_source_without_padding_wi22(
    client: httpx.AsyncClient, world: World
) -> None:
    url = f"{API}/slides/lossless/v/{world.digests['lossless']}"
    for x, y in ((0, 0), (1, 1), (5, 4)):
        tile = pixels(await client.get(f"{url}/tiles/0/0/{x}/{y}.png"))
        assert np.array_equal(tile, world.picture[TILE * y : TILE * y + TILE, TILE * x : TILE * x + TILE])


@pytest.mark.parametrize(("kind", "media"), [("jpg", "image/jpeg"), ("webp", "image/webp"), ("png", "image/png")])
async def test_a_tile_comes_in_three_kinds_wi22(client: httpx.AsyncClient, world: World, kind: str, media: str) -> None:
    response = await client.get(f"{API}/slides/visual/v/{world.digests['visual']}/tiles/0/0/5/4.{kind}?layers=1")
    assert response.headers["content-type"] == media
    assert pixels(response).shape == (HEIGHT - 4 * TILE, WIDTH - 5 * TILE, 3)


async def test_a_region_crosses_tiles_on_any_level_wi23(client: httpx.AsyncClient, world: World) -> None:
    url = f"{API}/slides/lossless/v/{world.digests['lossless']}/region"
    whole = pixels(await client.get(f"{url}?x=0&y=0&width=650&height=550&level=1"))
    part = pixels(await client.get(f"{url}?x=1001&y=980&width=100&height=60&level=1"))
    assert np.array_equal(part, whole[490:550, 500:600])


async def test_npy_regions_are_arrays_of_the_source_wi23(client: httpx.AsyncClient, world: World) -> None:
    url = f"{API}/slides/lossless/v/{world.digests['lossless']}/region"
    response = await client.get(f"{url}?x=500&y=500&width=40&height=30&format=npy")
    assert np.array_equal(np.load(BytesIO(response.content)), world.picture[500:530, 500:540])


LEFT_TOP = "x=-7&y=-5&width=30&height=20"


@pytest.mark.parametrize(
    ("fill", "kind", "outside"), [("background", "png", [255] * 3), ("background", "npy", [255] * 3),
                                  ("transparent", "png", [0] * 4), ("transparent", "npy", [0] * 4)]
)  # fmt: skip
async def test_a_region_may_reach_beyond_the_slide_with_a_stated_fill_wi98(
    client: httpx.AsyncClient, world: World, fill: str, kind: str, outside: list[int]
) -> None:
    url = f"{API}/slides/lossless/v/{world.digests['lossless']}/region?format={kind}"
    answer = await client.get(f"{url}&{LEFT_TOP}&fill={fill}")
    found = np.load(BytesIO(answer.content)) if kind == "npy" else pixels(answer)
    assert found.shape == (20, 30, len(outside))
    assert (found[:5] == outside).all()
    assert (found[:, :7] == outside).all()
    assert np.array_equal(found[5:, 7:, :3], world.picture[:15, :23])
    assert (found[5:, 7:, 3:] == 255).all()
    far = await client.get(f"{url}&x=-900000&y=9000000&width=4&height=3&level=1&fill={fill}")
    assert ((np.load(BytesIO(far.content)) if kind == "npy" else pixels(far)) == outside).all()


async def test_a_fill_changes_no_region_inside_and_none_is_refused_outside_wi98(
    client: httpx.AsyncClient, world: World
) -> None:
    url = f"{API}/slides/lossless/v/{world.digests['lossless']}/region"
    inside = "?x=600&y=400&width=50&height=40&format=npy"
    filled = await client.get(f"{url}{inside}&fill=background")
    assert filled.content == (await client.get(url + inside)).content
    assert problem(await client.get(f"{url}?{LEFT_TOP}")) == (400, "out-of-range")
    assert problem(await client.get(f"{url}?{LEFT_TOP}&fill=transparent&format=jpg")) == (422, "invalid-parameter")
    assert problem(await client.get(f"{url}?{LEFT_TOP}&fill=black")) == (422, "invalid-parameter")
    huge = "?x=-9999999&y=0&width=99999&height=99999&fill=background"
    assert problem(await client.get(url + huge)) == (413, "too-large")


async def test_the_middle_plane_is_the_default_wherever_pixels_are_requested_wi23(
    client: httpx.AsyncClient, world: World
) -> None:
    url = f"{API}/slides/planes/v/{world.digests['planes']}/region?x=0&y=0&width=300&height=300&format=npy"
    default = (await client.get(url)).content
    assert default == (await client.get(f"{url}&z=1")).content
    assert default != (await client.get(f"{url}&z=0")).content


async def test_planes_of_a_region_differ(client: httpx.AsyncClient, world: World) -> None:
    url = f"{API}/slides/planes/v/{world.digests['planes']}/region?x=0&y=0&width=300&height=300"
    first, second = [pixels(await client.get(f"{url}&z={z}")) for z in (0, 1)]
    assert not np.array_equal(first, second)


async def test_a_region_over_the_limit_is_refused_and_one_within_is_not(world: World) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/region?x=0&y=0&height=100"
    async with running_client(world.store, limits=Limits(region_pixels=10_000)) as client:
        assert (await client.get(f"{url}&width=100")).status_code == 200
        refused = await client.get(f"{url}&width=101")
        assert (refused.status_code, refused.json()["limit"], refused.json()["size"]) == (413, 10_000, 10_100)


async def test_a_thumbnail_is_immutable_below_its_version_and_revalidated_outside_wi11(
    client: httpx.AsyncClient, world: World
) -> None:
    versioned = await client.get(f"{API}/slides/visual/v/{world.digests['visual']}/thumbnail?max=100&format=webp")
    current = await client.get(f"{API}/slides/visual/thumbnail?max=100&format=webp")
    assert versioned.content == current.content
    assert pixels(current).shape == (85, 100, 3)
    assert "immutable" in versioned.headers["cache-control"]
    assert current.headers["cache-control"] == "no-cache"
    again = await client.get(
        f"{API}/slides/visual/thumbnail?max=100", headers={"if-none-match": current.headers["etag"]}
    )
    assert again.status_code == 304


def test_a_usual_query_of_a_region_is_read_directly() -> None:
    read = read_region(b"x=1&y=02&width=3&height=4&layers=2&format=jpg")
    assert read == RegionParameters(1, 2, 3, 4, layers=2, format="jpg")
    assert read_region(b"height=4&width=3&y=2&x=1&level=1&z=5") == RegionParameters(1, 2, 3, 4, level=1, z=5)


@pytest.mark.parametrize(
    "query",
    [
        b"",
        b"x=1&y=2&width=3",
        b"x=1&y=2&width=3&height=4&x=5",
        b"x=-1&y=2&width=3&height=4",
        b"x=1.0&y=2&width=3&height=4",
        b"x=&y=2&width=3&height=4",
        b"x=%201&y=2&width=3&height=4",
        "x=\u0663&y=2&width=3&height=4".encode(),
        b"x=1&y=2&width=3&height=" + b"9" * 19,
        b"x=1&y=2&width=3&height=4&format=gif",
        b"x=1&y=2&width=3&height=4&other=1",
    ],
)
def test_any_other_query_of_a_region_is_left_to_its_declaration(query: bytes) -> None:
    assert read_region(query) is None
