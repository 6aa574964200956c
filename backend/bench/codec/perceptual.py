"""Bytes at equal SSIMULACRA 2, beside AVIF, JPEG XL and JPEG 2000: at level 0, and at the two levels above it.

Ours are the bytes of the whole pyramid with all layers; the others code one level. A level above is a picture of its
own. The tables of steps were fitted to other places of these slides.
"""

from __future__ import annotations

from collections.abc import Iterator

import imagecodecs
import numpy as np
from images import CROP, DATA, TCGA, Pixels, half, region, specimen
from peers import Coder, Point, avif, bits_at, curve, jpeg2k, jpegxl

from wavescope import kernel, rd
from wavescope.ingest.quality.ssimulacra2 import Original

SCORES = (70.0, 80.0, 85.0, 90.0)
LEVELS = 3
SIDE = 768
STEPS: tuple[kernel.Steps, ...] = ("perceptual", "even")
PEERS: dict[str, Coder] = {
    "AVIF 4:4:4": avif(4),
    "JPEG XL": jpegxl,
    "JPEG 2000": jpeg2k,
}


def pictures() -> Iterator[tuple[str, Pixels]]:
    """(name, pixels): sharp pictures, for scans are oversampled or were JPEG; two of those as they are."""
    if CROP.exists():
        yield "crop", rd.read_image(CROP)
    for name, file, x, y, side in (
        ("minerva 2x", "minerva_CRC01_HE_17408x14336.tif", 5400, 3300, 6144),
        ("tcga 2x", TCGA.name, 600, 200, 3072),
        ("cmu-1 2x", "CMU-1-Small-Region.svs", 0, 500, 2220),
        ("mirax 2x", "dicom_mirax_9385x3727", 3800, 500, 3072),
    ):
        if (DATA / file).exists():
            yield name, half(region(str(DATA / file), x, y, side))
    for name, file, x, y, side in (
        ("camelyon", "gcp_camelyon_jpeg2000.dcm", 200, 0, 812),
        ("tcga as scanned", TCGA.name, 800, 400, 3072),
    ):
        if (DATA / file).exists():
            yield name, region(str(DATA / file), x, y, side)
    try:
        from skimage.data import immunohistochemistry
    except ImportError:
        pass
    else:
        yield "immunohistochemistry", immunohistochemistry()  # type: ignore[no-untyped-call]
    for seed in (1, 2):
        yield f"specimen {seed} 2x", half(specimen(seed, 3072))


def our_curve(image: Pixels, original: Original, steps: kernel.Steps) -> list[Point]:
    """(bits per pixel, score) with all layers; the picture is level 0 of a slide of its own."""

    def code(factor: float) -> Point:
        coded = rd.encode_image(image, kernel.choose_codec("visual", image, 2.0**factor, steps, max(image.shape[:2])))
        decoded = dict(rd.decode_image(coded, coded.codec.layers))
        return 8 * coded.size(coded.codec.layers) / (image.shape[0] * image.shape[1]), original.score(decoded[0])

    return curve(code, SCORES, -2.0, 3.0)


def peer_bits(picture: Pixels, original: Original, encode: Coder) -> list[float]:
    """Bits per pixel at SCORES."""

    def code(level: float) -> Point:
        size, decoded = encode(picture, level)
        return 8 * size / (picture.shape[0] * picture.shape[1]), original.score(np.ascontiguousarray(decoded))

    points = curve(code, SCORES, 20, 99)
    return [bits_at(points, score) for score in SCORES]


def perceptual() -> None:
    """Prints every picture and the means."""
    print(f"imagecodecs: {', '.join(_versions())}; AVIF 4:4:4 at speed 4, JPEG XL at effort 7")
    ratios: dict[tuple[int, str], dict[str, list[float]]] = {}
    for name, image in pictures():
        for level, box in enumerate(rd.box_levels(image)[:LEVELS]):
            picture = _middle(np.rint(box).astype(np.uint8))
            original = Original(picture)
            others = {peer: peer_bits(picture, original, encode) for peer, encode in PEERS.items()}
            best = np.nanmin(list(others.values()), axis=0)
            print(
                f"\n{name}, level {level}, {picture.shape[1]} x {picture.shape[0]}: bits per pixel at {_row(SCORES, 0)}"
            )
            for peer, values in others.items():
                print(f"  {peer:<14}{_row(values)}")
            for steps in STEPS:
                points = our_curve(picture, original, steps)
                own = [bits_at(points, score) for score in SCORES]
                found = [float(one / other) for one, other in zip(own, best, strict=True)]
                ratios.setdefault((level, steps), {})[name] = found
                print(f"  {steps:<14}{_row(own)}   x the best {_row(found)}", flush=True)
    for (level, kind), rows in ratios.items():
        every = np.array(list(rows.values()))
        mean = np.exp(np.nanmean(np.log(every), axis=0))
        print(f"\nlevel {level}, {kind}: mean {_row(mean)}, worst {_row(np.nanmax(every, axis=0))}")


def _middle(picture: Pixels) -> Pixels:
    """At most SIDE x SIDE pixels."""
    top, left = (max(0, side - SIDE) // 2 for side in picture.shape[:2])
    return np.ascontiguousarray(picture[top : top + SIDE, left : left + SIDE])


def _row(values: object, digits: int = 3) -> str:
    return " ".join(f"{value:.{digits}f}" for value in np.asarray(values))


def _versions() -> list[str]:
    """Of the libraries that code."""
    wanted = ("libavif", "libjxl", "openjpeg")
    return [each for each in imagecodecs.version().split(", ") if each.startswith(wanted)]
