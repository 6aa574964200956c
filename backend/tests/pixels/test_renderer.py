"""Pixels made by the kernel: tiles, regions across tiles and levels, thumbnails, bounds, damage."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from service.world import HEIGHT, WIDTH, World, running_service
from wavescope import kernel
from wavescope.config import Limits
from wavescope.errors import CorruptBlock, CorruptStore, OutOfRange, TooLarge, Unavailable, WavescopeError
from wavescope.geometry import TILE, Address
from wavescope.pixels.region import Region
from wavescope.pixels.threads import PixelThreads
from wavescope.service.access.gate import LOCAL_USER
from wavescope.service.composition import Services
from wavescope.store.version import SlideVersion


@pytest.fixture
async def service(world: World) -> AsyncIterator[Services]:
    async with running_service(world.store) as started:
        yield started


async def version_of(service: Services, world: World, slide_id: str) -> SlideVersion:
    return await service.slides.version(LOCAL_USER, slide_id, world.digests[slide_id])


def reduced(pixels: NDArray[np.uint8], level: int) -> NDArray[np.float64]:
    """The exact mean of 2 x 2 pixels, level by level, where whole squares are there."""
    means = pixels.astype(np.float64)
    for _ in range(level):
        height, width = means.shape[0] // 2 * 2, means.shape[1] // 2 * 2
        means = means[:height, :width].reshape(height // 2, 2, width // 2, 2, -1).mean(axis=(1, 3))
    return means


async def test_a_lossless_region_across_tile_borders_is_the_source(service: Services, world: World) -> None:
    version = await version_of(service, world, "lossless")
    for x, y, width, height in ((0, 0, WIDTH, HEIGHT), (500, 480, 30, 70), (1299, 1099, 1, 1), (255, 0, 2, 1100)):
        pixels = await service.pixels.region_pixels(version, Region(0, 0, x, y, width, height), 3)
        assert np.array_equal(pixels, world.picture[y : y + height, x : x + width])


@pytest.mark.parametrize("level", [0, 1, 2, 3])
async def test_every_level_is_the_reduced_source(service: Services, world: World, level: int) -> None:
    version = await version_of(service, world, "visual")
    means = reduced(world.picture, level)
    height, width = means.shape[:2]
    pixels = await service.pixels.region_pixels(version, Region(0, level, 0, 0, width, height), version.layers)
    error = np.mean((pixels - means) ** 2)
    assert 10 * np.log10(255**2 / error) > 30  # of noise; tissue is far better


async def test_fewer_layers_give_a_coarser_picture_wi4(service: Services, world: World) -> None:
    version = await version_of(service, world, "lossless")
    whole = Region(0, 0, 0, 0, WIDTH, HEIGHT)
    errors = []
    for count in (1, 2, 3):
        pixels = await service.pixels.region_pixels(version, whole, count)
        errors.append(float(np.mean((pixels.astype(float) - world.picture) ** 2)))
    assert errors[0] > errors[1] > errors[2] == 0


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize(("level", "x", "y"), [(0, 1, 1), (0, 5, 4), (1, 2, 0), (2, 1, 0), (3, 0, 0)])
async def test_a_tile_is_its_chain_of_ancestors_decoded_by_hand(
    service: Services, world: World, level: int, x: int, y: int, count: int
) -> None:
    version = await version_of(service, world, "visual")

    async def layers(address: Address) -> list[bytes]:
        return kernel.split_layers(await service.blocks.get(version.digest, address, range(count)))

    samples = kernel.decode_approximation(await layers(Address(0, 0, 3, 0, 0)), version.parameters(3))
    for n in range(2, level - 1, -1):
        address = Address(0, 0, n, x >> (n - level), y >> (n - level))
        samples = kernel.decode_tile(samples, await layers(address), version.parameters(n), address)
    width, height = version.pyramid.tile_size(level, x, y)
    file = await service.pixels.tile_image(version, Address(0, 0, level, x, y), count, "png")
    expected = kernel.pixels(samples, version.parameters(level), width, height)
    assert np.array_equal(np.asarray(Image.open(BytesIO(file))), expected)


async def test_planes_differ(service: Services, world: World) -> None:
    version = await version_of(service, world, "planes")
    tiles = [await service.pixels.tile_image(version, Address(z, 0, 0, 0, 0), 2, "png") for z in (0, 1)]
    assert tiles[0] != tiles[1]


@pytest.mark.parametrize(
    ("longest", "size"), [(16, (16, 14)), (256, (256, 217)), (400, (400, 338)), (2048, (1300, 1100))]
)
async def test_a_thumbnail_fits_and_shows_the_slide(
    service: Services, world: World, longest: int, size: tuple[int, int]
) -> None:
    image = Image.open(
        BytesIO(await service.pixels.thumbnail(await version_of(service, world, "visual"), longest, "png"))
    )
    assert image.size == size
    assert np.abs(np.asarray(image).mean(axis=(0, 1)) - world.picture.mean(axis=(0, 1))).max() < 2


@pytest.mark.parametrize(
    ("region", "failure"),
    [
        (Region(1, 0, 0, 0, 1, 1), OutOfRange),
        (Region(0, 4, 0, 0, 1, 1), OutOfRange),
        (Region(0, 0, -1, 0, 1, 1), OutOfRange),
        (Region(0, 0, 0, 0, 0, 1), OutOfRange),
        (Region(0, 0, 0, 0, 1, -1), OutOfRange),
        (Region(0, 0, WIDTH - 1, 0, 2, 1), OutOfRange),
        (Region(0, 0, 0, HEIGHT, 1, 1), OutOfRange),
        (Region(0, 0, 0, 0, 10**18, 10**18), OutOfRange),
        (Region(0, 0, 0, 0, 1001, 1000), TooLarge),
    ],
)
async def test_a_region_outside_or_too_large_is_refused(
    world: World, region: Region, failure: type[WavescopeError]
) -> None:
    async with running_service(world.store, limits=Limits(region_pixels=1_000_000)) as service:
        with pytest.raises(failure):
            await service.pixels.region_pixels(await version_of(service, world, "visual"), region, 1)


async def test_more_waiting_requests_than_allowed_are_turned_away_wi24(world: World) -> None:
    async with running_service(world.store, limits=Limits(waiting_pixels=2, pixel_threads=1)) as service:
        version = await version_of(service, world, "visual")
        asked = [service.pixels.tile_image(version, Address(0, 0, 0, x, 0), 1, "png") for x in range(3)]
        results = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(result, Unavailable) for result in results] == [False, False, True]
        await service.pixels.tile_image(version, Address(0, 0, 0, 2, 0), 1, "png")


async def test_regions_wait_for_the_memory_of_others_and_all_are_made(world: World) -> None:
    async with running_service(world.store, limits=Limits(assembling_pixels=3 * 500 * 500)) as service:
        version = await version_of(service, world, "visual")
        most = 0

        async def watched(x: int) -> bytes:
            nonlocal most
            made = asyncio.ensure_future(service.pixels.region_image(version, Region(0, 0, x, 0, 500, 500), 1, "jpg"))
            while not made.done():
                most = max(most, service.pixels.budget.held)
                await asyncio.wait({made}, timeout=0.001)
            return await made

        files = await asyncio.gather(*(watched(x) for x in range(8)))
        assert len(set(files)) == 8
        assert 0 < most <= 3 * 500 * 500
        whole = Region(0, 0, 0, 0, WIDTH, HEIGHT)
        assert await service.pixels.region_image(version, whole, 1, "jpg")
        assert service.pixels.budget.held == 0


async def test_ancestors_are_kept_within_the_budget(world: World) -> None:
    one_tile = 3 * TILE * TILE * 2
    async with running_service(world.store, limits=Limits(samples_cache=4 * one_tile)) as service:
        version = await version_of(service, world, "visual")
        for _ in range(2):
            await service.pixels.region_pixels(version, Region(0, 0, 0, 0, WIDTH, HEIGHT), 1)
            assert service.pixels.samples.size == 4 * one_tile
        assert service.pixels.samples.hits > 0


async def test_a_region_caches_its_ancestors_and_its_own_tiles_when_a_client_comes_back(world: World) -> None:
    async with running_service(world.store) as service:
        version, pixels = await version_of(service, world, "visual"), service.pixels
        corner = Region(0, 0, TILE - 12, TILE - 22, 40, 50)  # of four tiles

        def ancestors(level: int) -> int:
            tiles = [Address(0, 0, level, x, y) for y in range(3) for x in range(3)]
            return sum(pixels.samples.contains((version.digest, tile, 2)) for tile in tiles)

        first = await pixels.region_pixels(version, corner, 2)
        assert (len(pixels.tiles), ancestors(0), ancestors(1), ancestors(2)) == (0, 0, 1, 1)
        again = await pixels.region_pixels(version, corner, 2)
        assert (len(pixels.tiles), ancestors(0), ancestors(1), ancestors(2)) == (4, 0, 1, 1)
        cut = await pixels.region_pixels(version, Region(0, 0, TILE - 2, TILE - 12, 7, 9), 2)
        assert np.array_equal(first, again)
        assert np.array_equal(cut, first[10:19, 10:17])


WALK = [(17 + 60 * step, 5 + 30 * step) for step in range(10)]


def counted_tiles(monkeypatch: pytest.MonkeyPatch) -> list[Address]:
    """The addresses of all tiles of level 0 that are decoded from now on, parts of tiles too."""
    decoded: list[Address] = []
    draw_tile = kernel.draw_tile

    def counted(*arguments: Any) -> None:
        decoded.append(arguments[3])
        draw_tile(*arguments)

    monkeypatch.setattr(kernel, "draw_tile", counted)
    return decoded


async def test_a_walk_decodes_each_tile_once_after_its_first_view(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_service(world.store) as service:
        version = await version_of(service, world, "visual")
        await service.pixels.region_pixels(version, Region(0, 0, *WALK[0], 512, 512), 2)
        decoded = counted_tiles(monkeypatch)
        for x, y in WALK[1:]:
            pixels = await service.pixels.region_pixels(version, Region(0, 0, x, y, 512, 512), 2)
            assert pixels.shape == (512, 512, 3)
        assert len(decoded) == len(set(decoded))


async def test_cached_tiles_are_drawn_and_encoded_in_one_job(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_service(world.store, limits=Limits(pixel_threads=2)) as service:
        version, view = await version_of(service, world, "visual"), Region(0, 0, *WALK[0], 512, 512)
        jobs, run = [], PixelThreads.run

        async def counted(threads: PixelThreads, work: Callable[[], Any]) -> Any:
            jobs.append(work)
            return await run(threads, work)

        for _ in range(2):  # the second one finds the tiles needed again, and caches them
            await service.pixels.region_pixels(version, view, 2)
        monkeypatch.setattr(PixelThreads, "run", counted)
        file = await service.pixels.region_image(version, view, 2, "png")
        assert len(jobs) == 1
        decoded = await service.pixels.region_image(version, view, 1, "png")  # with other layers nothing is cached
        assert len(jobs) >= 3
        assert file != decoded


async def test_views_of_one_place_at_the_same_time_decode_each_tile_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_service(world.store) as service:
        version, level = await version_of(service, world, "visual"), Region(0, 0, 0, 0, WIDTH, HEIGHT)
        whole = await service.pixels.region_pixels(version, level, 2)
        decoded = counted_tiles(monkeypatch)
        views = [Region(0, 0, x, y, 512, 512) for x, y in WALK]
        pictures = await asyncio.gather(*(service.pixels.region_pixels(version, view, 2) for view in views))
        for (x, y), picture in zip(WALK, pictures, strict=True):
            assert np.array_equal(picture, whole[y : y + 512, x : x + 512])
        assert len(decoded) == len(set(decoded))


async def test_tiles_of_regions_stay_within_their_budget_and_displace_no_ancestors(world: World) -> None:
    one_tile = 3 * TILE * TILE
    async with running_service(world.store, limits=Limits(tiles_cache=5 * one_tile)) as service:
        version, pixels = await version_of(service, world, "visual"), service.pixels
        for _ in range(2):
            await pixels.region_pixels(version, Region(0, 0, 0, 0, WIDTH, HEIGHT), 2)
        made = pixels.samples.misses
        for x, y in WALK:
            await pixels.region_pixels(version, Region(0, 0, x, y, 512, 512), 2)
            assert pixels.tiles.size <= 5 * one_tile
        assert pixels.tiles.size == 5 * one_tile
        assert pixels.samples.misses == made


@pytest.mark.parametrize("level", [0, 1, 2])
async def test_any_region_is_cut_from_the_whole_level(service: Services, world: World, level: int) -> None:
    version = await version_of(service, world, "visual")
    width, height = version.pyramid.level_size(level)
    whole = await service.pixels.region_pixels(version, Region(0, level, 0, 0, width, height), 2)
    chance = np.random.default_rng(level)
    for _ in range(12):
        x, y = int(chance.integers(width)), int(chance.integers(height))
        region = Region(0, level, x, y, int(chance.integers(1, width - x + 1)), int(chance.integers(1, height - y + 1)))
        pixels = await service.pixels.region_pixels(version, region, 2)
        assert np.array_equal(pixels, whole[y : y + region.height, x : x + region.width]), region


async def test_a_damaged_block_is_reported_and_other_tiles_still_come(damaged: World) -> None:
    damaged.shards("visual", 0)[0].unlink()
    async with running_service(damaged.store) as service:
        version = await version_of(service, damaged, "visual")
        with pytest.raises(CorruptBlock):
            await service.pixels.tile_image(version, Address(0, 0, 0, 0, 0), 1, "png")
        assert await service.pixels.tile_image(version, Address(0, 0, 1, 0, 0), 1, "png")


async def test_a_damaged_approximation_is_reported(damaged: World) -> None:
    for path in (damaged.store / "slides" / damaged.digests["visual"] / "approximation").glob("c.*"):
        stored = path.read_bytes()
        path.write_bytes(stored[:-1] + bytes([stored[-1] ^ 0xFF]))
    async with running_service(damaged.store) as service:
        with pytest.raises((CorruptStore, CorruptBlock)):
            await service.pixels.thumbnail(await version_of(service, damaged, "visual"), 256, "png")


async def test_the_kernel_is_loaded_before_the_first_picture(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def prepare() -> None:
        loop.call_soon_threadsafe(loaded.put_nowait, threading.current_thread().name)

    monkeypatch.setattr(kernel, "prepare", prepare)
    async with running_service(world.store):
        assert (await asyncio.wait_for(loaded.get(), 10)).startswith("pixels")
