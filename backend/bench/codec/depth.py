"""One channel of up to 16 bits beside other codecs: lossless, and with steps in units of noise (decision 0032)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import imagecodecs
import numpy as np
import tifffile
from images import DATA, specimen
from numpy.typing import NDArray

from wavescope import kernel, rd
from wavescope.geometry import Address
from wavescope.kernel.noise import stabilised

Values = NDArray[Any]  # (h, w)
ROUNDS = 3
SIDE = 1024

LOSSLESS: dict[str, Callable[[Values], Any]] = {
    "JPEG XL, effort 7": lambda v: imagecodecs.jpegxl_encode(v, lossless=True, effort=7, numthreads=1),
    "JPEG 2000": lambda v: imagecodecs.jpeg2k_encode(v, level=0, reversible=True, codecformat="J2K", numthreads=1),
    "HTJ2K": lambda v: imagecodecs.htj2k_encode(v, reversible=True),
    "Blosc zstd bitshuffle": lambda v: imagecodecs.blosc_encode(
        v.tobytes(), compressor="zstd", level=5, shuffle="bitshuffle", typesize=v.itemsize, numthreads=1
    ),
}


def detected(quanta: NDArray[np.float64], gain: float, read: float, seed: int) -> Values:
    """Values of a detector with a black level of 100."""
    random = np.random.default_rng(seed)
    values = 100 + gain * random.poisson(quanta) + random.normal(0, read, quanta.shape)
    return np.clip(np.rint(values), 0, 65535).astype(np.uint16)


def cells(most: float) -> NDArray[np.float64]:
    """Quanta of light of cells on a ground."""
    random, picture = np.random.default_rng(3), np.full((SIDE, SIDE), most / 50)
    for _ in range(250):
        x, y, size = random.uniform(0, SIDE), random.uniform(0, SIDE), random.uniform(4, 30)
        left, right, top, bottom = (int(np.clip(v, 0, SIDE)) for v in (x - 120, x + 120, y - 120, y + 120))
        down, across = np.mgrid[top:bottom, left:right]
        bright = most * random.uniform(0.1, 1)
        picture[top:bottom, left:right] += bright * np.exp(-((across - x) ** 2 + (down - y) ** 2) / size**2)
    return np.minimum(picture, most)


def pictures() -> Iterator[tuple[str, Values]]:
    """Real stacks of the test data, and simulated light on a detector: (name, values)."""
    for path in sorted((DATA / "zstack_microtubules_16bit").glob("*.tif"))[::3]:
        yield f"stack {path.stem[-2:]}", tifffile.imread(path)
    slide = DATA / "pathml_small_vectra.qptiff"
    if slide.exists():
        yield "QPTIFF, 8 bits", tifffile.imread(slide)[0]
    dark = 255.0 - specimen(1, SIDE).mean(2)
    light = np.maximum(dark - np.quantile(dark, 0.05), 0) / np.ptp(dark)
    yield "tissue, bright", detected(20 + 16000 * light, 2.5, 4.0, 1)
    yield "tissue, dim", detected(2 + 60 * light, 2.5, 4.0, 3)
    yield "cells, bright", detected(cells(16000), 2.5, 4.0, 4)
    yield "cells, dim", detected(cells(60), 2.5, 4.0, 5)


def processor(work: Callable[[], Any]) -> tuple[float, Any]:
    """The least seconds of processor time, and the result."""
    taken, result = [], None
    for _ in range(ROUNDS):
        begin = time.process_time()
        result = work()
        taken.append(time.process_time() - begin)
    return min(taken), result


def ours_lossless(values: Values) -> tuple[int, float]:
    """Bytes of the whole pyramid, and seconds to make them."""
    image = values[..., None]
    codec = kernel.choose_channel_codec("lossless", image)
    seconds, coded = processor(lambda: rd.encode_image(image, codec))
    if not np.array_equal(dict(rd.decode_image(coded, codec.layers))[0], image):
        raise AssertionError("not lossless")
    return coded.size(codec.layers), seconds


def lossless(found: dict[str, Values]) -> None:
    """The table of bytes and speed."""
    names = ["Wavescope", *LOSSLESS]
    print("Lossless: ratio to raw, and Mpx/s of processor time (ours is the whole pyramid, theirs level 0)")
    print(f"  {'':<16}" + "".join(f"{name:>24}" for name in names))
    beside = []
    for name, values in found.items():
        rows = [ours_lossless(values)]
        for encode in LOSSLESS.values():
            seconds, data = processor(partial(encode, values))
            rows.append((len(data), seconds))
        beside.append(rows[0][0] / rows[1][0])
        cells = [f"{values.nbytes / size:.3f} : 1 {values.size / seconds / 1e6:>7.1f}" for size, seconds in rows]
        print(f"  {name:<16}" + "".join(f"{cell:>24}" for cell in cells), flush=True)
    print(f"  bytes beside JPEG XL: {np.exp(np.mean(np.log(beside))):.4f} in the mean, at most {max(beside):.4f}")


def stabilised_by_peer(values: Values, noise: kernel.Noise, deviations: float) -> tuple[int, Values]:
    """JPEG XL, lossless, of samples rounded to steps of so many deviations: bytes and what they decode to."""
    model, bits = noise.integers(0, 65535)
    table = np.array([stabilised(value, model) for value in range(65536)])
    step = deviations * 2**bits
    levels = np.rint((table[values] - table.min()) / step).astype(np.uint16)
    data = imagecodecs.jpegxl_encode(levels, lossless=True, effort=7, numthreads=1)
    nearest = np.searchsorted(table, levels * step + table.min()).clip(0, 65535)
    return len(data), nearest.astype(np.uint16)


def in_units_of_noise(found: dict[str, Values]) -> None:
    """Ratios and errors with steps of 0.3, 1 and 2 standard deviations."""
    print("\nSteps in units of noise: ratio to raw, RMS error in standard deviations; JPEG XL: of rounded samples")
    for name, values in found.items():
        if values.dtype != np.uint16:
            continue
        noise = kernel.estimate_noise(values)
        print(f"  {name:<10} black {noise.black}, gain {noise.gain:.2f}, read noise {noise.read:.2f}")
        for deviations in (0.3, 0.8, 1.0, 2.0):
            image, scale = values[..., None], noise.deviation(values)
            codec = kernel.choose_channel_codec("visual", image, deviations=deviations, noise=noise)
            coded = rd.encode_image(image, codec)
            back = dict(rd.decode_image(coded, codec.layers))[0][..., 0]
            size, nearest = stabilised_by_peer(values, noise, deviations)
            cells = [
                f"{values.nbytes / bytes_:>7.2f} : 1 {np.sqrt(np.mean(((v.astype(float) - values) / scale) ** 2)):.3f}"
                for bytes_, v in ((coded.size(codec.layers), back), (size, nearest))
            ]
            first = values.nbytes / coded.size(1)
            print(f"    {deviations:>4}  {cells[0]}  (layer 0 {first:.1f} : 1)   JPEG XL {cells[1]}", flush=True)


def decoding(values: Values) -> None:
    """Processor time per sample of one tile's block in wasm, beside 8 bits of the same picture."""
    deep = values[:256, :256, None]
    shallow = (deep >> max(0, int(deep.max()).bit_length() - 8)).astype(np.uint8)
    codecs = {
        "16 bits, lossless": (deep, kernel.choose_channel_codec("lossless", deep)),
        "8 bits, lossless": (shallow, kernel.choose_codec("lossless", shallow)),
        "16 bits, steps of 1 deviation": (deep, kernel.choose_channel_codec("visual", deep)),
        "8 bits, visual, about as many bits": (shallow, kernel.choose_codec("visual", shallow, 8.0)),
    }
    print("\nDecoding a tile in wasm, with its pixels, processor time")
    for name, (image, codec) in codecs.items():
        samples = kernel.samples_from_pixels(image, codec)
        parent = kernel.parent_of({(0, 0): kernel.means(samples)})
        at = Address(0, 0, 0, 0, 0)
        layers = kernel.encode_tile(samples, parent, at, codec)
        sets = kernel.read_parameters(codec.parameter_set(0))
        work = partial(_decoded, parent, layers, sets, at)
        seconds = min(processor(work)[0] for _ in range(7))
        bits = 8 * sum(map(len, layers)) / 65536
        print(f"  {name:<36} {1e9 * seconds / 65536:>6.1f} ns per sample, {bits:.2f} bits", flush=True)


def _decoded(parent: kernel.Samples, layers: list[bytes], sets: kernel.ParameterSet, at: Any) -> Values:
    return kernel.pixels(kernel.decode_tile(parent, layers, sets, at), sets, 256, 256)


def depth() -> None:
    """All tables."""
    found = dict(pictures())
    lossless(found)
    in_units_of_noise(found)
    decoding(found["cells, dim"])
