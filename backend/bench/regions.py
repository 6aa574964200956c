"""Regions as JPEG: CPU beside iipsrv, large_image and openslide on the same slide and places, in turns in one run.

Ours is the process of the service, HTTP included; iipsrv's is its FastCGI process, on a JPEG 2000 file of the same
PSNR; of large_image and openslide it is the Python API alone. First: 512 x 512 pixels of level 0 anywhere, of programs
that have just started. Cold: the same after 400 others, a fresh place each time. Panning: such views of one walk, each
an eighth to a half of a view from the last. JPEGs have quality 90; ours, large_image's and openslide's are 4:4:4,
iipsrv's 4:2:0, which it cannot change.
"""

from __future__ import annotations

import asyncio
import io
import random
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from io import BytesIO
from pathlib import Path
from typing import Protocol

import numpy as np
from edge.jpeg import pooled_psnr
from openslide import OpenSlide
from PIL import Image
from region_peers import iipsrv, large_image_process
from region_peers.places import SIDE, Place, anywhere, walk
from setting import WAVESCOPE, bench_slide, fetch, fetch_json, free_port, ingest, table, work_folder

from service import cpu_seconds, exchange, get, program

ROUNDS, VIEWS, CACHED_GETS = 4, 40, 1500
WARM_VIEWS = 400  # after which most ancestors are cached
COMPARED = 12  # places where the quality is measured
CUT = 4096  # side of the part on which the quality is tried
ROWS = ("first", "cold", "panning")


class Server(Protocol):
    """Something that makes regions."""

    def cpu(self, places: Sequence[Place]) -> float:
        """Milliseconds of processor time for each of these regions."""


class Peer:
    """openslide, and what its JPEGs cost."""

    def __init__(self, slide: Path) -> None:
        self._slide = OpenSlide(slide)
        self.size = self._slide.dimensions

    def cpu(self, places: Sequence[Place]) -> float:
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
        """Of the whole process."""
        size = f"width={SIDE}&height={SIDE}&format=jpg"
        return self._cpu([get(f"{self._url}/region?x={x}&y={y}&{size}") for x, y in places])

    def pixels(self, place: Place) -> np.typing.NDArray[np.uint8]:
        """What the store has at a place (SIDE, SIDE, channels)."""
        where = f"region?x={place[0]}&y={place[1]}&width={SIDE}&height={SIDE}&format=png"
        return np.asarray(Image.open(io.BytesIO(fetch(f"http://127.0.0.1:{self._port}{self._url}/{where}"))))

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


class Comparison:
    """The slide in every form, and the programs that serve it."""

    def __init__(self, slide: Path, work: Path) -> None:
        self._slide, self._work = slide, work
        self._starts = 0
        self.needs = {"iipsrv": iipsrv.needs(), "large_image": large_image_process.needs()}
        ingest(slide, work / "store")

    @contextmanager
    def service(self) -> Iterator[Service]:
        port = free_port()
        with program([WAVESCOPE, "serve", "--port", port, "--store", self._work / "store"], port) as pid:
            yield Service(port, pid)

    @contextmanager
    def servers(self) -> Iterator[dict[str, Server]]:
        """All that this machine has, just started; ours is the first."""
        self._starts += 1
        with ExitStack() as stack:
            found: dict[str, Server] = {"service": stack.enter_context(self.service())}
            if not self.needs["iipsrv"]:
                started = iipsrv.serving(self._work, self._work / f"nginx{self._starts}")
                found["iipsrv"] = stack.enter_context(started)
            if not self.needs["large_image"]:
                found["large_image"] = stack.enter_context(large_image_process.opened(self._slide))
            yield found | {"openslide": Peer(self._slide)}

    def equal_quality(self, chance: random.Random) -> str:
        """Makes iipsrv's file as good as our store; says how good both are."""
        width, height = OpenSlide(self._slide).dimensions
        side = min(CUT, width, height)
        corner = (width - side) // 2, (height - side) // 2
        part = iipsrv.cut(self._slide, self._work / "part.png", corner, side)
        inside = [anywhere(chance, (side, side)) for _ in range(COMPARED)]
        with self.service() as service:
            goal = self._ours(service, [(corner[0] + x, corner[1] + y) for x, y in inside])
            distortion = goal
            for _ in range(3):
                file = iipsrv.make_jpeg_2000(part, self._work, distortion)
                distortion += goal - self._psnr(part, file, inside)
            places = [anywhere(chance, (width, height)) for _ in range(COMPARED)]
            ours = self._ours(service, places)
        file = iipsrv.make_jpeg_2000(self._slide, self._work, distortion)
        theirs = self._psnr(self._slide, file, places)
        stored = sum(one.stat().st_size for one in (self._work / "store").rglob("*") if one.is_file())
        return (
            f"  the store has {ours:.1f} dB in {stored / 1e6:.1f} MB, the JPEG 2000 file {theirs:.1f} dB "
            f"in {file.stat().st_size / 1e6:.1f} MB"
        )

    def _ours(self, service: Service, places: Sequence[Place]) -> float:
        originals = [iipsrv.pixels_of(self._slide, place, self._work).astype(float) for place in places]
        return pooled_psnr(list(zip(originals, [service.pixels(place) for place in places], strict=True)))

    def _psnr(self, original: Path, file: Path, places: Sequence[Place]) -> float:
        pairs = [[iipsrv.pixels_of(one, place, self._work) for one in (original, file)] for place in places]
        return pooled_psnr([(before.astype(float), after) for before, after in pairs])


def measure(servers: dict[str, Server], places: Sequence[Place], turn: int) -> dict[str, float]:
    """Milliseconds of each server at these places; another one begins at every turn."""
    names = list(servers)
    names = names[turn % len(names) :] + names[: turn % len(names)]
    return {name: servers[name].cpu(places) for name in names}


def report(slide: Path, rows: dict[str, list[dict[str, float]]]) -> None:
    """Means of all rounds; ratios of ours to each other, with the smallest and the largest of a round."""
    others = [name for name in rows["cold"][0] if name != "service"]
    lines = []
    for name, rounds in rows.items():
        means = {server: sum(one[server] for one in rounds) / len(rounds) for server in ("service", *others)}
        ratios = []
        for other in others:
            each = sorted(one["service"] / one[other] for one in rounds)
            ratios.append(f"{means['service'] / means[other]:.2f} ({each[0]:.2f}-{each[-1]:.2f})")
        lines.append((name, *means.values(), *ratios))
    table(
        f"A JPEG region of {SIDE} x {SIDE} of {slide.name}, level 0; milliseconds of CPU, ratios with those of rounds",
        ["", "service", *others, *(f"x {other}" for other in others)],
        lines,
    )


def main() -> None:
    chance = random.Random(11)
    rows: dict[str, list[dict[str, float]]] = {name: [] for name in ROWS}
    with work_folder() as work:
        slide = bench_slide(work)
        comparison, size = Comparison(slide, work), OpenSlide(slide).dimensions

        def fresh(count: int) -> list[Place]:
            return [anywhere(chance, size) for _ in range(count)]

        if not comparison.needs["iipsrv"]:
            print(comparison.equal_quality(chance))
        with comparison.servers() as servers:
            for name, server in servers.items():
                server.cpu(fresh(WARM_VIEWS if name == "service" else VIEWS))
            for turn in range(ROUNDS):
                with comparison.servers() as started:
                    rows["first"].append(measure(started, fresh(VIEWS), turn))
                rows["cold"].append(measure(servers, fresh(VIEWS), turn))
                rows["panning"].append(measure(servers, walk(chance, size, VIEWS), turn))
            service = servers["service"]
            assert isinstance(service, Service)
            cached = sorted(service.cached_tile() for _ in range(ROUNDS))[ROUNDS // 2]
    report(slide, rows)
    print(f"  a cached JPEG tile: {cached:.2f} ms of CPU")
    for name, what in comparison.needs.items():
        if what:
            print(f"  {name} is left out: it needs {what}")


if __name__ == "__main__":
    main()
