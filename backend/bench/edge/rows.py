"""Each row of the table: what stands between the clients and the origin, and one run of the classroom through it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setting import WAVESCOPE, fetch

from edge.processes import Program, edge_options, files, link, nginx_cache, origin, wavescope_edge

POLICIES = ("lru", "fifo", "random", "sieve", "s3-fifo")
Between = Callable[[Path, str], AbstractContextManager[Program]]


@dataclass(frozen=True)
class Row:
    """``between``: what the clients reach, given a folder and the address of the link; None: the link itself.

    ``layers``: the first ones that are fetched; None: all. ``cache``: bytes of the edge's cache; 0: no edge of ours.
    """

    name: str
    kind: str
    fetch: str
    served: str
    between: Between | None
    layers: int | None = None
    cache: int = 0


@dataclass(frozen=True)
class Lesson:
    """What all rows have in common. ``dzi``: the folder of a .dzi file by its name."""

    work: Path
    store: Path
    trace: Path
    rate: str
    delay: str
    think: float


def rows(sizes: list[int], dzis: list[str]) -> list[Row]:
    """All rows that this version of the program can run. Without a cache only the first of the DZIs: it takes long."""
    listed = [
        Row("no edge, batches", "blocks", "batch", "store", None),
        Row("no edge, GET", "blocks", "get", "store", None),
    ]
    listed.append(Row("nginx proxy_cache, GET", "blocks", "get", "store", nginx_cache))
    listed.append(Row("nginx proxy_cache, GET, first layer", "blocks", "get", "store", nginx_cache, 1))
    listed += [
        Row(f"edge {policy}, {size / 1e6:.0f} MB, {fetch}", "blocks", fetch, "store", _edge(policy, size), None, size)
        for policy in POLICIES
        if policy in edge_options()
        for size in sizes
        for fetch in (("batch", "get") if policy == "lru" else ("batch",))
    ]
    if edge_options():
        between = _edge("lru", sizes[-1])
        listed.append(Row("edge lru, first layer, batch", "blocks", "batch", "store", between, 1, sizes[-1]))
    listed += [Row(f"DZI {dzi.upper()}, no cache", "dzi", "get", dzi, None) for dzi in dzis[:1]]
    for dzi in dzis:
        listed.append(Row(f"DZI {dzi.upper()}, nginx proxy_cache", "dzi", "get", dzi, _every_path))
    return listed


def _edge(policy: str, size: int) -> Between:
    return lambda folder, upstream: wavescope_edge(folder, upstream, policy, size)


def _every_path(folder: Path, upstream: str) -> AbstractContextManager[Program]:
    return nginx_cache(folder, upstream, every_path=True)


@contextmanager
def _served(row: Row, lesson: Lesson, folder: Path) -> Iterator[Program]:
    with origin(lesson.store) if row.served == "store" else files(folder / "files", lesson.work) as running:
        yield running


def run(row: Row, lesson: Lesson, clients: int, folder: Path) -> dict[str, Any]:
    """One cold run: figures of the replay, wide-area bytes, CPU seconds of the origin and of what is between."""
    folder.mkdir()
    with _served(row, lesson, folder) as server, link(server, lesson.rate, lesson.delay) as wide:
        if row.between is None:
            return _replay(row, lesson, clients, (server, wide, None))
        with row.between(folder / "cache", wide.listen) as near:
            return _replay(row, lesson, clients, (server, wide, near))


def _hit_ratio(edge: Program) -> float:
    """Of the blocks and other parts that clients requested, by the edge's own metrics."""
    lines = fetch(f"{edge.url}/metrics").decode().splitlines()
    values = {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[:1] != "#")}
    hits, misses = (
        sum(value for name, value in values.items() if name.startswith(f"wavescope_edge_{what}_total"))
        for what in ("hits", "misses")
    )
    return hits / (hits + misses)


def _replay(row: Row, lesson: Lesson, clients: int, parts: tuple[Program, Any, Program | None]) -> dict[str, Any]:
    server, wide, near = parts
    url = near.url if near else f"http://{wide.listen}"
    if row.kind == "dzi":
        url += f"/{row.served}.dzi"
    before = (server.cpu_seconds(), near.cpu_seconds() if near else 0.0, wide.bytes())
    options = ["--kind", row.kind, "--fetch", row.fetch, "--clients", clients, "--think", lesson.think, "--json"]
    options += ["--layers", row.layers] if row.layers else []
    command = [WAVESCOPE, "workload", "replay", lesson.trace, url, *options]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{row.name}: {done.stderr}")
    figures: dict[str, Any] = json.loads(done.stdout)
    figures["wide_area_bytes"] = wide.bytes() - before[2]
    figures["origin_cpu_seconds"] = server.cpu_seconds() - before[0]
    figures["edge_cpu_seconds"] = near.cpu_seconds() - before[1] if near else 0.0
    figures["edge_hit_ratio"] = _hit_ratio(near) if near and row.cache else None
    del figures["timed"]
    facts = {"kind": row.kind, "fetch": row.fetch, "layers": row.layers, "cache": row.cache, "served": row.served}
    return {"row": row.name, "clients": clients, **facts, **figures}
