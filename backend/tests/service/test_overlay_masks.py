"""Label masks of other software, written by its own libraries, become overlays (OV60)."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import highdicom
import numpy as np
import pytest
import tifffile
import zarr
from pydicom.sr.codedict import codes
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

from overlays.test_builder import opened
from overlays.test_outlining import components, drawn
from overlays.test_reading import slide_instance
from wavescope.errors import MissingPackage, SourceError
from wavescope.overlays.builder import Builder
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.outlining import Outlines
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.shapes import QUARTERS, Shapes, joined
from wavescope.service.overlays import masks as reading_masks
from wavescope.service.overlays.masks import covering
from wavescope.service.overlays.sources import ShapeSource, of_file
from wavescope.source import masks as sources
from wavescope.source.base import Limits

with warnings.catch_warnings():  # the package warns of a default of its own
    warnings.simplefilter("ignore", DeprecationWarning)
    from ome_zarr.writer import write_image, write_labels

SIDE = 320
PLAIN = Reading()


def labels(dtype: Any, kinds: int = 300) -> np.ndarray:
    """Blobs that touch, with holes."""
    rng = np.random.default_rng(7)
    made = np.kron(rng.integers(0, kinds, (40, 40)), np.ones((8, 8), int))
    made[rng.random(made.shape) < 0.02] = 0
    return made.astype(dtype)


def imported(path: Path, side: int = SIDE, reading: Reading = PLAIN) -> tuple[Shapes, OverlayManifest]:
    work = path.with_name(path.name + ".work")
    work.mkdir()
    source = of_file(path, reading)
    assert isinstance(source, ShapeSource)
    on_slide = source.reading_on(side, side)
    builder = Builder(work, side, side, reading.score or None)
    shares: list[float] = []
    left = source.read(builder, on_slide, shares.append)
    assert left.count == 0
    assert shares == sorted(shares)
    assert shares[-1] == 1
    _, manifest = builder.finish(path.with_name(path.name + ".overlay"))
    archive = opened(path.with_name(path.name + ".overlay"))
    tiles = [archive.tile(*place) for place in archive.places()]
    return joined([tile.shapes for tile in tiles if tile]), manifest


def painted(shapes: Shapes, manifest: OverlayManifest) -> np.ndarray:
    """The mask that outlines draw, by the numbers that their classes' names are."""
    numbers = np.array([int(one.name) if one.name.isdigit() else 1 for one in manifest.classes])
    outlines = Outlines(shapes.corners / QUARTERS, shapes.ring_ends, shapes.shape_ends, numbers[shapes.classes])
    return drawn([outlines], (SIDE, SIDE))


@pytest.mark.parametrize("tile", [None, (64, 64)])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32, np.uint32])
def test_a_tiff_mask_becomes_its_areas_ov60(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dtype: Any, tile: tuple[int, int] | None
) -> None:
    monkeypatch.setattr(reading_masks, "STRIP", 50 * SIDE)
    mask = labels(dtype, 6 if dtype is np.uint8 else 300)
    tifffile.imwrite(tmp_path / "m.tif", mask, tile=tile, compression="zlib")
    shapes, manifest = imported(tmp_path / "m.tif")
    assert len(shapes) == components(mask)
    if dtype is np.uint8:
        assert np.array_equal(painted(shapes, manifest), mask)
        assert sorted(one.name for one in manifest.classes) == ["1", "2", "3", "4", "5"]
    else:
        assert np.array_equal(painted(shapes, manifest) > 0, mask > 0)
        assert [one.name for one in manifest.classes] == ["Unclassified"]


def test_the_label_image_of_an_ome_zarr_has_its_classes_and_colours_ov60(tmp_path: Path) -> None:
    mask = labels(np.uint32, 4)
    group = zarr.open_group(str(tmp_path / "image.zarr"), mode="w", zarr_format=2)
    write_image(np.zeros((SIDE, SIDE), np.uint8), group, axes="yx")
    said = {
        "properties": [{"label-value": 1, "class": "Tumour"}, {"label-value": 2, "class": "Stroma"}],
        "colors": [{"label-value": 1, "rgba": [255, 0, 16, 255]}],
    }
    write_labels(mask, group, name="nuclei", axes="yx", scaler=None, label_metadata=said)
    shapes, manifest = imported(tmp_path / "image.zarr")
    assert len(shapes) == components(mask)
    areas = {n: components(mask == n) for n in (1, 2, 3)}
    assert Counter({one.name: one.count for one in manifest.classes}) == {
        "Tumour": areas[1],
        "Stroma": areas[2],
        "Unclassified": areas[3],
    }
    assert {one.name: one.color for one in manifest.classes}["Tumour"] == "FF0010"
    named = tmp_path / "image.zarr" / "labels" / "nuclei"
    again, _ = imported(named)
    assert np.array_equal(again.corners, shapes.corners)
    write_labels(mask, group, name="cells", axes="yx", scaler=None)
    with pytest.raises(SourceError, match=r"image\.zarr/labels/"):
        imported_again(tmp_path / "image.zarr")


def imported_again(path: Path) -> None:
    (path.with_name(path.name + ".work")).rename(path.with_name(path.name + ".old"))
    imported(path)


def segmented(path: Path, mask: np.ndarray, kind: str = "BINARY") -> Path:
    """Two segments that highdicom writes, tiled; of fractions the first one alone."""
    pixels = np.stack([mask == 1, mask == 2], axis=-1).astype(np.uint8)
    if mask.dtype.kind == "f":
        pixels = mask[:, :, None]
    source = slide_instance()
    source.TotalPixelMatrixRows = source.TotalPixelMatrixColumns = SIDE
    source.Rows = source.Columns = 64
    source.NumberOfFrames = 25
    source.DimensionOrganizationType = "TILED_FULL"
    source.TotalPixelMatrixFocalPlanes = 1
    source.NumberOfOpticalPaths = 1
    source.ImageOrientationSlide = [0, 1, 0, 1, 0, 0]
    from pydicom import Dataset

    origin, shared, measures = Dataset(), Dataset(), Dataset()
    origin.XOffsetInSlideCoordinateSystem = origin.YOffsetInSlideCoordinateSystem = 0
    measures.PixelSpacing, measures.SliceThickness = [0.0005, 0.0005], 0.001
    shared.PixelMeasuresSequence = [measures]
    source.TotalPixelMatrixOriginSequence, source.SharedFunctionalGroupsSequence = [origin], [shared]
    source.ContainerIdentifier, source.SpecimenDescriptionSequence = "c", []
    source.IssuerOfTheContainerIdentifierSequence, source.ContainerTypeCodeSequence = [], []
    segments = [
        highdicom.seg.SegmentDescription(
            segment_number=n,
            segment_label=name,
            segmented_property_category=codes.SCT.Tissue,
            segmented_property_type=codes.SCT.Tissue,
            algorithm_type="MANUAL",
            display_color=highdicom.color.CIELabColor(53.24, 80.09, 67.2) if n == 1 else None,
        )
        for n, name in ((1, "Tumour"), (2, "Stroma"))[: pixels.shape[2]]
    ]
    made = highdicom.seg.Segmentation(
        source_images=[source],
        pixel_array=pixels[None],
        segmentation_type=kind,
        segment_descriptions=segments,
        series_instance_uid=generate_uid(),
        series_number=1,
        sop_instance_uid=generate_uid(),
        instance_number=1,
        manufacturer="m",
        manufacturer_model_name="m",
        software_versions="1",
        device_serial_number="1",
        tile_pixel_array=True,
        tile_size=(64, 64),
        transfer_syntax_uid=ExplicitVRLittleEndian,
    )
    made.save_as(path)
    return path


@pytest.mark.parametrize("kind", ["BINARY", "FRACTIONAL", "LABELMAP"])
def test_segments_of_highdicom_become_classes_ov60(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setattr(reading_masks, "STRIP", 100 * SIDE)
    mask = labels(np.uint8, 3)
    mask[64:128, 64:128] = 0  # a tile without anything
    shapes, manifest = imported(segmented(tmp_path / "s.dcm", mask, kind))
    assert {one.name: one.count for one in manifest.classes} == {
        "Tumour": components(mask == 1),
        "Stroma": components(mask == 2),
    }
    numbers = np.array([{"Tumour": 1, "Stroma": 2}[one.name] for one in manifest.classes])
    found = Outlines(shapes.corners / QUARTERS, shapes.ring_ends, shapes.shape_ends, numbers[shapes.classes])
    assert np.array_equal(drawn([found], mask.shape), mask)
    assert int(manifest.classes[0].color[:2], 16) > 240


def test_damaged_segmentations_are_refused_ov60(tmp_path: Path) -> None:
    from pydicom import dcmread

    path = segmented(tmp_path / "a.dcm", labels(np.uint8, 3))
    huge = {"TotalPixelMatrixColumns": 1 << 30, "Rows": 65535, "Columns": 0}
    for number, (name, value) in enumerate(huge.items()):
        file = dcmread(path)
        setattr(file, name, value)
        if name == "Rows":
            file.Columns = 65535
        file.save_as(tmp_path / f"{number}.dcm")
        with pytest.raises(SourceError):
            imported(tmp_path / f"{number}.dcm")
    whole = path.read_bytes()
    for end in range(800, len(whole), len(whole) // 15):
        (tmp_path / f"cut {end}").write_bytes(whole[:end])
        with pytest.raises(SourceError):
            imported(tmp_path / f"cut {end}")


@pytest.mark.parametrize(
    ("mask", "slide", "scale"),
    [
        ((100, 80), (100, 80), 1),
        ((25, 20), (100, 80), 4),
        ((26, 21), (101, 81), 4),
        ((25, 20), (101, 81), 4),
        ((200, 160), (100, 80), 0.5),
        ((30, 24), (100, 80), 100 / 30),
        ((100, 80), (300, 80), None),
        ((10, 10), (1000, 1200), None),
    ],
)
def test_a_mask_with_the_proportions_of_the_slide_covers_it_ov60(
    mask: tuple[int, int], slide: tuple[int, int], scale: float | None
) -> None:
    expected = None if scale is None else (scale, 0, 0, 0, scale, 0)
    assert covering(mask, slide) == expected


def test_a_coarser_mask_is_scaled_and_a_given_transform_wins_ov60(tmp_path: Path) -> None:
    mask = np.zeros((20, 20), np.uint16)
    mask[5:10, 5:10] = 1
    tifffile.imwrite(tmp_path / "m.tif", mask)
    shapes, _ = imported(tmp_path / "m.tif")
    assert (shapes.corners.min() / QUARTERS, shapes.corners.max() / QUARTERS) == (80, 160)
    tifffile.imwrite(tmp_path / "n.tif", mask)
    shapes, _ = imported(tmp_path / "n.tif", reading=Reading(transform=(2, 0, 1, 0, 2, 1)))
    assert (shapes.corners.min() / QUARTERS, shapes.corners.max() / QUARTERS) == (11, 21)


def test_what_is_no_mask_is_refused_ov60(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "rgb.tif", np.zeros((32, 32, 3), np.uint8), photometric="rgb")
    tifffile.imwrite(tmp_path / "float.tif", np.zeros((32, 32), np.float32))
    tifffile.imwrite(tmp_path / "two.tif", np.zeros((2, 32, 32), np.uint8), photometric="minisblack")
    tifffile.imwrite(tmp_path / "noise.tif", np.arange(300 * 2, dtype=np.uint8).reshape(20, 30).repeat(16, axis=0))
    whole = (tmp_path / "float.tif").read_bytes()
    (tmp_path / "cut.tif").write_bytes(whole[: len(whole) // 2])
    group = zarr.open_group(str(tmp_path / "image.zarr"), mode="w", zarr_format=2)
    write_image(np.zeros((32, 32), np.uint8), group, axes="yx")
    (tmp_path / "empty").mkdir()
    for name in ("rgb.tif", "float.tif", "two.tif", "cut.tif", "image.zarr", "empty"):
        with pytest.raises(SourceError):
            imported(tmp_path / name, 32, Reading(content="shapes"))
    mask = labels(np.uint16)
    tifffile.imwrite(tmp_path / "scored.tif", mask)
    with pytest.raises(SourceError, match="score"):
        imported(tmp_path / "scored.tif", reading=Reading("p"))


def test_hostile_labels_are_refused_ov60_ov62(tmp_path: Path) -> None:
    group = zarr.open_group(str(tmp_path / "i.zarr"), mode="w", zarr_format=2)
    write_image(np.zeros((32, 32), np.uint8), group, axes="yx")
    write_labels(np.ones((32, 32), np.uint16), group, name="a", axes="yx", scaler=None)
    folder = tmp_path / "i.zarr" / "labels"
    (folder / ".zattrs").write_text(json.dumps({"labels": ["../../elsewhere"]}))
    with pytest.raises(SourceError):
        imported(tmp_path / "i.zarr", 32)
    (folder / ".zattrs").write_text(json.dumps({"labels": ["a"]}))
    (array,) = [one for one in (folder / "a").rglob(".zarray") if one.parent.name in ("0", "s0")]
    document = json.loads(array.read_text())
    for change in ({"filters": [{"id": "pickle"}]}, {"chunks": [1 << 20, 1 << 20]}, {"dtype": "<f4"}):
        array.write_text(json.dumps({**document, **change}))
        with pytest.raises(SourceError):
            imported_again(tmp_path / "i.zarr")
        (tmp_path / "i.zarr.old").rename(tmp_path / f"old {len(str(change))}")


def test_a_segmentation_without_highdicom_names_the_extra_ov60(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = segmented(tmp_path / "s.dcm", labels(np.uint8, 3))
    monkeypatch.setitem(__import__("sys").modules, "highdicom", None)
    with pytest.raises(MissingPackage, match=r"wavescope\[dicom\]"):
        sources.open_mask(path, Limits())
