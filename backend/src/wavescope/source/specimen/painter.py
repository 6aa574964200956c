"""Paints the specimen patch by patch. A patch is always painted whole, so a pixel cannot depend on the requested
region.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wavescope.source.base import Pixels
from wavescope.source.specimen import focus
from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.cells import select
from wavescope.source.specimen.glands import Nuclei
from wavescope.source.specimen.hashing import Floats
from wavescope.source.specimen.nodes import AROUND, STEP, Nodes, nodes_of
from wavescope.source.specimen.noise import Field
from wavescope.source.specimen.spec import Spec
from wavescope.source.specimen.sprites import Kind
from wavescope.source.specimen.stain import GLASS, colour
from wavescope.source.specimen.tissue import FADE, Stains, Tissue

PATCH = 512
GRAIN = 3.0
"""The sensor's noise over tissue, in steps of stain.STEPS; glass has none, so that it is exactly GLASS."""
SALT_HEIGHT = 640


class Painter:
    """Paints any patch of one specimen; holds no state that painting changes."""

    def __init__(self, spec: Spec) -> None:
        self._planes = spec.planes
        self._anatomy = Anatomy(spec)
        # what the blur needs around a patch, rounded up to whole nodes
        self._margin = -(-focus.REACH // STEP) * STEP if spec.planes > 1 else 0
        self._side = PATCH + 2 * self._margin
        self._tissue = Tissue(self._anatomy, spec.seed, self._side)
        self._glass = np.empty((PATCH, PATCH, 3), dtype=np.uint8)
        self._glass[:] = GLASS
        self._glass.flags.writeable = False

    def patch(self, z: int, column: int, row: int) -> Pixels:
        """(PATCH, PATCH, 3) pixels of plane z; the first is pixel (column * PATCH, row * PATCH)."""
        nodes = self._nodes(column, row)
        if nodes is None:
            return self._glass
        left, top = column * PATCH - self._margin, row * PATCH - self._margin
        stains = self._tissue.stains(nodes, left, top)
        xs, ys = self._axes(column, row)
        ladder = focus.blur_grid(xs, ys, z, self._planes, self._anatomy.salt(SALT_HEIGHT))
        return self._develop(stains, nodes, ladder, left, top)

    def tissue(self, column: int, row: int) -> Field | None:
        """How much tissue there is (PATCH, PATCH), 0 to 1; None: the patch is glass."""
        nodes = self._nodes(column, row)
        if nodes is None:
            return None
        cut = slice(self._margin, self._margin + PATCH)
        return self._tissue.stains(nodes, column * PATCH - self._margin, row * PATCH - self._margin).tissue[cut, cut]

    def cells(self, column: int, row: int) -> Iterator[tuple[Kind, Nuclei]]:
        """The cells whose middle lies in a patch, a kind at a time; the same kind may come twice."""
        nodes = self._nodes(column, row)
        if nodes is None:
            return
        for kind, cells in self._tissue.cells(nodes, column * PATCH - self._margin, row * PATCH - self._margin):
            own = (np.floor(cells.x) // PATCH == column) & (np.floor(cells.y) // PATCH == row)
            yield kind, select(cells, own)

    def _nodes(self, column: int, row: int) -> Nodes | None:
        """The slow fields around a patch; None if it is glass."""
        if self._anatomy.is_glass((column + 0.5) * PATCH, (row + 0.5) * PATCH, self._side):
            return None
        xs, ys = self._axes(column, row)
        depth = self._anatomy.depth_grid(xs, ys)
        return None if depth.max() < -2 * FADE else nodes_of(self._anatomy, xs, ys, depth)

    def _axes(self, column: int, row: int) -> tuple[Floats, Floats]:
        left, top = column * PATCH - self._margin, row * PATCH - self._margin
        reach = self._side + AROUND + 1
        return (
            np.arange(left - AROUND, left + reach, STEP, dtype=np.float64),
            np.arange(top - AROUND, top + reach, STEP, dtype=np.float64),
        )

    def _develop(self, stains: Stains, nodes: Nodes, ladder: Floats, left: int, top: int) -> Pixels:
        """Focus and colour: what a scanner sees of the stains."""
        cut = slice(self._margin, self._margin + PATCH)
        haematoxylin, eosin, blood = stains.haematoxylin, stains.eosin, stains.blood
        if ladder.max() > 0:
            blur = nodes.full(ladder)
            haematoxylin, eosin = focus.blur(haematoxylin, blur), focus.blur(eosin, blur)
            blood = None if blood is None else focus.blur(blood, blur)
        grain = self._tissue.fine.window(left + 311, top + 97, self._side, self._side)[cut, cut] * np.float32(GRAIN)
        grain *= stains.tissue[cut, cut]
        return colour(haematoxylin[cut, cut], eosin[cut, cut], None if blood is None else blood[cut, cut], grain)
