"""A slide for ordinary code: pixels equal those of the service, from a store and over HTTP alike."""

from __future__ import annotations

import io
import multiprocessing
import pickle
import random
import shutil
import subprocess
import sys
import urllib.request
import warnings
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from openslide import AbstractSlide
from openslide.deepzoom import DeepZoomGenerator
from PIL import Image

from service.world import HEIGHT, WIDTH, World
from wavescope.client import Options, Slide, open_slide
from wavescope.client.locations import LocalLocation, RemoteLocation, base_of, location_of
from wavescope.errors import InvalidParameter, OutOfRange, StaleVersion, TooLarge, UnknownSlide, WavescopeError


@pytest.fixture(params=["local", "remote"])
def slide(request: pytest.FixtureRequest, world: World, slide_url: str) -> Slide:
    return open_slide(slide_url if request.param == "remote" else world.store / "lossless")


def route(url: str, level: int, box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """What the service answers for a region of a level, as PNG."""
    x, y, w, h = box
    query = f"region?x={x << level}&y={y << level}&width={w}&height={h}&level={level}&format=png"
    with urllib.request.urlopen(f"{url}/{query}") as answer:
        return np.asarray(Image.open(io.BytesIO(answer.read())))


def test_st5_a_version_under_a_wrong_digest_is_one_error_without_a_traceback(world: World, tmp_path: Path) -> None:
    wrong = tmp_path / "slides" / ("0" * 32)
    shutil.copytree(world.store / "slides" / world.digests["lossless"], wrong)
    code = f"from wavescope.client import open_slide\ntry: open_slide({str(wrong)!r})\nexcept Exception as e: print(e)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.endswith("the manifest is corrupt: its digest does not match\n")
    assert "Traceback" not in ended.stdout + ended.stderr


@pytest.mark.slow
def test_pc10_200_random_regions_equal_the_region_route(slide: Slide, slide_url: str) -> None:
    chance = random.Random(4)
    with slide:
        for _ in range(200):
            level = chance.randrange(slide.level_count)
            width, height = slide.level_dimensions[level]
            w, h = chance.randint(1, min(width, 400)), chance.randint(1, min(height, 400))
            box = chance.randrange(width - w + 1), chance.randrange(height - h + 1), w, h
            expected = route(slide_url, level, box)
            assert np.array_equal(slide.read_array(level, *box), expected)
            region = np.asarray(slide.read_region((box[0] << level, box[1] << level), level, (w, h)))
            assert np.array_equal(region[:, :, :3], expected)
            assert (region[:, :, 3] == 255).all()


def test_pc11_a_slide_is_one_of_openslide(slide: Slide, world: World) -> None:
    with slide:
        assert isinstance(slide, AbstractSlide)
        assert slide.dimensions == (WIDTH, HEIGHT)
        assert slide.level_dimensions == ((1300, 1100), (650, 550), (325, 275), (163, 138))
        assert slide.level_downsamples == (1, 2, 4, 8)
        assert [slide.get_best_level_for_downsample(each) for each in (0.5, 1, 3.9, 4, 100)] == [0, 0, 1, 2, 3]
        assert slide.properties["openslide.level[1].width"] == "650"
        assert slide.properties["wavescope.digest"] == world.digests["lossless"]
        assert dict(slide.associated_images) == {}
        assert slide.get_thumbnail((100, 100)).size == (100, 85)
        assert slide.color_profile is None
    with pytest.raises(ValueError, match="closed"):
        slide.read_array(0, 0, 0, 1, 1)


def test_pc11_outside_of_the_slide_is_transparent(slide: Slide, world: World) -> None:
    with slide:
        region = np.asarray(slide.read_region((-10, HEIGHT - 20), 0, (30, 40)))
        assert np.array_equal(region[:20, 10:, :3], world.picture[HEIGHT - 20 :, :20])
        assert region[:20, 10:, 3].min() == 255
        assert not region[20:].any()
        assert not region[:, :10].any()
        assert not np.asarray(slide.read_region((5000, 5000), 2, (8, 8))).any()


@pytest.mark.parametrize("overlap", [0, 1])
def test_pc11_deep_zoom_tiles_are_the_pictures(slide: Slide, world: World, overlap: int) -> None:
    with slide:
        generator = DeepZoomGenerator(slide, tile_size=254, overlap=overlap)
        top = generator.level_count - 1
        assert generator.level_dimensions[top] == (WIDTH, HEIGHT)
        tile = np.asarray(generator.get_tile(top, (2, 1)))
        x, y = 2 * 254 - overlap, 254 - overlap
        assert np.array_equal(tile, world.picture[y : y + tile.shape[0], x : x + tile.shape[1]])
        for level, (columns, rows) in enumerate(generator.level_tiles):
            corner = columns - 1, rows - 1
            found, wanted = generator.get_tile(level, corner).size, generator.get_tile_dimensions(level, corner)
            assert max(abs(a - b) for a, b in zip(found, wanted, strict=True)) <= 1  # Pillow's thumbnail may round down


@pytest.mark.parametrize(
    ("box", "error"),
    [
        ((0, 0, 0, 5), OutOfRange),
        ((0, 0, 1301, 1), OutOfRange),
        ((-1, 0, 5, 5), OutOfRange),
        ((0, 0, -3, 5), OutOfRange),
    ],
)
def test_pc12_what_lies_outside_is_refused_before_it_is_fetched(
    slide: Slide, box: tuple[int, int, int, int], error: type[WavescopeError]
) -> None:
    with slide, pytest.raises(error):
        slide.read_array(0, *box)


def test_pc12_a_region_is_bounded_before_memory_is_allocated(slide: Slide) -> None:
    with slide:
        with pytest.raises(TooLarge):
            slide.read_region((0, 0), 0, (1 << 20, 1 << 20))
        with pytest.raises(TooLarge):
            slide.read_arrays(0, [(0, 0, 1 << 15, 1 << 15)], fill="background")
        with pytest.raises(InvalidParameter):
            slide.read_arrays(0, [(0, 0, 5, 5)], fill="pink")  # type: ignore[arg-type]
        with pytest.raises(OutOfRange):
            slide.read_region((0, 0), 9, (5, 5))


def corner_of(slide: Slide, x: int) -> NDArray[np.uint8]:
    return slide.read_array(0, x, x, 50, 40)


def test_pc13_eight_threads_share_a_slide(slide: Slide, world: World) -> None:
    with slide, ThreadPoolExecutor(8) as pool:
        places = [7 * n % 900 for n in range(64)]
        for x, found in zip(places, pool.map(lambda x: corner_of(slide, x), places), strict=True):
            assert np.array_equal(found, world.picture[x : x + 40, x : x + 50])


def failing(slide: Slide) -> None:
    slide.read_array(0, 5000, 0, 5, 5)


@pytest.mark.slow
@pytest.mark.parametrize(("slide", "method"), [("remote", "spawn"), ("local", "fork")], indirect=["slide"])
def test_pc13_a_pool_of_processes_reads_an_open_slide(slide: Slide, world: World, method: str) -> None:
    with slide, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12 and later: a fork with threads
        corner_of(slide, 0)  # so that there is something to inherit
        with ProcessPoolExecutor(2, multiprocessing.get_context(method)) as pool:
            for x, found in zip((3, 500), pool.map(corner_of, [slide] * 2, (3, 500)), strict=True):
                assert np.array_equal(found, world.picture[x : x + 40, x : x + 50])
            with pytest.raises(OutOfRange, match="5000"):
                pool.submit(failing, slide).result()
        assert np.array_equal(corner_of(slide, 9), world.picture[9:49, 9:59])


def test_pc13_a_pickled_slide_is_the_same_version(slide: Slide) -> None:
    with slide:
        copy: Slide = pickle.loads(pickle.dumps(slide))
        with copy:
            assert copy.version.digest == slide.version.digest
            assert np.array_equal(corner_of(copy, 11), corner_of(slide, 11))


def test_pc1_the_names_of_places(world: World, tmp_path: Path) -> None:
    digest, store = world.digests["visual"], world.store
    assert location_of(store / "visual") == LocalLocation(store, "visual", digest)
    assert location_of(str(store / "slides" / digest)) == LocalLocation(store, digest, digest)
    assert location_of(store / digest) == LocalLocation(store, digest, digest)
    for url in ("http://h:1/api/v1/slides/a.b", "http://h:1/slides/a.b", "http://h:1/api/v1/slides/a.b/"):
        assert location_of(url) == RemoteLocation("http://h:1", "a.b")
    assert location_of(f"https://h/x/api/v1/slides/s/v/{digest}") == RemoteLocation("https://h/x", "s", digest)
    for url in ("http://h:1", "http://h:1/api/v1", "http://h:1/api/v1/slides/s"):
        assert base_of(url) == "http://h:1"
    with pytest.raises(UnknownSlide):
        location_of(store / "nothing")
    with pytest.raises(StaleVersion):
        location_of(store / ("0" * 32))
    for wrong in (store, tmp_path / "a" / "b", "ftp://h/slides/a", "http://h", "http://u:p@h/slides/a"):
        with pytest.raises(InvalidParameter):
            location_of(wrong)
    assert Slide.detect_format(store / "visual") == "wavescope"
    assert Slide.detect_format(tmp_path / "x.svs") is None


def test_pc2_the_client_is_light() -> None:
    heavy = "fastapi starlette sqlalchemy pydantic zarr dask torch pywt tifffile imagecodecs uvicorn obstore"
    code = f"import sys, wavescope.client, wavescope.client.aio; print(set({heavy.split()}) & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert found.stdout.strip() == "set()"


def test_pc3_a_token_is_not_shown() -> None:
    assert "secret" not in repr(Options(token="secret"))
    with pytest.raises(InvalidParameter, match="not shown"):
        _ = Options(token="a\r\nb: c").headers


FORKING = """
import gc, multiprocessing, os, sys, time, warnings

from wavescope.client import Service, open_slide

warnings.simplefilter("ignore", DeprecationWarning)  # of Python 3.12 and later: a fork with threads
url, way = sys.argv[1:]


def mean(x):
    return float(slide.read_array(0, x, x, 50, 40).mean())


def child():
    gc.collect()
    if way == "reads":
        mean(300)


slide, service = open_slide(url, timeout=5), Service(url.partition("/api")[0])
mean(0), next(service.slides())  # so that there are connections to inherit
fork = multiprocessing.get_context("fork")
if way == "pool":
    pool = fork.Pool(2)
    pool.map(mean, [0, 100])
elif way == "idle pool":
    pool = fork.Pool(2)
elif way == "exits":
    if os.fork() == 0:
        sys.exit()
    os.wait()
else:
    process = fork.Process(target=child)
    process.start()
    process.join()
started = time.monotonic()
mean(500), next(service.slides())
print(time.monotonic() - started)
if way.endswith("pool"):
    pool.close()
    pool.join()
slide.close(), service.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", ["exits", "reads", "reads nothing", "pool", "idle pool"])
def test_pc13_a_fork_does_not_disturb_the_parent(slide_url: str, way: str) -> None:
    found = subprocess.run(
        [sys.executable, "-c", FORKING, slide_url, way], capture_output=True, text=True, timeout=100, check=True
    )
    assert found.stderr == ""
    assert float(found.stdout) < 4  # the time limit of a connection that gets no answer is 5 s
