"""Bytes at equal SSIMULACRA 2, beside AVIF, JPEG XL and JPEG 2000: at level 0, and at the two levels above it.

Ours are the bytes of the whole pyramid with all layers; the others code one level. Rows "perceptual" and "even" code
the reduced picture by itself. Row "stored" is the level of the slide whose level 0 has a score of 80, with all above
it, beside the others at the score that the level has there. The table of steps was fitted to other places of these
slides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import imagecodecs
import numpy as np
from images import CROP, DATA, TCGA, Pixels, half, region, specimen
from peers import Coder, Point, avif, bits_at, curve, jpeg2k, jpegxl

from wavescope import kernel, rd
from wavescope.ingest.quality.ssimulacra2 import Original

SCORES = (70.0, 80.0, 85.0, 90.0)
LEVELS = 3
SIDE = 768
PEERS: dict[str, Coder] = {
    "AVIF 4:4:4": avif(4),
    "JPEG XL": jpegxl,
    "JPEG 2000": jpeg2k,
}
STORED = 80.0
"""The score of level 0 that `visual` promises."""


def pictures() -> Iterator[tuple[str, Pixels]]:
    """(name, pixels): sharp pictures, for scans are oversampled or were JPEG; two of those as they are."""
    if CROP.exists():
        yield "crop", rd.read_image(CROP)[640 : 640 + SIDE, 640 : 640 + SIDE]
    for name, file, x, y in (
        ("minerva 2x", "minerva_CRC01_HE_17408x14336.tif", 5400, 3300),
        ("tcga 2x", TCGA.name, 1024, 512),
        ("cmu-1 2x", "CMU-1-Small-Region.svs", 600, 900),
        ("mirax 2x", "dicom_mirax_9385x3727", 4000, 1000),
    ):
        if (DATA / file).exists():
            yield name, half(region(str(DATA / file), x, y, 2 * SIDE))
    for name, file, x, y in (
        ("camelyon", "gcp_camelyon_jpeg2000.dcm", 400, 20),
        ("tcga as scanned", TCGA.name, 1500, 1200),
    ):
        if (DATA / file).exists():
            yield name, region(str(DATA / file), x, y, SIDE)
    try:
        from skimage.data import immunohistochemistry
    except ImportError:
        pass
    else:
        yield "immunohistochemistry", immunohistochemistry()  # type: ignore[no-untyped-call]
    for seed in (1, 2):
        yield f"specimen {seed} 2x", half(specimen(seed, 2 * SIDE))


def our_curve(image: Pixels, original: Original, steps: kernel.Steps) -> list[Point]:
    """(bits per pixel, score) with all layers; the picture is level 0 of a slide of its own."""

    def code(factor: float) -> Point:
        coded = rd.encode_image(image, kernel.choose_codec("visual", image, 2.0**factor, steps))
        decoded = dict(rd.decode_image(coded, coded.codec.layers))
        return 8 * coded.size(coded.codec.layers) / (image.shape[0] * image.shape[1]), original.score(decoded[0])

    return curve(code, SCORES, -2.0, 3.0)


def stored(image: Pixels, originals: Sequence[Original]) -> list[Point]:
    """(bits per pixel, score) of every level of the slide whose level 0 has STORED, with all levels above."""
    low, high = -2.0, 3.0
    for _ in range(10):
        factor = (low + high) / 2
        coded = rd.encode_image(image, kernel.choose_codec("visual", image, 2.0**factor, "perceptual"))
        decoded = dict(rd.decode_image(coded, coded.codec.layers))
        low, high = (factor, high) if originals[0].score(decoded[0]) < STORED else (low, factor)
    sizes = [coded.size(coded.codec.layers, level) for level in range(len(originals))]
    return [
        (8 * size / (decoded[level].size / 3), original.score(decoded[level]))
        for level, (size, original) in enumerate(zip(sizes, originals, strict=True))
    ]


def peer_bits(picture: Pixels, original: Original, encode: Coder, scores: tuple[float, ...]) -> list[float]:
    """Bits per pixel at these scores."""

    def code(level: float) -> Point:
        size, decoded = encode(picture, level)
        return 8 * size / (picture.shape[0] * picture.shape[1]), original.score(np.ascontiguousarray(decoded))

    points = curve(code, scores, 20, 99.5)
    return [bits_at(points, score) for score in scores]


def perceptual() -> None:
    """Prints every picture and the means."""
    print(f"imagecodecs: {', '.join(_versions())}; AVIF 4:4:4 at speed 4, JPEG XL at effort 7")
    ratios: dict[tuple[int, str], dict[str, list[float]]] = {}
    for name, image in pictures():
        boxes = [np.rint(box).astype(np.uint8) for box in rd.box_levels(image)[:LEVELS]]
        originals = [Original(box) for box in boxes]
        levels = zip(boxes, originals, stored(image, originals), strict=True)
        for level, (box, original, (bits, score)) in enumerate(levels):
            scores = (*SCORES, score)
            others = {peer: peer_bits(box, original, encode, scores) for peer, encode in PEERS.items()}
            *best, best_stored = np.nanmin(list(others.values()), axis=0)
            print(f"\n{name}, level {level}, {box.shape[1]} x {box.shape[0]}: bits per pixel at {_row(scores, 1)}")
            for peer, values in others.items():
                print(f"  {peer:<14}{_row(values)}")
            for steps in ("perceptual", "even"):
                curve_ = our_curve(box, original, steps)
                own = [bits_at(curve_, each) for each in SCORES]
                found = [float(one / other) for one, other in zip(own, best, strict=True)]
                ratios.setdefault((level, steps), {})[name] = found
                print(f"  {steps:<14}{_row(own)}         x the best {_row(found)}", flush=True)
            ratios.setdefault((level, "stored"), {})[name] = [bits / float(best_stored)]
            print(f"  {'stored':<42}{bits:.3f}   x the best {bits / float(best_stored):.3f}", flush=True)
    for (level, steps), rows in ratios.items():
        every = np.array(list(rows.values()))
        mean = np.exp(np.nanmean(np.log(every), axis=0))
        print(f"\nlevel {level}, {steps}: mean {_row(mean)}, worst {_row(np.nanmax(every, axis=0))}")


def _row(values: object, digits: int = 3) -> str:
    return " ".join(f"{value:.{digits}f}" for value in np.asarray(values))


def _versions() -> list[str]:
    """Of the libraries that code."""
    wanted = ("libavif", "libjxl", "openjpeg")
    return [each for each in imagecodecs.version().split(", ") if each.startswith(wanted)]
