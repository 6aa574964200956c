"""Bytes for the same views beside DZI (JPEG Q75, Q90) and the source's own tiles passed through, and PSNR per level.

Everyone keeps what was fetched: a tile, block, layer or index page counts once. PSNR is RGB, against the box-reduced
source.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image
from setting import bench_slide, dzsave, fetch, fetch_json, ingest, missing, service, table, work_folder
from views import View, pathologist_walk, three_magnifications

from wavescope.geometry import TILE, Address, Pyramid
from wavescope.source.open import open_source
from wavescope_lab.replay.blocks import leb128

DZI_TILE, DZI_OVERLAP, PAGE = 254, 1, 32


class Wavescope:
    """The service as a client sees it: manifest, index pages, approximation, layers."""

    def __init__(self, address: str) -> None:
        self.manifest = fetch_json(f"{address}/api/v1/slides/bench")
        self.base = f"{address}/api/v1/slides/bench/v/{self.manifest['digest']}"
        self.pyramid = Pyramid(self.manifest["width"], self.manifest["height"])
        self.layers = int(self.manifest["layers"])
        self.pages: dict[tuple[int, int], tuple[int, int, list[int], int]] = {}

    def page(self, level: int, x: int, y: int) -> tuple[tuple[int, int], tuple[int, int, list[int], int]]:
        """The index page of a tile: its key, and (columns, rows, lengths, bytes on the wire)."""
        key = (level, (y // PAGE) * -(-self.pyramid.tiles(level)[0] // PAGE) + x // PAGE)
        if key not in self.pages:
            body = fetch(f"{self.base}/layer-index/0/0/{level}/{key[1]}")
            columns, rows = body[6], body[7]
            self.pages[key] = (columns, rows, leb128(body[8:-4]), len(body))
        return key, self.pages[key]

    def lengths(self, address: Address) -> list[int]:
        """Bytes per layer of a block."""
        _, (columns, _, lengths, _) = self.page(address.level, address.x, address.y)
        at = ((address.y % PAGE) * columns + address.x % PAGE) * self.layers
        return lengths[at : at + self.layers]

    def cost(self, views: Iterable[View], layers: int) -> int:
        """Bytes to see all views with the first ``layers`` layers of every tile and its ancestors."""
        approximation = len(fetch(f"{self.base}/approximation/0/0?from=0&to={layers}"))
        wanted = {}
        for view in views:
            for x, y in view.tiles(TILE):
                address = Address(0, 0, view.level, x, y)
                while address.level < self.pyramid.top:
                    wanted[address] = sum(self.lengths(address)[:layers])
                    address = address.parent()
        pages = {self.page(a.level, a.x, a.y)[0] for a in wanted}
        return approximation + sum(wanted.values()) + sum(self.pages[key][3] for key in pages)

    def pixels(self, view: View, layers: int) -> NDArray[np.uint8]:
        """The pixels of a view, rebuilt by the server with the same kernel."""
        query = f"x={view.ln_x << view.level}&y={view.ln_y << view.level}&width={view.ln_width}&height={view.ln_height}"
        body = fetch(f"{self.base}/region?{query}&level={view.level}&z=0&layers={layers}&format=png")
        return np.asarray(Image.open(io.BytesIO(body)).convert("RGB"))


class Dzi:
    """A DZI on disk."""

    def __init__(self, target: Path, l0_size: tuple[int, int]) -> None:
        self.files = target.with_name(target.name + "_files")
        self.top = (max(l0_size) - 1).bit_length()

    def tile(self, level: int, x: int, y: int) -> Path:
        return self.files / str(self.top - level) / f"{x}_{y}.jpg"

    def cost(self, views: Iterable[View]) -> int:
        wanted = {self.tile(view.level, x, y) for view in views for x, y in view.tiles(DZI_TILE)}
        return sum(path.stat().st_size for path in wanted)

    def pixels(self, view: View) -> NDArray[np.uint8]:
        out = np.zeros((view.ln_height, view.ln_width, 3), np.uint8)
        for x, y in view.tiles(DZI_TILE):
            picture = np.asarray(Image.open(self.tile(view.level, x, y)).convert("RGB"))
            inner = picture[DZI_OVERLAP * (y > 0) :, DZI_OVERLAP * (x > 0) :][:DZI_TILE, :DZI_TILE]
            paste(out, inner, x * DZI_TILE - view.ln_x, y * DZI_TILE - view.ln_y)
        return out


def paste(out: NDArray[np.uint8], part: NDArray[np.uint8], x: int, y: int) -> None:
    """Copies the part of a picture that falls inside ``out``."""
    left, top = max(0, -x), max(0, -y)
    part = part[top : top + out.shape[0] - max(0, y), left : left + out.shape[1] - max(0, x)]
    out[max(0, y) : max(0, y) + part.shape[0], max(0, x) : max(0, x) + part.shape[1]] = part


class SourceTiles:
    """The source's own tiles, passed through: a view takes the next finer level that the file has."""

    def __init__(self, slide: Path) -> None:
        with tifffile.TiffFile(slide) as tif:
            pages: list[Any] = [p.keyframe for p in cast(Any, tif.series[0].levels[0]).pages[:1]] + [
                level.pages[0] for level in tif.series[0].levels[1:]
            ]
            self.levels = []
            for page in pages:
                scale = round(tif.series[0].levels[0].shape[1] / page.imagewidth)
                if page.is_tiled:
                    tables = len(page.jpegtables or b"")
                    counts = np.array(page.databytecounts).reshape(-1, -(-page.imagewidth // page.tilewidth))
                    self.levels.append((scale, page.tilewidth, page.tilelength, counts, tables))

    def cost(self, views: Iterable[View]) -> int:
        wanted = {}
        for view in views:
            scale, width, length, counts, tables = max(
                (entry for entry in self.levels if entry[0] <= 1 << view.level), key=lambda entry: entry[0]
            )
            factor = (1 << view.level) / scale
            x0, x1 = int(view.ln_x * factor // width), int(-(-(view.ln_x + view.ln_width) * factor // width))
            y0, y1 = int(view.ln_y * factor // length), int(-(-(view.ln_y + view.ln_height) * factor // length))
            for y in range(y0, min(y1, counts.shape[0])):
                for x in range(x0, min(x1, counts.shape[1])):
                    wanted[scale, x, y] = int(counts[y, x]) + tables
        return sum(wanted.values())


def box_reduced(slide: Path, view: View) -> NDArray[np.float64]:
    """The source's pixels of a view, as the mean over each level pixel's box."""
    source = open_source(slide)
    scale = 1 << view.level
    rows = []
    for y in range(view.ln_height):
        if y % 64 == 0:
            count = min(64, view.ln_height - y)
            strip = source.read_region(
                0, view.ln_x * scale, (view.ln_y + y) * scale, view.ln_width * scale, count * scale
            )[..., :3]
            rows.append(strip.reshape(count, scale, view.ln_width, scale, -1).mean(axis=(1, 3), dtype=np.float64))
    return np.concatenate(rows)


def psnr(reference: NDArray[np.float64], pixels: NDArray[np.uint8]) -> float:
    """RGB peak signal-to-noise ratio in dB."""
    error = np.mean((reference - pixels.astype(np.float64)) ** 2)
    return float(10 * np.log10(255**2 / error)) if error else float("inf")


def quality_view(pyramid: Pyramid, level: int) -> View:
    """A view in the middle of a level, small enough to be box-reduced in memory, wholly inside full boxes."""
    width, height = (min(768, side >> level) for side in (pyramid.width, pyramid.height))
    ln_width, ln_height = pyramid.width >> level, pyramid.height >> level
    return View(level, (ln_width - width) // 2, (ln_height - height) // 2, width, height)


def report_bytes(ours: Wavescope, dzis: dict[int, Dzi], tiles: SourceTiles, l0_size: tuple[int, int]) -> None:
    """One table a session: bytes and the ratio to Wavescope's final quality."""
    top = ours.pyramid.top
    sessions = {
        "three fields at three magnifications": three_magnifications(l0_size, top),
        "a pathologist's walk of 30 fields": pathologist_walk(l0_size, top, 30),
    }
    for name, views in sessions.items():
        costs = {
            f"wavescope, first {k} of {ours.layers} layers": ours.cost(views, k) for k in range(1, ours.layers + 1)
        }
        own = costs[f"wavescope, first {ours.layers} of {ours.layers} layers"]
        costs |= {f"DZI Q{quality}": dzi.cost(views) for quality, dzi in dzis.items()}
        if tiles.levels:
            costs["source's own tiles"] = tiles.cost(views)
        raw = sum(view.ln_width * view.ln_height * 3 for view in views)
        rows = [(label, f"{cost / 1e6:.2f}", cost / own, cost / raw) for label, cost in costs.items()]
        table(f"Bytes for {name}", ["", "MB", "x wavescope", "x raw pixels shown"], rows)


def report_quality(ours: Wavescope, dzis: dict[int, Dzi], slide: Path) -> None:
    """PSNR per level, all contestants side by side."""
    readers: dict[str, Callable[[View], NDArray[np.uint8]]] = {}
    for k in range(1, ours.layers + 1):
        readers[f"K={k}"] = lambda view, k=k: ours.pixels(view, k)  # type: ignore[misc]
    for quality, dzi in dzis.items():
        readers[f"DZI Q{quality}"] = dzi.pixels
    rows = []
    for level in range(ours.pyramid.top + 1):
        view = quality_view(ours.pyramid, level)
        reference = box_reduced(slide, view)
        rows.append((f"level {level}", *(f"{psnr(reference, read(view)):.2f}" for read in readers.values())))
    table("PSNR in dB against the box-reduced source, middle of each level", ["", *readers], rows)


def main() -> None:
    if absent := missing("vips"):
        print("vips is not installed: no DZI to compare with (Debian: libvips-tools)", flush=True)
    with work_folder() as work:
        slide = bench_slide(work)
        ingest(slide, work / "store")
        info = open_source(slide).info
        l0_size = (info.width, info.height)
        dzis = {}
        if not absent:
            for quality in (75, 90):
                dzsave(slide, work / f"q{quality}", quality)
                dzis[quality] = Dzi(work / f"q{quality}", l0_size)
        with service(work / "store") as address:
            ours = Wavescope(address)
            report_bytes(ours, dzis, SourceTiles(slide), l0_size)
            report_quality(ours, dzis, slide)


if __name__ == "__main__":
    main()
