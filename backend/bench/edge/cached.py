"""CPU of a cached block: nginx proxy_cache and the edge on the same blocks, single GET and batches, no slow link."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from setting import fetch_json

from edge.processes import Program, edge_options, nginx_cache, origin, wavescope_edge
from service import get, load, places, post

GETS = 12_000
BATCH = 64
MEMORY = 1 << 28


@contextmanager
def _caches(work: Path, upstream: str) -> Iterator[dict[str, Program]]:
    with nginx_cache(work / "cached_nginx", upstream) as nginx:
        if not edge_options():
            yield {"nginx proxy_cache": nginx}
            return
        with wavescope_edge(work / "cached_edge", upstream, "lru", MEMORY) as edge:
            yield {"nginx proxy_cache": nginx, "edge": edge}


def cpu_of_cached_blocks(work: Path) -> list[dict[str, Any]]:
    """Milliseconds of CPU for each block that a warm cache answers; blocks of level 0, all layers."""
    records = []
    with origin(work / "store") as service, _caches(work, f"127.0.0.1:{service.port}") as caches:
        manifest = fetch_json(f"{service.url}/api/v1/slides/bench")
        url, tiles = manifest["url"], places(manifest)[: 15 * BATCH]
        single = [get(f"{url}/blocks/0/0/0/{x}/{y}") for x, y in tiles]
        for name, cache in caches.items():
            one = asyncio.run(load(cache.port, cache.pid, single, GETS, len(tiles)))
            records.append({"cache": f"{name}, GET", "cpu_ms": one.cpu_ms, "bytes": one.size})
            if name != "edge":
                continue
            blocks = [[0, 0, 0, x, y, 0, manifest["layers"]] for x, y in tiles]
            parts = [blocks[start : start + BATCH] for start in range(0, len(blocks) - BATCH + 1, BATCH)]
            batches = [post(f"{url}/blocks:batch", json.dumps({"blocks": part}).encode()) for part in parts]
            whole = asyncio.run(load(cache.port, cache.pid, batches, GETS // BATCH, len(batches)))
            name = f"{name}, in batches of {BATCH}"
            records.append({"cache": name, "cpu_ms": whole.cpu_ms / BATCH, "bytes": whole.size / BATCH})
    return records
