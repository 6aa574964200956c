"""A slide of several channels over HTTP: the mix, raw samples, protocols, an edge, an object store, the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import imagecodecs
import numpy as np
import pytest
import pytest_asyncio
import tifffile
import zarr
from dicomweb_client import DICOMwebClient
from numpy.typing import NDArray
from PIL import Image
from pydicom.dataset import Dataset
from wsidicom import WsiDicom, WsiDicomWebClient

from api.asking import API, problem
from channels.test_mixing import pixel
from edge.edges import edge, served
from ingest.worlds import ingested
from object_stores import BUCKET
from object_stores import served as object_store
from service.world import running_service
from wavescope.api.app import build_app
from wavescope.blocks.base import BlockRequest
from wavescope.blocks.object_store.source import ObjectSource
from wavescope.channels.mixing import mix_of
from wavescope.cli import main
from wavescope.client import open_slide
from wavescope.config import Config
from wavescope.geometry import Address
from wavescope.service.protocols.dicom.uids import UidKind, uid_of
from wavescope.service.storage import object_backend
from wavescope.source.open import open_source
from wavescope.store.objects.backend import FolderBackend
from wavescope.store.objects.copy import copy
from wavescope.store.reader import StoreReader
from wavescope.store.verify import verify

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.filterwarnings("ignore")]

WIDTH, HEIGHT, CHANNELS = 700, 560, 6
Samples = NDArray[np.uint16]


@pytest.fixture(scope="module")
def samples() -> Samples:
    """(channels, height, width)."""
    source = open_source(f"specimen:{WIDTH}x{HEIGHT}?seed=2&channels={CHANNELS}")
    return np.ascontiguousarray(source.read_region(0, 0, 0, WIDTH, HEIGHT).transpose(2, 0, 1))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, samples: Samples) -> tuple[Path, str]:
    """A lossless slide "cells", and its digest."""
    folder = tmp_path_factory.mktemp("channels")
    metadata = {"axes": "CYX", "Channel": {"Name": ["DAPI", "CD3", "CD8", "CD20", "PanCK", "Ki67"]}}
    tifffile.imwrite(folder / "a.ome.tif", samples, metadata=metadata, photometric="minisblack", tile=(256, 256))
    made = ingested(folder / "a.ome.tif", folder / "store", "cells", quality="lossless")
    return folder / "store", made.digest


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def url(store: tuple[Path, str]) -> AsyncIterator[str]:
    """Of the version in a running service."""
    async with running_service(store[0], open_to_all=True) as service, served(build_app(service)) as address:
        yield f"{address}{API}/slides/cells/v/{store[1]}"


async def get(address: str) -> httpx.Response:
    async with httpx.AsyncClient(follow_redirects=True, timeout=60) as client:
        return await client.get(address)


async def picture(address: str) -> NDArray[np.uint8]:
    answer = await get(address)
    assert answer.status_code == 200, answer.text
    return np.asarray(Image.open(BytesIO(answer.content)))


async def numbers(address: str) -> NDArray[Any]:
    answer = await get(address)
    assert answer.status_code == 200, answer.text
    return np.asarray(np.load(BytesIO(answer.content)))


def mixed(samples: Samples, channels: str | None, store: tuple[Path, str]) -> NDArray[np.uint8]:
    """The mix of a few pixels by the slow reference."""
    mix = mix_of(channels, StoreReader.open(*store).manifest.descriptions)
    own = samples[[one.c for one in mix]]
    return np.array([[pixel(own[:, y, x].tolist(), mix) for x in range(own.shape[2])] for y in range(own.shape[1])])


async def test_wi7_the_manifest_describes_the_channels(url: str) -> None:
    manifest = (await get(url.split("/v/")[0] + "/manifest")).json()
    assert (manifest["channels"], manifest["channel_groups"]) == (6, 6)
    described = manifest["channel_descriptions"]
    assert [one["name"] for one in described] == ["DAPI", "CD3", "CD8", "CD20", "PanCK", "Ki67"]
    assert (manifest["bit_depth"], manifest["signed"], described[0]["bits"]) == (16, False, 16)
    assert 0 < described[0]["display"]["low"] < described[0]["display"]["high"] < 65535
    assert described[0]["noise"]["gain"] > 0


async def test_wi137_npy_has_the_samples_of_the_channels_that_are_named(url: str, samples: Samples) -> None:
    whole = f"{url}/region?x=0&y=0&width={WIDTH}&height={HEIGHT}&format=npy"
    assert np.array_equal(await numbers(whole), samples.transpose(1, 2, 0))
    assert np.array_equal(await numbers(whole + "&channels=4,1"), samples[[1, 4]].transpose(1, 2, 0))
    assert np.array_equal(await numbers(whole + "&channels=5"), samples[[5]].transpose(1, 2, 0))


@pytest.mark.parametrize("channels", [None, "2", "0:ff8000:100-2000:150,3::5-900,5:00ffff::45"])
async def test_wi137_cm1_regions_and_tiles_are_the_mix_that_is_named(
    url: str, store: tuple[Path, str], samples: Samples, channels: str | None
) -> None:
    query = "" if channels is None else f"&channels={channels}"
    found = await picture(f"{url}/region?x=250&y=300&width=31&height=17{query}")
    assert np.array_equal(found, mixed(samples[:, 300:317, 250:281], channels, store))
    tile = await picture(f"{url}/tiles/0/0/2/1.png?layers=2{query}")
    assert tile.shape == (256, WIDTH - 512, 3)
    assert np.array_equal(tile[5:9, 7:30], mixed(samples[:, 261:265, 519:542], channels, store))


async def test_wi137_coarser_levels_are_mixed_of_their_own_samples(url: str, store: tuple[Path, str]) -> None:
    box = "x=64&y=32&width=40&height=30&level=1"
    own = (await numbers(f"{url}/region?{box}&format=npy")).transpose(2, 0, 1)
    assert np.array_equal(await picture(f"{url}/region?{box}"), mixed(own, None, store))


async def test_cm6_outside_of_the_slide_a_mix_is_black_or_transparent(url: str, store: tuple[Path, str]) -> None:
    box = f"x=-8&y={HEIGHT - 6}&width=20&height=12"
    inside = (await picture(f"{url}/region?x=0&y={HEIGHT - 6}&width=12&height=6")).astype(int)
    dark = await picture(f"{url}/region?{box}&fill=background")
    assert np.array_equal(dark[:6, 8:], inside)
    assert dark.sum() == inside.sum()
    clear = await picture(f"{url}/region?{box}&fill=transparent")
    assert np.array_equal(clear[:6, 8:, :3], inside)
    assert clear[:, :, 3].sum() == 255 * 6 * 12
    beyond = await numbers(f"{url}/region?x=9999&y=0&width=4&height=3&fill=background&format=npy&channels=1,2")
    assert beyond.shape == (3, 4, 2)
    assert not beyond.any()


@pytest.mark.parametrize("channels", ["6", "0,0", "x", "", "0:zzzzzz", "0::9-9"])
async def test_wi137_other_channels_are_refused(url: str, channels: str) -> None:
    for path in (
        "/tiles/0/0/0/0.png?",
        "/region?x=0&y=0&width=4&height=4&",
        "/region?x=0&y=0&width=4&height=4&format=npy&",
    ):
        assert problem(await get(f"{url}{path}channels={channels}")) == (422, "invalid-parameter")


async def test_wi137_thumbnails_iiif_and_deep_zoom_have_the_default_mix(url: str) -> None:
    whole = await picture(f"{url}/region?x=0&y=0&width={WIDTH}&height={HEIGHT}")
    slide = url.split("/v/")[0]
    assert (await picture(f"{slide}/thumbnail?max=128&format=png")).shape == (102, 128, 3)
    assert np.array_equal(await picture(f"{url}/iiif/3/0,0,{WIDTH},{HEIGHT}/max/0/default.png"), whole)


async def test_oz2_oz4_oz5_zarr_reads_every_channel(url: str, samples: Samples) -> None:
    def read() -> tuple[NDArray[Any], dict[str, Any], tuple[int, ...]]:
        group = zarr.open_group(f"{url}/ome.zarr", mode="r")
        level: Any = group["0"]
        return np.asarray(level[:]), dict(group.attrs["ome"]), level.chunks  # type: ignore[arg-type]

    found, ome, chunks = await asyncio.to_thread(read)
    assert np.array_equal(found, samples[:, None])
    assert chunks == (1, 1, 256, 256)
    shown = ome["omero"]["channels"]
    assert [one["label"] for one in shown] == ["DAPI", "CD3", "CD8", "CD20", "PanCK", "Ki67"]
    assert [one["active"] for one in shown] == [True] * 4 + [False] * 2
    assert shown[1]["color"] == "00FF00"
    assert (shown[1]["window"]["min"], shown[1]["window"]["max"]) == (0.0, 65535.0)
    assert 0 < shown[1]["window"]["start"] < shown[1]["window"]["end"] < 65535
    assert found.dtype == np.uint16
    assert (await get(f"{url}/ome.zarr/0/c/6/0/0/0")).status_code == 404


async def test_st112_signed_samples_of_8_bits_go_through_every_door(tmp_path: Path) -> None:
    data = np.random.default_rng(4).integers(-128, 127, (2, 100, 90), np.int8, endpoint=True)
    tifffile.imwrite(tmp_path / "a.ome.tif", data, metadata={"axes": "CYX"}, photometric="minisblack")
    digest = ingested(tmp_path / "a.ome.tif", tmp_path / "store", "signed", quality="lossless").digest
    async with running_service(tmp_path / "store", open_to_all=True) as service, served(build_app(service)) as address:
        own = f"{address}{API}/slides/signed/v/{digest}"
        filled = await numbers(f"{own}/region?x=-1&y=0&width=92&height=100&fill=transparent&format=npy")
        assert np.array_equal(filled[:, 1:91, :2], data.transpose(1, 2, 0))
        assert (filled[:, 1:91, 2] == 127).all()
        assert not filled[:, [0, 91]].any()
        found = await asyncio.to_thread(lambda: np.asarray(zarr.open_group(f"{own}/ome.zarr", mode="r")["0"]))
        assert np.array_equal(found, data[:, None])


async def test_wi44_wi45_an_exported_picture_shows_the_mix_that_is_named(url: str) -> None:
    box = "x=250&y=300&width=41&height=37"
    for query in ("", "&channels=2,5:00ff00:100-900"):
        asked = f"{box}&format=png{query}"
        async with httpx.AsyncClient(
            follow_redirects=True, timeout=60, headers={"Origin": url.split(API)[0]}
        ) as client:
            estimate = await client.get(f"{url}/export-estimate?{asked}")
            assert estimate.status_code == 200, estimate.text
            started = await client.post(f"{url}/exports?{asked}")
            assert started.status_code == 202, started.text
            own = f"{url.split(API)[0]}{started.headers['location']}"
            async with client.stream("GET", f"{own}/events") as events:
                async for line in events.aiter_lines():
                    if '"state":"done"' in line.replace(" ", ""):
                        break
            file = await client.get(f"{own}/file")
        found = np.asarray(Image.open(BytesIO(file.content)).convert("RGB"))
        assert np.array_equal(found, await picture(f"{url}/region?{box}{query}"))
    assert problem(await get(f"{url}/export-estimate?{box}&channels=9")) == (422, "invalid-parameter")


async def test_dw22_frames_of_every_channel_are_the_samples(
    url: str, store: tuple[Path, str], samples: Samples
) -> None:
    names = [uid_of(store[1], kind, 0) for kind in (UidKind.STUDY, UidKind.SERIES, UidKind.INSTANCE)]
    study, series, instance = names
    address = f"{url.split(API)[0]}{API}/dicomweb/studies/{study}/series/{series}/instances/{instance}"

    async def frame(number: int, media: str, rendered: str = "") -> bytes:
        async with httpx.AsyncClient(timeout=60) as client:
            answer = await client.get(f"{address}/frames/{number}{rendered}", headers={"accept": media})
        assert answer.status_code == 200, answer.text
        return answer.content

    decoders: dict[str, Callable[[bytes], Any]] = {
        "application/octet-stream": lambda data: np.frombuffer(data, "<u2").reshape(256, 256),
        "image/jphc": lambda data: imagecodecs.htj2k_decode(data),
        "image/jp2": lambda data: imagecodecs.jpeg2k_decode(data),
    }
    numbers = {3: samples[0, :256, 512:], 9 + 1: samples[1, :256, :256], 9 * 5 + 9: samples[5, 512:, 512:]}  # 3 x 3
    for media, decode in decoders.items():
        for number, own in numbers.items():
            found = np.asarray(decode(await frame(number, media)))
            assert found.dtype == np.uint16
            assert np.array_equal(found[: own.shape[0], : own.shape[1]], own), media
            assert not found[own.shape[0] :].any()
            assert not found[:, own.shape[1] :].any()
    alone = await picture(f"{url}/region?x=256&y=256&width=256&height=256&channels=2")
    shown = Image.open(BytesIO(await frame(9 * 2 + 5, "image/png", "/rendered")))
    assert np.array_equal(np.asarray(shown), alone)
    async with httpx.AsyncClient() as client:
        refused = await client.get(f"{address}/frames/1", headers={"accept": "image/jpeg"})
        described = Dataset.from_json((await client.get(f"{address}/metadata")).json()[0])
    assert problem(refused) == (406, "not-acceptable")
    assert (described.NumberOfFrames, described.NumberOfOpticalPaths) == (9 * CHANNELS, CHANNELS)
    assert (described.SamplesPerPixel, described.BitsStored, described.LossyImageCompression) == (1, 16, "00")
    assert [one.OpticalPathDescription for one in described.OpticalPathSequence][:2] == ["DAPI", "CD3"]


async def test_dw22_wsidicom_reads_an_optical_path(url: str, store: tuple[Path, str], samples: Samples) -> None:
    study, series = (uid_of(store[1], kind, 0) for kind in (UidKind.STUDY, UidKind.SERIES))

    def read() -> tuple[list[str], Any]:
        client = WsiDicomWebClient(DICOMwebClient(f"{url.split(API)[0]}{API}/dicomweb"))
        with WsiDicom.open_web(client, study, [series], "1.2.840.10008.1.2.4.90") as slide:
            paths = slide.pyramids[0].base_level.optical_paths
            return paths, slide.read_region((300, 200), 0, (350, 300), path="4")

    paths, found = await asyncio.to_thread(read)
    assert sorted(paths) == [str(c + 1) for c in range(CHANNELS)]
    assert np.array_equal(np.asarray(found), samples[3, 200:500, 300:650])


async def test_wi1_blocks_pages_and_approximations_have_the_channel_in_their_address(
    url: str, store: tuple[Path, str]
) -> None:
    reader = StoreReader.open(*store)
    layers = range(reader.manifest.layers)
    for c in range(CHANNELS):
        address = Address(0, c, 0, 1, 1)
        assert (await get(f"{url}/blocks/0/{c}/0/1/1")).content == reader.read(address, layers)
        assert (await get(f"{url}/layer-index/0/{c}/0/0")).content == reader.page(0, c, 0, 0)
        top = reader.read(Address(0, c, reader.manifest.top, 0, 0), layers)
        assert (await get(f"{url}/approximation/0/{c}")).content == top
    for path in ("/blocks/0/6/0/1/1", "/layer-index/0/6/0/0", "/approximation/0/6"):
        assert problem(await get(url + path)) == (400, "out-of-range")


async def test_ed1_an_edge_answers_channels_from_its_own_cache(url: str, tmp_path: Path) -> None:
    origin, path = url.split(API)
    async with edge(tmp_path / "cache", origin) as (_, app), served(app) as here:
        for asked in (
            "/blocks/0/5/0/1/1",
            "/layer-index/0/4/0/0",
            "/approximation/0/3",
            "/tiles/0/0/1/1.png?channels=5,2:ff00ff",
            "/region?x=3&y=4&width=300&height=200&format=npy&channels=1,5",
        ):
            expected = await get(url + asked)
            for _ in range(2):
                answer = await get(f"{here}{API}{path}{asked}")
                assert (answer.status_code, answer.content) == (200, expected.content), asked


@pytest.mark.slow
async def test_st82_st83_an_object_store_has_every_channel(store: tuple[Path, str], tmp_path: Path) -> None:
    reader = StoreReader.open(*store)
    layers = range(reader.manifest.layers)
    with object_store(tmp_path / "s3"):
        place = object_backend(Config(slide_store=f"s3://{BUCKET}"))
        assert place is not None
        await asyncio.to_thread(copy, FolderBackend(store[0]), place, store[1])
        source = ObjectSource(place.objects)
        addresses = [Address(0, c, level, 0, 0) for c in range(CHANNELS) for level in range(reader.manifest.top + 1)]
        requests = [BlockRequest(address, layers) for address in addresses]
        found = {position: data async for position, data in source.get_many(store[1], requests)}
        assert found == {position: reader.read(address, layers) for position, address in enumerate(addresses)}


async def test_sh25_an_export_comes_back_with_all_channels(store: tuple[Path, str], tmp_path: Path) -> None:
    target, other = tmp_path / "cells.wsz", tmp_path / "other"
    assert await asyncio.to_thread(main, ["export", "cells", str(target), "--store", str(store[0])]) == 0
    assert (await asyncio.to_thread(ingested, target, other, "cells")).digest == store[1]
    assert list(verify(other, store[1])) == []


async def test_pc14_the_client_reads_channels_by_name(url: str, store: tuple[Path, str], samples: Samples) -> None:
    def read(place: str) -> None:
        with open_slide(place) as slide:
            assert list(slide.channels) == ["DAPI", "CD3", "CD8", "CD20", "PanCK", "Ki67"]
            assert np.array_equal(slide.read_array(0, 5, 6, 600, 500), samples[:, 6:506, 5:605].transpose(1, 2, 0))
            one = slide.channels["CD8"]
            assert (one.number, one.description.bits) == (2, 16)
            assert slide.level(0).dtype == np.uint16
            assert np.array_equal(one.read_array(0, 100, 90, 300, 301), samples[2, 90:391, 100:400])
            assert slide.level(0)[10:20, 30:40, 3].tolist() == samples[3, 10:20, 30:40].tolist()
            found = slide.samples(0, (0, 0, 64, 64))
            assert found.shape == (CHANNELS, 64, 64)
            assert np.array_equal(slide.pixels_of(found), samples[:, :64, :64].transpose(1, 2, 0))
            shown = np.asarray(slide.read_region((-4, 300), 0, (40, 20)))
            assert np.array_equal(shown[:, 4:, :3], mixed(samples[:, 300:320, :36], None, store))
            assert not shown[:, :4].any()
            assert slide.details(0, 1, 1).shape == (CHANNELS, 3, 128, 128)
            with pytest.raises(KeyError):
                slide.channels["CD9"]

    await asyncio.to_thread(read, str(store[0] / "cells"))
    await asyncio.to_thread(read, url)
