"""OME-Zarr as zarr-python, ome-zarr-py and the models of the specification read it from a running service."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any, cast

import httpx
import numpy as np
import pytest
import pytest_asyncio
import zarr
from ome_zarr_models.v05 import Image

from api.asking import API, problem
from edge.edges import served
from service.world import HEIGHT, WIDTH, World, running_service
from wavescope.api.app import build_app

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.filterwarnings("ignore")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url(world: World) -> AsyncIterator[str]:
    """Of the slides of a running service."""
    async with running_service(world.store) as service, served(build_app(service)) as address:
        yield f"{address}{API}/slides"


async def region(url: str, slide: str, level: int, z: int) -> np.ndarray[Any, Any]:
    """A whole level by the region route."""
    width, height = (WIDTH, HEIGHT) if slide != "planes" else (700, 600)
    size = f"width={-(-width // (1 << level))}&height={-(-height // (1 << level))}"
    async with httpx.AsyncClient(follow_redirects=True) as client:
        answer = await client.get(f"{url}/{slide}/region?x=0&y=0&{size}&level={level}&z={z}&format=npy")
    return np.asarray(np.load(BytesIO(answer.content)))


@pytest.mark.parametrize(("slide", "levels", "planes"), [("lossless", 4, 1), ("planes", 3, 2)])
async def test_zarr_python_reads_every_level_as_the_region_route_answers_it_oz1_oz2_oz5(
    url: str, slide: str, levels: int, planes: int
) -> None:
    def read() -> list[np.ndarray[Any, Any]]:
        group = zarr.open_group(f"{url}/{slide}/ome.zarr", mode="r")
        assert sorted(group.array_keys()) == [str(level) for level in range(levels)]
        return [np.asarray(cast(Any, group[str(level)])[:]) for level in range(levels)]

    for level, found in enumerate(await asyncio.to_thread(read)):
        assert found.shape[:2] == (3, planes)
        for z in range(planes):
            assert np.array_equal(found[:, z].transpose(1, 2, 0), await region(url, slide, level, z))


async def test_ome_zarr_py_reads_every_level_oz1_oz4(url: str) -> None:
    def read() -> tuple[list[Any], dict[str, Any]]:
        location = parse_url(f"{url}/planes/ome.zarr")
        assert location is not None
        (node,) = list(Reader(location)())
        return [np.asarray(level) for level in node.data], node.metadata

    found, metadata = await asyncio.to_thread(read)
    assert [level.shape for level in found] == [(3, 2, 600, 700), (3, 2, 300, 350), (3, 2, 150, 175)]
    assert metadata["channel_names"] == ["red", "green", "blue"]
    for level, pixels in enumerate(found):
        assert np.array_equal(pixels[:, 1].transpose(1, 2, 0), await region(url, "planes", level, 1))


@pytest.mark.parametrize("slide", ["lossless", "planes"])
async def test_the_models_of_ngff_accept_the_metadata_oz1_oz3_oz4(url: str, slide: str) -> None:
    def read() -> Image:
        return Image.from_zarr(zarr.open_group(f"{url}/{slide}/ome.zarr", mode="r"))

    (multiscale,) = (await asyncio.to_thread(read)).attributes.ome.multiscales
    assert [axis.name for axis in multiscale.axes] == ["c", "z", "y", "x"]
    assert len(multiscale.datasets) == (4 if slide == "lossless" else 3)


async def test_a_level_lies_where_its_means_do_oz3(client: httpx.AsyncClient) -> None:
    answer = await client.get(f"{API}/slides/planes/ome.zarr/zarr.json", follow_redirects=True)
    (multiscale,) = answer.json()["attributes"]["ome"]["multiscales"]
    (scale, _), (second, translation) = (one["coordinateTransformations"] for one in multiscale["datasets"][:2])
    mpp = scale["scale"][3]
    assert second["scale"][3] == 2 * mpp
    assert translation["translation"] == [0, 0, mpp / 2, mpp / 2]


async def test_other_keys_are_not_there_and_chunks_are_immutable_oz1_oz6(
    client: httpx.AsyncClient, world: World
) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}/ome.zarr"
    for name in (".zgroup", ".zattrs", "0/.zarray", "0/c/0/0/0", "labels/zarr.json/x"):
        assert (await client.get(f"{url}/{name}")).status_code == 404
    chunk = await client.get(f"{url}/0/c/0/0/4/5")
    assert "immutable" in chunk.headers["cache-control"]
    again = await client.get(f"{url}/0/c/0/0/4/5", headers={"if-none-match": chunk.headers["etag"]})
    assert again.status_code == 304
    for missing in ("labels/zarr.json", "9/zarr.json", "0/c/0/0/5/0", "0/c/1/0/0/0"):
        assert problem(await client.get(f"{url}/{missing}")) == (404, "not-found")
