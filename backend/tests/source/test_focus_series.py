from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tifffile

from source.worlds import tissue, write_svs
from wavescope.errors import UnreadableSource, UnsupportedSource
from wavescope.source.open import open_source


def write_plane(path: Path, picture: np.ndarray) -> None:
    tifffile.imwrite(path, picture, photometric="rgb" if picture.ndim == 3 else "minisblack")


def test_files_of_one_size_are_planes_in_the_order_of_their_names(tmp_path: Path) -> None:
    for z in (2, 0, 1):
        write_plane(tmp_path / f"focus{z}.tif", tissue(60, 80, seed=z))
    (tmp_path / "notes.txt").write_text("not a plane")
    source = open_source(tmp_path)
    assert (source.info.planes, source.info.format) == (3, "focus-series")
    said = "the 3 files of this folder are taken for focal planes, in the order of their names"
    assert source.info.notices == (said,)
    for z in range(3):
        assert np.array_equal(source.read_region(z, 3, 4, 70, 50), tissue(60, 80, seed=z)[4:54, 3:73])
    source.close()


def test_st112_sixteen_bit_planes_are_exact_and_shown_by_one_window(tmp_path: Path) -> None:
    planes = [np.linspace(0, top, 3600).astype(np.uint16).reshape(60, 60) for top in (1000, 4000)]
    for z, plane in enumerate(planes):
        write_plane(tmp_path / f"{z}.tif", plane)
    source = open_source(tmp_path)
    for z, plane in enumerate(planes):
        assert np.array_equal(source.read_region(z, 0, 0, 60, 60)[:, :, 0], plane)
    assert (source.info.groups, source.info.bits, source.info.exact) == (1, 16, True)
    low, high, _, on = source.info.descriptions[0].display
    assert (low < 10, 3980 < high <= 4000, on) == (True, True, True)


@pytest.mark.parametrize("other", [tissue(60, 81), tissue(60, 80, 1)], ids=["another size", "another kind"])
def test_files_that_differ_are_not_one_slide(tmp_path: Path, other: np.ndarray) -> None:
    write_plane(tmp_path / "0.tif", tissue(60, 80))
    write_plane(tmp_path / "1.tif", other)
    with pytest.raises(UnsupportedSource, match="differ in size or kind"):
        open_source(tmp_path)


def test_a_cut_plane_is_named(tmp_path: Path) -> None:
    for z in range(2):
        write_plane(tmp_path / f"{z}.tif", tissue(60, 80, seed=z))
    cut = tmp_path / "1.tif"
    cut.write_bytes(cut.read_bytes()[:-1000])
    with pytest.raises(UnreadableSource, match=r"1\.tif: the file is cut off"):
        open_source(tmp_path)


def test_a_folder_of_slides_asks_for_one_of_them(tmp_path: Path) -> None:
    for name in ("a.svs", "b.svs"):
        write_svs(tmp_path / name, tissue(128, 128))
    with pytest.raises(UnsupportedSource, match="name one of them"):
        open_source(tmp_path)


def test_the_real_series_has_seven_planes_of_exact_samples(real: Callable[[str], Path]) -> None:
    folder = real("zstack_microtubules_16bit")
    source = open_source(folder)
    info = source.info
    assert (info.width, info.height, info.channels, info.planes) == (512, 800, 1, 7)
    assert (info.bits, info.exact, info.window) == (16, True, None)
    assert info.descriptions[0].display[:2] == (89, 331)
    assert np.array_equal(source.read_region(3, 0, 0, 512, 800)[..., 0], tifffile.imread(folder / "Abs0049.tif"))
