import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from source.worlds import tissue
from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.open import open_source
from wavescope.source.window import FULL
from wavescope.source.with_pillow import PillowSource


def save(path: Path, image: Image.Image, kind: str, **options: object) -> Path:
    image.save(path, kind, **options)
    return path


@pytest.mark.parametrize("kind", ["PNG", "BMP"])
@pytest.mark.parametrize("channels", [1, 3])
def test_lossless_pictures_read_as_they_were_written(tmp_path: Path, kind: str, channels: int) -> None:
    picture = tissue(70, 90, channels)
    source = open_source(save(tmp_path / "a", Image.fromarray(picture), kind))
    assert isinstance(source, PillowSource)
    assert (source.info.width, source.info.height, source.info.channels) == (90, 70, channels)
    expected = picture.reshape(70, 90, channels)
    assert np.array_equal(source.read_region(0, 0, 0, 90, 70), expected)
    assert np.array_equal(source.read_region(0, 11, 7, 30, 40), expected[7:47, 11:41])


@pytest.mark.parametrize("channels", [1, 3])
def test_a_jpeg_reads_as_pillow_decodes_it(tmp_path: Path, channels: int) -> None:
    path = save(tmp_path / "a.png", Image.fromarray(tissue(70, 90, channels)), "JPEG")
    expected = np.asarray(Image.open(path)).reshape(70, 90, channels)
    assert np.array_equal(open_source(path).read_region(0, 0, 0, 90, 70), expected)


def test_transparency_is_composited_over_white(tmp_path: Path) -> None:
    rgba = np.dstack([tissue(20, 30), np.tile(np.array([0, 255], np.uint8), (20, 15))])
    found = open_source(save(tmp_path / "a.png", Image.fromarray(rgba), "PNG")).read_region(0, 0, 0, 30, 20)
    assert (found[:, ::2] == 255).all()
    assert np.array_equal(found[:, 1::2], rgba[:, 1::2, :3])


def test_a_palette_and_two_colours_are_resolved(tmp_path: Path) -> None:
    image = Image.fromarray(tissue(20, 30)).quantize(16)
    found = open_source(save(tmp_path / "a.png", image, "PNG")).read_region(0, 0, 0, 30, 20)
    assert np.array_equal(found, np.asarray(image.convert("RGB")))
    two = Image.fromarray(tissue(20, 30, 1)).convert("1")
    found = open_source(save(tmp_path / "b.png", two, "PNG")).read_region(0, 0, 0, 30, 20)
    assert np.array_equal(found[..., 0], np.asarray(two.convert("L")))


def test_st112_sixteen_bit_grey_keeps_its_samples(tmp_path: Path) -> None:
    ramp = np.linspace(1000, 63000, 60 * 50).astype(np.uint16).reshape(60, 50)
    source = open_source(save(tmp_path / "a.png", Image.fromarray(ramp), "PNG"))
    assert np.array_equal(source.read_region(0, 10, 20, 40, 30)[:, :, 0], ramp[20:50, 10:50])
    assert (source.info.bits, source.info.exact, source.info.window, source.info.notices) == (16, True, None, ())
    shown = source.info.descriptions[0]
    assert (shown.name, shown.colour, shown.bits) == ("Grey", "FFFFFF", 16)
    assert (1000 <= shown.display.low < 1200, 62800 < shown.display.high <= 63000) == (True, True)


def test_st98_a_png_of_sixteen_bit_colour_says_that_its_low_bits_are_lost(tmp_path: Path) -> None:
    deep = np.random.default_rng(0).integers(0, 65536, (20, 30, 3), dtype=np.uint16)
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in deep)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 30, 20, 16, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b""))
    (tmp_path / "deep.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))
    info = open_source(tmp_path / "deep.png").info
    assert (info.window, info.notices) == (FULL, ("16-bit values 0 to 65535 are stored as 0 to 255",))
    assert open_source(save(tmp_path / "a.png", Image.fromarray(tissue(20, 30)), "PNG")).info.window is None


def test_the_colour_profile_is_carried_and_print_resolution_is_not(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", Image.fromarray(tissue(20, 30)), "PNG", icc_profile=b"a profile", dpi=(300, 300))
    info = open_source(path).info
    assert (info.icc_profile, info.mpp_x, info.tile_bytes) == (b"a profile", None, None)


def png_claiming(width: int, height: int) -> bytes:
    """A PNG whose header is right and promises far more than the file holds."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


def test_a_png_claiming_100000_by_100000_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_claiming(100_000, 100_000))
    with pytest.raises(UnreadableSource, match=r"100000 x 100000 pixels.*the limit is 536,870,912 bytes"):
        open_source(path)


def test_the_limit_can_be_set(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", Image.fromarray(tissue(100, 100)), "PNG")
    with pytest.raises(UnreadableSource, match="the limit is 39,999 bytes"):
        open_source(path, Limits(decoded_bytes=39_999))
    open_source(path, Limits(decoded_bytes=40_000))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.95])
def test_a_truncated_picture_is_an_error_never_half_grey(tmp_path: Path, kind: str, share: float) -> None:
    stream = io.BytesIO()
    Image.fromarray(tissue(200, 200)).save(stream, kind)
    path = tmp_path / f"cut.{kind.lower()}"
    path.write_bytes(stream.getvalue()[: int(len(stream.getvalue()) * share)])
    with pytest.raises(UnreadableSource):
        open_source(path)


def test_a_jpeg_whose_middle_is_missing_is_an_error(tmp_path: Path) -> None:
    stream = io.BytesIO()
    Image.fromarray(tissue(200, 200)).save(stream, "JPEG")
    content = bytearray(stream.getvalue())
    content[len(content) // 3 : -2] = bytes(len(content) - 2 - len(content) // 3)
    path = tmp_path / "a.jpg"
    path.write_bytes(content)
    with pytest.raises(UnreadableSource):
        open_source(path)


def test_pictures_of_other_kinds_are_refused_by_name(tmp_path: Path) -> None:
    stream = io.BytesIO()
    Image.fromarray(tissue(20, 30)).convert("CMYK").save(stream, "JPEG")
    path = tmp_path / "a.jpg"
    path.write_bytes(stream.getvalue())
    assert open_source(path).info.channels == 3
    gif = save(tmp_path / "a.gif", Image.fromarray(tissue(20, 30)), "GIF")
    with pytest.raises(UnsupportedSource, match="PNG, JPEG and BMP"):
        open_source(gif)
