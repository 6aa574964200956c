"""Rate and distortion beside other codecs: bits per pixel at 36, 39 and 42 dB RGB PSNR, and lossless.

Usage: .venv/bin/python shared/kernel/bench/bench_codec.py IMAGE...     (without any: scikit-image's tissue)

Our bytes are those of the whole pyramid with all layers; the others code level 0 only. Peers through imagecodecs at
settings found by bisection on their quality parameter.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import imagecodecs
import numpy as np

from wavescope import kernel, rd

TARGETS = (36.0, 39.0, 42.0)
Coder = Callable[[np.ndarray, float], tuple[int, np.ndarray]]


def psnr(image: np.ndarray, decoded: np.ndarray) -> float:
    error = float(np.mean((image.astype(float) - decoded) ** 2))
    return 99.0 if error == 0 else 10 * np.log10(255**2 / error)


def jpeg(subsampling: str) -> Coder:
    def code(image: np.ndarray, level: float) -> tuple[int, np.ndarray]:
        data = imagecodecs.jpeg8_encode(image, level=round(level), subsampling=subsampling, optimize=True)
        return len(data), imagecodecs.jpeg8_decode(data)

    return code


def webp(image: np.ndarray, level: float) -> tuple[int, np.ndarray]:
    data = imagecodecs.webp_encode(image, level=level, lossless=False, method=6)
    return len(data), imagecodecs.webp_decode(data)[..., :3]


def avif(image: np.ndarray, level: float) -> tuple[int, np.ndarray]:
    data = imagecodecs.avif_encode(image, level=round(level), speed=6, pixelformat="444", numthreads=1)
    return len(data), imagecodecs.avif_decode(data)[..., :3]


def jpegxl(image: np.ndarray, level: float) -> tuple[int, np.ndarray]:
    data = imagecodecs.jpegxl_encode(image, distance=(100 - level) / 12, effort=7)
    return len(data), imagecodecs.jpegxl_decode(data)


def jpeg2k(image: np.ndarray, level: float) -> tuple[int, np.ndarray]:
    data = imagecodecs.jpeg2k_encode(image, level=25 + level / 4, reversible=False, mct=True, codecformat="J2K")
    return len(data), imagecodecs.jpeg2k_decode(data)


PEERS: dict[str, Coder] = {
    "JPEG 4:2:0": jpeg("420"),
    "JPEG 4:4:4": jpeg("444"),
    "WebP": webp,
    "AVIF 4:4:4": avif,
    "JPEG XL": jpegxl,
    "JPEG 2000": jpeg2k,
}
LOSSLESS: dict[str, Callable[[np.ndarray], bytes]] = {
    "WebP": lambda image: imagecodecs.webp_encode(image, lossless=True, method=6),
    "JPEG XL": lambda image: imagecodecs.jpegxl_encode(image, lossless=True, effort=7),
    "JPEG 2000": lambda image: imagecodecs.jpeg2k_encode(image, level=0, reversible=True, mct=True, codecformat="J2K"),
}


def at_psnr(code: Callable[[float], tuple[float, float]], target: float, low: float, high: float) -> float:
    """Bits per pixel at a PSNR: bisection on a rising parameter, then log bits interpolated; nan if out of reach."""
    seen: list[tuple[float, float]] = []
    for _ in range(7):
        middle = (low + high) / 2
        bits, quality = code(middle)
        seen.append((quality, np.log(bits)))
        low, high = (middle, high) if quality < target else (low, middle)
    below = [point for point in seen if point[0] <= target]
    above = [point for point in seen if point[0] > target]
    if not below or not above:
        return float("nan")
    (a, x), (b, y) = max(below), min(above)
    return float(np.exp(x + (y - x) * (target - a) / (b - a)))


def ours(image: np.ndarray, target: float) -> float:
    def code(level: float) -> tuple[float, float]:
        point = rd.rate_distortion(image, "visual", [2**level])[-1]
        return point["bpp"], point["psnr"] or 99.0

    return at_psnr(code, target, -2.0, 3.0)


def row(name: str, values: list[float]) -> None:
    print(f"{name:<22}" + "".join(f"{value:>9.3f}" for value in values), flush=True)


def compare(name: str, image: np.ndarray) -> None:
    area = image.shape[0] * image.shape[1]
    print(f"\n{name} {image.shape[1]}x{image.shape[0]}" + " " * 4 + "bits per pixel at 36, 39, 42 dB")
    for peer, coder in PEERS.items():

        def code(level: float, coder: Coder = coder) -> tuple[float, float]:
            size, decoded = coder(image, level)
            return 8 * size / area, psnr(image, decoded)

        row(peer, [at_psnr(code, target, 1, 100) for target in TARGETS])
    row("Wavescope, pyramid", [ours(image, target) for target in TARGETS])
    for peer, encode in LOSSLESS.items():
        row(f"{peer} lossless", [8 * len(encode(image)) / area])
    coded = rd.encode_image(image, kernel.choose_codec("lossless", image))
    row("Wavescope lossless", [8 * coded.size(3) / area])


if __name__ == "__main__":
    paths = [Path(argument) for argument in sys.argv[1:]]
    for path in paths:
        compare(path.name, rd.read_image(path))
    if not paths:
        from skimage.data import immunohistochemistry

        compare("immunohistochemistry", immunohistochemistry())
