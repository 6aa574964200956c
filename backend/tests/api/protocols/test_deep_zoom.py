"""Deep Zoom and maps over HTTP, beside openslide's generator."""

from __future__ import annotations

import asyncio
from io import BytesIO
from xml.etree import ElementTree

import httpx
import numpy as np
import pytest
from numpy.typing import NDArray
from openslide import ImageSlide
from openslide.deepzoom import DeepZoomGenerator
from PIL import Image

from api.asking import API, problem
from service.world import HEIGHT, WIDTH, World
from wavescope.client import open_slide
from wavescope.pixels.images import encode_image
from wavescope.service.protocols.deep_zoom import DeepZoomFormat


def pixels(response: httpx.Response) -> NDArray[np.uint8]:
    assert response.status_code == 200, response.text
    return np.asarray(Image.open(BytesIO(response.content)))


def base(world: World) -> str:
    return f"{API}/slides/lossless/v/{world.digests['lossless']}"


@pytest.mark.parametrize(("overlap", "size"), [(0, 256), (1, 254)])
async def test_levels_and_tiles_are_those_of_openslides_generator_dz1_dz2(
    client: httpx.AsyncClient, world: World, overlap: int, size: int
) -> None:
    generator = DeepZoomGenerator(ImageSlide(Image.fromarray(world.picture)), size, overlap)
    answer = await client.get(f"{base(world)}/deepzoom/{overlap}/png.dzi")
    assert answer.headers["content-type"] == "application/xml"
    found, expected = ElementTree.fromstring(answer.text), ElementTree.fromstring(generator.get_dzi("png"))
    assert (found.tag, found.attrib, found[0].attrib) == (expected.tag, expected.attrib, expected[0].attrib)
    for level, (columns, rows) in enumerate(generator.level_tiles):
        url = f"{base(world)}/deepzoom/{overlap}/png_files/{level}"
        tile = pixels(await client.get(f"{url}/{columns - 1}_{rows - 1}.png"))
        theirs = generator.get_tile(level, (columns - 1, rows - 1))
        assert tile.shape[1::-1] == theirs.size
        if level == generator.level_count - 1:
            assert np.array_equal(tile, np.asarray(theirs))
        assert problem(await client.get(f"{url}/{columns}_0.png")) == (400, "out-of-range")


@pytest.mark.slow
@pytest.mark.parametrize("overlap", [0, 1])
@pytest.mark.parametrize(("slide", "kind"), [("lossless", "png"), ("visual", "png"), ("visual", "jpg")])
async def test_tiles_equal_those_of_openslides_generator_over_our_client_dz2_dz4(
    client: httpx.AsyncClient, world: World, slide: str, overlap: int, kind: DeepZoomFormat
) -> None:
    def tiles_of() -> dict[str, NDArray[np.uint8]]:
        with open_slide(world.store / slide) as opened:
            generator = DeepZoomGenerator(opened, 256 - 2 * overlap, overlap)
            stored = range(generator.level_count - opened.level_count, generator.level_count)
            places = [(n, x, y) for n in stored for x, y in np.ndindex(generator.level_tiles[n])]
            return {f"{n}/{x}_{y}": np.asarray(generator.get_tile(n, (x, y))) for n, x, y in places}

    url = f"{API}/slides/{slide}/v/{world.digests[slide]}/deepzoom/{overlap}/{kind}_files"
    for name, theirs in (await asyncio.to_thread(tiles_of)).items():
        ours = await client.get(f"{url}/{name}.{kind}")
        assert ours.content == encode_image(theirs, kind), name


async def test_the_first_level_is_the_mean_of_the_slide_dz3(client: httpx.AsyncClient, world: World) -> None:
    pixel = pixels(await client.get(f"{base(world)}/deepzoom/0/png_files/0/0_0.png"))
    assert pixel.shape == (1, 1, 3)
    assert np.abs(pixel[0, 0] - world.picture.mean(axis=(0, 1))).max() < 2


@pytest.mark.parametrize("kind", ["png", "jpg"])
@pytest.mark.parametrize(("overlap", "x", "width"), [(0, 1024, 276), (1, 1015, 256)])
async def test_tiles_are_files_of_the_region_route_dz4(
    client: httpx.AsyncClient, world: World, kind: str, overlap: int, x: int, width: int
) -> None:
    step = 256 - 2 * overlap
    tile = await client.get(f"{base(world)}/deepzoom/{overlap}/{kind}_files/11/4_2.{kind}")
    rows = f"y={2 * step - overlap}&height={256}"
    width = min(width, 256)
    region = await client.get(f"{base(world)}/region?x={x}&width={width}&{rows}&format={kind}")
    assert tile.content == region.content


async def test_a_suffix_that_is_not_the_kind_is_refused(client: httpx.AsyncClient, world: World) -> None:
    url = f"{base(world)}/deepzoom/0/png_files/11/0_0"
    assert problem(await client.get(f"{url}.jpg")) == (422, "invalid-parameter")
    assert problem(await client.get(f"{base(world)}/deepzoom/2/png.dzi")) == (400, "out-of-range")


async def test_tiles_of_maps_are_whole_and_white_outside_dz5(client: httpx.AsyncClient, world: World) -> None:
    url = f"{base(world)}/xyz"
    whole = pixels(await client.get(f"{url}/0/0/0.png"))
    assert whole.shape == (256, 256, 3)
    assert (whole[:, -(-WIDTH // 8) :] == 255).all()
    last = pixels(await client.get(f"{url}/3/5/4.png"))
    assert np.array_equal(last[: HEIGHT - 1024, : WIDTH - 1280], world.picture[1024:, 1280:])
    assert (last[HEIGHT - 1024 :] == 255).all()
    assert problem(await client.get(f"{url}/4/0/0.png")) == (400, "out-of-range")


async def test_other_focal_planes_are_chosen_by_the_query_dz6(client: httpx.AsyncClient, world: World) -> None:
    url = f"{API}/slides/planes/v/{world.digests['planes']}"
    for path, area in (
        ("deepzoom/0/png_files/10/1_1.png", "x=256&y=256&width=256&height=256"),
        ("xyz/2/1/1.png", "x=256&y=256&width=256&height=256"),
    ):
        found = [(await client.get(f"{url}/{path}{query}")).content for query in ("?z=0", "?z=1", "")]
        regions = [(await client.get(f"{url}/region?{area}&z={z}&format=png")).content for z in (0, 1)]
        assert found == [*regions, regions[1]]
        assert regions[0] != regions[1]
        assert problem(await client.get(f"{url}/{path}?z=2")) == (400, "out-of-range")
        assert problem(await client.get(f"{url}/{path}?z=b")) == (422, "invalid-parameter")
    assert (await client.get(f"{url}/deepzoom/0/png.dzi?z=0")).status_code == 200
    assert problem(await client.get(f"{url}/deepzoom/0/png.dzi?z=2")) == (400, "out-of-range")
