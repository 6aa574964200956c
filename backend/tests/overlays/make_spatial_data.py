"""Makes shared/vectors/overlays/spatial-data.zip with spatialdata itself, which is no dependency of the tests:

uv run --with spatialdata backend/tests/overlays/make_spatial_data.py shared/vectors/overlays/spatial-data.zip
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import anndata
import geopandas
import numpy as np
import pandas
import shapely
import spatialdata
from spatialdata.models import Labels2DModel, PointsModel, ShapesModel, TableModel
from spatialdata.transformations import Scale

COUNT = 30


def made() -> spatialdata.SpatialData:
    """Cells with a table about them, circles, points, and a label image."""
    rng = np.random.default_rng(3)
    names = [f"cell-{n}" for n in range(COUNT)]
    corners = np.array([[0, 0], [8, 0], [8, 12.25], [0, 12.25]])
    outlines = [shapely.Polygon(corners + at) for at in rng.integers(0, 200, (COUNT, 2))]
    placed = {"global": Scale([2.0, 2.0], axes=("x", "y"))}
    cells = ShapesModel.parse(geopandas.GeoDataFrame(geometry=outlines, index=names), transformations=placed)
    spots = ShapesModel.parse(np.array([[10.0, 20.0], [50.0, 60.0]]), geometry=0, radius=4.0)
    frame = pandas.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0], "gene": ["a", "b", "a"]})
    mask = np.zeros((64, 64), np.uint32)
    mask[4:10, 4:10], mask[20:30, 20:40] = 1, 2
    order = rng.permutation(COUNT)
    about = {
        "region": pandas.Categorical(["cells"] * COUNT),
        "instance": [names[n] for n in order],
        "cell_type": pandas.Categorical([["T cell", "B cell"][n % 2] for n in order]),
        "score": [n / 255 for n in order],
    }
    obs = pandas.DataFrame(about, index=[str(n) for n in range(COUNT)])
    observed = anndata.AnnData(X=np.zeros((COUNT, 1), np.float32), obs=obs)
    table = TableModel.parse(observed, region="cells", region_key="region", instance_key="instance")
    return spatialdata.SpatialData(
        shapes={"cells": cells, "spots": spots},
        points={"genes": PointsModel.parse(frame, feature_key="gene")},
        labels={"nuclei": Labels2DModel.parse(mask, dims=("y", "x"))},
        tables={"table": table},
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made().write(Path(folder) / "data.zarr")
        shutil.make_archive(sys.argv[1].removesuffix(".zip"), "zip", Path(folder) / "data.zarr")
