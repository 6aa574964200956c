"""Ingest: what comes out, whatever goes in (ST50 to ST58)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import zlib
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from ingest.worlds import Pixels, ingested, level_pixels, real, slide_ids, tissue, write_tiff
from wavescope.catalog.catalog import Catalog
from wavescope.errors import (
    CorruptBlock,
    CorruptStore,
    IngestCancelled,
    SlideExists,
    StoreBusy,
    UnreadableSource,
    UnsupportedSource,
)
from wavescope.geometry import TILE, Address
from wavescope.ingest import pipeline as pipeline_module
from wavescope.ingest.pipeline import Ingested, Options, Progress, ingest
from wavescope.ingest.publish import complete
from wavescope.ingest.quality.sampling import sample_of, tiles_under
from wavescope.ingest.quality.ssimulacra2 import Original
from wavescope.ingest.work import WorkDirectory
from wavescope.source.open import open_source
from wavescope.store import manifest as manifest_module
from wavescope.store.manifest import EXACT_PSNR, Manifest
from wavescope.store.reader import StoreReader
from wavescope.store.verify import verify

pytestmark = pytest.mark.slow

Published = tuple[Path, Ingested, list[Progress]]


def whole_picture(source: Path) -> Pixels:
    opened = open_source(source)
    try:
        return opened.read_region(0, 0, 0, opened.info.width, opened.info.height)
    finally:
        opened.close()


def box_reduced(picture: Pixels, level: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Means of squares of pixels, unrounded; the last row and column are repeated as far as needed."""
    side = 1 << level
    height, width, channels = picture.shape
    padded = np.pad(picture, ((0, -height % side), (0, -width % side), (0, 0)), mode="edge").astype(np.float64)
    squares = padded.reshape(padded.shape[0] // side, side, padded.shape[1] // side, side, channels)
    means: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = squares.mean(axis=(1, 3))
    return means


def psnr(made: Pixels, expected: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    return float(10 * np.log10(255**2 / max(1e-9, float(np.mean((made - expected) ** 2)))))


@pytest.mark.parametrize("name", ["CMU-1-Small-Region.svs", "tcga-cr-7395-01a-01-ts1.svs", "dicom_mirax_9385x3727"])
def test_lossless_level_0_equals_the_source_byte_for_byte(tmp_path: Path, name: str) -> None:
    source = real(name)
    digest = ingested(source, tmp_path, quality="lossless").digest
    assert (level_pixels(StoreReader.open(tmp_path, digest), 0) == whole_picture(source)).all()


@pytest.mark.parametrize(
    ("width", "height", "channels"),
    [(1, 1, 3), (2, 1, 1), (255, 256, 3), (256, 256, 1), (257, 1, 3), (513, 255, 3), (300, 1281, 1), (4097, 30, 3)],
)
def test_lossless_holds_for_odd_sizes_and_grey(tmp_path: Path, width: int, height: int, channels: int) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (height, width, channels), dtype=np.uint8)
    made = ingested(write_tiff(tmp_path / "s.tif", picture), tmp_path / "store", quality="lossless")
    reader = StoreReader.open(tmp_path / "store", made.digest)
    assert (level_pixels(reader, 0) == picture).all()
    for level in range(reader.manifest.top + 1):
        off = np.abs(level_pixels(reader, level) - box_reduced(picture, level))
        inside = off[: height >> level, : width >> level]  # at the edge a pixel is partly beyond the slide (ST59)
        assert inside.max(initial=0) <= 1 + level


@pytest.mark.parametrize(("quality", "least", "least_score"), [("visual", 32, 78), ("38dB", 38, 82)])
def test_every_level_of_real_tissue_keeps_the_promised_quality(
    tmp_path: Path, quality: str, least: float, least_score: float
) -> None:
    source = real("CMU-1-Small-Region.svs")
    reader = StoreReader.open(tmp_path, ingested(source, tmp_path, quality=quality).digest)
    picture = whole_picture(source)
    for level in range(reader.manifest.top + 1):
        expected = box_reduced(picture, level)
        made = level_pixels(reader, level)
        assert psnr(made, expected) >= least + 2 * (level > 0)
        assert psnr(level_pixels(reader, level, 1), expected) >= least - 2
        if level < 3:
            original = Original(np.rint(expected).astype(np.uint8)[:512, :512])
            assert original.score(made[:512, :512]) >= least_score


def test_every_plane_is_stored(tmp_path: Path) -> None:
    made = ingested("specimen:700x600x3", tmp_path, quality="lossless")
    source = open_source("specimen:700x600x3")
    reader = StoreReader.open(tmp_path, made.digest)
    planes = [level_pixels(reader, 0, z=z) for z in range(3)]
    for z, plane in enumerate(planes):
        assert (plane == source.read_region(z, 0, 0, 700, 600)).all()
    assert not (planes[0] == planes[1]).all()
    source.close()


@pytest.mark.parametrize("colour", [(0, 0, 0), (255, 255, 255), (128, 128, 128), (241, 240, 238)])
def test_a_slide_of_glass_alone_costs_its_approximation_only(tmp_path: Path, colour: tuple[int, int, int]) -> None:
    picture = np.full((700, 1500, 3), colour, np.uint8)
    made = ingested(write_tiff(tmp_path / "s.tif", picture), tmp_path / "store", quality="lossless")
    reader = StoreReader.open(tmp_path / "store", made.digest)
    assert [sum(level) for level in reader.manifest.bytes[:-1]] == [0] * reader.manifest.top
    assert not list(reader.paths.levels.rglob("c.*"))
    assert (level_pixels(reader, 0) == picture).all()
    assert list(verify(tmp_path / "store", made.digest)) == []


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """4200 x 2100: two shards on level 0."""
    return write_tiff(tmp_path_factory.mktemp("source") / "s.tif", tissue(4200, 2100))


@pytest.fixture(scope="module")
def once(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Published:
    """A store with the slide ``s``, what its ingest gave and reported: look, but do not damage."""
    store, seen = tmp_path_factory.mktemp("once"), list[Progress]()
    catalog = Catalog.open(store)
    made = ingest(source, store, catalog, Options("s"), seen.append)
    catalog.close()
    return store, made, seen


@pytest.fixture(scope="module")
def undisturbed(once: Published) -> str:
    """The digest that every other way must give."""
    return once[1].digest


@pytest.fixture
def copied(once: Published, tmp_path: Path) -> Path:
    """The same store, to be damaged."""
    return Path(shutil.copytree(once[0], tmp_path / "copied"))


@pytest.mark.parametrize("workers", [1, 3])
def test_st56_the_digest_does_not_depend_on_threads(
    source: Path, undisturbed: str, tmp_path: Path, workers: int
) -> None:
    assert ingested(source, tmp_path, workers=workers).digest == undisturbed


def test_st56_any_executor_will_do_also_one_of_processes(tmp_path: Path) -> None:
    source = write_tiff(tmp_path / "s.tif", tissue(1100, 600))
    expected = ingested(source, tmp_path / "threads").digest
    executor: Executor
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        assert ingested(source, tmp_path / "processes", executor=executor, workers=1).digest == expected


def test_the_digest_does_not_depend_on_flat_tiles_taking_a_short_cut(
    source: Path, undisturbed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wavescope.ingest import strip
    from wavescope.kernel import encode_tile, samples_from_pixels

    monkeypatch.setattr(strip, "_samples", samples_from_pixels)
    monkeypatch.setattr(strip, "_encode", encode_tile)
    assert ingested(source, tmp_path).digest == undisturbed


def test_progress_counts_every_tile_once(once: Published) -> None:
    _, made, seen = once
    assert seen[0].done == 0
    assert seen[-1].done == seen[-1].total == made.tiles == made.encoded_tiles
    assert seen[-1].encoded_bytes == sum(map(sum, made.manifest.bytes))
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)


def test_st1_nothing_is_left_of_the_work(once: Published) -> None:
    store, made, _ = once
    assert list((store / "ingest").iterdir()) == []
    assert [path.name for path in (store / "slides").iterdir()] == [made.digest]


def test_a_slide_ingested_again_has_the_same_version_and_repairs_it(
    source: Path, undisturbed: str, copied: Path
) -> None:
    next((copied / "slides").rglob("c.0.0.0.0.0")).unlink()
    assert list(verify(copied, undisturbed))
    assert ingested(source, copied).digest == undisturbed
    assert list(verify(copied, undisturbed)) == []


def test_a_new_profile_is_a_new_version_of_the_same_slide(source: Path, undisturbed: str, copied: Path) -> None:
    other = ingested(source, copied, quality="lossless").digest
    assert other != undisturbed
    catalog = Catalog.open(copied)
    assert catalog.resolve("s") == other
    catalog.close()


def test_a_cancelled_ingest_stops_and_goes_on_later(source: Path, undisturbed: str, tmp_path: Path) -> None:
    wish = threading.Event()
    catalog = Catalog.open(tmp_path)

    def report(progress: Progress) -> None:
        if progress.done >= 3 * progress.total // 4:
            wish.set()

    with pytest.raises(IngestCancelled):
        ingest(source, tmp_path, catalog, Options("s", workers=1), report, wish.is_set)
    catalog.close()
    assert slide_ids(tmp_path) == []
    made = ingested(source, tmp_path)
    assert made.encoded_tiles < made.tiles
    assert made.digest == undisturbed


def test_st50_two_ingests_of_the_same_thing_do_not_collide(source: Path, tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    refused: list[type[BaseException]] = []

    def try_meanwhile(progress: Progress) -> None:
        if progress.done == progress.total:
            with pytest.raises(StoreBusy) as caught:
                ingest(source, tmp_path, catalog, Options("other"))
            refused.append(caught.type)

    ingest(source, tmp_path, catalog, Options("s"), try_meanwhile)
    catalog.close()
    assert refused == [StoreBusy]
    assert slide_ids(tmp_path) == ["s"]


def test_a_taken_id_costs_no_work_twice(source: Path, undisturbed: str, tmp_path: Path) -> None:
    ingested("specimen:300x300", tmp_path)
    with pytest.raises(SlideExists):
        ingested(source, tmp_path, replace=False)
    made = ingested(source, tmp_path, "other", replace=False)
    assert (made.digest, made.encoded_tiles) == (undisturbed, 0)
    assert sorted(slide_ids(tmp_path)) == ["other", "s"]


def hostile(folder: Path) -> dict[str, Path]:
    """Files that are not slides."""
    made = {name: folder / name for name in ("empty.svs", "text.tif", "cut.tif", "huge.png", "folder")}
    made["empty.svs"].write_bytes(b"")
    made["text.tif"].write_bytes(b"this is not a picture\n" * 100)
    whole = write_tiff(folder / "whole.tif", tissue(600, 500)).read_bytes()
    made["cut.tif"].write_bytes(whole[: len(whole) // 2])
    side = (100_000).to_bytes(4, "big")
    header = b"IHDR" + side + side + b"\x08\x02\0\0\0"
    made["huge.png"].write_bytes(
        b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + header + zlib.crc32(header).to_bytes(4, "big")
    )
    made["folder"].mkdir()
    made["gone.svs"] = folder / "gone.svs"
    return made


@pytest.mark.parametrize("name", ["empty.svs", "text.tif", "cut.tif", "huge.png", "folder", "gone.svs"])
def test_a_hostile_file_is_refused_with_a_reason_and_changes_nothing(tmp_path: Path, name: str) -> None:
    store = tmp_path / "store"
    with pytest.raises((UnreadableSource, UnsupportedSource)):
        ingested(hostile(tmp_path)[name], store)
    assert slide_ids(store) == []
    assert not (store / "slides").exists()


def test_an_empty_block_and_its_neighbour_are_reported_apart(once: Published) -> None:
    store, made, _ = once
    reader = StoreReader.open(store, made.digest)
    assert reader.layer_lengths(Address(0, 0, 0, 15, 0)) == (0,) * reader.manifest.layers
    assert all(reader.layer_lengths(Address(0, 0, 0, 0, 0)))


def test_a_source_changed_meanwhile_starts_anew(tmp_path: Path) -> None:
    file, store = tmp_path / "s.tif", tmp_path / "store"
    first = ingested(write_tiff(file, tissue(900, 700, seed=1)), store).digest
    second = ingested(write_tiff(file, tissue(900, 700, seed=2)), store).digest
    assert first != second


def test_a_name_that_is_not_text_is_no_obstacle(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"sl\xffide[red].tif")
    made = ingested(write_tiff(file, tissue(300, 200)), tmp_path / "store")
    assert made.manifest.source.name == "sl?ide[red].tif"
    assert list(verify(tmp_path / "store", made.digest)) == []


def test_st58_memory_does_not_grow_with_the_slide(tmp_path: Path) -> None:
    script = (  # not ru_maxrss: it is at least the peak of the process that started this one
        "import pathlib, sys; from wavescope.cli import main; code = main(sys.argv[1:]);"
        "status = pathlib.Path('/proc/self/status').read_text();"
        "print(status.partition('VmHWM:')[2].split()[0], file=sys.stderr); sys.exit(code)"
    )
    peaks = []
    for width, height in ((4096, 2048), (24_000, 20_000)):
        file = tmp_path / f"{width}.tif"
        tile = np.full((512, 512), 200, np.uint8)
        tiles = (tile for _ in range(-(-width // 512) * -(-height // 512)))
        layout: dict[str, Any] = {
            "shape": (height, width),
            "dtype": np.uint8,
            "tile": (512, 512),
            "compression": "zlib",
        }
        tifffile.imwrite(file, tiles, photometric="minisblack", metadata=None, **layout)
        command = [sys.executable, "-c", script, "ingest", str(file), "--store", str(tmp_path)]
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        peaks.append(int(ran.stderr.split()[-1]))
    assert peaks[1] < peaks[0] + 200_000  # kB; the larger slide has 480 MB of raw pixels


def test_st60_the_measured_quality_is_that_of_the_stored_pixels(tmp_path: Path) -> None:
    picture = tissue(1100, 900)
    made = ingested(write_tiff(tmp_path / "s.tif", picture), tmp_path / "store")
    reader = StoreReader.open(tmp_path / "store", made.digest)
    quality = reader.manifest.quality
    assert quality is not None
    sample = sample_of(open_source(tmp_path / "s.tif"), reader.manifest.pyramid, 1)
    tiles = tiles_under(sample, 6)
    assert quality.tiles == len(tiles) == 5
    for layer in range(reader.manifest.layers):
        stored = level_pixels(reader, 0, layer + 1)
        parts = [slice(TILE * y, TILE * y + TILE) for _, y in tiles], [TILE * x for x, _ in tiles]
        differences = [
            (stored[rows, x : x + TILE].astype(float) - picture[rows, x : x + TILE]).ravel()
            for rows, x in zip(*parts, strict=True)
        ]
        expected = 10 * np.log10(255**2 / np.mean(np.concatenate(differences) ** 2))
        assert quality.psnr[0][layer] == pytest.approx(expected, abs=0.01)
    for level in quality.psnr:
        assert all(isinstance(value, float) for value in level)
        assert list(level) == sorted(level)  # type: ignore[type-var]


def test_st61_the_manifest_tells_which_blocks_are_stored(tmp_path: Path) -> None:
    picture = np.full((1500, 2000, 3), 241, np.uint8)
    picture[600:1000, 600:1400] = tissue(800, 400)
    made = ingested(write_tiff(tmp_path / "s.tif", picture), tmp_path / "store")
    reader = StoreReader.open(tmp_path / "store", made.digest)
    empty = reader.manifest.empty
    assert empty is not None
    assert empty.plane == 0
    assert empty.runs[0] == (0, 18, 3, 5, 3, 19)
    for level, runs in enumerate(empty.runs):
        columns, rows = reader.manifest.pyramid.tiles(level)
        listed = [number % 2 == 0 for number, run in enumerate(runs) for _ in range(run)]
        stored = [any(reader.layer_lengths(Address(0, 0, level, x, y))) for y in range(rows) for x in range(columns)]
        assert listed == stored


def test_st61_what_would_be_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_tiff(tmp_path / "s.tif", tissue(1100, 900))
    whole = ingested(source, tmp_path / "store").manifest.empty
    assert whole is not None
    monkeypatch.setattr("wavescope.ingest.occupancy_map.MAX_RUNS", sum(map(len, whole.runs)) - 1)
    assert ingested(source, tmp_path / "other").manifest.empty is None


def test_st60_lossless_is_exact_and_glass_and_single_tiles_are_measured_too(tmp_path: Path) -> None:
    glass = write_tiff(tmp_path / "glass.tif", np.full((700, 1500, 3), 241, np.uint8))
    small = write_tiff(tmp_path / "small.tif", tissue(90, 70))
    for source in (glass, small):
        made = ingested(source, tmp_path / "store", quality="lossless")
        assert made.manifest.quality is not None
        assert made.manifest.quality.psnr[0][-1] == EXACT_PSNR
        assert made.manifest.quality.tiles == 1


def test_st62_what_the_reader_refuses_is_not_published_and_the_slide_of_that_id_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = ingested(write_tiff(tmp_path / "a.tif", tissue(700, 600)), tmp_path / "store", "s")
    other = write_tiff(tmp_path / "b.tif", tissue(500, 400))
    monkeypatch.setattr(manifest_module, "_check", refuse)
    with pytest.raises(CorruptStore, match="a field is out of its range"):
        ingested(other, tmp_path / "store", "s")
    monkeypatch.undo()
    assert published(tmp_path / "store") == {"s": good.digest}
    assert StoreReader.open(tmp_path / "store", good.digest).manifest.width == 700
    ingested(other, tmp_path / "store", "s")  # what is left of the refused one is no obstacle
    assert slide_ids(tmp_path / "store") == ["s"]


@pytest.mark.parametrize("part", ["layer-index", "approximation/c.0.0.0.0"])
def test_st62_a_version_damaged_before_it_is_published_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def damaging(work: WorkDirectory, *rest: Any) -> Manifest:
        manifest = complete(work, *rest)
        file = work.version.root / part
        file.write_bytes(bytes(file.stat().st_size))
        return manifest

    monkeypatch.setattr(pipeline_module, "complete", damaging)
    with pytest.raises((CorruptStore, CorruptBlock)):
        ingested(write_tiff(tmp_path / "a.tif", tissue(700, 600)), tmp_path / "store")
    assert published(tmp_path / "store") == {}


def refuse(*_: object) -> None:
    raise ValueError("a field is out of its range")


def published(store: Path) -> dict[str, str]:
    """Digests of what the catalog holds, by id."""
    catalog = Catalog.open(store)
    try:
        return {record.id: record.digest for record in catalog.list().slides}
    finally:
        catalog.close()
