"""Saved mixes of channels (CM9)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from api.asking import API, problem, running_client
from service.world import World

MIXES = f"{API}/slides/visual/mixes"
NUCLEI = {"name": "Nuclei", "channels": {"c0": [0x0000FF, 10, 4000, 100]}}
CELLS = {"name": "T cells", "channels": {f"c{c}": [0xFF8000, -5, 900, 45] for c in range(64)}}


@pytest.fixture
async def client(world: World, tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with running_client(world.copy(tmp_path / "store").store) as client:
        yield client


async def put(client: httpx.AsyncClient, revision: int, *mixes: Any) -> httpx.Response:
    return await client.put(MIXES, json={"mixes": mixes}, headers={"if-match": f'"r{revision}"'})


async def test_mixes_are_saved_in_their_order_renamed_and_deleted_cm9(client: httpx.AsyncClient) -> None:
    first = await client.get(MIXES)
    assert (first.json(), first.headers["etag"]) == ({"revision": 1, "mixes": []}, '"r1"')
    for revision, mixes in enumerate(([NUCLEI, CELLS], [CELLS, {**NUCLEI, "name": "DAPI"}], [CELLS], []), 1):
        saved = await put(client, revision, *mixes)
        assert (saved.status_code, saved.headers["etag"]) == (200, f'"r{revision + 1}"')
        assert (await client.get(MIXES)).json() == saved.json() == {"revision": revision + 1, "mixes": mixes}
    assert (await client.get(f"{API}/slides/lossless/mixes")).json()["revision"] == 1


async def test_no_change_is_overwritten_unseen_cm9(client: httpx.AsyncClient) -> None:
    await put(client, 1, NUCLEI)
    assert problem(await put(client, 1, CELLS)) == (412, "stale-revision")
    assert problem(await client.put(MIXES, json={"mixes": []})) == (428, "revision-required")
    assert (await client.get(MIXES)).json()["mixes"] == [NUCLEI]


NAMES = ("c64", "c01", "5")
ENTRIES = ([1, 0, 9], [1, 9, 9, 100], [1 << 24, 0, 9, 100], [1, 0, 9, 9], [1, 0.5, 9, 100], [1, 0, 1 << 40, 100])
REFUSED: list[list[Any]] = [
    [NUCLEI, NUCLEI],
    [{**NUCLEI, "name": "  "}],
    [{**NUCLEI, "name": "a\nb"}],
    [{**NUCLEI, "channels": {}}],
    [{**NUCLEI, "colour": 1}],
    *([{"name": "x", "channels": {name: [1, 0, 9, 100]}}] for name in NAMES),
    *([{"name": "x", "channels": {"c1": entry}}] for entry in ENTRIES),
    [{**NUCLEI, "name": str(number)} for number in range(101)],
]


@pytest.mark.parametrize("mixes", REFUSED)
async def test_what_is_no_mix_is_refused_cm9(client: httpx.AsyncClient, mixes: list[Any]) -> None:
    assert problem(await put(client, 1, *mixes)) == (422, "invalid-parameter")
    assert (await client.get(MIXES)).json()["revision"] == 1


async def test_an_unknown_slide_has_no_mixes_cm9(client: httpx.AsyncClient) -> None:
    assert problem(await client.get(f"{API}/slides/none/mixes")) == (404, "unknown-slide")
