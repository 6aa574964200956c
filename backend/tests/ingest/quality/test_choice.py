"""Qualities: names, the closed loop, what the source deserves, new versions of stored slides (ST66 to ST68)."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from ingest.worlds import Pixels, ingested, level_pixels, write_tiff
from wavescope.errors import InvalidParameter
from wavescope.geometry import Pyramid
from wavescope.ingest.pipeline import Ingested
from wavescope.ingest.quality.choice import Choice, SourceFacts, choose
from wavescope.ingest.quality.presets import quality_of
from wavescope.ingest.quality.sampling import Sample, sample_of
from wavescope.ingest.stored_source import spec_of
from wavescope.kernel.parameters import TABLES, Steps
from wavescope.source.compression import Compression, compression_of, own_error
from wavescope.source.open import open_specimen
from wavescope.store.reader import StoreReader

UNKNOWN = SourceFacts(Compression("unknown"), None, 1, 1, exact=True)


def pattern(kind: str, height: int = 400, width: int = 560) -> Pixels:
    """Smooth, noisy or patchy."""
    rng = np.random.default_rng(5)
    if kind == "specimen":
        return open_specimen("specimen:2400x2400?seed=4").read_region(0, 800, 800, width, height)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    waves = np.stack([150 + 70 * np.sin(x / (11 + c)) * np.cos(y / (17 + c)) for c in range(3)], axis=2)
    noise = rng.normal(0, 12 if kind == "noisy" else 2, (height, width, 3))
    return np.clip(waves + noise, 0, 255).astype(np.uint8)


def sampled(picture: Pixels) -> Sample:
    class Source:
        def read_region(self, z: int, x: int, y: int, width: int, height: int) -> Pixels:
            return picture[y : y + height, x : x + width]

    source: Any = Source()
    return sample_of(source, Pyramid(picture.shape[1], picture.shape[0]), 1)


@pytest.mark.parametrize("text", ["", "best", "40", "29.9dB", "50.1dB", "nandB", "-40dB", "40dBm", "Visual", "4e1dB"])
def test_st66_other_qualities_are_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(InvalidParameter, match=r"compact, visual, fine, auto, lossless, a PSNR .* such as 40dB"):
        quality_of(text)


@pytest.mark.parametrize(("text", "name"), [("visual", "visual"), ("40.0 dB", "40dB"), ("38.5db", "38.5dB")])
def test_st66_a_quality_has_one_name(text: str, name: str) -> None:
    assert quality_of(text).name == name


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["smooth", "noisy", "specimen"])
def test_st66_a_target_is_reached_within_a_fifth_of_a_db(tmp_path: Path, kind: str) -> None:
    picture = pattern(kind, 512, 1024)  # of whole tiles
    made = ingested(write_tiff(tmp_path / "s.tif", picture), tmp_path / "store", quality="40dB").manifest
    assert made.chosen is not None
    assert (made.chosen.quality, made.chosen.target, made.chosen.reason) == ("40dB", 40.0, "target")
    assert made.quality is not None
    assert abs((made.quality.psnr[0][-1] or 0) - 40) <= 0.2
    if kind != "specimen":  # these are the same everywhere, so the whole slide has what its tiles have
        pixels = level_pixels(StoreReader.open(tmp_path / "store", made.digest), 0).astype(np.float64)
        whole = 10 * np.log10(255**2 / np.mean((pixels - picture) ** 2))
        assert abs(whole - 40) <= 0.2


@pytest.fixture(scope="module")
def specimen() -> Sample:
    return sampled(pattern("specimen"))


def chosen(sample: Sample, name: str, steps: Steps) -> Choice:
    return choose(sample, quality_of(name), steps, UNKNOWN)


LEAST_PSNR: list[tuple[Steps, float]] = [("perceptual", 32.0), ("even", 36.0)]


@pytest.mark.parametrize(("steps", "least"), LEAST_PSNR)
def test_st66_presets_rise_in_quality_and_visual_has_its_least_psnr_and_80_points(
    specimen: Sample, steps: Steps, least: float
) -> None:
    compact, visual, fine = (chosen(specimen, name, steps) for name in ("compact", "visual", "fine"))
    for smaller, larger in ((compact, visual), (visual, fine)):
        assert smaller.number < larger.number
        assert smaller.chosen.psnr < larger.chosen.psnr
        assert smaller.codecs[0].steps[0][0][0] > larger.codecs[0].steps[0][0][0]
    assert visual.chosen.psnr >= least
    assert visual.chosen.score >= 79.9
    assert fine.chosen.score >= 89.9


@pytest.mark.parametrize(("steps", "least"), LEAST_PSNR)
def test_st66_noise_that_hides_errors_does_not_bring_visual_below_its_least_psnr(steps: Steps, least: float) -> None:
    noisy = chosen(sampled(pattern("noisy")), "visual", steps).chosen
    assert noisy.psnr >= least


@pytest.mark.parametrize(("steps", "least"), LEAST_PSNR)
def test_st66_the_least_psnr_holds_in_the_slide_where_parents_cost_noisy_tiles_some(
    tmp_path: Path, steps: Steps, least: float
) -> None:
    noisy = write_tiff(tmp_path / "s.tif", pattern("noisy", 520, 560))  # the noise hides errors from the score
    made = ingested(noisy, tmp_path / "store", quality="visual", steps=steps).manifest
    assert made.chosen is not None
    assert made.chosen.reason == "least PSNR" or steps == "perceptual"
    assert made.quality is not None
    psnr = made.quality.psnr[0][-1] or 0
    assert psnr >= least
    assert psnr <= least + 0.6 or made.chosen.reason == "score"


def test_st66_a_psnr_is_reached_with_even_steps_a_preset_with_perceptual_ones(tmp_path: Path) -> None:
    source = write_tiff(tmp_path / "s.tif", pattern("specimen"))
    for quality, diagonal in (("40dB", 2.0), ("visual", TABLES["perceptual"].diagonal[0])):
        made = ingested(source, tmp_path / quality, quality=quality)
        hl, _, hh = StoreReader.open(tmp_path / quality, made.digest).manifest.codec["steps"][0][0]
        assert hh / hl == pytest.approx(diagonal, rel=0.01)


def jpeg(picture: Pixels, quality: int) -> bytes:
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "jpeg", quality=quality)
    return file.getvalue()


@pytest.mark.parametrize("quality", [30, 90])
def test_st67_tables_of_a_jpeg_tell_its_own_error(tmp_path: Path, quality: int) -> None:
    picture = pattern("specimen")
    file = tmp_path / "a.jpg"
    file.write_bytes(jpeg(picture, quality))
    found = compression_of(file)
    assert found.kind == "jpeg"
    assert found.halved
    with Image.open(file) as image:
        decoded = np.asarray(image.convert("RGB"))
    true = float(np.mean((decoded.astype(np.float64) - picture) ** 2))
    assert own_error(decoded, found) == pytest.approx(true, rel=0.6)


@pytest.mark.parametrize("quality", [20, 75])
def test_st67_auto_is_never_larger_than_the_tiles_of_the_source(tmp_path: Path, quality: int) -> None:
    source = tmp_path / "a.jpg"
    source.write_bytes(jpeg(pattern("specimen"), quality))
    made = ingested(source, tmp_path / "store", quality="auto").manifest
    assert sum(map(sum, made.bytes)) <= source.stat().st_size
    assert made.chosen is not None
    assert made.chosen.reason in ("bytes of the source", "compression of the source", "score")


@pytest.mark.slow
@pytest.mark.parametrize("quality", [5, 10])
def test_st67_auto_is_never_larger_than_the_tiles_of_a_heavily_compressed_tiff(tmp_path: Path, quality: int) -> None:
    picture = np.tile(pattern("specimen"), (2, 2, 1))  # 800 x 1120: three levels
    source = tmp_path / "a.tif"
    tifffile.imwrite(
        source, picture, tile=(256, 256), photometric="ycbcr", compression="jpeg", compressionargs={"level": quality}
    )
    made = ingested(source, tmp_path / "store", quality="auto").manifest
    tiles = made.source.tile_bytes
    assert tiles is not None
    assert tiles < picture.size / 30
    assert sum(map(sum, made.bytes)) <= tiles
    assert made.quality is not None
    assert (made.quality.psnr[0][-1] or 0) > 26  # beside the file, whose own errors need no bytes


def test_st67_auto_encodes_again_if_the_sample_promised_too_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.ingest.pipeline.MARGIN", 3.0)
    source = tmp_path / "a.jpg"
    source.write_bytes(jpeg(pattern("specimen"), 20))
    made = ingested(source, tmp_path / "store", quality="auto").manifest
    assert sum(map(sum, made.bytes)) <= source.stat().st_size


def test_st67_auto_of_a_lossless_source_is_lossless_where_that_is_smaller(tmp_path: Path) -> None:
    picture = write_tiff(tmp_path / "s.tif", pattern("smooth"))  # uncompressed
    assert ingested(picture, tmp_path / "store", quality="auto").manifest.profile == "lossless"


# --- new versions of stored slides -----------------------------------------------------------------------------------


def stored(tmp_path: Path, quality: str) -> Ingested:
    return ingested(write_tiff(tmp_path / "s.tif", pattern("specimen")), tmp_path / "store", quality=quality)


def again(tmp_path: Path, digest: str, quality: str) -> Ingested:
    return ingested(spec_of(tmp_path / "store", digest), tmp_path / "store", quality=quality)


@pytest.mark.slow
def test_st68_a_version_of_a_lossless_slide_equals_one_of_the_file_and_names_its_origin(tmp_path: Path) -> None:
    before = stored(tmp_path, "lossless")
    made = again(tmp_path, before.digest, "40dB").manifest
    assert made.source == before.manifest.source
    assert made.chosen is not None
    assert made.chosen.reencoded == (before.digest,)
    direct = ingested(tmp_path / "s.tif", tmp_path / "other", quality="40dB").manifest
    own_key = {"key": None}  # of the slide: another source, another key (ST78)
    codecs = [{**one.codec, **own_key} for one in (made, direct)]
    assert (made.bytes, codecs[0], made.quality) == (direct.bytes, codecs[1], direct.quality)


@pytest.mark.slow
def test_st68_losses_add_up_and_the_target_is_that_beside_the_file(tmp_path: Path) -> None:
    before = stored(tmp_path, "42dB")
    made = again(tmp_path, before.digest, "38dB").manifest
    assert sum(map(sum, made.bytes)) < sum(map(sum, before.manifest.bytes))
    pixels = level_pixels(StoreReader.open(tmp_path / "store", made.digest), 0).astype(np.float64)
    true = 10 * np.log10(255**2 / np.mean((pixels - pattern("specimen")) ** 2))
    assert made.quality is not None
    reported = made.quality.psnr[0][-1] or 0
    assert abs(true - 38) < 0.5
    assert abs(reported - true) < 0.5


@pytest.mark.parametrize("quality", ["lossless", "42dB", "45dB", "fine"])
def test_st68_a_version_that_would_be_no_smaller_is_refused_and_nothing_is_published(
    tmp_path: Path, quality: str
) -> None:
    before = stored(tmp_path, "42dB" if quality != "fine" else "36dB")
    with pytest.raises(InvalidParameter, match="quality"):
        again(tmp_path, before.digest, quality)
    assert [path.name for path in (tmp_path / "store" / "slides").iterdir()] == [before.digest]


@pytest.mark.slow
def test_st68_a_crash_before_publication_leaves_the_version_before_and_is_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = stored(tmp_path, "lossless")

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("wavescope.ingest.publish.move_into_place", crash)
        with pytest.raises(KeyboardInterrupt):
            again(tmp_path, before.digest, "36dB")
    assert [path.name for path in (tmp_path / "store" / "slides").iterdir()] == [before.digest]
    made = again(tmp_path, before.digest, "36dB")
    assert made.encoded_tiles == 0
    assert StoreReader.open(tmp_path / "store", made.digest).manifest.chosen_quality == "36dB"


@pytest.mark.parametrize(("width", "left"), [(512, False), (513, True)])
def test_st66_layer_0_of_a_small_slide_leaves_nothing(width: int, left: bool) -> None:
    codec = choose(sampled(pattern("patchy", 100, width)), quality_of("visual"), "perceptual", UNKNOWN).codecs[0]
    bits = {bit for level in codec.shifts[0] for channel in level for bit in channel}
    assert bits == ({0, 1, 2, 3} if left else {0})
    assert codec.shifts[-1] == (((0, 0, 0),) * 3,) * 10
