import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import tifffile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sampling import share
from source.worlds import tissue
from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.base import Limits
from wavescope.source.open import open_source
from wavescope.source.tiff.with_tifffile import TiffSource
from wavescope.source.window import FULL

WIDTH, HEIGHT = 150, 110
LAYOUTS: dict[str, dict[str, Any]] = {
    "tiles": {"tile": (32, 48)},
    "strips": {"rowsperstrip": 7},
    "one strip": {"rowsperstrip": HEIGHT},
}
COMPRESSIONS = [None, "zlib", "lzw", "zstd", "packbits"]


def shown(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return picture[..., None] if picture.ndim == 2 else picture


@pytest.mark.parametrize(("layout", "compression"), list(itertools.product(LAYOUTS, COMPRESSIONS)))
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("order", ["<", ">"])
def test_every_layout_reads_as_it_was_written(
    tmp_path: Path, layout: str, compression: str | None, channels: int, order: Literal["<", ">"]
) -> None:
    picture = tissue(HEIGHT, WIDTH, channels)
    path = tmp_path / "a.tif"
    kind = "rgb" if channels == 3 else "minisblack"
    tifffile.imwrite(path, picture, photometric=kind, compression=compression, byteorder=order, **LAYOUTS[layout])
    source = open_source(path)
    assert isinstance(source, TiffSource)
    assert (source.info.width, source.info.height, source.info.channels) == (WIDTH, HEIGHT, channels)
    assert np.array_equal(source.read_region(0, 0, 0, WIDTH, HEIGHT), shown(picture))
    assert np.array_equal(source.read_region(0, 31, 6, 70, 90), shown(picture)[6:96, 31:101])
    source.close()


@pytest.mark.parametrize("layout", ["tiles", "strips"])
def test_samples_stored_in_separate_planes_are_joined(tmp_path: Path, layout: str) -> None:
    picture = tissue(HEIGHT, WIDTH)
    path = tmp_path / "a.tif"
    tifffile.imwrite(
        path,
        np.moveaxis(picture, 2, 0),
        photometric="rgb",
        planarconfig="separate",
        compression="zlib",
        **LAYOUTS[layout],
    )
    assert np.array_equal(open_source(path).read_region(0, 10, 20, 100, 50), picture[20:70, 10:110])


@given(data=st.data())
@settings(max_examples=share(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_region_is_that_part_of_the_whole(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    layout = data.draw(st.sampled_from(sorted(LAYOUTS)))
    compression = data.draw(st.sampled_from([None, "zlib"]))
    path = tmp_path_factory.getbasetemp() / f"{layout}-{compression}.tif"
    picture = tissue(HEIGHT, WIDTH)
    if not path.exists():
        tifffile.imwrite(path, picture, photometric="rgb", compression=compression, **LAYOUTS[layout])
    x, y = data.draw(st.integers(0, WIDTH - 1)), data.draw(st.integers(0, HEIGHT - 1))
    width, height = data.draw(st.integers(1, WIDTH - x)), data.draw(st.integers(1, HEIGHT - y))
    source = open_source(path)
    assert np.array_equal(source.read_region(0, x, y, width, height), picture[y : y + height, x : x + width])
    source.close()


def test_white_is_zero_is_inverted_and_a_palette_is_resolved(tmp_path: Path) -> None:
    grey = tissue(20, 30, 1)
    tifffile.imwrite(tmp_path / "white.tif", grey, photometric="miniswhite")
    assert np.array_equal(open_source(tmp_path / "white.tif").read_region(0, 0, 0, 30, 20)[..., 0], 255 - grey)
    palette = np.random.default_rng(0).integers(0, 65536, (3, 256), dtype=np.uint16)
    tifffile.imwrite(tmp_path / "palette.tif", grey, photometric="palette", colormap=palette)
    found = open_source(tmp_path / "palette.tif").read_region(0, 0, 0, 30, 20)
    assert np.array_equal(found, (palette >> 8).astype(np.uint8).T[grey])


def test_alpha_is_composited_over_white(tmp_path: Path) -> None:
    rgba = np.dstack([tissue(20, 30), np.tile(np.array([0, 255], np.uint8), (20, 15))])
    tifffile.imwrite(tmp_path / "a.tif", rgba, photometric="rgb", extrasamples=["unassalpha"])
    found = open_source(tmp_path / "a.tif").read_region(0, 0, 0, 30, 20)
    assert (found[:, ::2] == 255).all()
    assert np.array_equal(found[:, 1::2], rgba[:, 1::2, :3])


@pytest.mark.parametrize("dtype", ["uint16", "int16", "int8"])
@pytest.mark.parametrize("kind", ["minisblack", "miniswhite"])
def test_st112_deep_grey_keeps_its_samples_and_is_shown_by_a_window(tmp_path: Path, dtype: str, kind: str) -> None:
    least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
    ramp = np.linspace(least, most, 200 * 300).astype(dtype).reshape(200, 300)
    tifffile.imwrite(tmp_path / "a.tif", ramp, tile=(64, 64), photometric=kind)
    source = open_source(tmp_path / "a.tif")
    found = source.read_region(0, 0, 0, 300, 200)
    assert found.dtype == source.info.dtype == np.dtype(dtype)
    assert np.array_equal(found[..., 0], ramp if kind == "minisblack" else ~ramp)
    assert (source.info.groups, source.info.exact, source.info.window, source.info.notices) == (1, True, None, ())
    shown = source.info.descriptions[0]
    assert (shown.name, shown.colour, shown.signed) == ("Channel 1", "FFFFFF", least < 0)
    assert least <= shown.display.low < 0.99 * least + 0.01 * most
    assert most >= shown.display.high > 0.01 * least + 0.99 * most


def test_st98_pages_without_labels_are_focal_planes_and_this_is_said(tmp_path: Path) -> None:
    pages = [tissue(20, 30, 1) for _ in range(3)]
    with tifffile.TiffWriter(tmp_path / "pages.tif") as out:
        for page in pages:
            out.write(page, contiguous=False, metadata=None)
    info = open_source(tmp_path / "pages.tif").info
    assert (info.planes, info.notices) == (3, ("its 3 pages have no labels and are taken for focal planes",))
    tifffile.imwrite(tmp_path / "stack.ome.tif", np.stack(pages), photometric="minisblack", metadata={"axes": "ZYX"})
    info = open_source(tmp_path / "stack.ome.tif").info
    assert (info.planes, info.notices) == (3, ())


def test_sixteen_bit_colour_keeps_its_high_bytes(tmp_path: Path) -> None:
    deep = tissue(20, 30).astype(np.uint16) * 257
    tifffile.imwrite(tmp_path / "a.tif", deep, photometric="rgb")
    source = open_source(tmp_path / "a.tif")
    assert np.array_equal(source.read_region(0, 0, 0, 30, 20), (deep >> 8).astype(np.uint8))
    assert (source.info.window, len(source.info.notices)) == (FULL, 1)


@pytest.mark.parametrize("side", ["TileWidth", "TileLength"])
def test_tiles_smaller_than_the_format_allows_are_refused(tmp_path: Path, side: str) -> None:
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, tissue(64, 128), tile=(16, 16), photometric="rgb")
    with tifffile.TiffFile(path, mode="r+") as tiff:
        tiff.pages.first.tags[side].overwrite(1)
    with pytest.raises(UnreadableSource, match="a side of a TIFF tile has at least 16"):
        open_source(path)


def test_a_tile_that_is_not_stored_is_glass_in_colour(tmp_path: Path) -> None:
    picture = tissue(64, 128)
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, picture, tile=(64, 64), photometric="rgb")
    with tifffile.TiffFile(path, mode="r+") as tiff:
        counts = tiff.pages.first.tags["TileByteCounts"]
        counts.overwrite([counts.value[0], 0])
    found = open_source(path).read_region(0, 0, 0, 128, 64)
    assert np.array_equal(found[:, :64], picture[:, :64])
    assert (found[:, 64:] == 255).all()


def ome(path: Path, stack: NDArray[np.uint8], axes: str, **options: Any) -> Path:
    metadata = {
        "axes": axes,
        "PhysicalSizeX": 0.25,
        "PhysicalSizeXUnit": "µm",
        "PhysicalSizeY": 250.0,
        "PhysicalSizeYUnit": "nm",
        "PhysicalSizeZ": 1.5,
        "PhysicalSizeZUnit": "µm",
    }
    tifffile.imwrite(
        path, stack, ome=True, metadata=metadata, photometric="rgb" if "S" in axes else "minisblack", **options
    )
    return path


@pytest.mark.parametrize("options", [{}, {"tile": (32, 32), "compression": "zlib"}])
def test_an_ome_tiff_has_its_focal_planes_and_its_scale(tmp_path: Path, options: dict[str, object]) -> None:
    stack = np.stack([tissue(80, 90, seed=z) for z in range(4)])
    source = open_source(ome(tmp_path / "a.ome.tif", stack, "ZYXS", **options))
    info = source.info
    assert (info.planes, info.channels, info.format) == (4, 3, "ome-tiff")
    assert (info.mpp_x, info.mpp_y, info.plane_spacing_um) == (0.25, 0.25, 1.5)
    for z in range(4):
        assert np.array_equal(source.read_region(z, 5, 6, 70, 60), stack[z, 6:66, 5:75])


def test_of_time_points_the_first_is_imported(tmp_path: Path) -> None:
    data = np.random.default_rng(2).integers(0, 255, (4, 40, 40), np.uint8)
    source = open_source(ome(tmp_path / "a.ome.tif", data, "TYX"))
    assert source.info.notices == ("it has 4 time points; number 1 is imported (--time chooses another)",)
    assert np.array_equal(source.read_region(0, 0, 0, 40, 40)[:, :, 0], data[0])


@pytest.mark.parametrize("dtype", ["uint32", "float32"])
def test_other_kinds_of_samples_are_refused_by_name(tmp_path: Path, dtype: str) -> None:
    tifffile.imwrite(tmp_path / "a.tif", np.zeros((40, 40), dtype))
    with pytest.raises(UnsupportedSource, match=dtype):
        open_source(tmp_path / "a.tif")


def test_an_imagej_stack_has_its_planes_and_spacing(tmp_path: Path) -> None:
    stack = np.stack([tissue(60, 50, 1, seed=z) for z in range(3)])
    tifffile.imwrite(tmp_path / "a.tif", stack, imagej=True, metadata={"axes": "ZYX", "spacing": 2.0, "unit": "um"})
    source = open_source(tmp_path / "a.tif")
    assert (source.info.planes, source.info.plane_spacing_um) == (3, 2.0)
    assert np.array_equal(source.read_region(2, 0, 0, 50, 60)[..., 0], stack[2])


def test_pages_of_one_size_without_a_meaning_are_taken_for_planes(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for z in range(3):
            writer.write(tissue(60, 50, seed=z), photometric="rgb", metadata=None)
    source = open_source(tmp_path / "a.tif")
    assert source.info.planes == 3
    assert np.array_equal(source.read_region(1, 0, 0, 50, 60), tissue(60, 50, seed=1))


def write_pyramid(path: Path) -> NDArray[np.uint8]:
    picture = tissue(256, 320)
    with tifffile.TiffWriter(path) as writer:
        settings: dict[str, Any] = {"tile": (64, 64), "photometric": "rgb", "compression": "jpeg", "metadata": None}
        profile = b"a colour profile"
        writer.write(
            picture, subifds=1, resolution=(20000, 20000), resolutionunit="CENTIMETER", iccprofile=profile, **settings
        )
        writer.write(picture[::2, ::2], subfiletype=1, **settings)
    return picture


def test_a_pyramid_tells_its_scale_its_profile_and_the_bytes_of_all_its_tiles(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    write_pyramid(path)
    info = open_source(path).info
    assert (info.width, info.height, info.mpp_x, info.mpp_y) == (320, 256, 0.5, 0.5)
    assert info.icc_profile == b"a colour profile"
    with tifffile.TiffFile(path) as tiff:
        first = tiff.pages.first
        assert first.pages is not None
        pages = [first, *first.pages]
        assert info.tile_bytes == sum(sum(page.databytecounts) for page in pages)


def test_a_resolution_that_speaks_of_print_is_not_taken_for_micrometres(tmp_path: Path) -> None:
    tifffile.imwrite(
        tmp_path / "a.tif", tissue(20, 20), resolution=(300, 300), resolutionunit="INCH", photometric="rgb"
    )
    assert open_source(tmp_path / "a.tif").info.mpp_x is None


def test_a_damaged_tile_is_an_error_and_the_others_still_come(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    write_pyramid(path)
    whole = open_source(path).read_region(0, 0, 0, 320, 256)
    with tifffile.TiffFile(path) as tiff:
        start, count = tiff.pages.first.dataoffsets[7], tiff.pages.first.databytecounts[7]
    content = bytearray(path.read_bytes())
    content[start + count // 2 : start + count] = bytes(count - count // 2)
    path.write_bytes(content)
    source = open_source(path)
    with pytest.raises(UnreadableSource, match="tile 7 is damaged"):
        source.read_region(0, 128, 64, 64, 64)
    assert np.array_equal(source.read_region(0, 0, 0, 320, 64), whole[:64])


def test_a_file_cut_after_it_was_opened_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    write_pyramid(path)
    source = open_source(path)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(UnreadableSource, match="cut off"):
        source.read_region(0, 256, 192, 64, 64)


def test_a_compressed_strip_larger_than_the_limit_is_refused_before_decoding(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, np.zeros((3000, 4000), np.uint8), compression="zlib", rowsperstrip=3000)
    with pytest.raises(UnreadableSource, match="12,000,000 bytes decoded; the limit is 1,000,000"):
        open_source(path, Limits(decoded_bytes=1_000_000))


def test_an_uncompressed_strip_of_any_size_is_read_row_by_row(tmp_path: Path) -> None:
    path = tmp_path / "a.tif"
    picture = tissue(300, 400, 1)
    tifffile.imwrite(path, picture, rowsperstrip=300)
    found = open_source(path, Limits(decoded_bytes=1000)).read_region(0, 100, 200, 50, 60)
    assert np.array_equal(found[..., 0], picture[200:260, 100:150])


def test_the_real_pyramid_reads_as_openslide_reads_it(real: Callable[[str], Path]) -> None:
    openslide = pytest.importorskip("openslide")
    path = real("minerva_CRC01_HE_17408x14336.tif")
    source = open_source(path)
    assert (source.info.width, source.info.height, source.info.mpp_x) == (17408, 14336, 1.3)
    with openslide.OpenSlide(path) as slide:
        expected = np.asarray(slide.read_region((8700, 7000), 0, (1100, 900)))[..., :3]
    assert np.array_equal(source.read_region(0, 8700, 7000, 1100, 900), expected)
