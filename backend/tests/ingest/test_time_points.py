"""One time point of a file that has several is chosen, by one option for all kinds of files (ST97, IN18)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from numpy.typing import NDArray

from ingest.worlds import ingested
from source.test_czi import write as write_czi
from source.test_nd2 import write as write_nd2
from source.test_ome_files import samples as of_files
from source.test_ome_files import write as write_ome_files
from source.test_ome_zarr import write as write_ome_zarr
from wavescope.errors import InvalidParameter, UnsupportedSource
from wavescope.ingest.stored_source import stored_source
from wavescope.source.base import Limits
from wavescope.source.open import fingerprint, open_source
from wavescope.store.reader import StoreReader

TIMES = 3
DATA = np.random.default_rng(1).integers(0, 65536, (TIMES, 2, 90, 130), np.uint16)


def ome_tiff(folder: Path) -> Path:
    tifffile.imwrite(folder / "a.ome.tif", DATA, metadata={"axes": "TCYX"}, photometric="minisblack")
    return folder / "a.ome.tif"


def grey_tiff(folder: Path) -> Path:
    tifffile.imwrite(folder / "a.ome.tif", DATA[:, 0], metadata={"axes": "TYX"}, photometric="minisblack")
    return folder / "a.ome.tif"


def nd2(folder: Path) -> Path:
    pytest.importorskip("nd2")
    return write_nd2(folder / "a.nd2", np.moveaxis(DATA[:1], 1, 3), times=TIMES)


def plane(path: Path, time: int) -> NDArray[Any]:
    source = open_source(path, Limits(time=time))
    found = source.read_region(0, 0, 0, source.info.width, source.info.height)
    assert f"it has {TIMES} time points; number {time + 1} is imported (--time chooses another)" in source.info.notices
    source.close()
    return np.moveaxis(found, 2, 0)


MAKERS: dict[str, tuple[Callable[[Path], Path], Callable[[int], NDArray[Any]]]] = {
    "ome-tiff": (ome_tiff, lambda t: DATA[t]),
    "grey": (grey_tiff, lambda t: DATA[t, :1]),
    "ome-zarr": (lambda folder: write_ome_zarr(folder / "a.zarr", DATA, "tcyx"), lambda t: DATA[t]),
    "nd2": (nd2, lambda t: DATA[0] + t),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_in18_any_time_point_is_read_and_no_other(tmp_path: Path, kind: str) -> None:
    make, expected = MAKERS[kind]
    path = make(tmp_path)
    for time in range(TIMES):
        assert np.array_equal(plane(path, time), expected(time))
    with pytest.raises(UnsupportedSource, match="it has 3 time points; --time is 1 to 3"):
        open_source(path, Limits(time=TIMES))


def test_in18_any_time_point_of_several_files_is_read(tmp_path: Path) -> None:
    data = of_files(TIMES)
    path = write_ome_files(tmp_path, data)
    for time in range(TIMES):
        assert np.array_equal(plane(path, time), data[time, :, 0])


def test_in18_any_time_point_of_a_czi_is_read(tmp_path: Path) -> None:
    pytest.importorskip("pylibCZIrw")
    data = np.random.default_rng(4).integers(0, 200, (2, 1, 80, 100), np.uint16)
    path = write_czi(tmp_path / "a.czi", data, times=TIMES)
    found = [plane(path, time) for time in range(TIMES)]
    assert np.array_equal(found[0], data[:, 0])
    assert len({one.tobytes() for one in found}) == TIMES


def test_in18_a_source_of_one_time_point_has_none_to_choose_from(tmp_path: Path) -> None:
    path = write_ome_zarr(tmp_path / "a.zarr", DATA[0], "cyx")
    for source in (path, "specimen:300x300"):
        with pytest.raises(UnsupportedSource, match="no time points to choose from"):
            open_source(source, Limits(time=1))
    with pytest.raises(InvalidParameter, match="--time"):
        ingested("specimen:300x300", tmp_path / "store", limits=Limits(time=1))


def test_st97_each_time_point_is_a_slide_of_its_own(tmp_path: Path) -> None:
    path, store = ome_tiff(tmp_path), tmp_path / "store"
    assert len({fingerprint(path, time) for time in range(TIMES)}) == TIMES
    assert fingerprint(path, 0) == fingerprint(path)
    for time in (0, 2):
        limits = Limits(time=time)
        made = ingested(path, store, f"t{time}", quality="lossless", limits=limits, keep_original=True)
        assert made.manifest.source.fingerprint == fingerprint(path, time)
        stored = stored_source(StoreReader.open(store, made.digest))
        assert np.array_equal(np.moveaxis(stored.read_region(0, 0, 0, 130, 90), 2, 0), DATA[time])
