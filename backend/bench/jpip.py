"""A slide as one HTJ2K codestream for OpenHTJ2K's JPIP server, with the SSIMULACRA 2 that our slide has in the middle.

usage: jpip.py SLIDE STORE/ID FOLDER, with the folder of OpenHTJ2K in WAVESCOPE_BENCH_OPENHTJ2K. Prints what it made.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from wavescope.client import open_slide
from wavescope.ingest.quality.ssimulacra2 import Original
from wavescope.source.open import open_source

BIN = Path(os.environ["WAVESCOPE_BENCH_OPENHTJ2K"]) / "build/bin"
LAYOUT = ["Clevels=6", "Corder=RPCL", "Cprecincts={256,256}"]  # precincts of the size of our tiles, as JPIP wants them
SIDE, STRIP, TRIES = 1024, 512, 12
Pixels = NDArray[np.uint8]


def write_ppm(path: Path, width: int, height: int, strips: Iterator[Pixels]) -> None:
    with path.open("wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height))
        for strip in strips:
            file.write(strip.tobytes())


def encode(picture: Path, stream: Path, step: float) -> None:
    command: list[str | Path] = [BIN / "open_htj2k_enc", "-i", picture, "-o", stream, f"Qstep={step:.5f}", *LAYOUT]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    slide, ours, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    source = open_source(slide)
    width, height = source.info.width, source.info.height
    x, y = ((side - SIDE) // 2 for side in (width, height))
    middle = source.read_region(0, x, y, SIDE, SIDE)[..., :3]
    original = Original(np.ascontiguousarray(middle))
    with open_slide(ours) as stored:
        wanted = original.score(stored.read_array(0, x, y, SIDE, SIDE))
    picture, stream, decoded = folder / "jpip.ppm", folder / "jpip.j2c", folder / "decoded.ppm"
    write_ppm(picture, SIDE, SIDE, iter([middle]))
    low, high, reached = 0.002, 0.2, 0.0
    for _ in range(TRIES):
        step = (low * high) ** 0.5
        encode(picture, stream, step)
        subprocess.run([BIN / "open_htj2k_dec", "-i", stream, "-o", decoded], check=True, stdout=subprocess.DEVNULL)
        reached = original.score(np.asarray(Image.open(decoded)))
        low, high = (step, high) if reached > wanted else (low, step)
    strips = (
        source.read_region(0, 0, top, width, min(STRIP, height - top))[..., :3] for top in range(0, height, STRIP)
    )
    write_ppm(picture, width, height, strips)
    encode(picture, stream, step)
    picture.unlink()
    decoded.unlink()
    print(json.dumps({"ours": wanted, "theirs": reached, "step": step, "bytes": stream.stat().st_size}))


if __name__ == "__main__":
    main()
