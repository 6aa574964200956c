"""`wavescope rd`: bytes and PSNR of an image's whole pyramid."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from wavescope import kernel, rd
from wavescope.errors import UnreadableSource
from wavescope.geometry import HALF, TILE
from wavescope.source.open import open_source


def test_quality_and_layers_both_buy_fidelity_with_bytes(tissue: NDArray[np.uint8]) -> None:
    points = rd.rate_distortion(tissue[:150, :200], qualities=[0.5, 1.0])
    assert [(p["quality"], p["layer"]) for p in points] == [(0.5, 1), (0.5, 2), (1.0, 1), (1.0, 2)]
    for better, worse in ((1, 0), (3, 2), (2, 0), (3, 1)):
        assert points[better]["bytes"] > points[worse]["bytes"]
        assert (points[better]["psnr"] or 0) > (points[worse]["psnr"] or 0)
    assert points[0]["bpp"] == pytest.approx(8 * points[0]["bytes"] / 30_000)


def test_lossless_ends_exact_and_says_so_with_none(tissue: NDArray[np.uint8]) -> None:
    points = rd.rate_distortion(np.tile(tissue, (1, 2, 1))[:100, :260], "lossless")
    assert [p["layer"] for p in points] == [1, 2, 3]
    assert points[-1]["psnr"] is None
    assert points[0]["psnr"] is not None


def test_the_decoded_images_are_saved_if_asked_for(tissue: NDArray[np.uint8], tmp_path: Path) -> None:
    rd.rate_distortion(tissue[:64, :80], "lossless", save=tmp_path / "out")
    saved = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in saved] == [f"lossless-q1-layer{k}.png" for k in (1, 2, 3)]
    assert np.array_equal(np.asarray(Image.open(saved[-1])), tissue[:64, :80])


def test_images_are_read_as_grey_or_rgb_and_others_are_refused(tissue: NDArray[np.uint8], tmp_path: Path) -> None:
    Image.fromarray(tissue[:9, :8]).save(tmp_path / "rgb.png")
    Image.fromarray(tissue[:9, :8, 0]).save(tmp_path / "grey.png")
    (tmp_path / "text.png").write_text("no image")
    assert rd.read_image(tmp_path / "rgb.png").shape == (9, 8, 3)
    assert rd.read_image(tmp_path / "grey.png").shape == (9, 8, 1)
    with pytest.raises(UnreadableSource):
        rd.read_image(tmp_path / "text.png")


def test_a_parent_continues_where_no_child_is_st59() -> None:
    mean = np.random.default_rng(1).integers(-500, 500, (1, HALF, HALF)).astype(np.int16)
    beside = {(0, 0): mean, (1, 0): mean}
    for quarters, covered in (({(0, 0): mean}, mean), (beside, np.concatenate([mean, mean], axis=2))):
        assert np.array_equal(kernel.parent_of(quarters, 0), kernel.extended(covered, 0))


def test_a_picture_that_fills_no_tile_costs_fewer_bytes_than_with_a_repeated_border_st59(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    image = open_source("specimen:2048x2048?seed=5").read_region(0, 600, 600, 300, 390)
    codecs = [kernel.choose_codec("lossless", image), kernel.choose_codec("visual", image, 1.2, "perceptual")]
    continued = [rd.encode_image(image, codec) for codec in codecs]
    monkeypatch.setattr("wavescope.kernel.tiles.extended", _repeated)
    monkeypatch.setattr(rd, "samples_from_pixels", lambda pixels, codec, _: _repeated_pixels(pixels, codec))
    repeated = [rd.encode_image(image, codec) for codec in codecs]
    for now, before in zip(continued, repeated, strict=True):
        assert now.size(now.codec.layers) < 0.985 * before.size(now.codec.layers)
    assert np.array_equal(dict(rd.decode_image(continued[0], 3))[0], image)


def _repeated(covered: kernel.Samples, _above: int) -> kernel.Samples:
    _, height, width = covered.shape
    return np.pad(covered, ((0, 0), (0, TILE - height), (0, TILE - width)), mode="edge")


def _repeated_pixels(pixels: NDArray[np.uint8], codec: kernel.Codec) -> kernel.Samples:
    height, width, _ = pixels.shape
    return _repeated(kernel.samples_from_pixels(pixels, codec)[:, :height, :width], 0)


def test_perceptual_steps_need_fewer_bytes_for_a_score_and_even_ones_for_a_psnr() -> None:
    specimen = open_source("specimen:2048x2048?seed=5").read_region(0, 600, 600, 768, 768)
    image = specimen.reshape(256, 3, 256, 3, 3).mean((1, 3)).astype(np.uint8)  # as sharp as a picture can be
    at = {}
    for steps in ("even", "perceptual"):
        points = [rd.rate_distortion(image, qualities=[2.0**n], steps=steps)[-1] for n in range(-1, 4)]
        sizes = [math.log(point["bytes"]) for point in points]
        at[steps] = (
            np.interp(80, [point["score"] for point in points], sizes),
            np.interp(38, [point["psnr"] or 99 for point in points], sizes),
        )
    (even_score, even_psnr), (score, psnr) = at["even"], at["perceptual"]
    assert score < even_score - 0.1
    assert psnr > even_psnr + 0.02
