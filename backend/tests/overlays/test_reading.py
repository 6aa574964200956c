"""Files of shapes of every kind that is read (OV24, OV26, OV36 to OV38): what they become, and what is refused."""

from __future__ import annotations

import gzip
import json
import struct
from itertools import pairwise
from pathlib import Path
from typing import Any

import h5py
import highdicom
import numpy as np
import pyarrow
import pytest
from pyarrow import parquet
from pydicom.sr.codedict import codes
from pydicom.uid import ExplicitVRLittleEndian, generate_uid

from overlays.shapes import mixed
from overlays.test_builder import opened
from wavescope.errors import SourceError, UnreadableSource, UnsupportedSource
from wavescope.overlays.builder import Builder
from wavescope.overlays.manifest import OverlayManifest
from wavescope.overlays.reading import points, skipped
from wavescope.overlays.reading.files import Reading, parse_transform, read_shapes
from wavescope.overlays.reading.wkb import rings_of
from wavescope.overlays.shapes import QUARTERS, Shapes, joined

ONE = {"type": "Polygon", "coordinates": [[[1, 2], [9, 2], [9, 12], [1, 12], [1, 2]]]}
GEOJSON = json.dumps([{"type": "Feature", "geometry": ONE, "properties": {"p": 0.25, "classification": "A"}}]).encode()


PLAIN = Reading()


def read(path: Path, reading: Reading = PLAIN) -> tuple[Shapes, OverlayManifest, skipped.Skipped]:
    work = path.with_name(path.name + ".work")
    work.mkdir()
    builder = Builder(work, 500, 500, reading.score or None)
    left = read_shapes(path, builder, reading)
    _, manifest = builder.finish(path.with_name(path.name + ".overlay"))
    archive = opened(path.with_name(path.name + ".overlay"))
    tiles = [archive.tile(*place) for place in archive.places()]
    return joined([tile.shapes for tile in tiles if tile]), manifest, left


def of(folder: Path, content: bytes, reading: Reading = PLAIN) -> tuple[Shapes, OverlayManifest, skipped.Skipped]:
    path = folder / "file"
    path.write_bytes(content)
    return read(path, reading)


def counts(manifest: OverlayManifest) -> dict[str, int]:
    return {one.name: one.count for one in manifest.classes}


def test_geojson_is_also_read_from_gzip_ov24(tmp_path: Path) -> None:
    plain, manifest, _ = of(tmp_path, GEOJSON)
    packed, _, _ = read_packed(tmp_path, gzip.compress(GEOJSON))
    assert np.array_equal(plain.corners, packed.corners)
    assert counts(manifest) == {"A": 1}
    for broken in (gzip.compress(GEOJSON)[:-9], gzip.compress(GEOJSON)[:30], gzip.compress(b"\0\1\2")):
        with pytest.raises(SourceError):
            read_packed(tmp_path, broken)


def test_the_class_of_geojson_without_a_classification_is_a_property_ov24(tmp_path: Path) -> None:
    features = [{"type": "Feature", "geometry": ONE, "properties": properties} for properties in PROPERTIES]
    _, manifest, _ = of(tmp_path, json.dumps({"type": "FeatureCollection", "features": features}).encode())
    assert counts(manifest) == {"T cell": 1, "5": 1, "QuPath": 1, "Unclassified": 3}


PROPERTIES: list[Any] = [
    {"cell_type": "T cell"},
    {"cluster": 5},
    {"classification": "QuPath", "cell_type": "B"},
    {"other": "x"},
    None,
    7,
]


def read_packed(folder: Path, content: bytes) -> tuple[Shapes, OverlayManifest, skipped.Skipped]:
    inner = folder / str(len(list(folder.iterdir())))
    inner.mkdir()
    return of(inner, content)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [("0.5", (0.5, 1), (4.5, 6)), ("2,10,20", (12, 24), (28, 44)), ("0,-1,100,1,0,3", (88, 4), (98, 12))],
)
def test_coordinates_are_transformed_before_they_are_rounded_ov26(
    tmp_path: Path, text: str, least: tuple[float, float], most: tuple[float, float]
) -> None:
    shapes, _, _ = of(tmp_path, GEOJSON, Reading(transform=parse_transform(text)))
    assert (shapes.corners.min(axis=0) / QUARTERS).tolist() == list(least)
    assert (shapes.corners.max(axis=0) / QUARTERS).tolist() == list(most)


@pytest.mark.parametrize("text", ["a", "1,2", "nan", "0", "1,1,0,1,1,0", "inf,0,0", "1,2,3,4"])
def test_a_transform_that_is_none_is_refused_ov26(text: str) -> None:
    with pytest.raises(Exception, match="transform"):
        parse_transform(text)


@pytest.mark.parametrize(
    "head",
    [
        "x,y,class,p",
        "X;Y;Classification;p",
        "Centroid X px\tCentroid Y px\tClass\tp",
        "x_centroid,y_centroid,cluster,p",
    ],
)
def test_a_table_becomes_points_ov36(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str) -> None:
    monkeypatch.setattr(points, "ROWS", 7)
    delimiter = next(one for one in ",;\t" if one in head)
    rows = [[str(n), str(n / 2), "even" if n % 2 == 0 else '"o,d;d\tx"', str(n / 128)] for n in range(100)]
    text = "\n".join([head, *(delimiter.join(row) for row in rows), "a,b,c,d".replace(",", delimiter), "", "3"])
    shapes, manifest, left = of(tmp_path, b"\xef\xbb\xbf" + text.encode(), Reading(score="p"))
    assert counts(manifest) == {"even": 50, "o,d;d\tx": 50}
    assert sorted((shapes.corners / QUARTERS).tolist()) == [[n, n / 2] for n in range(100)]
    assert sorted(shapes.scores.tolist()) == [int(255 * n / 128 + 0.5) for n in range(100)]
    assert (left.count, left.reasons[0]) == (2, "row 101: it has no numbers in its columns")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name,size\n1,2\n", "no columns of x and y"),
        (b"x,y\n1,\xff\n", "UTF-8"),
        (b"x,y\n" + b"1" * (1 << 20), "a line"),
        (b"x,y,p\n1,2,3\n", "no column 'q'"),
        (b"x,y\n1e99,5\n", "corner"),
    ],
)
def test_a_text_that_is_no_table_is_refused_ov36(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(UnreadableSource, match=reason):
        of(tmp_path, content, Reading(score="q" if b"p" in content.split(b"\n")[0] else ""))


@pytest.mark.parametrize("content", [b"", b"\0\0\0", b"  ", bytes(128) + b"DICM", b"PAR1", b"\x89HDF\r\n\x1a\n"])
def test_what_is_of_no_known_kind_is_refused_ov24(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(SourceError):
        of(tmp_path, content)


# -- GeoParquet


def wkb(rings: list[Any], order: str = "<", dimensions: int = 2) -> bytes:
    """A polygon."""
    mark, kind = (b"\x01" if order == "<" else b"\x00"), 3 + (1000 if dimensions == 3 else 0)
    parts = [mark, struct.pack(f"{order}II", kind, len(rings))]
    for ring in rings:
        filled = np.zeros((len(ring), dimensions))
        filled[:, :2] = ring
        parts += [struct.pack(f"{order}I", len(ring)), filled.astype(f"{order}f8").tobytes()]
    return b"".join(parts)


def written(path: Path, geometries: list[bytes | None], encoding: str = "WKB", **columns: Any) -> Path:
    geo = {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": encoding}}}
    data = pyarrow.table({"geometry": pyarrow.array(geometries, pyarrow.binary()), **columns})
    parquet.write_table(data.replace_schema_metadata({"geo": json.dumps(geo)}), path, row_group_size=50)
    return path


def test_a_geoparquet_file_has_the_shapes_of_the_geojson_file_ov37(tmp_path: Path) -> None:
    shapes = mixed(2, 400)
    ends, ring_ends = [0, *shapes.shape_ends.tolist()], [0, *shapes.ring_ends.tolist()]
    rings = [shapes.corners[a:b] / QUARTERS for a, b in pairwise(ring_ends)]
    parts = [rings[a:b] for a, b in pairwise(ends)]
    geometries = [wkb(part, "<>"[n % 2], 2 + n % 2) for n, part in enumerate(parts)]
    names = [f"class {n}" for n in shapes.classes.tolist()]
    path = written(
        tmp_path / "a.parquet", [*geometries, None, b"\x01"],
        cell_type=[*names, None, None], score=[*(shapes.scores / 255.0).tolist(), 0.5, 0.5],
    )  # fmt: skip
    found, manifest, left = read(path, Reading("score"))
    assert counts(manifest) == {f"class {n}": int((shapes.classes == n).sum()) for n in np.unique(shapes.classes)}
    assert left.count == 2
    assert len(found) == len(shapes)
    assert sorted(found.corners.tolist()) == sorted(shapes.corners.tolist())
    assert sorted(found.scores.tolist()) == sorted(shapes.scores.tolist())


def test_geometries_of_many_parts_are_read_and_every_damaged_one_is_refused_ov37() -> None:
    ring = np.array([[0, 0], [4, 0], [4, 4]], float)
    two = b"\x01" + struct.pack("<II", 6, 2) + wkb([ring]) + wkb([ring + 9, ring + 10])
    assert [one.tolist() for one in rings_of(two)] == [ring.tolist(), (ring + 9).tolist(), (ring + 10).tolist()]
    point = b"\x01" + struct.pack("<IIdd", 1 | 0x20000000, 4326, 3, 4)
    assert [one.tolist() for one in rings_of(point)] == [[[3, 4]]]
    for end in range(len(two)):
        with pytest.raises(Exception, match="geometry"):
            rings_of(two[:end])
    huge = b"\x01" + struct.pack("<II", 3, 0xFFFFFFFF) + two
    nested = b"\x01" + struct.pack("<II", 6, 1) + two
    for wrong in (
        huge,
        nested,
        two + b"x",
        b"\x01" + struct.pack("<II", 7, 0),
        b"\x01" + struct.pack("<II", 2, 1 << 31),
    ):
        with pytest.raises(Exception, match="geometry"):
            rings_of(wrong)


def test_a_parquet_file_without_such_geometries_is_refused_ov37(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedSource, match="WKB"):
        read(written(tmp_path / "a", [b""], "polygon"))
    parquet.write_table(pyarrow.table({"x": [1.0]}), tmp_path / "b")
    with pytest.raises(UnsupportedSource, match="geo"):
        read(tmp_path / "b")
    with pytest.raises(UnreadableSource, match="no column"):
        read(written(tmp_path / "c", [b""]), Reading("p"))
    whole = written(tmp_path / "d", [wkb([np.eye(3)[:, :2]])]).read_bytes()
    (tmp_path / "e").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(UnreadableSource):
        read(tmp_path / "e")


# -- AnnData


def anndata(path: Path, places: Any, codes_: Any, categories: list[str]) -> Path:
    with h5py.File(path, "w") as file:
        file["obsm/spatial"] = places
        file["obs/cell_type/codes"] = np.array(codes_, np.int8)
        file["obs/cell_type"]["categories"] = np.array(categories, h5py.string_dtype())
        file["obs/p"] = np.linspace(0, 1, len(places))
    return path


def test_observations_of_anndata_become_points_ov36(tmp_path: Path) -> None:
    places = np.random.default_rng(1).uniform(0, 400, (40, 3)).round(2)
    places[3, 0] = np.nan
    path = anndata(tmp_path / "a.h5ad", places, [n % 3 - 1 for n in range(40)], ["B cell", "T cell"])
    shapes, manifest, left = read(path, Reading("p"))
    assert counts(manifest) == {"B cell": 13, "T cell": 13, "Unclassified": 13}
    kept = np.isfinite(places).all(axis=1)
    expected = np.floor(places[kept, :2] * QUARTERS + 0.5).astype(int)
    assert sorted(shapes.corners.tolist()) == sorted(expected.tolist())
    assert left.reasons == ["observation 4: its numbers are not finite"]
    with h5py.File(tmp_path / "b", "w") as file:
        file["obsm/other"] = places
    with pytest.raises(UnsupportedSource, match="obsm/spatial"):
        read(tmp_path / "b")
    whole = path.read_bytes()
    (tmp_path / "c").write_bytes(whole[: len(whole) // 3])
    with pytest.raises(UnreadableSource):
        read(tmp_path / "c")


# -- DICOM annotations


def annotated(path: Path, groups: list[Any], kind: str = "2D") -> Path:
    """A file that highdicom writes, about a slide that is never read."""
    source = slide_instance()
    made = highdicom.ann.MicroscopyBulkSimpleAnnotations(
        source_images=[source], annotation_coordinate_type=kind, annotation_groups=groups,
        series_instance_uid=generate_uid(), series_number=1, sop_instance_uid=generate_uid(), instance_number=1,
        manufacturer="m", manufacturer_model_name="m", software_versions="1", device_serial_number="1",
    )  # fmt: skip
    made.save_as(path)
    return path


def slide_instance() -> Any:
    from pydicom import Dataset
    from pydicom.dataset import FileMetaDataset

    slide = Dataset()
    slide.file_meta = FileMetaDataset()
    slide.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    values = {
        "SOPClassUID": "1.2.840.10008.5.1.4.1.1.77.1.6", "SOPInstanceUID": generate_uid(), "Modality": "SM",
        "StudyInstanceUID": generate_uid(), "SeriesInstanceUID": generate_uid(), "FrameOfReferenceUID": generate_uid(),
        "PatientID": "", "PatientName": "", "PatientBirthDate": "", "PatientSex": "", "StudyDate": "", "StudyTime": "",
        "AccessionNumber": "", "StudyID": "", "ReferringPhysicianName": "", "Rows": 8, "Columns": 8,
        "TotalPixelMatrixRows": 500, "TotalPixelMatrixColumns": 500, "NumberOfFrames": 1, "ContainerIdentifier": "c",
        "ImageType": ["ORIGINAL", "PRIMARY", "VOLUME", "NONE"],
    }  # fmt: skip
    for name, value in values.items():
        setattr(slide, name, value)
    return slide


def group(number: int, label: str, graphic: str, data: list[Any], values: Any = None) -> Any:
    measured = None
    if values is not None:
        measured = [
            highdicom.ann.Measurements(
                name=codes.SCT.Area, values=np.array(values, np.float32), unit=codes.UCUM.NoUnits
            )
        ]
    return highdicom.ann.AnnotationGroup(
        number=number, uid=generate_uid(), label=label, annotated_property_category=codes.SCT.AnatomicalStructure,
        annotated_property_type=codes.SCT.Nucleus, graphic_type=graphic, graphic_data=data,
        algorithm_type="MANUAL", measurements=measured,
        display_color=highdicom.color.CIELabColor(53.24, 80.09, 67.2),
    )  # fmt: skip


def test_annotations_of_highdicom_become_shapes_ov38(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    outlines = [rng.uniform(0, 400, (n, 2)).astype(np.float32) for n in (3, 20, 5)]
    marks = [rng.uniform(0, 400, (1, 2)).astype(np.float32) for _ in range(6)]
    ellipse = np.array([[100, 50], [140, 50], [120, 40], [120, 60]], np.float32)
    path = annotated(
        tmp_path / "a.dcm",
        [
            group(1, "Tumour", "POLYGON", outlines, [0.125, 0.875, 0.5]),
            group(2, "Mitosis", "POINT", marks, [0.5] * 6),
            group(3, "Round", "ELLIPSE", [ellipse], [0.25]),
        ],
    )
    shapes, manifest, left = read(path, Reading("Area"))
    assert counts(manifest) == {"Tumour": 3, "Mitosis": 6, "Round": 1}
    assert left.count == 0
    assert sorted(shapes.scores.tolist()) == sorted([32, 223, 128, *[128] * 6, 64])
    red = int(manifest.classes[0].color[:2], 16)
    assert red > 240
    expected = np.floor(np.concatenate([*outlines, *marks]).astype(float) * QUARTERS + 0.5).astype(int)
    exact = [one for one in shapes.corners.tolist() if one in expected.tolist()]
    assert len(exact) >= len(expected)
    round_ = shapes.select(np.flatnonzero(shapes.classes == 2))
    assert (round_.corners.min(axis=0) / QUARTERS).tolist() == [100, 40]
    assert (round_.corners.max(axis=0) / QUARTERS).tolist() == [140, 60]
    assert read(path.rename(tmp_path / "b.dcm"), Reading("Volume"))[2].count == 10


def test_damaged_annotations_are_refused_ov38(tmp_path: Path) -> None:
    path = annotated(tmp_path / "a.dcm", [group(1, "T", "POLYGON", [np.eye(3)[:, :2].astype(np.float32)] * 2)])
    from pydicom import dcmread

    for number, (name, value) in enumerate(
        [
            ("LongPrimitivePointIndexList", np.array([1, 2], "<u4").tobytes()),
            ("LongPrimitivePointIndexList", np.array([3, 7], "<u4").tobytes()),
            ("LongPrimitivePointIndexList", np.array([1, 99], "<u4").tobytes()),
            ("LongPrimitivePointIndexList", b"abc"),
            ("PointCoordinatesData", b"abcd" * 3),
            ("PointCoordinatesData", np.full((6, 2), np.nan, "<f4").tobytes()),
            ("GraphicType", "SPHERE"),
        ]
    ):
        file = dcmread(path)
        setattr(file.AnnotationGroupSequence[0], name, value)
        file.save_as(tmp_path / str(number))
        with pytest.raises(UnreadableSource):
            read(tmp_path / str(number))
    whole = path.read_bytes()
    for end in range(132, len(whole), max(1, len(whole) // 40)):
        (tmp_path / f"cut {end}").write_bytes(whole[:end])
        try:
            found = len(read(tmp_path / f"cut {end}")[0])
        except SourceError:
            continue
        assert found == 2, end  # only what stands behind the annotations is missing
