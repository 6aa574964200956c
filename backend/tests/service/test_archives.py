"""Archives of slides: bounds, paths and kinds are checked before anything is written (WI94)."""

from __future__ import annotations

import stat
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from source.worlds import jpeg_of, tissue, write_dicom
from wavescope.config import Limits
from wavescope.errors import TooLarge, UnreadableSource, UnsupportedSource
from wavescope.service.jobs.archives.unpacking import UNPACKED, is_archive, unpack
from wavescope.service.jobs.uploads import safe_name
from wavescope.source.dicom.series import series_of

Files = dict[str, bytes]


def archive(folder: Path, files: Files, name: str = "set.zip") -> Path:
    path = folder / "job" / name
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for entry, content in files.items():
            out.writestr(entry, content)
    return path


def names(path: Path) -> list[str]:
    return sorted(str(one.relative_to(path)) for one in path.rglob("*") if one.is_file())


@pytest.mark.parametrize(
    ("files", "source", "left"),
    [
        ({"slide.svs": b"a"}, "slide.svs", ["slide.svs"]),
        ({"a/b/slide.svs": b"a", "a/.DS_Store": b"", "__MACOSX/x": b""}, "slide.svs", ["slide.svs"]),
        ({"slide.svs": b"a", "README.txt": b"b", "data/Facts.CSV": b"c"}, "slide.svs", ["slide.svs"]),
        ({"x/slide.ome.tif": b"a", "x/notes.md": b"b", "facts.xml": b"c"}, "slide.ome.tif", ["slide.ome.tif"]),
        ({"d/1.dcm": b"a", "d/2.dcm": b"b"}, "set", ["set/1.dcm", "set/2.dcm"]),
        ({"1.dcm": b"a", "2.dcm": b"b"}, "set", ["set/1.dcm", "set/2.dcm"]),
        ({"m.mrxs": b"a", "m/1.dat": b"b", "m/Slidedat.ini": b"c"}, "m.mrxs", ["m.mrxs", "m/1.dat", "m/Slidedat.ini"]),
        ({"x/m.mrxs": b"a", "x/m/1.dat": b"b"}, "m.mrxs", ["m.mrxs", "m/1.dat"]),
        ({"x/a.vms": b"a", "x/a.opt": b"b"}, "a.vms", ["a.opt", "a.vms"]),
        ({"zarr.json": b"{}", "0/c/0": b"a"}, "set", ["set/0/c/0", "set/zarr.json"]),
        (
            {"a.zarr/.zattrs": b"{}", "a.zarr/0/.zarray": b"{}", "a.zarr/.git": b"", "notes.txt": b""},
            "set",
            ["set/.zattrs", "set/0/.zarray"],
        ),
    ],
)
def test_an_archive_becomes_the_source_in_it_wi94(tmp_path: Path, files: Files, source: str, left: list[str]) -> None:
    path = archive(tmp_path, files)
    assert is_archive(path)
    assert unpack(path, Limits()) == path.parent / source
    assert names(path.parent) == left


REFUSED: dict[str, Files] = {
    "out of the folder": {"../slide.svs": b"a"},
    "out of the folder, further in": {"a/../../slide.svs": b"a"},
    "absolute": {"/etc/slide.svs": b"a"},
    "of another system": {"..\\slide.svs": b"a"},
    "of a drive": {"c:/slide.svs": b"a"},
    "too deep": {"/".join("a" * 20): b"a"},
    "too long": {"a" * 300: b"a"},
    "two names that differ in case": {"a.svs": b"a", "A.svs": b"a"},
    "two slides": {"a.mrxs": b"a", "b.mrxs": b"a"},
    "two slides in folders beside a text": {"a/1.ndpi": b"a", "b/2.ndpi": b"a", "b/notes.txt": b"a"},
    "several folders": {"a/1.dcm": b"a", "b/2.dcm": b"a"},
}


@pytest.mark.parametrize("files", REFUSED.values(), ids=REFUSED)
def test_a_path_that_leaves_the_archive_and_other_faults_are_refused_wi94(tmp_path: Path, files: Files) -> None:
    path = archive(tmp_path, files)
    with pytest.raises(UnsupportedSource):
        unpack(path, Limits())
    assert not [one for one in tmp_path.rglob("*.svs") if one.parent != path.parent / UNPACKED]


def dicom(folder: Path, name: str, series: str) -> bytes:
    """A small DICOM whole slide."""
    tiles = [jpeg_of(tissue(32, 32, seed=seed)) for seed in range(2)]
    return write_dicom(folder / name, tiles, (64, 32), side=32, series=series).read_bytes()


@pytest.mark.parametrize(
    ("layout", "left"),
    [
        (("a/1.dcm", "b/2.dcm"), ["1.dcm", "2.dcm"]),
        (("x/y/1.dcm", "2.dcm"), ["1.dcm", "2.dcm"]),
        (("a/IM0001", "b/IM0001"), ["00000-IM0001", "00001-IM0001"]),
    ],
)
def test_a_dicom_slide_in_several_folders_is_put_into_one_wi94(
    tmp_path: Path, layout: tuple[str, str], left: list[str]
) -> None:
    parts = [dicom(tmp_path, f"{number}", "1.2.3") for number in range(2)]
    other = {"DICOMDIR": bytes(128) + b"DICM", "viewer/run.exe": b"MZ"}
    path = archive(tmp_path, dict(zip(layout, parts, strict=True)) | other)
    assert unpack(path, Limits()) == path.parent / "set"
    assert names(path.parent / "set") == left
    assert len(series_of(path.parent / "set").instances) == 2


@pytest.mark.parametrize("layout", [("a/1.dcm", "b/2.dcm"), ("1.dcm", "2.dcm")])
def test_several_dicom_slides_in_one_archive_are_refused_wi94(tmp_path: Path, layout: tuple[str, str]) -> None:
    files = {place: dicom(tmp_path, place[-5:], f"1.2.{number}") for number, place in enumerate(layout)}
    with pytest.raises(UnsupportedSource, match="2 DICOM whole slides; upload each by itself"):
        unpack(archive(tmp_path, files), Limits())


def test_an_archive_may_have_the_name_of_the_folder_it_is_unpacked_in_wi94(tmp_path: Path) -> None:
    path = archive(tmp_path, {"d/1.tif": b"a", "d/2.tif": b"b"}, safe_name(f"{UNPACKED}.zip"))
    assert names(unpack(path, Limits())) == ["1.tif", "2.tif"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_in_an_archive_are_refused_wi94(tmp_path: Path, kind: int) -> None:
    path = archive(tmp_path, {})
    entry = zipfile.ZipInfo("slide.svs")
    entry.external_attr = (kind | 0o777) << 16
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(entry, "/etc/passwd")
    with pytest.raises(UnsupportedSource, match="link or a device"):
        unpack(path, Limits())
    assert names(path.parent) == ["set.zip"]


def test_a_bomb_is_refused_before_anything_is_written_wi94(tmp_path: Path) -> None:
    path = archive(tmp_path, {"slide.svs": bytes(100 << 20)})
    assert path.stat().st_size < 200_000
    with pytest.raises(TooLarge):
        unpack(path, Limits())
    assert names(path.parent) == ["set.zip"]


def test_too_many_files_and_too_many_bytes_are_refused_wi94(tmp_path: Path) -> None:
    path = archive(tmp_path, {f"{number}.dcm": b"abc" for number in range(10)})
    for limits in (replace(Limits(), archive_files=9), replace(Limits(), upload_bytes=29)):
        with pytest.raises(TooLarge):
            unpack(path, limits)
    assert names(path.parent) == ["set.zip"]


def test_a_directory_that_states_too_many_files_is_not_read_wi94(tmp_path: Path) -> None:
    path = archive(tmp_path, {"slide.svs": b"a"})
    content = bytearray(path.read_bytes())
    end = content.rfind(b"PK\x05\x06")
    struct.pack_into("<HH", content, end + 8, 0xFFFF, 0xFFFF)
    path.write_bytes(content)
    with pytest.raises(TooLarge):
        unpack(path, Limits())


def test_a_file_that_is_longer_than_stated_is_cut_off_wi94(tmp_path: Path) -> None:
    path = archive(tmp_path, {"slide.svs": bytes(5 << 20)})
    content = bytearray(path.read_bytes())
    directory = content.rfind(b"PK\x01\x02")
    struct.pack_into("<L", content, directory + 24, 1000)
    path.write_bytes(content)
    with pytest.raises(UnreadableSource):
        unpack(path, Limits())


def test_every_prefix_of_an_archive_is_an_error_of_its_own_kind_wi94(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a/1.dcm": b"a" * 50, "a/2.dcm": b"b" * 50})
    content = path.read_bytes()
    for length in range(4, len(content), 3):
        path.write_bytes(content[:length])
        with pytest.raises(UnreadableSource):
            unpack(path, Limits())
