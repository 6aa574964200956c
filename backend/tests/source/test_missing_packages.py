"""Readers that are extras: what is said where they are not installed (IN3)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import tifffile

from source.test_dicom import HEIGHT, SIDE, WIDTH, frames
from source.worlds import tissue, write_dicom, write_svs
from wavescope.errors import MissingPackage
from wavescope.service.exports.files import _coding
from wavescope.service.exports.plan import ExportPlan
from wavescope.service.jobs.watch import files_of
from wavescope.service.protocols.dicom.dataset import DicomSlide, instance_dataset
from wavescope.service.protocols.dicom.query import parse_query
from wavescope.service.protocols.dicom.transfer import encode_frame
from wavescope.source.dicom import series
from wavescope.source.dicom.identity import identity_of
from wavescope.source.open import fingerprint, open_source

Remove = Callable[[], None]


@pytest.fixture
def remove(monkeypatch: pytest.MonkeyPatch) -> Iterator[Remove]:
    """From when it is called, the extras are not installed."""

    def away() -> None:
        series._pydicom.cache_clear()
        for name in ("imagecodecs", "pydicom", "wsidicom", "zarr"):
            monkeypatch.setitem(sys.modules, name, None)

    yield away
    series._pydicom.cache_clear()


def test_in3_a_dicom_slide_names_its_extra(tmp_path: Path, remove: Remove) -> None:
    path = write_dicom(tmp_path / "a.dcm", frames(), (WIDTH, HEIGHT), side=SIDE)
    remove()
    for work in (open_source, fingerprint):
        with pytest.raises(MissingPackage, match=r"pip install 'wavescope\[dicom\]'"):
            work(path)
    assert files_of(path) == [path]  # a watched folder goes on; the job says what is missing


def test_in3_a_dicom_slide_with_focal_planes_names_it_too(
    tmp_path: Path, remove: Remove, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_dicom(tmp_path / "a.dcm", frames(planes=2), (WIDTH, HEIGHT), side=SIDE, planes=2)
    monkeypatch.setitem(sys.modules, "wsidicom", None)
    with pytest.raises(MissingPackage, match=r"wsidicom.*'wavescope\[dicom\]'"):
        open_source(path)


@pytest.mark.parametrize("compression", ["lzw", "zstd", "jpeg2000"])
def test_in3_a_codec_that_is_not_installed_names_its_extra(tmp_path: Path, remove: Remove, compression: str) -> None:
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, tissue(100, 120), photometric="rgb", rowsperstrip=50, compression=compression)
    remove()
    with pytest.raises(MissingPackage, match=r"(?i)compression \w*(lzw|zstd|jpeg).*'wavescope\[tiff\]'"):
        open_source(path)


def test_in3_what_openslide_can_decode_needs_no_extra(tmp_path: Path, remove: Remove) -> None:
    picture = tissue(100, 120)
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, picture, photometric="rgb", tile=(64, 64), compression="lzw")
    remove()
    source = open_source(path)
    assert np.array_equal(source.read_region(0, 0, 0, 120, 100), picture)
    source.close()


def test_in3_slides_of_jpeg_tiles_and_plain_tiff_need_no_extra(tmp_path: Path, remove: Remove) -> None:
    picture = tissue(130, 140)
    slide = write_svs(tmp_path / "a.svs", picture)
    tifffile.imwrite(tmp_path / "b.tif", picture, photometric="rgb", rowsperstrip=50, compression="deflate")
    remove()
    for path in (slide, tmp_path / "b.tif"):
        source = open_source(path)
        assert source.read_region(0, 3, 5, 70, 60).shape == (60, 70, 3)
        source.close()


def test_in3_an_export_of_jpeg_tiles_names_its_extra(remove: Remove) -> None:
    remove()
    plan = ExportPlan.__new__(ExportPlan)
    object.__setattr__(plan, "kind", "tiff-jpeg")
    with pytest.raises(MissingPackage, match=r"'wavescope\[tiff\]'"):
        _coding(plan, 3)
    object.__setattr__(plan, "kind", "tiff")
    assert _coding(plan, 3)["compression"] == "deflate"


def test_in3_dicomweb_names_its_extras(tmp_path: Path, remove: Remove) -> None:
    remove()
    works: list[Callable[[], object]] = [
        lambda: parse_query([]),
        lambda: identity_of(tmp_path / "a.dcm"),
        lambda: instance_dataset(DicomSlide(*[None] * 5), 0),  # type: ignore[arg-type]
    ]
    for work in works:
        with pytest.raises(MissingPackage, match=r"'wavescope\[dicom\]'"):
            work()
    with pytest.raises(MissingPackage, match=r"'wavescope\[tiff\]'"):
        encode_frame("htj2k", tissue(8, 8))
    assert encode_frame("jpg", tissue(8, 8))
