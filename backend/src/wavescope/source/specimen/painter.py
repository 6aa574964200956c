"""Paints the specimen patch by patch. A patch is always painted whole, so a pixel cannot depend on the requested
region.
"""

from __future__ import annotations

import numpy as np

from wavescope.source.base import Pixels
from wavescope.source.specimen import focus
from wavescope.source.specimen.anatomy import Anatomy
from wavescope.source.specimen.hashing import Floats
from wavescope.source.specimen.nodes import AROUND, STEP, Nodes, nodes_of
from wavescope.source.specimen.spec import Spec
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
        x0, y0 = column * PATCH, row * PATCH
        if self._anatomy.is_glass(x0 + PATCH / 2, y0 + PATCH / 2, self._side):
            return self._glass
        left, top = x0 - self._margin, y0 - self._margin
        xs = np.arange(left - AROUND, left + self._side + AROUND + 1, STEP, dtype=np.float64)
        ys = np.arange(top - AROUND, top + self._side + AROUND + 1, STEP, dtype=np.float64)
        depth = self._anatomy.depth_grid(xs, ys)
        if depth.max() < -2 * FADE:
            return self._glass
        nodes = nodes_of(self._anatomy, xs, ys, depth)
        stains = self._tissue.stains(nodes, left, top)
        ladder = focus.blur_grid(xs, ys, z, self._planes, self._anatomy.salt(SALT_HEIGHT))
        return self._develop(stains, nodes, ladder, left, top)

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
