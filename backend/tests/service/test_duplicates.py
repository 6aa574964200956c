"""A file that is stored already is found by its fingerprint; who may not see the slide hears nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.worlds import tissue, write_tiff
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.trash import Trash
from wavescope.ingest.pipeline import Options, ingest
from wavescope.service.access.gate import LOCAL_USER, Principal, may
from wavescope.service.jobs.duplicates import Duplicates
from wavescope.service.jobs.uploads import UploadOptions


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path / "store")
    yield opened
    opened.close()


def test_wi72_slides_of_the_same_file_are_found_whatever_its_name(tmp_path: Path, catalog: Catalog) -> None:
    write_tiff(tmp_path / "a.tif", tissue(300, 200))
    write_tiff(tmp_path / "other.tif", tissue(300, 200, seed=2))
    for slide_id, name, profile in (("a", "a", "visual"), ("b", "a", "lossless"), ("c", "other", "visual")):
        options = Options(slide_id, quality=profile)
        ingest(tmp_path / f"{name}.tif", tmp_path / "store", catalog, options)
    (tmp_path / "renamed.bin").write_bytes((tmp_path / "a.tif").read_bytes())
    found = Duplicates(catalog, may)
    assert found.of(LOCAL_USER, tmp_path / "renamed.bin", UploadOptions()) == ("b", "a")
    Trash(catalog).put("b")
    assert found.of(LOCAL_USER, tmp_path / "renamed.bin", UploadOptions()) == ("a",)
    assert found.of(LOCAL_USER, tmp_path / "missing.tif", UploadOptions()) == ()


def test_wi72_slides_that_the_uploader_may_not_see_are_not_named(tmp_path: Path, catalog: Catalog) -> None:
    write_tiff(tmp_path / "a.tif", tissue(300, 200))
    for slide_id in ("a", "b"):
        ingest(tmp_path / "a.tif", tmp_path / "store", catalog, Options(slide_id))
    someone = Principal("someone", "user", role="instructor")
    found = Duplicates(catalog, lambda principal, action, slide: (action, slide) == ("view slide", "b"))
    assert found.of(someone, tmp_path / "a.tif", UploadOptions()) == ("b",)
    assert Duplicates(catalog, lambda *_: False).of(someone, tmp_path / "a.tif", UploadOptions()) == ()
