import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from source.worlds import jpeg_of, tissue, write_svs
from wavescope.errors import InvalidParameter, SourceError, UnreadableSource, UnsupportedSource
from wavescope.source.open import DEFAULT_SPECIMEN, fingerprint, open_source, open_specimen

JPEG_HEAD = jpeg_of(tissue(64, 64))[:200]
HOSTILE: dict[str, tuple[bytes, type[SourceError], str]] = {
    "zero bytes": (b"", UnreadableSource, "empty"),
    "one byte": (b"I", UnsupportedSource, "text"),
    "text": (b"Dear pathologist,\nplease find enclosed\n", UnsupportedSource, "text, not a picture"),
    "markup": (b"<html><body>404</body></html>", UnsupportedSource, "markup"),
    "noise": (bytes(range(128, 256)) * 8, UnsupportedSource, "no image file that Wavescope knows"),
    "zeros": (bytes(4096), UnsupportedSource, "no image file that Wavescope knows"),
    "a TIFF header alone": (b"II*\0", UnreadableSource, "cut off"),
    "a TIFF without pictures": (b"II*\0" + bytes(12), UnreadableSource, "without pictures"),
    "a TIFF pointing beyond its end": (
        b"II*\0\xff\xff\xff\x7f" + bytes(50),
        UnreadableSource,
        "cut off: 58 bytes of at least 2,147 MB",
    ),
    "a TIFF of zeros": (b"II*\0\x08\0\0\0" + bytes(500), UnreadableSource, "TIFF"),
    "a BigTIFF of nonsense": (b"II+\0\x08\0\0\0" + b"\xa5" * 500, UnreadableSource, "damaged: it names parts"),
    "a PNG signature alone": (b"\x89PNG\r\n\x1a\n", UnreadableSource, "PNG"),
    "a JPEG head": (JPEG_HEAD, UnreadableSource, "JPEG"),
    "a BMP signature alone": (b"BM" + bytes(60), UnreadableSource, "BMP"),
    "a DICOM preamble alone": (bytes(128) + b"DICM", UnreadableSource, "DICOM"),
    "DICOM nonsense": (bytes(128) + b"DICM" + b"\xa5" * 999, UnreadableSource, "DICOM"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("ending", ["svs", "png", "dcm"])
def test_hostile_files_are_refused_with_a_reason_whatever_their_name(tmp_path: Path, name: str, ending: str) -> None:
    content, error, reason = HOSTILE[name]
    path = tmp_path / f"slide.{ending}"
    path.write_bytes(content)
    with pytest.raises(error, match=reason):
        open_source(path)


def test_the_content_decides_not_the_extension(tmp_path: Path) -> None:
    slide = write_svs(tmp_path / "slide.png", tissue(128, 128))
    assert open_source(slide).info.format == "aperio"
    picture = tmp_path / "picture.svs"
    Image.fromarray(tissue(30, 40)).save(picture, "PNG")
    assert open_source(picture).info.format == "png"


def test_an_archive_is_refused_with_the_advice_to_unpack_it(tmp_path: Path) -> None:
    path = tmp_path / "slide.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(UnsupportedSource, match="unpack it first"):
        open_source(path)


def test_a_missing_file_and_a_device_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableSource, match="no such file"):
        open_source(tmp_path / "nothing.svs")
    with pytest.raises(UnsupportedSource, match="neither a file nor a folder"):
        open_source("/dev/null")


@pytest.mark.parametrize("content", [{}, {"readme.txt": b"hello"}, {"a.png": b"\x89PNG\r\n\x1a\n"}])
def test_folders_of_other_things_are_refused(tmp_path: Path, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(UnsupportedSource, match="neither a DICOM whole slide nor a focus series"):
        open_source(tmp_path)


def test_the_message_names_the_file_but_not_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "slide.svs"
    path.write_bytes(b"")
    with pytest.raises(UnreadableSource) as caught:
        open_source(path)
    assert str(caught.value) == "slide.svs: the file is empty (0 bytes)"


def test_a_specimen_is_a_source_like_any_other() -> None:
    source = open_source("specimen:700x300x2?seed=3")
    assert (source.info.width, source.info.height, source.info.planes) == (700, 300, 2)
    assert np.array_equal(
        source.read_region(1, 100, 50, 300, 200),
        open_specimen("specimen:700x300x2?seed=3").read_region(1, 100, 50, 300, 200),
    )


def test_the_default_specimen_opens() -> None:
    info = open_specimen().info
    assert (info.mpp_x, info.objective_power, info.vendor, info.planes) == (0.25, 40.0, "Wavescope", 5)
    assert len(fingerprint(DEFAULT_SPECIMEN)) == 64


@pytest.mark.parametrize(
    "spec",
    [
        "specimen:",
        "specimen:100",
        "specimen:0x100",
        "specimen:100x100001",
        "specimen:-5x10",
        "specimen:10x10x0",
        "specimen:10x10x32",
        "specimen:10x10?seed=x",
        "specimen:10x10 ",
        "specimen:٣x٣",
    ],
)
def test_a_misspelt_specimen_is_an_invalid_parameter(spec: str) -> None:
    with pytest.raises(InvalidParameter):
        open_source(spec)


def test_a_slide_cut_in_its_tiles_says_how_much_of_it_is_there(tmp_path: Path) -> None:
    path = write_svs(tmp_path / "slide.svs", tissue(1024, 1024), compression=None)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 4])
    there, needed = f"{len(whole) // 4 / 1e3:,.0f} kB", f"{len(whole) / 1e6:.1f} MB"
    with pytest.raises(
        UnreadableSource, match=f"the file is cut off: {there} of at least {needed}; copy or export it again"
    ):
        open_source(path)


def test_an_unknown_file_is_answered_with_the_formats_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "letter.docx"
    path.write_bytes(b"Dear pathologist,\n")
    with pytest.raises(UnsupportedSource, match=r"unrecognised format: .* Supported: SVS, NDPI, .*DICOM.*PNG, JPEG"):
        open_source(path)


def test_no_message_of_a_damaged_picture_names_objects_of_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(UnreadableSource, match="damaged or incomplete") as caught:
        open_source(path)
    assert "<" not in str(caught.value)
