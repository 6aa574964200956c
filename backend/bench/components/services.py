"""Processor time of a service on its own disk, and of an edge in front of it: by request and by block."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from edge.processes import Program, origin, wavescope_edge
from setting import fetch, fetch_json

from components.samples import Samples, line
from service import exchange, get, load, places, post

FEW, MANY = 4, 64
FRESH = 24
"""Regions of each round that were not requested before."""
GETS = 3000
BATCHES = 1000
MEMORY = 1 << 28
REGIONS = 240


@dataclass(frozen=True)
class Requests:
    """Requests of one slide. ``blocks``: of level 0 that are not empty, one by one; ``few``, ``many``: in batches."""

    blocks: Sequence[bytes]
    few: Sequence[bytes]
    many: Sequence[bytes]
    pages: Sequence[bytes]
    manifest: bytes
    regions: Sequence[bytes]
    block_bytes: float


def requests_of(manifest: dict[str, Any], address: str) -> Requests:
    """What is requested of a slide at this address."""
    url, layers = manifest["url"], manifest["layers"]
    tiles = places(manifest)
    entries = [[0, 0, 0, x, y, 0, layers] for x, y in tiles]

    def batches(count: int) -> list[bytes]:
        parts = [entries[at : at + count] for at in range(0, len(entries) - count + 1, count)]
        return [post(f"{url}/blocks:batch", json.dumps({"blocks": part}).encode()) for part in parts]

    sizes = [len(fetch(f"{address}{url}/blocks/0/0/0/{x}/{y}")) for x, y in tiles[:64]]
    places_of_regions = [(250 * (n % 12) + n // 12, 200 * (n % 12)) for n in range(REGIONS)]
    regions = [get(f"{url}/region?x={x}&y={y}&width=1000&height=700&level=0&format=jpg") for x, y in places_of_regions]
    return Requests(
        [get(f"{url}/blocks/0/0/0/{x}/{y}") for x, y in tiles],
        batches(FEW),
        batches(MANY),
        [get(f"{url}/layer-index/0/0/0/0")],
        get(url.partition("/v/")[0]),
        regions,
        sum(sizes) / len(sizes),
    )


def cpu_of(server: Program, requests: Sequence[bytes], count: int, warm: int) -> float:
    """Seconds of processor time of one request."""
    return asyncio.run(load(server.port, server.pid, requests, count, warm)).cpu_ms / 1e3


def batches_of(server: Program, requests: Requests, count: int) -> tuple[float, float]:
    """Seconds of a batch and of each block in it, of a server that has all of them in memory. ``count``: batches."""
    few = cpu_of(server, requests.few, count, len(requests.few))
    many = cpu_of(server, requests.many, count, len(requests.many))
    return line((FEW, few), (MANY, many))


def node_times(store: Path, samples: Samples, rounds: int) -> Requests:
    """A service that reads its disk, whose files are in the memory of the system."""
    with origin(store) as server:
        requests = requests_of(fetch_json(f"{server.url}/api/v1/slides/bench"), server.url)
        for turn in range(rounds):
            warm = len(requests.blocks) if turn == 0 else 1
            samples.add("node_get", cpu_of(server, requests.blocks, GETS, warm))
            batch, block = batches_of(server, requests, BATCHES)
            samples.add("node_batch", batch)
            samples.add("node_block", block)
            samples.add("node_page", cpu_of(server, requests.pages, GETS // 2, 20))
            samples.add("node_manifest", cpu_of(server, [requests.manifest], GETS // 4, 20))
            new = requests.regions[turn * FRESH % REGIONS :][:FRESH]
            samples.add("node_region", cpu_of(server, new, len(new), 0))
        samples.add_all("node_latency", asyncio.run(latencies(server, requests.blocks, 500)))
    return requests


def edge_times(store: Path, folder: Path, requests: Requests, samples: Samples, rounds: int) -> None:
    """An edge with an empty cache in each round: what it fetches, then what it has. No slow link."""
    for turn in range(rounds):
        with (
            origin(store) as server,
            wavescope_edge(folder / f"edge{turn}", urlsplit(server.url).netloc, "sieve", MEMORY) as edge,
        ):
            cpu_of(edge, [requests.manifest], 20, 0)
            cpu_of(edge, requests.pages, 20, 0)
            samples.add("edge_get_miss", cpu_of(edge, requests.blocks[: FEW * 40], FEW * 40, 0))
            rest = requests.many[FEW * 40 // MANY + 1 :]
            missing = cpu_of(edge, rest, len(rest), 0)
            batch, block = batches_of(edge, requests, BATCHES)
            samples.add("edge_batch", batch)
            samples.add("edge_hit", block)
            samples.add("edge_miss", (missing - batch) / MANY)
            samples.add("edge_get", cpu_of(edge, requests.blocks, GETS, len(requests.blocks)))
            samples.add("edge_page", cpu_of(edge, requests.pages, GETS // 2, 20))
            samples.add("edge_manifest", cpu_of(edge, [requests.manifest], GETS // 8, 20))


async def latencies(server: Program, requests: Sequence[bytes], count: int) -> list[float]:
    """Seconds of each of some requests, one after another."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 22)
    loop, found = asyncio.get_running_loop(), []
    for number in range(count):
        began = loop.time()
        await exchange(reader, writer, requests[number % len(requests)])
        found.append(loop.time() - began)
    writer.close()
    return found
