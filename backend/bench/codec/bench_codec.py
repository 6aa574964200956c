"""Rate, distortion and speed beside other codecs: bits per pixel at 36, 39 and 42 dB RGB PSNR, and lossless.

Usage: npm run bench:codec                                    the pictures of pictures.py, then speed
       npm run bench:codec -- --perceptual                    bytes at equal SSIMULACRA 2
       npm run bench:codec -- --depth                         one channel of up to 16 bits
       .venv/bin/python backend/bench/codec/bench_codec.py [--whole] [--plots DIR] [--no-speed] [IMAGE...]

Our bytes are those of the whole pyramid with all layers, with steps chosen for level 0 (as in `wavescope rd`); the
others code level 0 only, through imagecodecs at settings found by bisection on their quality parameter.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from depth import depth
from images import ROOT, tissue
from numpy.typing import NDArray
from peers import LOSSLESS, PEERS, Point, bits_at, curve, peer_curve
from perceptual import perceptual
from plot import write_plot
from speed import speed

from wavescope import kernel, rd
from wavescope.geometry import TILE

TARGETS = (36.0, 39.0, 42.0)
OURS = "Wavescope"
MODERN = ("AVIF 4:4:4", "JPEG XL", "JPEG 2000")
Row = dict[str, list[float]]  # codec -> bits per pixel at TARGETS, then lossless


def our_curve(image: NDArray[np.uint8]) -> list[Point]:
    """All layers of the pyramid."""

    def code(level: float) -> Point:
        point = rd.rate_distortion(image, "visual", [2**level])[-1]
        return point["bpp"], point["psnr"] or 99.0

    return curve(code, TARGETS, -2.0, 3.0)


def measure(title: str, image: NDArray[np.uint8], plots: Path) -> Row:
    """The table of one picture, printed, and its plot."""
    area = image.shape[0] * image.shape[1]
    curves = {OURS: our_curve(image), **{name: peer_curve(name, image, TARGETS) for name in PEERS}}
    row = {name: [*(bits_at(points, target) for target in TARGETS), float("nan")] for name, points in curves.items()}
    coded = rd.encode_image(image, kernel.choose_codec("lossless", image))
    row[OURS][3] = 8 * coded.size(coded.codec.layers) / area
    for name, encode in LOSSLESS.items():
        row[name][3] = 8 * len(encode(image)) / area
    print(f"\n{title}, {image.shape[1]} x {image.shape[0]}: bits per pixel at 36, 39, 42 dB, lossless")
    for name, values in row.items():
        print(f"  {name:<12}" + "".join(f"{value:>9.3f}" for value in values), flush=True)
    write_plot(plots / f"{title.replace(' ', '-').replace(',', '')}.svg", title, curves)
    return row


def least(row: Row, names: Iterable[str], place: int) -> float:
    """The fewest bits among codecs that reach the quality."""
    return float(np.nanmin([row[name][place] for name in names]))


def summary(title: str, rows: dict[str, Row]) -> None:
    """Ratios of our bytes to others', picture by picture and their geometric means."""
    beside = {
        "the best of AVIF, JPEG XL, JPEG 2000": MODERN,
        "AVIF": MODERN[:1],
        "JPEG XL": MODERN[1:2],
        "JPEG 2000": MODERN[2:],
        "the best JPEG": ("JPEG 4:2:0", "JPEG 4:4:4"),
    }
    print(f"\n{title}: our bytes x those of others at 36, 39, 42 dB")
    for name, others in beside.items():
        ratios = np.array([[row[OURS][k] / least(row, others, k) for k in range(3)] for row in rows.values()])
        mean = np.exp(np.nanmean(np.log(ratios), 0))
        print(f"  {name:<38} mean" + "".join(f"{v:>7.3f}" for v in mean), end="   ")
        print("; ".join(f"{key} " + " ".join(f"{v:.3f}" for v in r) for key, r in zip(rows, ratios, strict=True)))
    print("  lossless, x " + ", ".join(LOSSLESS))
    for key, row in rows.items():
        print(f"    {key:<24}" + "".join(f"{row[OURS][3] / row[name][3]:>8.3f}" for name in LOSSLESS))
    means = [np.exp(np.mean([np.log(row[OURS][3] / row[name][3]) for row in rows.values()])) for name in LOSSLESS]
    print(f"    {'mean':<24}" + "".join(f"{v:>8.3f}" for v in means), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("images", nargs="*", type=Path)
    parser.add_argument("--whole", action="store_true", help="the whole crop instead of its middle")
    parser.add_argument("--plots", type=Path, default=ROOT / "shared/kernel/build/plots", help="folder of the plots")
    parser.add_argument("--no-speed", action="store_true")
    parser.add_argument(
        "--perceptual", action="store_true", help="bytes at equal SSIMULACRA 2 instead, on levels 0 to 2"
    )
    parser.add_argument("--depth", action="store_true", help="one channel of up to 16 bits instead")
    options = parser.parse_args()
    if options.depth:
        depth()
        return
    if options.perceptual:
        perceptual()
        return
    if options.images:
        pictures = [(path.stem, 1, rd.read_image(path)) for path in options.images]
    else:
        pictures = list(tissue(options.whole))
    rows: dict[int, dict[str, Row]] = {}
    for name, reduction, image in pictures:
        title = name if reduction == 1 else f"{name} reduced {reduction}x"
        rows.setdefault(reduction, {})[name] = measure(title, image, options.plots)
    for reduction, of in rows.items():
        real = {name: row for name, row in of.items() if not name.startswith("specimen")}
        summary("pictures as given" if reduction == 1 else f"tissue reduced {reduction}x", real)
        if len(real) < len(of):
            made = {name: row for name, row in of.items() if name not in real}
            summary(f"specimens reduced {reduction}x", made)
    print(f"\nplots are in {options.plots}")
    if not options.no_speed:
        speed(pictures[0][2][:TILE, :TILE])


if __name__ == "__main__":
    main()
