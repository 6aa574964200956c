"""SpatialData as its own library wrote it (shared/vectors/overlays/spatial-data.zip) becomes overlays (OV61)."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas
import pytest

from service.test_overlay_masks import imported
from wavescope.errors import SourceError
from wavescope.overlays.builder import Builder
from wavescope.overlays.reading.files import Reading
from wavescope.overlays.shapes import QUARTERS
from wavescope.service.overlays.sources import ShapeSource, of_file
from wavescope.service.overlays.spatial_data import combined

VECTOR = Path(__file__).parents[3] / "shared/vectors/overlays/spatial-data.zip"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    with zipfile.ZipFile(VECTOR) as archive:
        archive.extractall(tmp_path / "data.zarr")
    return tmp_path / "data.zarr"


def test_shapes_have_the_classes_and_scores_of_their_table_ov61(data: Path) -> None:
    shapes, manifest = imported(data / "shapes" / "cells", 512, Reading("score"))
    cells = geopandas.read_parquet(data / "shapes" / "cells" / "shapes.parquet")
    assert Counter({one.name: one.count for one in manifest.classes}) == {"T cell": 15, "B cell": 15}
    names = [manifest.classes[n].name for n in shapes.classes.tolist()]
    least, most = shapes.boxes
    found = Counter(
        zip(map(tuple, (np.hstack([least, most]) / QUARTERS).tolist()), shapes.scores.tolist(), names, strict=True)
    )
    expected: Counter[Any] = Counter()
    for name, box in cells.geometry.bounds.iterrows():
        number = int(str(name).partition("-")[2])
        expected[tuple((2 * box).tolist()), number, ("T cell", "B cell")[number % 2]] += 1
    assert found == expected


def test_circles_points_and_labels_are_elements_too_ov61(data: Path) -> None:
    circles, _ = imported(data / "shapes" / "spots", 512)
    assert (circles.boxes[0] / QUARTERS).tolist() == [[6, 16], [46, 56]]
    assert (circles.boxes[1] / QUARTERS).tolist() == [[14, 24], [54, 64]]
    points, manifest = imported(data / "points" / "genes", 512)
    assert sorted((points.corners / QUARTERS).tolist()) == [[1, 4], [2, 5], [3, 6]]
    assert [(one.name, one.count) for one in manifest.classes] == [("a", 2), ("b", 1)]
    labels, _ = imported(data / "labels" / "nuclei", 512, Reading(transform=(1, 0, 0, 0, 1, 0)))
    assert sorted((labels.boxes[0] / QUARTERS).tolist()) == [[4, 4], [20, 20]]


def test_features_beyond_256_are_no_classes_and_the_job_says_so_ov61(data: Path) -> None:
    genes = data / "points" / "genes"
    (part,) = (genes / "points.parquet").glob("*.parquet")
    frame = pandas.DataFrame({"x": np.arange(300.0), "y": np.arange(300.0), "gene": [f"g{n}" for n in range(300)]})
    frame.to_parquet(part)
    points, manifest = imported(genes, 512)
    assert (len(points), [one.name for one in manifest.classes]) == (300, ["Unclassified"])
    source = of_file(genes, Reading())
    assert isinstance(source, ShapeSource)
    (data.with_name("notes")).mkdir()
    notes = source.read(Builder(data.with_name("notes"), 512, 512), Reading(), lambda _: None).notes
    assert notes == ["its points have no class: column 'gene' has more than 256 features"]


def test_of_several_elements_one_has_to_be_named_ov61(data: Path) -> None:
    with pytest.raises(SourceError, match=r"data\.zarr/shapes/cells, data\.zarr/shapes/spots, data\.zarr/points/genes"):
        imported(data)
    shutil.rmtree(data / "shapes" / "spots")
    (data.with_name("data.zarr.work")).rename(data.with_name("old"))
    assert len(imported(data, 512)[0]) == 30


def test_hostile_folders_are_refused_ov61_ov62(data: Path) -> None:
    cells = data / "shapes" / "cells"

    def changed(file: Path, change: dict[str, Any]) -> None:
        document = json.loads(file.read_text())
        file.write_text(json.dumps({**document, **change}))
        with pytest.raises(SourceError):
            imported(cells, 512)
        cells.with_name("cells.work").rename(cells.with_name(f"old{len(list(cells.parent.iterdir()))}"))
        file.write_text(json.dumps(document))

    codes = data / "tables/table/obs/cell_type/codes/zarr.json"
    changed(codes, {"codecs": [{"name": "pickle"}]})
    changed(codes, {"shape": [1 << 40], "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1 << 40]}}})
    attributes = json.loads((cells / "zarr.json").read_text())["attributes"]
    for one in ({"type": "affine", "affine": [[1]]}, {"type": "scale", "scale": ["nan", 1]}, {"type": "bend"}, 7):
        changed(cells / "zarr.json", {"attributes": {**attributes, "coordinateTransformations": [one]}})
    about = json.loads((data / "tables/table/zarr.json").read_text())["attributes"]
    for key in ("../obs/instance", "nothing", ""):
        changed(data / "tables/table/zarr.json", {"attributes": {**about, "instance_key": key}})
    whole = (cells / "shapes.parquet").read_bytes()
    (cells / "shapes.parquet").write_bytes(whole[: len(whole) // 2])
    changed(data / "zarr.json", {})
    (cells / "shapes.parquet").unlink()
    (cells / "shapes.parquet").symlink_to("/etc/hostname")
    changed(data / "zarr.json", {})


def test_transforms_are_applied_one_after_the_other_ov61() -> None:
    assert combined(None, None) is None
    assert combined((2, 0, 1, 0, 2, 1), None) == (2, 0, 1, 0, 2, 1)
    assert combined((2, 0, 1, 0, 2, 1), (1, 0, 10, 0, 1, 20)) == (2, 0, 21, 0, 2, 41)
