"""A shard deleted, cut short, a bit flipped anywhere: reported for that block, and the others still come (WI16)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from api.asking import API, problem, running_client
from api.test_batch_frames import parse_frames
from service.world import World
from wavescope.store.shard import INDEX_BYTES

Damage = Callable[[Path], object]


def flip(path: Path, offset: int) -> None:
    """One bit."""
    data = bytearray(path.read_bytes())
    data[offset] ^= 0x10
    path.write_bytes(data)


SHARD_DAMAGES: dict[str, Damage] = {
    "deleted": lambda path: path.unlink(),
    "emptied": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-1000]),
    "its index flipped": lambda path: flip(path, -INDEX_BYTES + 20),
}


async def every_block(client: httpx.AsyncClient, url: str, level: int) -> dict[tuple[int, int], int]:
    """Status of every frame of a level, in one batch."""
    side = {0: 5, 1: 3}[level]
    places = [(x, y) for y in range(side) for x in range(side)]
    response = await client.post(f"{url}/blocks:batch", json={"blocks": [[0, 0, level, x, y, 0, 2] for x, y in places]})
    frames, ended = parse_frames(response.content)
    assert ended
    return {places[index]: status for index, status, _ in frames}


@pytest.mark.parametrize("damage", SHARD_DAMAGES.values(), ids=SHARD_DAMAGES.keys())
async def test_a_damaged_shard_is_reported_and_the_other_levels_still_come(damaged: World, damage: Damage) -> None:
    damage(damaged.shards("visual", 0)[0])
    url = f"{API}/slides/visual/v/{damaged.digests['visual']}"
    async with running_client(damaged.store) as client:
        response = await client.get(f"{url}/blocks/0/0/0/1/1")
        assert problem(response) == (500, "corrupt-block")
        assert response.json()["address"] == [0, 0, 0, 1, 1]
        assert response.json()["reason"]
        assert problem(await client.get(f"{url}/tiles/0/0/1/1.png")) == (500, "corrupt-block")
        assert problem(await client.get(f"{url}/region?x=0&y=0&width=9&height=9")) == (500, "corrupt-block")
        statuses = await every_block(client, url, 0)
        assert {statuses.pop((4, y)) for y in range(5)} == {1}, "glass stays glass"
        assert set(statuses.values()) == {2}
        assert set((await every_block(client, url, 1)).values()) == {0, 1}
        assert (await client.get(f"{url}/tiles/0/1/0/0.png")).status_code == 200
        assert "wavescope_corrupt_blocks_total 23.0" in (await client.get("/metrics")).text


async def test_a_flipped_bit_spoils_one_block_and_no_other(damaged: World) -> None:
    url = f"{API}/slides/visual/v/{damaged.digests['visual']}"
    async with running_client(damaged.store) as client:
        block = (await client.get(f"{url}/blocks/0/0/0/1/1")).content
    shard = damaged.shards("visual", 0)[0]
    flip(shard, shard.read_bytes().index(block) + len(block) // 2)
    async with running_client(damaged.store) as client:
        assert problem(await client.get(f"{url}/blocks/0/0/0/1/1")) == (500, "corrupt-block")
        statuses = await every_block(client, url, 0)
        assert statuses.pop((1, 1)) == 2
        assert set(statuses.values()) == {0, 1}


async def test_a_repaired_shard_is_served_again(damaged: World) -> None:
    url = f"{API}/slides/visual/v/{damaged.digests['visual']}"
    shard = damaged.shards("visual", 0)[0]
    whole = shard.read_bytes()
    shard.unlink()
    async with running_client(damaged.store) as client:
        assert problem(await client.get(f"{url}/blocks/0/0/0/1/1")) == (500, "corrupt-block")
        shard.write_bytes(whole)
        assert (await client.get(f"{url}/blocks/0/0/0/1/1")).status_code == 200


@pytest.mark.parametrize("offset", [5, -5])
async def test_a_damaged_layer_index_is_reported(damaged: World, offset: int) -> None:
    flip(damaged.store / "slides" / damaged.digests["visual"] / "layer-index", offset)
    url = f"{API}/slides/visual/v/{damaged.digests['visual']}"
    async with running_client(damaged.store) as client:
        answers = [await client.get(f"{url}/layer-index/0/0/{level}/0") for level in (0, 1, 2)]
        assert (500, "corrupt-store") in [problem(answer) for answer in answers if answer.status_code != 200]
        assert (await client.get(f"{API}/slides/lossless/thumbnail")).status_code == 200


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: flip(path, 40)])
async def test_a_damaged_manifest_is_reported(damaged: World, damage: Damage) -> None:
    damage(damaged.store / "slides" / damaged.digests["visual"] / "manifest.json")
    url = f"{API}/slides/visual"
    async with running_client(damaged.store) as client:
        assert problem(await client.get(url)) == (500, "corrupt-store")
        assert problem(await client.get(f"{url}/v/{damaged.digests['visual']}/blocks/0/0/0/0/0")) == (
            500,
            "corrupt-store",
        )
        assert (await client.get(f"{API}/slides")).json()["total"] == 3


async def test_a_version_whose_folder_vanished_is_reported(damaged: World) -> None:
    folder = damaged.store / "slides" / damaged.digests["visual"]
    folder.rename(folder.with_name("elsewhere"))
    url = f"{API}/slides/visual/v/{damaged.digests['visual']}"
    async with running_client(damaged.store) as client:
        assert problem(await client.get(f"{url}/blocks/0/0/0/0/0"))[0] in (410, 500)
