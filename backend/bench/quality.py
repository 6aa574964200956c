"""What each image quality reaches, and its bytes beside the tiles of the source, in one run.

Usage: npm run bench quality                    the real slides of the shared data, and two specimens
       .venv/bin/python backend/bench/quality.py [SLIDE...]

Every slide is ingested once for each quality. "reached" is the PSNR of level 0 that ingest measures on the stored tiles
(ST60), "all" that of every level-0 tile. ``--crops DIR`` writes instead, as lossless WebP, a crop of each slide beside
its coded forms at the limit of each quality, with even and with perceptual steps (decision 0031).
"""

from __future__ import annotations

import argparse
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from PIL import Image
from setting import DATA, table, work_folder

from wavescope.catalog.catalog import Catalog
from wavescope.geometry import Pyramid
from wavescope.ingest.pipeline import Options, ingest
from wavescope.ingest.quality.choice import MAX_TILES, SourceFacts, chosen_from
from wavescope.ingest.quality.presets import quality_of
from wavescope.ingest.quality.sampling import sample_of, with_families
from wavescope.ingest.quality.trials import Trials, coded_piece
from wavescope.ingest.stored_source import stored_source
from wavescope.source.base import Pixels, SlideSource
from wavescope.source.compression import Compression
from wavescope.source.open import open_source
from wavescope.store.reader import StoreReader

SLIDES = (
    "CMU-1-Small-Region.svs",
    "tcga-cr-7395-01a-01-ts1.svs",
    "dicom_mirax_9385x3727",
    "gcp_camelyon_jpeg2000.dcm",
    "minerva_CRC01_HE_17408x14336.tif",
)
SPECIMENS = ("specimen:3072x2048?seed=1", "specimen:3072x2048?seed=2")
QUALITIES = ("compact", "visual", "fine", "auto", "38dB", "40dB", "42dB")
BAND = 512  # rows that are compared at once
CROP = 160  # pixels across and down


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("slides", nargs="*")
    parser.add_argument("--qualities", default=",".join(QUALITIES))
    parser.add_argument("--crops", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    slides = arguments.slides or [*(str(DATA / name) for name in SLIDES if (DATA / name).exists()), *SPECIMENS]
    qualities = arguments.qualities.split(",")
    if arguments.crops:
        for slide in slides:
            write_crops(slide, qualities, arguments.crops)
        return
    rows = [row for slide in slides for row in rows_of(slide, qualities)]
    columns = ["slide", "quality", "decided by", "target", "reached", "all", "SSIMULACRA 2", "kB", "x source's tiles"]
    table("Qualities: dB of level 0, bytes of all levels", columns, rows)


def rows_of(slide: str, qualities: list[str]) -> list[list[object]]:
    """One row for each quality."""
    rows: list[list[object]] = []
    source = open_source(slide)
    tiles = source.info.tile_bytes or 0
    for quality in qualities:
        with work_folder() as store:
            catalog = Catalog.open(store)
            made = ingest(slide, store, catalog, Options("bench", quality=quality)).manifest
            catalog.close()
            everywhere = psnr_of_all(source, stored_source(StoreReader.open(store, made.digest)))
        assert made.chosen is not None
        assert made.quality is not None
        size = sum(map(sum, made.bytes))
        name = Path(slide).name[:24] if not slide.startswith("specimen") else slide
        row = [name, quality, made.chosen.reason, made.chosen.target or "-", made.quality.psnr[0][-1], everywhere]
        rows.append([*row, made.chosen.score, size // 1000, size / tiles if tiles else "-"])
        print("  " + "  ".join(map(str, rows[-1])), flush=True)
    return rows


def psnr_of_all(source: SlideSource, made: SlideSource) -> float:
    """dB of the middle plane."""
    info, squares = source.info, 0.0
    z = info.planes // 2
    for y in range(0, info.height, BAND):
        height = min(BAND, info.height - y)
        original = source.read_region(z, 0, y, info.width, height).astype(np.int32)
        squares += float(((made.read_region(z, 0, y, info.width, height) - original) ** 2).sum(dtype=np.float64))
    mean = squares / (info.width * info.height * info.channels)
    return round(float(10 * np.log10(255**2 / max(mean, 1e-9))), 2)


def write_crops(slide: str, qualities: list[str], folder: Path) -> None:
    """For each quality the middle of the piece with the lowest score: the source, and beside it the coded forms."""
    source = open_source(slide)
    info = source.info
    sample = sample_of(source, Pyramid(info.width, info.height), info.planes)
    sample = with_families(source, sample, MAX_TILES)
    facts = SourceFacts(Compression("unknown"), None, info.planes, info.width * info.height, exact=True)
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as executor:
        even, perceptual = (Trials(sample, steps, executor) for steps in ("even", "perceptual"))
        for quality in qualities:
            choices = {trials: chosen_from(trials, sample, quality_of(quality), facts) for trials in (even, perceptual)}
            scores = {at: perceptual.score_of(choices[perceptual].number, at) for at in sample.tissue(8)}
            at = min(scores, key=lambda each: scores[each])
            piece = sample.pieces[at]
            coded = [coded_piece(piece, choice.codecs[0]).pixels for choice in choices.values()]
            name = f"{Path(slide.replace(':', '-')).name.split('.')[0]}-{quality}.webp"
            row = np.concatenate([_middle(each) for each in (piece, *coded)], axis=1).squeeze()
            Image.fromarray(row).save(folder / name, lossless=True, method=6)
            print(f"{name}: {(folder / name).stat().st_size} bytes", flush=True)
            for trials, choice in choices.items():
                own, bits = trials.score_of(choice.number, at), 8 * trials.bytes_per_pixel(choice.number)
                mean = (
                    f"all pieces {choice.chosen.psnr:.1f} dB, score {choice.chosen.score:.1f}, {bits:.3f} bits a pixel"
                )
                print(f"  {trials.steps}: score here {own:.1f}; {mean}", flush=True)


def _middle(piece: Pixels) -> Pixels:
    top, left = ((side - min(CROP, side)) // 2 for side in piece.shape[:2])
    return piece[top : top + CROP, left : left + CROP]


if __name__ == "__main__":
    main()
