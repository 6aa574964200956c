"""The other codecs, through imagecodecs: bits per pixel at a given PSNR, and lossless."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import imagecodecs
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Coder = Callable[[Pixels, float], tuple[int, Pixels]]  # (image, parameter 0..100 that rises with quality)
Point = tuple[float, float]  # bits per pixel, PSNR
CLOSER = 8  # calls for every target, at most
CLOSE, STRAIGHT = 0.05, 6.0  # dB: near enough; so short a piece of a curve is straight
FINEST = 0.02  # of a parameter


def psnr(image: Pixels, decoded: Pixels) -> float:
    """RGB PSNR in dB; 99 if nothing differs."""
    error = float(np.mean((image.astype(float) - decoded) ** 2))
    return 99.0 if error == 0 else float(10 * np.log10(255**2 / error))


def jpeg(subsampling: str) -> Coder:
    def code(image: Pixels, level: float) -> tuple[int, Pixels]:
        data = imagecodecs.jpeg8_encode(image, level=round(level), subsampling=subsampling, optimize=True)
        return len(data), imagecodecs.jpeg8_decode(data)

    return code


def webp(image: Pixels, level: float) -> tuple[int, Pixels]:
    data = imagecodecs.webp_encode(image, level=level, lossless=False, method=6)
    return len(data), imagecodecs.webp_decode(data)[..., :3]


def avif(speed: int) -> Coder:
    def code(image: Pixels, level: float) -> tuple[int, Pixels]:
        data = imagecodecs.avif_encode(image, level=round(level), speed=speed, pixelformat="444", numthreads=1)
        return len(data), imagecodecs.avif_decode(data)[..., :3]

    return code


def jpegxl(image: Pixels, level: float) -> tuple[int, Pixels]:
    data = imagecodecs.jpegxl_encode(image, distance=(100 - level) / 12, effort=7)
    return len(data), imagecodecs.jpegxl_decode(data)


def jpeg2k(image: Pixels, level: float) -> tuple[int, Pixels]:
    wanted: Any = 25 + level / 4  # its types know whole numbers only
    data = imagecodecs.jpeg2k_encode(image, level=wanted, reversible=False, mct=True, codecformat="J2K")
    return len(data), imagecodecs.jpeg2k_decode(data)


def htj2k(image: Pixels, level: float) -> tuple[int, Pixels]:
    """Decoded with OpenJPEG: imagecodecs' htj2k_decode wraps samples outside 0..255 on lossy streams."""
    data = imagecodecs.htj2k_encode(image, level=0.2 * 2 ** (-level / 12), reversible=False)
    return len(data), imagecodecs.jpeg2k_decode(data)


PEERS: dict[str, Coder] = {
    "JPEG 4:2:0": jpeg("420"),
    "JPEG 4:4:4": jpeg("444"),
    "WebP": webp,
    "AVIF 4:4:4": avif(6),
    "JPEG XL": jpegxl,
    "JPEG 2000": jpeg2k,
    "HTJ2K": htj2k,
}
LOSSLESS: dict[str, Callable[[Pixels], bytes | bytearray]] = {
    "WebP": lambda image: imagecodecs.webp_encode(image, lossless=True, method=6),
    "JPEG XL": lambda image: imagecodecs.jpegxl_encode(image, lossless=True, effort=7),
    "JPEG 2000": lambda image: imagecodecs.jpeg2k_encode(image, level=0, reversible=True, mct=True, codecformat="J2K"),
    "HTJ2K": lambda image: imagecodecs.htj2k_encode(image, reversible=True),
}


def curve(code: Callable[[float], Point], targets: tuple[float, ...], low: float, high: float) -> list[Point]:
    """Points of a rate-distortion curve on both sides of every target and near it, from few calls: PSNR rises with the
    parameter and is almost linear in it."""
    seen: dict[float, Point] = {}
    for level in np.linspace(low, high, 4):
        seen[float(level)] = code(float(level))
    for target in targets:
        for _ in range(CLOSER):
            below = [level for level, (_, quality) in seen.items() if quality <= target]
            above = [level for level, (_, quality) in seen.items() if quality > target]
            if not below or not above:
                break
            a, b = max(below), min(above)
            apart = seen[b][1] - seen[a][1]
            if b - a < FINEST or min(target - seen[a][1], seen[b][1] - target) < CLOSE:
                break
            part = (target - seen[a][1]) / apart if apart < STRAIGHT else 0.5
            level = a + (b - a) * min(0.9, max(0.1, part))
            seen[level] = code(level)
            if seen[level] in (seen[a], seen[b]):  # a codec whose parameter is a whole number
                break
    return sorted(seen.values(), key=lambda point: point[1])


def bits_at(points: list[Point], target: float) -> float:
    """Bits per pixel at a PSNR, their logarithm interpolated; nan if the curve does not reach it."""
    below = [(quality, np.log(bits)) for bits, quality in points if quality <= target]
    above = [(quality, np.log(bits)) for bits, quality in points if quality > target]
    if not below or not above:
        return float("nan")
    (a, x), (b, y) = max(below), min(above)
    return float(np.exp(x + (y - x) * (target - a) / (b - a)))


def peer_curve(name: str, image: Pixels, targets: tuple[float, ...]) -> list[Point]:
    """Of one of PEERS."""

    def code(level: float) -> Point:
        size, decoded = PEERS[name](image, level)
        return 8 * size / (image.shape[0] * image.shape[1]), psnr(image, decoded)

    return curve(code, targets, 1, 100)
