"""Regions written to files: exact, with scale and profile, in reductions, cancelled, refused."""

from __future__ import annotations

import errno
import fcntl
import os
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from openslide import OpenSlide
from PIL import Image
from tifffile import TiffFile

from service.world import HEIGHT, WIDTH, World, running_service
from wavescope.catalog.changes import Query
from wavescope.config import Limits
from wavescope.errors import (
    CorruptBlock,
    InvalidParameter,
    OutOfRange,
    StoreFull,
    TooLarge,
    Unavailable,
    UnknownExport,
    UnknownSlide,
)
from wavescope.geometry import Pyramid
from wavescope.pixels.images import Pixels
from wavescope.pixels.region import Region
from wavescope.service.access.gate import LOCAL_USER, Principal
from wavescope.service.composition import Services
from wavescope.service.exports import exports as exports_module
from wavescope.service.exports.decoration import scale_bar
from wavescope.service.exports.exports import ExportService, ExportView
from wavescope.service.exports.files import write_tiff
from wavescope.service.exports.folder import ExportFolder
from wavescope.service.exports.plan import ExportFormat, ExportPlan, reduced, samples_of, tiles_of
from wavescope.service.slides.annotations import RequestedChange
from wavescope.store.manifest import Manifest, SourceRecord
from wavescope.store.version import SlideVersion

WHOLE = Region(0, 0, 0, 0, WIDTH, HEIGHT)


@pytest.fixture(autouse=True)
def quick_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports_module, "REPORT_SECONDS", 0.0)


@pytest.fixture
async def service(world: World) -> AsyncIterator[Services]:
    async with running_service(world.store, limits=Limits(picture_pixels=WIDTH * HEIGHT)) as opened:
        yield opened


async def version_of(service: Services, slide: str = "lossless") -> SlideVersion:
    return await service.slides.version(LOCAL_USER, slide, service.slides.current(LOCAL_USER, slide))


async def plan_of(service: Services, kind: ExportFormat, region: Region = WHOLE) -> ExportPlan:
    version = await version_of(service)
    return ExportPlan(version, region, version.layers, kind)


async def ended(exports: ExportService, view: ExportView) -> ExportView:
    return [now async for now in exports.events(LOCAL_USER, view.id)][-1]


async def exported(service: Services, plan: ExportPlan) -> Path:
    view = await ended(service.exports, await service.exports.create(LOCAL_USER, "lossless", plan))
    assert (view.state, view.error, view.done) == ("done", None, view.total)
    path = service.exports.file(LOCAL_USER, view.id)
    assert view.bytes == path.stat().st_size
    return path


async def test_a_tiff_holds_the_exact_pixels_and_their_reductions(service: Services, world: World) -> None:
    path = await exported(service, await plan_of(service, "tiff"))
    with TiffFile(path) as tiff:
        assert tiff.is_bigtiff
        assert [page.shape for page in tiff.pages] == [(HEIGHT, WIDTH, 3), (550, 650, 3), (275, 325, 3)]
        assert np.array_equal(tiff.pages[0].asarray(), world.picture)
        coarse = tiff.pages[1].asarray()
    region = Region(0, 1, 0, 0, 650, 550)
    version = await version_of(service)
    assert np.array_equal(coarse, await service.pixels.region_pixels(version, region, version.layers))
    with OpenSlide(path) as slide:
        assert slide.level_dimensions == ((WIDTH, HEIGHT), (650, 550), (325, 275))


async def test_a_region_that_begins_inside_a_tile_comes_out_exact(service: Services, world: World) -> None:
    region = Region(0, 0, 301, 250, 700, 600)
    with TiffFile(await exported(service, await plan_of(service, "tiff", region))) as tiff:
        assert np.array_equal(tiff.pages[0].asarray(), world.picture[250:850, 301:1001])
        assert len(tiff.pages) == 1  # coarser pixels would begin elsewhere
    png = Image.open(await exported(service, await plan_of(service, "png", region)))
    assert np.array_equal(np.asarray(png), world.picture[250:850, 301:1001])


@pytest.mark.parametrize("kind", ["jpg", "tiff-jpeg"])
async def test_a_jpeg_is_near_the_pixels(service: Services, world: World, kind: ExportFormat) -> None:
    path = await exported(service, await plan_of(service, kind))
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    assert pixels.shape == world.picture.shape
    assert np.abs(pixels - world.picture).mean() < 6


async def test_files_tell_their_scale_and_colour_profile(service: Services) -> None:
    plan = await plan_of(service, "tiff", Region(0, 1, 0, 0, 600, 500))
    manifest = replace(plan.version.manifest, mpp=(0.25, 0.5))
    plan = replace(plan, version=replace(plan.version, manifest=manifest))
    assert plan.centimetre == (20000.0, 10000.0)
    out = BytesIO()

    def black(picture: Region) -> Iterator[Pixels]:
        yield from (np.zeros((piece.height, piece.width, 3), np.uint8) for piece in tiles_of(picture))

    write_tiff(out, plan, black, b"icc")
    out.seek(0)
    with TiffFile(out) as tiff:
        tags = [page.tags for page in tiff.pages]  # type: ignore[union-attr]
        scales = [[tag[name].value for name in ("XResolution", "YResolution", "ResolutionUnit")] for tag in tags]
        assert scales == [[(20000, 1), (10000, 1), 3], [(10000, 1), (5000, 1), 3]]
        assert [tag["InterColorProfile"].value for tag in tags] == [b"icc", b"icc"]


def _manifest(width: int, height: int) -> Manifest:
    source = SourceRecord("x", "x", 0, None, "")
    levels = Pyramid(width, height).top + 1
    return Manifest(width, height, 1, 3, "visual", 1, {}, source, ((0,),) * levels, 0, "")


def test_reductions_end_where_pixels_would_begin_elsewhere() -> None:
    version = SlideVersion.of("d", _manifest(20000, 16000))
    levels = [one.level for one in reduced(version, Region(0, 0, 8, 16, 9000, 8001))]
    assert levels == [0, 1, 2, 3]
    assert [one.level for one in reduced(version, Region(0, 1, 512, 512, 1025, 100))] == [1, 2, 3]
    last = list(reduced(version, Region(0, 0, 8, 16, 9001, 8001)))[-1]
    assert last == Region(0, 3, 1, 2, 1126, 1001)


def test_samples_lie_inside_and_a_small_region_is_sampled_whole() -> None:
    region = Region(1, 2, 100, 50, 9000, 700)
    for sample in samples_of(region):
        assert sample.ln_x >= 100
        assert sample.ln_y >= 50
        assert sample.ln_x + sample.width <= 9100
        assert sample.ln_y + sample.height <= 750
    assert samples_of(Region(0, 0, 5, 6, 600, 40)) == [Region(0, 0, 5, 6, 512, 40), Region(0, 0, 517, 6, 88, 40)]


async def test_the_estimate_is_near_the_file(service: Services) -> None:
    for kind in ("png", "jpg", "tiff", "tiff-jpeg"):
        plan = await plan_of(service, kind)
        estimate = await service.exports.estimate(LOCAL_USER, "lossless", plan)
        size = (await exported(service, plan)).stat().st_size
        assert 0.4 < estimate.bytes / size < 2.5, kind
        assert estimate.free_bytes > 0


async def test_what_cannot_be_exported_is_refused_before_it_begins(service: Services) -> None:
    for region, refusal in (
        (Region(0, 0, 0, 0, WIDTH + 1, 1), OutOfRange),
        (Region(0, 9, 0, 0, 1, 1), OutOfRange),
        (Region(0, 0, 0, 0, 0, 1), OutOfRange),
    ):
        with pytest.raises(refusal):
            await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "png", region))
    with pytest.raises(UnknownSlide):
        await service.exports.create(Principal("stranger"), "lossless", await plan_of(service, "png"))
    with pytest.raises(UnknownExport):
        service.exports.get(LOCAL_USER, "nobody")


async def test_large_pictures_and_full_disks_are_refused(world: World) -> None:
    limits = Limits(picture_pixels=1000, export_free_bytes=1 << 60)
    async with running_service(world.store, limits=limits) as service:
        with pytest.raises(TooLarge):
            await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "png"))
        with pytest.raises(StoreFull):
            await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "tiff"))


async def test_an_export_can_be_cancelled_and_leaves_nothing(service: Services, world: World) -> None:
    first = await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "tiff"))
    second = await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "tiff"))
    assert (await service.exports.cancel(LOCAL_USER, second.id)).state == "cancelled"
    done = await ended(service.exports, first)
    assert done.state == "done"
    with pytest.raises(Unavailable):
        service.exports.file(LOCAL_USER, second.id)
    assert [path.name for path in (world.store / "exports").rglob("*") if path.is_file()] == [first.id]
    await service.exports.cancel(LOCAL_USER, first.id)
    assert [path for path in (world.store / "exports").rglob("*") if path.is_file()] == []
    with pytest.raises(UnknownExport):
        service.exports.get(LOCAL_USER, first.id)


async def test_a_damaged_block_ends_the_export_with_its_reason(damaged: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for shard in damaged.shards("lossless", 0):
        shard.write_bytes(shard.read_bytes()[:100])
    async with running_service(damaged.store) as service:
        with pytest.raises(CorruptBlock):
            await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "tiff"))
        monkeypatch.setattr(exports_module, "samples_of", lambda region: [Region(0, 1, 0, 0, 64, 64)])
        view = await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "tiff"))
        view = await ended(service.exports, view)
        assert view.error is not None
        assert (view.state, view.error["cause"]) == ("failed", "CorruptBlock")
    assert [path for path in (damaged.store / "exports").rglob("*") if path.is_file()] == []


async def test_files_are_kept_for_a_while_only(service: Services) -> None:
    view = await ended(
        service.exports, await service.exports.create(LOCAL_USER, "lossless", await plan_of(service, "jpg"))
    )
    service.exports.sweep()
    assert service.exports.file(LOCAL_USER, view.id).exists()
    service.exports._views[view.id] = replace(view, created=0.0)
    service.exports.sweep()
    with pytest.raises(UnknownExport):
        service.exports.get(LOCAL_USER, view.id)


async def test_st65_the_exports_of_a_killed_service_are_swept_and_those_of_a_running_one_are_not(
    service: Services, world: World
) -> None:
    mine = await exported(service, await plan_of(service, "jpg"))
    left = world.store / "exports" / "left"
    left.mkdir()
    (left / "file").write_bytes(b"half of a picture")
    async with running_service(world.store):  # at its start
        assert not left.exists()
        assert mine.exists()
    left.mkdir()
    assert service.exports.sweep_abandoned() == ("left",)
    assert mine.exists()


def test_st65_where_folders_cannot_be_locked_only_old_ones_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "no locks here")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    mine = ExportFolder(tmp_path, 3600.0)
    mine.claim()
    for name, seconds in (("old", 3660.0), ("new", 0)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - seconds,) * 2)
    assert mine.sweep() == ("old",)
    mine.remove()
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


async def drawn(service: Services, **asked: object) -> Image.Image:
    plan = replace(await plan_of(service, "png", Region(0, 0, 256, 128, 600, 500)), **asked)  # type: ignore[arg-type]
    return Image.open(BytesIO((await exported(service, plan)).read_bytes()))


async def annotate(service: Services, **content: object) -> None:
    """The only annotation of the slide."""
    page = await service.annotations.page(LOCAL_USER, "lossless", Query(limit=100))
    gone = [RequestedChange(one.id, one.revision, None) for one in page.records if not one.deleted]
    new = RequestedChange(uuid.uuid4().hex, 0, content)
    await service.annotations.apply(LOCAL_USER, "lossless", [*gone, new])


async def test_a_picture_gets_a_scale_bar_below_its_exact_pixels_wi145(service: Services, world: World) -> None:
    image = await drawn(service, scale_bar=True, entered=(0.5, 0.5))
    pixels = np.asarray(image)
    assert pixels.shape == (544, 600, 3)
    assert np.array_equal(pixels[:500], world.picture[128:628, 256:856])
    strip = pixels[500:]
    assert strip[0].min() == 255
    columns = np.nonzero((strip[30:36] == (27, 28, 32)).all(axis=2).any(axis=0))[0]
    assert columns[-1] - columns[0] == pytest.approx(200, abs=2)  # 100 µm of 0.5 µm per pixel


async def test_a_caption_stands_left_of_the_scale_bar_shortened_to_what_is_left_wi145(service: Services) -> None:
    def inked(image: Image.Image) -> list[int]:
        return np.nonzero((np.asarray(image)[500:] < 128).any(axis=(0, 2)))[0].tolist()

    alone = inked(await drawn(service, caption="Duct  ·  20×"))
    assert 12 < alone[0] < 20
    assert alone[-1] < 140
    assert inked(await drawn(service, caption="word " * 60))[-1] <= 586
    bar = inked(await drawn(service, scale_bar=True, entered=(0.5, 0.5)))
    both = inked(await drawn(service, scale_bar=True, entered=(0.5, 0.5), caption="word " * 60))
    free = [column for column in range(bar[0] - 14, bar[0]) if column in both]
    assert 12 < both[0] < 20
    assert free == []


async def test_the_length_of_the_scale_bar_is_round_in_every_unit_wi145(service: Services) -> None:
    plan = await plan_of(service, "png")
    assert scale_bar(plan, 220) == (200, "200 px")
    assert scale_bar(replace(plan, entered=(0.25, 0.25)), 220) == (pytest.approx(200), "50 µm")
    assert scale_bar(replace(plan, entered=(20.0, 20.0)), 220) == (pytest.approx(100), "2 mm")
    assert scale_bar(replace(plan, entered=(0.001, 0.001)), 220) == (pytest.approx(200), "200 nm")
    coarse = replace(plan, region=Region(0, 1, 0, 0, 600, 500), entered=(0.25, 0.25))
    assert scale_bar(coarse, 220) == (pytest.approx(200), "100 µm")


async def test_a_picture_gets_the_annotations_of_its_region_wi145(service: Services, world: World) -> None:
    ring = [[300, 200], [700, 200], [700, 500], [300, 500], [300, 200]]
    polygon = {"type": "Polygon", "coordinates": [ring]}
    await annotate(service, kind="rectangle", geometry=polygon, color=[255, 0, 0])
    pixels = np.asarray(await drawn(service, annotations=True))
    assert pixels.shape == (500, 600, 3)
    assert tuple(pixels[200 - 128, 500 - 256]) == (255, 0, 0)
    assert np.array_equal(pixels[100:300, 60:400], world.picture[228:428, 316:656])  # inside the outline
    assert np.array_equal(np.asarray(await drawn(service)), world.picture[128:628, 256:856])


@pytest.mark.parametrize(
    ("kind", "geometry"),
    [
        ("point", {"type": "Point", "coordinates": [500, 400]}),
        ("line", {"type": "LineString", "coordinates": [[400, 400], [600, 400]]}),
        ("arrow", {"type": "LineString", "coordinates": [[400, 400], [600, 400]]}),
        ("angle", {"type": "LineString", "coordinates": [[400, 400], [500, 400], [600, 300]]}),
        ("freehand", {"type": "Polygon", "coordinates": [[[400, 400], [500, 410], [600, 400], [400, 400]]]}),
        ("ellipse", {"type": "Polygon", "coordinates": [[[400, 300], [600, 300], [600, 500], [400, 500], [400, 300]]]}),
        ("text", {"type": "Point", "coordinates": [400, 400]}),
    ],
)
async def test_every_kind_of_annotation_is_drawn_wi145(
    service: Services, world: World, kind: str, geometry: dict[str, object]
) -> None:
    await annotate(service, kind=kind, geometry=geometry, text="Grüße")
    pixels = np.asarray(await drawn(service, annotations=True))
    changed = (pixels != world.picture[128:628, 256:856]).any(axis=2)
    assert 10 < np.count_nonzero(changed) < 6000
    rows, columns = np.nonzero(changed)
    assert rows.min() > 100
    assert columns.max() < 420


@pytest.mark.parametrize("asked", ["scale_bar", "annotations"])
async def test_nothing_is_drawn_on_a_tiff_wi145(service: Services, asked: str) -> None:
    plan = replace(await plan_of(service, "tiff"), **{asked: True})  # type: ignore[arg-type]
    with pytest.raises(InvalidParameter, match=asked):
        await service.exports.create(LOCAL_USER, "lossless", plan)
