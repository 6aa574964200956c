"""Exports of one node, asked for at another (CL9)."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image

from api.accounts import API
from catalog.databases import Server
from nodes.cluster import add_people, catalog_of, cluster
from service.world import World

pytestmark = pytest.mark.slow

REGION = "x=0&y=0&width=600&height=400&format=png"


async def test_an_export_is_found_at_every_node_until_its_own_is_gone_cl9(
    world: World, server: Server, tmp_path: Path
) -> None:
    url = catalog_of(world, server.url)
    add_people(url)
    async with cluster(world, url, tmp_path, access="accounts") as (a, b):
        at_a = await a.signed_in("ivan")
        at_b, stranger = b.like(at_a), await b.signed_in("vera")
        made = await at_a.post(f"{API}/slides/visual/v/{world.digests['visual']}/exports?{REGION}")
        assert made.status_code == 202, made.text
        path = made.headers["location"]
        events = await at_b.get(f"{path}/events")
        assert '"state":"done"' in events.text.replace(" ", "")
        assert (await at_b.get(path)).json() == (await at_a.get(path)).json()
        file = await at_b.get(f"{path}/file")
        assert Image.open(io.BytesIO(file.content)).size == (600, 400)
        part = await at_b.get(f"{path}/file", headers={"range": "bytes=10-19"})
        assert (part.status_code, part.content) == (206, file.content[10:20])
        assert (await stranger.get(path)).status_code == 404
        assert (await b.client().get(path)).status_code == 404
        assert (await at_b.delete(path)).json()["state"] == "done"
        assert (await at_a.get(path)).status_code == (await at_b.get(path)).status_code == 404
        again = (await at_a.post(f"{API}/slides/visual/v/{world.digests['visual']}/exports?{REGION}")).headers
        left = asyncio.Event()
        b.services.node.subscribe(lambda: left.set() if len(b.services.node.all()) == 1 else None)
        await a.stop()
        async with asyncio.timeout(10):
            await left.wait()
        assert (await at_b.get(again["location"])).status_code == 404
