"""What the side of a tile costs and saves: bytes of a first view by level, of a session, of a region, and of the index.

Reads the lengths that the layer index states, without a service. WAVESCOPE_BENCH_STORE names a store that has the slide
``bench`` already, so that several runs need one ingest.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from setting import bench_slide, ingest, table, work_folder
from views import View, pathologist_walk

from wavescope.catalog.catalog import Catalog
from wavescope.geometry import TILE, Address, Pyramid
from wavescope.store.reader import StoreReader

SIZE = (1876, 1004)  # of a canvas in a browser on a screen of 1920 x 1080
REGION = (512, 512)
SESSION, POSITIONS, SEED = 120, 200, 11


class Costs:
    """Bytes of blocks and their ancestors, of the plane that opens first."""

    def __init__(self, reader: StoreReader) -> None:
        self.reader = reader
        self.pyramid: Pyramid = reader.manifest.pyramid
        self.lengths = cache(reader.layer_lengths)

    def blocks(self, view: View) -> set[Address]:
        """The blocks that a view needs: its tiles and all their ancestors."""
        found = set()
        for x, y in view.tiles(TILE):
            address = Address(0, 0, view.level, x, y)
            while address not in found:
                found.add(address)
                if address.level == self.pyramid.top:
                    break
                address = address.parent()
        return found

    def bytes(self, blocks: Iterable[Address], layers: int | None = None) -> int:
        return sum(sum(self.lengths(address)[:layers]) for address in blocks)

    def random_views(self, level: int, size: tuple[int, int]) -> list[View]:
        """Views at random positions of a level whose middle shows tissue."""
        dice = random.Random(SEED)
        ln_width, ln_height = self.pyramid.level_size(level)
        width, height = min(size[0], ln_width), min(size[1], ln_height)
        found: list[View] = []
        while len(found) < POSITIONS:
            x, y = dice.randint(0, ln_width - width), dice.randint(0, ln_height - height)
            l0_x, l0_y = (x + width // 2) << level, (y + height // 2) << level
            middle = Address(0, 0, 0, l0_x // TILE, l0_y // TILE)
            if any(self.lengths(middle)):
                found.append(View(level, x, y, width, height))
        return found


def report_views(costs: Costs) -> None:
    """Bytes and requested blocks of a first view by level, all layers and layer 0."""
    rows: list[tuple[object, ...]] = []
    for level in range(min(5, costs.pyramid.top + 1)):
        wanted = [costs.blocks(view) for view in costs.random_views(level, SIZE)]
        whole, first = (sum(costs.bytes(each, k) for each in wanted) / POSITIONS / 1000 for k in (None, 1))
        own = sum(sum(1 for a in each if a.level == level) for each in wanted) / POSITIONS
        every = sum(map(len, wanted)) / POSITIONS
        rows.append((f"level {level}", f"{whole:.0f}", f"{first:.0f}", f"{own:.1f}", f"{every:.1f}"))
    title = f"First view of {SIZE[0]} x {SIZE[1]} at random, with all ancestors, mean of {POSITIONS}"
    table(title, ["", "kB", "layer 0 alone", "tiles in view", "blocks"], rows)


def report_session(costs: Costs, manifest_bytes: int) -> None:
    """Bytes of a session in which everything is fetched once, and of a random region."""
    pyramid = costs.pyramid
    walk = pathologist_walk((pyramid.width, pyramid.height), pyramid.top, SESSION)
    blocks = set().union(*(costs.blocks(view) for view in walk))
    print(f"\nA session of {SESSION} views: {costs.bytes(blocks) / 1e6:.2f} MB in {len(blocks):,} blocks, ", end="")
    print(f"and {manifest_bytes / 1e3:.1f} kB of manifest")
    regions = [costs.blocks(view) for view in costs.random_views(0, REGION)]
    pixels = sum(map(len, regions)) / POSITIONS * TILE * TILE / 1e6
    kilobytes = sum(map(costs.bytes, regions)) / POSITIONS / 1000
    print(f"A random region of {REGION[0]} x {REGION[1]}: {pixels:.2f} Mpx decoded, {kilobytes:.0f} kB read")


def report_store(store: Path, reader: StoreReader) -> None:
    """Files and bytes of the slide version, and what an opening fetches of the index."""
    files = [path for path in reader.paths.root.rglob("*") if path.is_file()]
    stored = sum(path.stat().st_size for path in files)
    manifest = reader.manifest
    runs = json.dumps(manifest.to_json()["empty"], separators=(",", ":")) if manifest.empty else ""
    longest = max((length for _, length in reader.directory.pages.values()), default=0)
    layers = sum(map(sum, manifest.bytes)) / 1e6
    index, directory = manifest.layer_index_bytes / 1e3, reader.shape.directory_bytes / 1e3
    print(f"\nTiles of {TILE}: {stored / 1e6:.2f} MB in {len(files)} files; layers {layers:.2f} MB")
    print(f"Layer index {index:.1f} kB, of it {directory:.1f} kB directory; longest page {longest} bytes")
    print(f"In the manifest, so that no page is needed to open: {len(runs)} bytes")
    print(f"PSNR by level and layer: {manifest.quality.psnr if manifest.quality else None}")
    print(f"Bytes by level and layer: {manifest.bytes}")


def main() -> None:
    with work_folder() as work:
        given = os.environ.get("WAVESCOPE_BENCH_STORE")
        store = Path(given) if given else work / "store"
        if not (store / "catalog.sqlite").exists():
            ingest(bench_slide(work), store)
        catalog = Catalog.open(store)
        digest = catalog.get("bench").digest
        catalog.close()
        reader = StoreReader.open(store, digest)
        costs = Costs(reader)
        report_store(store, reader)
        report_views(costs)
        report_session(costs, reader.paths.manifest.stat().st_size)


if __name__ == "__main__":
    main()
