"""Seams: the mean error of the gradient across tile borders beside that inside tiles, at every number of layers.

Usage: .venv/bin/python backend/bench/codec/seams.py [IMAGE...] [--quality Q] [--save DIR]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from images import CROP, half, specimen
from numpy.typing import NDArray
from PIL import Image

from wavescope import kernel, rd
from wavescope.geometry import TILE


def seam_ratio(image: NDArray[np.uint8], decoded: NDArray[np.uint8]) -> float:
    """Mean |error of neighbours' difference| where they lie in two tiles, divided by that inside tiles."""
    error = decoded.astype(np.int32) - image
    border, inside = [], []
    for axis in (0, 1):
        gradient = np.abs(np.diff(error, axis=axis)).mean(axis=(1 - axis, 2))
        across = np.arange(1, len(gradient) + 1) % TILE == 0
        border.append(gradient[across].mean())
        inside.append(gradient[~across].mean())
    return float(np.mean(border) / np.mean(inside))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("images", nargs="*", type=Path)
    parser.add_argument("--quality", type=float, default=1.0)
    parser.add_argument("--save", type=Path, help="folder for an enlarged picture of a crossing of four tiles")
    options = parser.parse_args()
    pictures = {path.stem: rd.read_image(path) for path in options.images}
    if not pictures:
        pictures = {"crop": rd.read_image(CROP)} if CROP.exists() else {}
        pictures["specimen"] = half(specimen(1, 4096))
    for name, image in pictures.items():
        coded = rd.encode_image(image, kernel.choose_codec("visual", image, options.quality))
        for layers in range(1, coded.codec.layers + 1):
            decoded = dict(rd.decode_image(coded, layers))[0]
            quality = rd.psnr(decoded, image.astype(np.float64))
            print(
                f"{name}, {layers} of {coded.codec.layers} layers, {quality:.1f} dB: {seam_ratio(image, decoded):.3f}"
            )
            if options.save:
                options.save.mkdir(parents=True, exist_ok=True)
                part = decoded[TILE - 96 : TILE + 96, TILE - 96 : TILE + 96].repeat(5, 0).repeat(5, 1)
                Image.fromarray(part).save(options.save / f"{name}-{layers}.png")


if __name__ == "__main__":
    main()
