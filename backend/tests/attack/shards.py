"""Shards in each other's place, of one slide and of another: refused, never another place's picture (ST44)."""

from __future__ import annotations

import shutil
from itertools import combinations
from pathlib import Path

from attack.report import Findings, Ground
from attack.slides import make_slides, read_all, wrong

SLIDES = {"one": "specimen:9000x4600x2", "other": "specimen:9000x4700x2"}
SHORT_SLIDES = {"one": "specimen:4700x2300x2", "other": "specimen:4700x2400x2"}


def attack(ground: Ground, findings: Findings) -> None:
    store = ground.folder / "store"
    digests = make_slides(store, SHORT_SLIDES if ground.short else SLIDES)
    version = store / "slides" / digests["one"]
    right = read_all(store, digests["one"]).contents
    shards = sorted(path.relative_to(version) for path in version.rglob("c.*"))
    foreign = store / "slides" / digests["other"]
    pairs: list[tuple[Path, Path | None]] = [*combinations(shards, 2), *((shard, None) for shard in shards)]
    # those of equal size first: nothing but what they hold tells them apart
    size = {shard: (version / shard).stat().st_size for shard in shards}
    ground.random("shards").shuffle(pairs)
    pairs.sort(key=lambda pair: abs(size[pair[0]] - size[pair[1]]) if pair[1] else 0)
    for one, other in findings.until_late(pairs):
        here = version / one
        there = version / other if other else foreign / one
        if not there.exists():
            continue
        kept, replaced = here.read_bytes(), there.read_bytes()
        here.write_bytes(replaced)
        if other:
            there.write_bytes(kept)
        false = wrong(read_all(store, digests["one"]), right)
        words = f"exchanged with {other}" if other else f"replaced by that of {SLIDES['other']}"
        findings.check(
            not false, f"{one} {words}: {len(false)} blocks are wrong without an error: {' '.join(false[:4])}"
        )
        here.write_bytes(kept)
        if other:
            there.write_bytes(replaced)
    shutil.rmtree(store)
