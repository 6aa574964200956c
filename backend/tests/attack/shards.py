"""Shards in each other's place, of one slide and of another: refused, never another place's picture (ST44)."""

from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path

import numpy as np
import tifffile

from attack.report import Findings, Workspace
from attack.slides import make_slides, read_all, wrong
from wavescope.geometry import TILE

FAULTS = ("damaged block",)  # rows of shared/operations/faults.md
WIDTH, HEIGHT, SHORT_HEIGHT = 12_400, 4_500, 600
SIDE = TILE


def attack(workspace: Workspace, findings: Findings) -> None:
    store = workspace.folder / "store"
    files = {name: str(_dots(workspace, name)) for name in ("one", "other")}
    digests = make_slides(store, files)
    version = store / "slides" / digests["one"]
    right = read_all(store, digests["one"]).contents
    shards = sorted(path.relative_to(version) for path in version.rglob("c.*"))
    foreign = store / "slides" / digests["other"]
    pairs: list[tuple[Path, Path | None]] = [*combinations(shards, 2), *((shard, None) for shard in shards)]
    # those of equal size first: nothing but what they hold tells them apart
    size = {shard: (version / shard).stat().st_size for shard in shards}
    workspace.random("shards").shuffle(pairs)
    pairs.sort(key=lambda pair: abs(size[pair[0]] - size[pair[1]]) if pair[1] else 0)
    for one, other in findings.until_late(pairs):
        here = version / one
        there = version / other if other else foreign / one
        if not there.exists():
            continue
        original, replaced = here.read_bytes(), there.read_bytes()
        here.write_bytes(replaced)
        if other:
            there.write_bytes(original)
        false = wrong(read_all(store, digests["one"]), right)
        words = f"exchanged with {other}" if other else "replaced by that of another slide"
        findings.check(
            not false, f"{one} {words}: {len(false)} blocks are wrong without an error: {' '.join(false[:4])}"
        )
        here.write_bytes(original)
        if other:
            there.write_bytes(replaced)
    shutil.rmtree(store)


def _dots(workspace: Workspace, name: str) -> Path:
    """Glass with one dot in every tile, each at another place: blocks that differ, and whose lengths often do not."""
    height = SHORT_HEIGHT if workspace.short else HEIGHT
    random = workspace.random(f"dots of {name}")
    picture = np.full((height, WIDTH), 240, np.uint8)
    for y in range(0, height, SIDE):
        for x in range(0, WIDTH, SIDE):
            at = y + random.randrange(SIDE - 8), x + random.randrange(SIDE - 8)
            picture[at[0] : at[0] + 6, at[1] : at[1] + 6] = random.randrange(40, 120)
    path = workspace.folder / f"{name}.tif"
    tifffile.imwrite(path, picture, tile=(SIDE, SIDE), compression="zlib", metadata=None)
    return path
