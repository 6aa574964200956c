import hashlib
import os
import time
from pathlib import Path

import pytest

from wavescope.errors import UnreadableSource
from wavescope.source.files import source_files
from wavescope.source.open import fingerprint

MIB = 1 << 20


def test_the_fingerprint_does_not_depend_on_name_place_or_time(tmp_path: Path) -> None:
    first, second = tmp_path / "a.svs", tmp_path / "b.tif"
    first.write_bytes(b"content")
    second.write_bytes(b"content")
    os.utime(second, (time.time() - 9999, time.time() - 9999))
    assert fingerprint(first) == fingerprint(second)


@pytest.mark.parametrize("place", [0, 5000, MIB, 3 * MIB + 12_345, 9 * MIB - 1])
def test_st97_a_changed_byte_anywhere_in_a_file_changes_its_fingerprint(tmp_path: Path, place: int) -> None:
    path = tmp_path / "big"
    path.write_bytes(bytes(9 * MIB))
    before = fingerprint(path)
    with path.open("r+b") as stream:
        stream.seek(place)
        stream.write(b"\1")
    assert fingerprint(path) != before


def test_st97_a_second_writer_makes_the_same_fingerprints(tmp_path: Path) -> None:
    folder = tmp_path / "planes"
    folder.mkdir()
    contents = {"a.tif": b"II*\0" + bytes(5 * MIB), "b.tif": b"II*\0 2"}
    for name, content in contents.items():
        (folder / name).write_bytes(content)
        assert fingerprint(folder / name) == hashlib.sha256(content).hexdigest()
    parts = (name.encode() + b"\0" + hashlib.sha256(content).digest() for name, content in contents.items())
    assert fingerprint(folder) == hashlib.sha256(b"wavescope folder 2" + b"".join(parts)).hexdigest()


def test_zeros_of_different_length_have_different_fingerprints(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(bytes(5 * MIB))
    (tmp_path / "b").write_bytes(bytes(5 * MIB + 1))
    assert fingerprint(tmp_path / "a") != fingerprint(tmp_path / "b")


def test_the_fingerprint_of_a_folder_covers_names_and_contents_of_its_files_but_not_its_own_name(
    tmp_path: Path,
) -> None:
    for folder in ("one", "two", "renamed", "changed"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / ("c" if folder == "renamed" else "a")).write_bytes(b"II*\0 1")
        (tmp_path / folder / "b").write_bytes(b"II*\0 3" if folder == "changed" else b"II*\0 2")
    marks = {folder: fingerprint(tmp_path / folder) for folder in ("one", "two", "renamed", "changed")}
    assert marks["one"] == marks["two"]
    assert len(set(marks.values())) == 3


def test_every_spelling_of_one_specimen_has_the_same_fingerprint() -> None:
    assert fingerprint("specimen:600x500") == fingerprint("specimen:600x500x1?seed=0")
    assert fingerprint("specimen:600x500") != fingerprint("specimen:600x500?seed=1")


def test_a_mirax_slide_includes_the_folder_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.mrxs").write_bytes(b"1")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "Data0000.dat").write_bytes(b"2")
    assert [file.name for file in source_files(tmp_path / "a.mrxs")] == ["a.mrxs", "Data0000.dat"]


def test_a_missing_file_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="No such file"):
        fingerprint(tmp_path / "nothing")
