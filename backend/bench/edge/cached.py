"""CPU of a cached block: nginx proxy_cache and the edge on the same blocks, no slow link, in turn round after round."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any

from setting import fetch_json

from edge.processes import Program, edge_options, nginx_cache, origin, wavescope_edge
from service import get, load, places, post, row_of

ROUNDS = 5
GETS = 6_000  # of each round
BATCH = 64
DEPTH = 8  # requests in a row
MEMORY = 1 << 28
NGINX, EDGE = "nginx proxy_cache", "edge"


@dataclass(frozen=True)
class Way:
    """How blocks are requested. ``blocks``: of one request; ``depth``: requests that are sent before the first answer;
    ``peer``: the way of nginx that it is compared with.
    """

    name: str
    requests: Sequence[bytes]
    peer: str
    blocks: int = 1
    depth: int = 1


class _Differing(Sequence[bytes]):
    """Requests with another line each time."""

    def __init__(self, requests: Sequence[bytes], line: bytes) -> None:
        self._requests, self._line, self._numbers = requests, line, count()

    def __len__(self) -> int:
        return len(self._requests)

    def __getitem__(self, place: Any) -> Any:
        return self._requests[place][:-2] + self._line % next(self._numbers) + b"\r\n\r\n"


@contextmanager
def _caches(work: Path, upstream: str) -> Iterator[dict[str, Program]]:
    with nginx_cache(work / "cached_nginx", upstream) as nginx:
        if not edge_options():
            yield {NGINX: nginx}
            return
        with wavescope_edge(work / "cached_edge", upstream, "lru", MEMORY) as edge:
            yield {NGINX: nginx, EDGE: edge}


def _ways(manifest: dict[str, Any]) -> list[Way]:
    url, tiles = manifest["url"], places(manifest)[: 15 * BATCH]
    single = [get(f"{url}/blocks/0/0/0/{x}/{y}") for x, y in tiles]
    blocks = [[0, 0, 0, x, y, 0, manifest["layers"]] for x, y in tiles]
    parts = [blocks[start : start + BATCH] for start in range(0, len(blocks) - BATCH + 1, BATCH)]
    batches = [post(f"{url}/blocks:batch", json.dumps({"blocks": part}).encode()) for part in parts]
    return [
        Way("GET", single, "GET"),
        Way("GET, an id each", _Differing(single, b"X-Request-Id: number-%08d"), "GET"),
        Way("GET, an unknown header that differs", _Differing(single, b"X-Number: %d"), "GET"),
        Way(f"GET, {DEPTH} in a row", single, f"GET, {DEPTH} in a row", depth=DEPTH),
        Way(f"batches of {BATCH}", batches, "GET", BATCH),
    ]


def _measure(cache: Program, way: Way, warm: int) -> tuple[float, float]:
    """Milliseconds of CPU and bytes of a block."""
    number = GETS // way.blocks
    if way.depth > 1:
        one = asyncio.run(row_of(cache.port, cache.pid, way.requests, number, way.depth))
    else:
        one = asyncio.run(load(cache.port, cache.pid, way.requests, number, warm))
    return one.cpu_ms / way.blocks, one.size / way.blocks


def cpu_of_cached_blocks(work: Path) -> list[dict[str, Any]]:
    """Milliseconds of CPU for each block that a warm cache answers, median of ROUNDS; blocks of level 0, all layers.

    ``ratio``: to nginx in the same round, median.
    """
    with origin(work / "store") as service, _caches(work, f"127.0.0.1:{service.port}") as caches:
        ways = _ways(fetch_json(f"{service.url}/api/v1/slides/bench"))
        taken: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for turn in range(ROUNDS):
            for way in ways:
                for name, cache in caches.items():
                    if name == EDGE or way.blocks == 1:
                        warm = len(way.requests) if turn == 0 else 1
                        taken.setdefault((name, way.name), []).append(_measure(cache, way, warm))
    peers = {way.name: way.peer for way in ways}
    return [
        {
            "cache": f"{name}, {way}",
            "cpu_ms": median(cpu for cpu, _ in found),
            "bytes": median(size for _, size in found),
            "ratio": median(cpu / peer for (cpu, _), (peer, _) in zip(found, taken[NGINX, peers[way]], strict=True)),
        }
        for (name, way), found in taken.items()
    ]
