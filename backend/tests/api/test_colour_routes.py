"""Profiles and tables of colours over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path

import httpx
import numpy as np
import pytest
from PIL import Image

from api.asking import API, problem, running_client
from service.profiles import scanner_profile
from service.world import World
from wavescope.catalog.catalog import Catalog
from wavescope.ingest.pipeline import Options, ingest

PROFILES = {"dull": scanner_profile(), "odd": b"not a profile at all"}


@pytest.fixture
async def coloured(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    """Two little slides with profiles."""
    catalog = Catalog.open(tmp_path / "store")
    for name, profile in PROFILES.items():
        picture = Image.fromarray(np.full((20, 30, 3), 200, np.uint8))
        picture.save(tmp_path / f"{name}.png", icc_profile=profile)
        ingest(str(tmp_path / f"{name}.png"), tmp_path / "store", catalog, Options(name, name, "lossless"))
    catalog.close()
    async with running_client(tmp_path / "store") as client:
        yield client


async def url_of(client: httpx.AsyncClient, slide: str) -> str:
    return str((await client.get(f"{API}/slides/{slide}")).json()["url"])


async def test_the_profile_comes_as_it_came_and_stays_wi60(coloured: httpx.AsyncClient) -> None:
    url = await url_of(coloured, "dull")
    answer = await coloured.get(f"{url}/icc")
    assert answer.content == PROFILES["dull"]
    assert answer.headers["content-type"] == "application/vnd.iccprofile"
    assert "immutable" in answer.headers["cache-control"]
    again = await coloured.get(f"{url}/icc", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304
    assert (await coloured.get(f"{API}/slides/dull/icc")).headers["location"] == f"{url}/icc"


async def test_the_colours_name_the_profile_and_the_table_wi61_wi62(coloured: httpx.AsyncClient) -> None:
    url = await url_of(coloured, "dull")
    colour = (await coloured.get(f"{url}/colour")).json()
    assert colour == {"profile": "A dull scanner", "state": "table", "nodes": 52}
    table = Image.open(BytesIO((await coloured.get(f"{url}/colour/table.png")).content))
    assert table.size == (52 * 52, 52)
    pixel = await coloured.get(f"{url}/region?x=0&y=0&width=1&height=1&format=npy")
    assert np.load(BytesIO(pixel.content)).tolist() == [[[200, 200, 200]]]  # what is stored never goes through it


async def test_a_profile_that_cannot_be_read_is_said_to_be_so_wi61(coloured: httpx.AsyncClient) -> None:
    url = await url_of(coloured, "odd")
    assert (await coloured.get(f"{url}/colour")).json() == {"profile": None, "state": "unusable", "nodes": 52}
    assert problem(await coloured.get(f"{url}/colour/table.png")) == (404, "no-profile")


async def test_without_a_profile_there_is_none_wi60_wi61(client: httpx.AsyncClient, world: World) -> None:
    url = f"{API}/slides/visual/v/{world.digests['visual']}"
    assert (await client.get(f"{url}/colour")).json()["state"] == "none"
    assert problem(await client.get(f"{url}/icc")) == (404, "no-profile")
