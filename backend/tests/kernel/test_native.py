"""The library of this machine encodes the same bytes as kernel.wasm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from wavescope.errors import CodecError
from wavescope.geometry import TILE, Address
from wavescope.kernel import choose_codec, encode_approximation, encode_tile, means, parent_of, samples_from_pixels
from wavescope.kernel import tiles as kernel_tiles
from wavescope.kernel.codec import Codec, Profile
from wavescope.kernel.native import NativeKernel, library, native_kernel
from wavescope.kernel.wasm import instance
from wavescope.source.base import Pixels
from wavescope.source.open import open_specimen

pytestmark = pytest.mark.skipif(library() is None, reason="no library is built for this machine")


def _tissue() -> Pixels:
    return open_specimen("specimen:2048x1536?seed=4").read_region(0, 600, 500, 2 * TILE, 2 * TILE)


def _encoded(pixels: Pixels, codec: Codec) -> list[list[bytes]]:
    height, width = pixels.shape[:2]
    parts = {(x, y): pixels[TILE * y : TILE * (y + 1), TILE * x : TILE * (x + 1)] for y in (0, 1) for x in (0, 1)}
    samples = {place: samples_from_pixels(part, codec) for place, part in parts.items()}
    parent = parent_of({place: means(each) for place, each in samples.items()})
    size = (min(TILE, width - TILE), min(TILE, height - TILE))
    blocks = [encode_tile(each, parent, Address(0, 0, 0, *at), codec, size) for at, each in samples.items()]
    return [*blocks, encode_approximation(parent, codec, 1)]


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize(
    ("profile", "quality"), [("visual", 0.5), ("visual", 1.0), ("visual", 30.0), ("lossless", 1.0)]
)
def test_the_library_encodes_the_bytes_of_the_module(
    monkeypatch: pytest.MonkeyPatch, profile: Profile, quality: float, channels: int
) -> None:
    tissue = _tissue()[..., :channels]
    noise = np.random.default_rng(3).integers(0, 256, (300, 333, channels), np.uint8)
    codec = choose_codec(profile, tissue, quality)
    native = [_encoded(pixels, codec) for pixels in (tissue, noise)]
    assert all(map(any, native))
    assert isinstance(kernel_tiles._encoder(), NativeKernel)
    monkeypatch.setattr(kernel_tiles, "native_kernel", lambda: None)
    assert kernel_tiles._encoder() is instance()
    assert [_encoded(pixels, codec) for pixels in (tissue, noise)] == native


def test_the_bytes_do_not_depend_on_what_was_encoded_before() -> None:
    """Columns before a row of a fit are zeros, not what an earlier call left on the stack."""
    tissue = _tissue()
    noise = np.random.default_rng(5).integers(0, 256, tissue.shape, np.uint8)
    codec = choose_codec("lossless", tissue)
    first = _encoded(tissue, codec)
    _encoded(noise, codec)
    assert _encoded(tissue, codec) == first


def test_inputs_are_checked_before_the_library_reads_them() -> None:
    codec = choose_codec("visual", _tissue())
    grey = np.zeros((1, TILE, TILE), np.int16)
    with pytest.raises(ValueError, match="channels"):
        encode_approximation(grey, codec)
    with pytest.raises(CodecError):
        samples_from_pixels(np.zeros((TILE, TILE + 1, 3), np.uint8), codec)


def test_a_kernel_of_the_environment_encodes_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    library.cache_clear()
    monkeypatch.setenv("WAVESCOPE_KERNEL", str(tmp_path / "kernel.wasm"))
    try:
        assert library() is None
        assert native_kernel() is None
    finally:
        monkeypatch.undo()
        library.cache_clear()
