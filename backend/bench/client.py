"""Patches of a remote slide by ``wavescope.client``, beside openslide on the local file: the same 1,000 places.

Ours: a service on loopback and the client in this process; the processor time of each is stated apart. The peer reads
the file itself, in this process, in one thread as is usual. Random: 256 x 256 pixels of level 0 anywhere, read by
themselves. Together: the same in batches of 32, as ``patches`` and data sets read them. In rows: neighbours.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from openslide import OpenSlide
from setting import WAVESCOPE, bench_slide, free_port, ingest, table, work_folder

from service import cpu_seconds, program
from wavescope.client import Slide, open_slide

SIDE, BATCH, PATCHES = 256, 32, 1000

Place = tuple[int, int]


def alone(slide: Slide, places: Sequence[Place]) -> None:
    for x, y in places:
        slide.read_array(0, x, y, SIDE, SIDE)


def together(slide: Slide, places: Sequence[Place]) -> None:
    for start in range(0, len(places), BATCH):
        slide.read_arrays(0, [(x, y, SIDE, SIDE) for x, y in places[start : start + BATCH]])


def peer(path: Path, places: Sequence[Place]) -> tuple[float, float]:
    """Wall and processor seconds of openslide."""
    slide = OpenSlide(path)
    begun, cpu = time.perf_counter(), time.process_time()
    for place in places:
        slide.read_region(place, 0, (SIDE, SIDE)).convert("RGB")
    return time.perf_counter() - begun, time.process_time() - cpu


def ours(
    url: str, pid: int, read: Callable[[Slide, Sequence[Place]], None], places: Sequence[Place]
) -> tuple[float, float, float]:
    """Wall seconds, and processor seconds of the client and of the service; the slide is opened anew."""
    with open_slide(url) as slide:
        begun, cpu, served = time.perf_counter(), time.process_time(), cpu_seconds(pid)
        read(slide, places)
        return time.perf_counter() - begun, time.process_time() - cpu, cpu_seconds(pid) - served


def main() -> None:
    chance = random.Random(5)
    with work_folder() as work:
        path = bench_slide(work)
        ingest(path, work / "store")
        width, height = OpenSlide(path).dimensions
        anywhere = [(chance.randrange(width - SIDE), chance.randrange(height - SIDE)) for _ in range(PATCHES)]
        columns = min(50, width // SIDE)
        rows = [(n % columns * SIDE, n // columns * SIDE % (height - SIDE)) for n in range(PATCHES)]
        port = free_port()
        found = []
        with program([WAVESCOPE, "serve", "--port", port, "--store", work / "store"], port) as pid:
            url = f"http://127.0.0.1:{port}/api/v1/slides/bench"
            for name, read, places in (
                ("random", alone, anywhere),
                ("together", together, anywhere),
                ("in rows", together, rows),
            ):
                wall, client, served = ours(url, pid, read, places)
                other, other_cpu = peer(path, places)
                both = client + served
                scale = 1000 / PATCHES
                times = [scale * each for each in (wall, client, served, other, other_cpu)]
                found.append((name, *times, wall / other, both / other_cpu))
    table(
        f"{PATCHES} patches of {SIDE} x {SIDE} of {path.name}, level 0; milliseconds each",
        ["", "wall", "client CPU", "service CPU", "openslide wall", "openslide CPU", "x wall", "x CPU"],
        found,
    )


if __name__ == "__main__":
    main()
