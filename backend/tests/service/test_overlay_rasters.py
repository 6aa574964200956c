"""Pictures of numbers become rasters (OV66)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
import zarr
from PIL import Image

from overlays.rasters import heat, opened, whole
from service.test_overlay_masks import labels, segmented, write_image, write_labels
from wavescope.errors import SourceError, TooLarge
from wavescope.overlays.archive import Archive
from wavescope.overlays.raster import SIDE
from wavescope.overlays.reading.files import Content, Reading
from wavescope.overlays.reading.skipped import Skipped
from wavescope.service.overlays import rasters
from wavescope.service.overlays.rasters import RasterSource
from wavescope.service.overlays.sources import ShapeSource, of_file

SLIDE = (3200, 2400)


def imported(path: Path, content: Content = "", transform: Any = None, score: str = "") -> tuple[Archive, Skipped]:
    source = of_file(path, Reading(score, transform, content))
    assert isinstance(source, RasterSource)
    work, target = path.with_suffix(".work"), path.with_suffix(".overlay")
    work.mkdir(exist_ok=True)
    shares: list[float] = []
    written = source.write(work, target, SLIDE, shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1
    archive = opened(target)
    assert archive.manifest == written.manifest
    return archive, written.reported


def values(archive: Archive) -> np.ndarray:
    raster, score = archive.manifest.raster, archive.manifest.score
    assert raster is not None
    assert score is not None
    samples = whole(archive).astype(np.float64)
    found = (samples - 1) * ((score.most - score.least) / (raster.last - 1)) + score.least
    return np.where(samples > 0, found, np.nan)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_ov66_probabilities_come_back_within_half_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: Any
) -> None:
    monkeypatch.setattr(rasters, "WIDE", SIDE)
    made = heat(800, 600).astype(dtype)
    tifffile.imwrite(tmp_path / "heat.tif", made, compression="zlib", tile=(128, 128))
    archive, reported = imported(tmp_path / "heat.tif", score="Tumour")
    score, raster = archive.manifest.score, archive.manifest.raster
    assert score is not None
    assert raster is not None
    assert (score.name, score.least, score.most, raster.last, raster.exact) == ("Tumour", 0.0, 1.0, 65535, False)
    found = values(archive)
    assert np.array_equal(np.isnan(found), np.isnan(made))
    assert float(np.nanmax(np.abs(found - made.astype(np.float64)))) <= 0.5 / 65534 + 1e-12
    assert raster.transform == (4.0, 0.0, 0.0, 0.0, 4.0, 0.0)
    assert reported.notes == [
        "it covers the slide: a pixel is 4 pixels of the slide wide",
        f"{int(np.isnan(made).sum()):,} pixels have no finite value: they are transparent",
    ]


@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.uint16, np.int16, np.int32])
def test_ov66_integers_are_exact(tmp_path: Path, dtype: Any) -> None:
    rng = np.random.default_rng(1)
    info = np.iinfo(dtype)
    made = rng.integers(max(info.min, -30000), min(info.max, 30000), (75, 100)).astype(dtype)
    tifffile.imwrite(tmp_path / "heat.tif", made)
    archive, _ = imported(tmp_path / "heat.tif", "values")
    assert archive.manifest.raster is not None
    assert archive.manifest.raster.exact
    assert np.array_equal(values(archive), made)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32])
def test_ov66_labels_are_stored_byte_for_byte(tmp_path: Path, dtype: Any) -> None:
    made = labels(dtype, 200 if dtype is np.uint8 else 60000)
    tifffile.imwrite(tmp_path / "mask.tif", made, compression="zlib")
    archive, reported = imported(tmp_path / "mask.tif", "labels", (10, 0, 5, 0, 10, 7))
    assert np.array_equal(whole(archive), made)
    manifest = archive.manifest
    assert manifest.raster is not None
    if dtype is np.uint8:
        assert dict(zip(manifest.raster.labels, [one.count for one in manifest.classes], strict=True)) == {
            one: int((made == one).sum()) for one in np.unique(made[made > 0]).tolist()
        }
    else:
        assert manifest.raster.labels == ()
        assert "each has a colour of its own" in reported.notes[0]
    assert manifest.raster.transform == (10, 0, 5, 0, 10, 7)


def test_ov66_a_png_with_a_palette_has_labels_in_its_colours(tmp_path: Path) -> None:
    made = labels(np.uint8, 3)
    picture = Image.fromarray(made, "P")
    picture.putpalette([0, 0, 0, 255, 0, 16, 0, 128, 0])
    picture.save(tmp_path / "mask.png")
    archive, reported = imported(tmp_path / "mask.png")
    assert np.array_equal(whole(archive), made)
    assert [(one.name, one.color) for one in archive.manifest.classes] == [("1", "FF0010"), ("2", "008000")]
    assert "other proportions" in reported.notes[0]


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_ov66_a_grey_png_has_values(tmp_path: Path, dtype: Any) -> None:
    made = labels(dtype, 250)
    Image.fromarray(made).save(tmp_path / "heat.png")
    archive, _ = imported(tmp_path / "heat.png")
    assert np.array_equal(values(archive), made)


def test_ov66_the_content_of_a_file_decides_where_nobody_says_it(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "mask.tif", labels(np.uint8, 3))
    Image.fromarray(labels(np.uint8, 3)).save(tmp_path / "mask.png")
    (tmp_path / "cells.csv").write_text("x,y\n1,2\n")
    assert isinstance(of_file(tmp_path / "mask.tif", Reading()), ShapeSource)
    assert isinstance(of_file(tmp_path / "mask.png", Reading(content="shapes")), ShapeSource)
    with pytest.raises(SourceError, match="rasters are read from"):
        of_file(tmp_path / "cells.csv", Reading(content="values"))


def test_ov66_a_dicom_segmentation_has_the_labels_of_its_segments(tmp_path: Path) -> None:
    mask = labels(np.uint8, 3)
    segmented(tmp_path / "seg.dcm", mask)
    archive, _ = imported(tmp_path / "seg.dcm", "labels")
    assert np.array_equal(whole(archive), mask)
    with pytest.raises(SourceError, match="segments"):
        imported(tmp_path / "seg.dcm", "values")


def test_ov77_a_fractional_dicom_segmentation_has_the_values_of_a_segment(tmp_path: Path) -> None:
    mask = labels(np.uint8, 3)
    segmented(tmp_path / "seg.dcm", mask, "FRACTIONAL")
    archive, _ = imported(tmp_path / "seg.dcm", "values", score="Stroma")
    score, raster = archive.manifest.score, archive.manifest.raster
    assert score is not None
    assert raster is not None
    assert (score.name, score.least, score.most, raster.exact) == ("Stroma", 0.0, 1.0, False)
    assert np.array_equal(values(archive), mask == 2)
    parts = np.where(mask == 2, mask / 2, (np.arange(mask.size).reshape(mask.shape) % 256) / 255).astype(np.float32)
    segmented(tmp_path / "parts.dcm", parts, "FRACTIONAL")
    archive, _ = imported(tmp_path / "parts.dcm", "values")
    assert archive.manifest.score is not None
    assert archive.manifest.score.name == "Tumour"
    assert float(np.abs(values(archive) - parts).max()) <= 0.5 / 255 + 0.5 / 65534 + 1e-6
    with pytest.raises(SourceError, match="Tumour, Stroma"):
        imported(tmp_path / "seg.dcm", "values", score="Other")


def test_ov66_a_label_image_of_an_ome_zarr_has_its_names_and_colours(tmp_path: Path) -> None:
    mask = labels(np.uint32, 4)
    group = zarr.open_group(str(tmp_path / "image.zarr"), mode="w", zarr_format=2)
    write_image(np.zeros(mask.shape, np.uint8), group, axes="yx")
    said = {
        "properties": [{"label-value": 1, "class": "Tumour"}],
        "colors": [{"label-value": 1, "rgba": [255, 0, 16, 255]}],
    }
    write_labels(mask, group, name="nuclei", axes="yx", scaler=None, label_metadata=said)
    archive, _ = imported(tmp_path / "image.zarr", "labels")
    assert np.array_equal(whole(archive), mask)
    assert [one.name for one in archive.manifest.classes] == ["Tumour", "2", "3"]
    assert archive.manifest.classes[0].color == "FF0010"


def test_ov66_ov84_what_is_no_raster_is_refused(tmp_path: Path) -> None:
    cases = {
        "float": (np.full((9, 9), np.nan, np.float32), "values", SourceError, "no value"),
        "far": (np.array([[-1e308, 1e308]]), "values", SourceError, "too far apart"),
        "labels": (np.full((9, 9), 65536, np.uint32), "labels", TooLarge, "label"),
        "real": (np.zeros((9, 9), np.float32), "labels", SourceError, "integers"),
        "rgb": (np.zeros((9, 9, 3), np.uint8), "values", SourceError, "one picture of numbers. A second stain is"),
    }
    for name, (made, content, error, match) in cases.items():
        path = tmp_path / f"{name}.tif"
        tifffile.imwrite(path, made)
        with pytest.raises(error, match=match):
            imported(path, content)  # type: ignore[arg-type]
    Image.fromarray(np.zeros((9, 9, 3), np.uint8)).save(tmp_path / "rgb.png")
    with pytest.raises(SourceError, match="one number a pixel"):
        of_file(tmp_path / "rgb.png", Reading())
    whole_file = (tmp_path / "labels.tif").read_bytes()
    for length in range(8, len(whole_file), 41):
        path = tmp_path / f"cut{length}.tif"
        path.write_bytes(whole_file[:length])
        with pytest.raises((SourceError, TooLarge)):
            imported(path, "values")


def test_ov66_a_raster_whose_side_is_too_long_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rasters, "MAX_SIDE", 99)
    tifffile.imwrite(tmp_path / "m.tif", np.zeros((9, 100), np.uint8))
    with pytest.raises(TooLarge):
        imported(tmp_path / "m.tif", "values")
