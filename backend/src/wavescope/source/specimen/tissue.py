"""How much stain each structure absorbs: connective tissue, glands, vessels and single cells, drawn over each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.cells import LYMPH_PITCH, STROMA_PITCH, scattered, select, stamp
from wavescope.source.specimen.glands import OUTSIDE, Nuclei, epithelial_nuclei, goblet_cells
from wavescope.source.specimen.hashing import uniform
from wavescope.source.specimen.nodes import STEP, Nodes
from wavescope.source.specimen.noise import Field, Texture
from wavescope.source.specimen.sprites import (
    EPITHELIAL,
    FIBROBLAST,
    GOBLET,
    KINDS,
    LYMPHOCYTE,
    PLASMA,
    RED_CELL,
    Kind,
    sprites_of,
)
from wavescope.source.specimen.vessels import AWAY, endothelium, red_cells

FADE = 16.0
"""Width of the tissue's border, in pixels."""


class Stains(NamedTuple):
    """Amounts of stain over the painted area, and how much tissue there is (0 to 1)."""

    haematoxylin: Field
    eosin: Field
    blood: Field | None
    tissue: Field


class Tissue:
    """Draws squares of ``side`` pixels of one specimen."""

    def __init__(self, anatomy: Anatomy, seed: int, side: int) -> None:
        self._anatomy, self._side = anatomy, side
        self._sprites = {kind.name: sprites_of(kind, seed) for kind in KINDS}
        self._coarse = Texture(1000, 26.0, seed, side)
        self._middle = Texture(960, 10.0, seed, side)
        self.fine = Texture(750, 3.6, seed, side)

    def stains(self, nodes: Nodes, left: int, top: int) -> Stains:
        """The stains of the square whose first pixel is (left, top)."""
        side = self._side
        coarse = self._coarse.window(left, top, side, side)
        middle = self._middle.window(left, top, side, side)
        fine = self.fine.window(left, top, side, side)
        tissue = self._tissue(nodes, coarse, middle)
        eosin, haematoxylin = self._stroma(nodes, coarse, middle, fine)
        self._epithelium(nodes, eosin, haematoxylin, coarse, middle)
        self._goblets(nodes, eosin, haematoxylin, left, top)
        blood = self._vessels(nodes, eosin, haematoxylin, left, top)
        nuclei = self._nuclei(nodes, left, top)
        eosin *= 1.0 - np.float32(0.45) * np.minimum(nuclei, 1)
        haematoxylin += nuclei
        eosin *= tissue
        haematoxylin *= tissue
        return Stains(haematoxylin, eosin, blood, tissue)

    def _tissue(self, nodes: Nodes, coarse: Field, middle: Field) -> Field:
        depth = nodes.full(nodes.depth)
        depth += np.float32(3.0) * coarse
        depth += np.float32(1.6) * middle
        depth *= np.float32(1 / FADE)
        np.clip(depth, 0, 1, out=depth)
        return depth * depth * (np.float32(3) - np.float32(2) * depth)

    def _stroma(self, nodes: Nodes, coarse: Field, middle: Field, fine: Field) -> tuple[Field, Field]:
        """Collagen: contour lines of a slow field make wavy bundles, with clefts between them where the tissue is
        loose.
        """
        phase = nodes.full(nodes.fibre)
        phase += np.float32(0.035) * coarse
        phase += np.float32(0.012) * middle
        bundle = _wave(phase)
        phase = nodes.full(nodes.fine)
        phase += np.float32(0.07) * middle
        strand = _wave(phase)
        muscle = np.clip((0.30 - nodes.zone) * 10.0, 0, 1)
        dense = (
            (1.0 - 0.9 * muscle) * (1.0 - 0.8 * nodes.lymph) * (1.0 - 0.8 * np.clip((nodes.zone - 0.38) * 7.0, 0, 1))
        )
        cleft = nodes.full((0.34 * np.clip(1.5 * nodes.loose - 0.35, 0, 1) + 0.42 * (nodes.cleft - 0.5)) * dense)
        cleft -= np.float32(0.8) * bundle
        cleft -= np.float32(0.16) * strand
        cleft *= np.float32(6)
        np.clip(cleft, 0, 0.9, out=cleft)
        eosin = nodes.full((0.115 + 0.075 * muscle + 0.09 * nodes.cleft) * (1.0 - 0.5 * nodes.lymph))
        eosin += np.float32(0.055) * bundle
        eosin += np.float32(0.07) * strand
        eosin += np.float32(0.010) * coarse
        eosin += np.float32(0.012) * middle
        eosin -= eosin * cleft
        haematoxylin = nodes.full(0.022 + 0.045 * nodes.lymph + 0.02 * muscle)
        haematoxylin += np.float32(0.009) * fine
        haematoxylin -= haematoxylin * cleft
        return eosin, haematoxylin

    def _epithelium(self, nodes: Nodes, eosin: Field, haematoxylin: Field, coarse: Field, middle: Field) -> None:
        if nodes.u.min() >= OUTSIDE:
            return
        u = nodes.full(nodes.u)
        u += np.float32(0.022) * coarse
        u += np.float32(0.014) * middle
        index = np.clip((u - np.float32(PROFILE_U[0])) * np.float32(PROFILE_SCALE), 0, len(PROFILE_U) - 1).astype(
            np.int16
        )
        weight = PROFILE_WEIGHT.take(index)
        uneven = np.float32(1) + np.float32(0.07) * middle
        uneven += np.float32(0.05) * coarse
        uneven -= np.float32(0.10) * nodes.full(nodes.cell)
        eosin += weight * (PROFILE_EOSIN.take(index) * uneven - eosin)
        haematoxylin += weight * (PROFILE_HAEMATOXYLIN.take(index) * uneven - haematoxylin)

    def cells(self, nodes: Nodes, left: int, top: int) -> Iterator[tuple[Kind, Nuclei]]:
        """All cells that may reach into the square whose first pixel is (left, top), a kind at a time."""
        yield GOBLET, self._goblet_cells(nodes)
        yield RED_CELL, self._red_cells(nodes, left, top)
        yield from self._nucleated(nodes, left, top)

    def _goblets(self, nodes: Nodes, eosin: Field, haematoxylin: Field, left: int, top: int) -> None:
        drops = self._goblet_cells(nodes)
        if len(drops.x) == 0:
            return
        mucus = np.zeros_like(eosin)
        stamp(mucus, left, top, self._sprites[GOBLET.name], drops)
        np.minimum(mucus, 1, out=mucus)
        eosin *= np.float32(1) - np.float32(0.80) * mucus
        haematoxylin += mucus * (np.float32(0.085) - haematoxylin)

    def _goblet_cells(self, nodes: Nodes) -> Nuclei:
        drops = self._unwarp(nodes, goblet_cells(self._anatomy, nodes.glands))
        u = nodes.at(nodes.u, drops.x, drops.y)
        return select(drops, (u > 0.16) & (u < 0.72))

    def _vessels(self, nodes: Nodes, eosin: Field, haematoxylin: Field, left: int, top: int) -> Field | None:
        if nodes.vessel.min() > 1.3:
            return None
        v = nodes.full(np.minimum(nodes.vessel, AWAY))
        wall = np.clip((np.float32(1.12) - v) * np.float32(9), 0, 1)
        hollow = np.clip((np.float32(0.78) - v) * np.float32(14), 0, 1)
        eosin += wall * (np.float32(0.27) - eosin)
        eosin += hollow * (np.float32(0.05) - eosin)
        haematoxylin *= np.float32(1) - hollow
        blood = np.zeros_like(eosin)
        stamp(blood, left, top, self._sprites[RED_CELL.name], self._red_cells(nodes, left, top))
        return blood

    def _red_cells(self, nodes: Nodes, left: int, top: int) -> Nuclei:
        reach = self._sprites[RED_CELL.name].half + 1
        right, bottom = left + self._side, top + self._side
        return red_cells(self._anatomy, nodes.vessels, left - reach, top - reach, right + reach, bottom + reach)

    def _nuclei(self, nodes: Nodes, left: int, top: int) -> Field:
        nuclei = np.zeros((self._side, self._side), dtype=np.float32)
        for kind, cells in self._nucleated(nodes, left, top):
            stamp(nuclei, left, top, self._sprites[kind.name], cells)
        return nuclei

    def _nucleated(self, nodes: Nodes, left: int, top: int) -> Iterator[tuple[Kind, Nuclei]]:
        right, bottom = left + self._side, top + self._side
        anatomy = self._anatomy
        tall = self._unwarp(nodes, epithelial_nuclei(anatomy, nodes.glands))
        u = nodes.at(nodes.u, tall.x, tall.y)
        yield EPITHELIAL, select(tall, (u > 0.1) & (u < 0.95))
        around = (left - 40.0, top - 40.0, right + 40.0, bottom + 40.0)
        yield from self._stroma_cells(nodes, scattered(anatomy, 0, STROMA_PITCH, around))
        round_cells = scattered(anatomy, 1, LYMPH_PITCH, around)
        lymph = nodes.at(nodes.lymph, round_cells.x, round_cells.y)
        chosen = (uniform(round_cells.hashes, 4) < 0.95 * lymph) & self._in_stroma(nodes, round_cells)
        yield LYMPHOCYTE, select(round_cells, chosen)
        yield FIBROBLAST, self._unwarp(nodes, endothelium(anatomy, nodes.vessels))

    def _stroma_cells(self, nodes: Nodes, cells: Nuclei) -> Iterator[tuple[Kind, Nuclei]]:
        zone = nodes.at(nodes.zone, cells.x, cells.y)
        lymph = nodes.at(nodes.lymph, cells.x, cells.y)
        crowd = 0.36 + 0.42 * np.clip((zone - 0.38) * 6, 0, 1) - 0.12 * np.clip((0.3 - zone) * 10, 0, 1)
        chosen = (uniform(cells.hashes, 4) < crowd * (1.0 - lymph)) & self._in_stroma(nodes, cells)
        chosen &= nodes.at(nodes.vessel, cells.x, cells.y) > 1.25
        kind = uniform(cells.hashes, 5)
        spindle = kind < np.where(zone < 0.38, 0.78, 0.42)
        slope_y, slope_x = np.gradient(nodes.fibre, axis=0), np.gradient(nodes.fibre, axis=1)
        along = np.arctan2(nodes.at(slope_x, cells.x, cells.y), -nodes.at(slope_y, cells.x, cells.y))
        turned = cells._replace(turn=along + 0.5 * (uniform(cells.hashes, 6) - 0.5))
        yield FIBROBLAST, select(turned, chosen & spindle)
        plasma = chosen & ~spindle & (kind > 0.86)
        yield PLASMA, select(cells, plasma)
        yield LYMPHOCYTE, select(cells, chosen & ~spindle & ~plasma)

    def _in_stroma(self, nodes: Nodes, cells: Nuclei) -> NDArray[np.bool_]:
        outside: NDArray[np.bool_] = nodes.at(nodes.u, cells.x, cells.y) > 1.1
        return outside & (nodes.at(nodes.depth, cells.x, cells.y) > 14.0)

    def _unwarp(self, nodes: Nodes, cells: Nuclei) -> Nuclei:
        """From the glands' warped coordinates to pixels, to first order; cells too far away to be seen are left out."""
        near = (cells.x > nodes.x0) & (cells.y > nodes.y0)
        near &= (cells.x < nodes.x0 + STEP * nodes.depth.shape[1]) & (cells.y < nodes.y0 + STEP * nodes.depth.shape[0])
        cells = select(cells, near)
        x = cells.x - nodes.at(nodes.warp_x, cells.x, cells.y)
        y = cells.y - nodes.at(nodes.warp_y, cells.x, cells.y)
        return cells._replace(x=x, y=y)


def _wave(phase: Field) -> Field:
    """A smooth ridge once per whole phase, between 0 and 1."""
    phase -= np.floor(phase)
    phase *= np.float32(2)
    phase -= np.float32(1)
    np.abs(phase, out=phase)
    return phase * phase * (np.float32(3) - np.float32(2) * phase)


# Profiles across a gland over u: below 0 lumen, 0 to 1 epithelium, above 1 the connective tissue around it.
PROFILE_U = np.linspace(-1.0, OUTSIDE, 521)
PROFILE_SCALE = (len(PROFILE_U) - 1) / (PROFILE_U[-1] - PROFILE_U[0])
PROFILE_WEIGHT = np.interp(PROFILE_U, [0.985, 1.02], [1.0, 0.0]).astype(np.float32)
PROFILE_EOSIN = np.interp(
    PROFILE_U, [-0.06, 0.0, 0.04, 0.10, 0.45, 0.80, 0.96, 0.99], [0.012, 0.06, 0.27, 0.19, 0.165, 0.20, 0.21, 0.33]
).astype(np.float32)
PROFILE_HAEMATOXYLIN = np.interp(
    PROFILE_U, [-0.06, 0.0, 0.05, 0.4, 0.8, 1.0], [0.004, 0.02, 0.075, 0.08, 0.115, 0.07]
).astype(np.float32)
