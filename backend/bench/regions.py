"""Regions as JPEG: CPU beside openslide on the same slide and places, in turns in one run; and a cached tile.

Ours is the process of the service, HTTP included; the peer is openslide-python and Pillow alone. Random: 512 x 512
pixels of level 0 anywhere. Panning: such views of one walk, each an eighth to a half of a view from the last. Both
encode 4:4:4 at quality 90.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

from openslide import OpenSlide
from setting import WAVESCOPE, bench_slide, fetch_json, free_port, ingest, table, work_folder

from service import cpu_seconds, exchange, get, program

SIDE = 512
ROUNDS, RANDOM_VIEWS, WALKED_VIEWS, CACHED_GETS = 5, 40, 40, 1500
WARM_VIEWS = 400  # after which most ancestors are cached

Place = tuple[int, int]


class Peer:
    """openslide, and what its JPEGs cost."""

    def __init__(self, slide: Path) -> None:
        self._slide = OpenSlide(slide)
        self.size = self._slide.dimensions

    def cpu(self, places: Sequence[Place]) -> float:
        """Milliseconds of processor time for each of these regions."""
        begun = time.process_time()
        for place in places:
            picture = self._slide.read_region(place, 0, (SIDE, SIDE)).convert("RGB")
            picture.save(BytesIO(), "JPEG", quality=90, subsampling=0)
        return 1000 * (time.process_time() - begun) / len(places)


class Service:
    """Our service on a store with this slide."""

    def __init__(self, port: int, pid: int) -> None:
        self._port, self._pid = port, pid
        manifest = fetch_json(f"http://127.0.0.1:{port}/api/v1/slides/bench")
        self._url = manifest["url"]
        self.middle = tuple(manifest["sizes"][0][side] // 2 for side in ("tiles_x", "tiles_y"))

    def cpu(self, places: Sequence[Place]) -> float:
        """Milliseconds of the process for each of these regions."""
        size = f"width={SIDE}&height={SIDE}&format=jpg"
        return self._cpu([get(f"{self._url}/region?x={x}&y={y}&{size}") for x, y in places])

    def cached_tile(self) -> float:
        """Milliseconds of the process for a JPEG tile that is cached."""
        request = get(f"{self._url}/tiles/0/0/{self.middle[0]}/{self.middle[1]}.jpg")
        self._cpu([request])
        return self._cpu([request] * CACHED_GETS)

    def _cpu(self, requests: Sequence[bytes]) -> float:
        """Milliseconds of the process for each request, one after another on one connection."""

        async def send() -> None:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 22)
            for request in requests:
                await exchange(reader, writer, request)
            writer.close()

        begun = cpu_seconds(self._pid)
        asyncio.run(send())
        return 1000 * (cpu_seconds(self._pid) - begun) / len(requests)


def anywhere(chance: random.Random, size: tuple[int, int]) -> Place:
    return chance.randrange(size[0] - SIDE), chance.randrange(size[1] - SIDE)


def walk(chance: random.Random, size: tuple[int, int], steps: int) -> list[Place]:
    """Views from a random place on, in one direction with small turns, back from the slide's edge."""
    (x, y), places = anywhere(chance, size), []
    dx, dy = chance.choice((-1, 1)), chance.choice((-1, 0, 1))
    for _ in range(steps):
        x, y = x + dx * chance.randrange(SIDE // 8, SIDE // 2), y + dy * chance.randrange(0, SIDE // 8)
        dx, dy = (dx if 0 <= x <= size[0] - SIDE else -dx), (dy if 0 <= y <= size[1] - SIDE else -dy)
        x, y = min(max(x, 0), size[0] - SIDE), min(max(y, 0), size[1] - SIDE)
        places.append((x, y))
    return places


def main() -> None:
    chance = random.Random(11)
    with work_folder() as work:
        slide = bench_slide(work)
        ingest(slide, work / "store")
        port, peer = free_port(), Peer(slide)
        rows: dict[str, list[tuple[float, float]]] = {"random": [], "panning": []}
        with program([WAVESCOPE, "serve", "--port", port, "--store", work / "store"], port) as pid:
            service = Service(port, pid)
            warm = [anywhere(chance, peer.size) for _ in range(WARM_VIEWS)]
            service.cpu(warm)
            peer.cpu(warm[:RANDOM_VIEWS])
            for number in range(ROUNDS):
                for name, places in (
                    ("random", [anywhere(chance, peer.size) for _ in range(RANDOM_VIEWS)]),
                    ("panning", walk(chance, peer.size, WALKED_VIEWS)),
                ):
                    sides = [service.cpu, peer.cpu]
                    took = {side: side(places) for side in (sides if number % 2 else reversed(sides))}
                    rows[name].append((took[sides[0]], took[sides[1]]))
            cached = sorted(service.cached_tile() for _ in range(ROUNDS))[ROUNDS // 2]
    means = {name: tuple(sum(side) / len(side) for side in zip(*pairs, strict=True)) for name, pairs in rows.items()}
    table(
        f"A JPEG region of {SIDE} x {SIDE} of {slide.name}, level 0, after {WARM_VIEWS} others; milliseconds of CPU",
        ["", "service", "openslide", "x openslide", "from", "to"],
        [
            (name, ours, other, ours / other, min(a / b for a, b in rows[name]), max(a / b for a, b in rows[name]))
            for name, (ours, other) in means.items()
        ],
    )
    print(f"  a cached JPEG tile: {cached:.2f} ms of CPU")


if __name__ == "__main__":
    main()
