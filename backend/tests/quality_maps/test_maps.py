"""The maps of stored specimens with planted faults, against their truth (QM2 to QM9)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from quality_maps.planted import PATCH, Planted, dice, planted
from wavescope.catalog.catalog import Catalog
from wavescope.config import Config
from wavescope.ingest.pipeline import Options, ingest
from wavescope.quality_maps.bands import CELL, COARSE, FINE, PIXEL, Bands, in_blocks, in_cells
from wavescope.quality_maps.focus import BUDGET
from wavescope.quality_maps.maps import BLURRED, COVERED, QualityMaps, coarse_tissue, maps_of
from wavescope.service.quality_maps.reading import is_mappable, read_bands
from wavescope.service.storage import block_source


def read(source: Path | str, store: Path) -> Bands | None:
    """The bands of a slide after its ingest; None: it is not mappable."""
    catalog = Catalog.open(store)
    ingest(source, store, catalog, Options("slide", quality="38dB"))

    async def bands() -> Bands | None:
        blocks, _ = block_source(Config(store=store))
        try:
            version = await blocks.version(catalog.resolve("slide"))
            return await read_bands(blocks, version) if is_mappable(version) else None
        finally:
            await blocks.close()

    try:
        return asyncio.run(bands())
    finally:
        catalog.close()


@pytest.fixture(scope="module")
def blurred(tmp_path_factory: pytest.TempPathFactory) -> tuple[Planted, Bands, QualityMaps]:
    folder = tmp_path_factory.mktemp("blurred")
    truth = planted(8192, 3, blur=True)
    bands = read(truth.write(folder / "slide.tif"), folder / "store")
    assert bands is not None
    return truth, bands, maps_of(bands)


@pytest.fixture(scope="module")
def inked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Planted, QualityMaps]:
    folder = tmp_path_factory.mktemp("inked")
    truth = planted(4096, 1, ink=True)
    bands = read(truth.write(folder / "slide.tif"), folder / "store")
    assert bands is not None
    return truth, maps_of(bands)


def test_tissue_is_where_the_specimen_has_it_qm3(blurred: tuple[Planted, Bands, QualityMaps]) -> None:
    truth, _, maps = blurred
    assert dice(maps.tissue, truth.tissue) >= 0.95


def test_the_focus_follows_a_planted_blur_qm4_qm6(blurred: tuple[Planted, Bands, QualityMaps]) -> None:
    truth, _, (_, _, _, focus) = blurred
    side, count = PATCH // CELL, len(truth.sigma)
    inner = np.pad(np.ones((side - 2, side - 2), np.bool_), 1)  # around an outer cell are other blurs
    judged = focus.judged & np.tile(inner, (count, count))
    cells = judged.reshape(count, side, count, side).sum(axis=(1, 3))
    sums = np.where(judged, focus.blur, 0).reshape(count, side, count, side).sum(axis=(1, 3))
    there = cells >= inner.sum() / 2
    assert there.sum() >= 20
    found = sums[there] / cells[there]
    assert spearmanr(found, truth.sigma[there])[0] >= 0.95
    assert np.abs(found - truth.sigma[there]).mean() < 1


def test_the_focus_of_a_cell_without_contrast_or_tissue_is_not_judged_qm6(
    blurred: tuple[Planted, Bands, QualityMaps],
) -> None:
    _, bands, maps = blurred
    covered = in_cells(maps.tissue)
    assert not maps.focus.judged[covered < COVERED].any()
    pale = bands._replace(energy={level: energy * 1e-6 for level, energy in bands.energy.items()})
    assert not maps_of(pale).focus.judged.any()


def test_no_block_without_tissue_is_read_qm2(blurred: tuple[Planted, Bands, QualityMaps]) -> None:
    _, bands, _ = blurred
    tissue = in_blocks(coarse_tissue(bands.light), COARSE).any(axis=2)
    was_read = np.isfinite(in_blocks(bands.energy[COARSE], COARSE)).any(axis=2)
    assert (was_read == tissue).all()


def test_few_bytes_of_the_fine_level_are_read_qm5(blurred: tuple[Planted, Bands, QualityMaps]) -> None:
    _, bands, _ = blurred
    was_read = np.isfinite(in_blocks(bands.energy[FINE], FINE)[..., 0])
    assert 0 < bands.lengths[was_read].sum() <= BUDGET * 8192 * 8192


def test_ink_and_bubbles_are_found_and_are_no_tissue_qm7_qm8(inked: tuple[Planted, QualityMaps]) -> None:
    truth, maps = inked
    assert dice(maps.pen, truth.pen) >= 0.85
    assert dice(maps.bubbles, truth.bubbles) >= 0.85
    assert dice(maps.tissue, truth.tissue & ~truth.pen & ~truth.bubbles) >= 0.95
    assert not (maps.tissue & (maps.pen | maps.bubbles)).any()


def test_shares_are_those_of_the_labels_qm9(
    blurred: tuple[Planted, Bands, QualityMaps], inked: tuple[Planted, QualityMaps]
) -> None:
    truth, _, maps = blurred
    found = maps.findings()
    assert found.tissue == pytest.approx(truth.tissue.mean(), abs=0.02)
    side = PATCH // PIXEL
    strong = np.kron(truth.sigma >= BLURRED, np.ones((side, side), np.bool_))
    assert found.blurred == pytest.approx(strong[truth.tissue].mean(), abs=0.15)  # cells along an edge are of both
    assert (found.pen, found.bubbles) == (0, 0)
    other = inked[1].findings()
    assert other.blurred < 0.02
    assert min(other.pen, other.bubbles) > 0.02


def test_a_slide_without_a_coarse_level_has_no_maps_qm1(tmp_path: Path) -> None:
    assert read("specimen:1500x1500", tmp_path / "store") is None
