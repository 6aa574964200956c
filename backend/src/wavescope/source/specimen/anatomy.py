"""Where there is tissue, and of what kind: the outline of a few pieces, and slow fields that choose between their
tissues.

All lengths are level-0 pixels of 0.25 micrometres. ``depth`` is roughly the distance from the outline, positive
inside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wavescope.source.specimen.hashing import Floats, place_hash, uniform
from wavescope.source.specimen.noise import noise_at, noise_grid
from wavescope.source.specimen.spec import Spec

# centre and radii of the pieces as fractions of width and height; turned and shifted a little by the seed
PIECES = ((0.29, 0.45, 0.225, 0.34), (0.755, 0.27, 0.175, 0.19), (0.70, 0.77, 0.225, 0.145))
# the outline's noise: wavelength and amplitude, as fractions of the shorter side and in pixels
COARSE = ((0.30, 0.13), (0.11, 0.055))
FINE = ((420.0, 70.0), (110.0, 26.0), (31.0, 9.0))
SALT_OUTLINE, SALT_ZONE, SALT_LOOSE, SALT_LYMPH = 100, 200, 220, 240

LYMPH_PITCH = 2300
LYMPH_RADIUS = (130.0, 400.0)


@dataclass(frozen=True)
class Piece:
    """One ellipse of tissue."""

    x: float
    y: float
    radius_x: float
    radius_y: float
    turn: float


class Anatomy:
    """Slow fields of one specimen, on grids (two axes) or at scattered points."""

    def __init__(self, spec: Spec) -> None:
        self._seed = spec.seed * 7919
        self._side = float(min(spec.width, spec.height))
        rng = np.random.default_rng(spec.seed)
        self._pieces = []
        for x, y, radius_x, radius_y in PIECES:
            shift = rng.uniform(-0.02, 0.02, 2)
            place = (x + shift[0]) * spec.width, (y + shift[1]) * spec.height
            self._pieces.append(Piece(*place, radius_x * spec.width, radius_y * spec.height, rng.uniform(-0.35, 0.35)))
        self._reach = sum(amplitude for _, amplitude in COARSE) * self._side / 2 + sum(size for _, size in FINE) / 2

    def salt(self, purpose: int) -> int:
        """The salt of a purpose for this seed."""
        return self._seed + purpose

    def is_glass(self, x: float, y: float, radius: float) -> bool:
        """Whether a disc is far outside the tissue, found without noise."""
        bare = self._bare_depth(np.array([x]), np.array([y]))[0]
        return bool(bare + self._reach + radius < 0)

    def depth_grid(self, xs: Floats, ys: Floats) -> Floats:
        """Depth at every (y, x)."""
        depth = self._bare_depth(xs[None, :], ys[:, None])
        for index, (wavelength, amplitude) in enumerate(self._outline()):
            depth = depth + amplitude * (noise_grid(xs, ys, wavelength, self.salt(SALT_OUTLINE + index)) - 0.5)
        return depth

    def depth_at(self, x: Floats, y: Floats) -> Floats:
        """Depth at points."""
        depth = self._bare_depth(x, y)
        for index, (wavelength, amplitude) in enumerate(self._outline()):
            depth = depth + amplitude * (noise_at(x, y, wavelength, self.salt(SALT_OUTLINE + index)) - 0.5)
        return depth

    def glandular_at(self, x: Floats, y: Floats) -> Floats:
        """From 0 (muscle) through 0.4 (loose connective tissue) to 1 (mucosa full of glands), at points."""
        return 0.7 * noise_at(x, y, 2700.0, self.salt(SALT_ZONE)) + 0.3 * noise_at(
            x, y, 1100.0, self.salt(SALT_ZONE + 1)
        )

    def glandular_grid(self, xs: Floats, ys: Floats) -> Floats:
        """The same at every (y, x)."""
        coarse = noise_grid(xs, ys, 2700.0, self.salt(SALT_ZONE))
        return 0.7 * coarse + 0.3 * noise_grid(xs, ys, 1100.0, self.salt(SALT_ZONE + 1))

    def loose_grid(self, xs: Floats, ys: Floats) -> Floats:
        """How far fibres lie apart, 0 to 1."""
        return noise_grid(xs, ys, 700.0, self.salt(SALT_LOOSE))

    def lymph_grid(self, xs: Floats, ys: Floats) -> Floats:
        """Density of lymphoid follicles, 0 to 1."""
        density = np.zeros((len(ys), len(xs)))
        reach = LYMPH_RADIUS[1]
        columns = np.arange((xs[0] - reach) // LYMPH_PITCH, (xs[-1] + reach) // LYMPH_PITCH + 1)
        rows = np.arange((ys[0] - reach) // LYMPH_PITCH, (ys[-1] + reach) // LYMPH_PITCH + 1)
        for row in rows:
            hashes = place_hash(columns, np.full_like(columns, row), self.salt(SALT_LYMPH))
            present = uniform(hashes, 0) < 0.62
            centre_x = (columns + 0.2 + 0.6 * uniform(hashes, 1)) * LYMPH_PITCH
            centre_y = (row + 0.2 + 0.6 * uniform(hashes, 2)) * LYMPH_PITCH
            radius = LYMPH_RADIUS[0] + (LYMPH_RADIUS[1] - LYMPH_RADIUS[0]) * uniform(hashes, 3) ** 2
            for x, y, size in zip(centre_x[present], centre_y[present], radius[present], strict=True):
                squared = ((xs[None, :] - x) ** 2 + (ys[:, None] - y) ** 2) / (size * size)
                density = np.maximum(density, np.clip(1.6 * (1.0 - squared), 0, 1))
        return density

    def _outline(self) -> list[tuple[float, float]]:
        scaled = [(wavelength * self._side, amplitude * self._side) for wavelength, amplitude in COARSE]
        return scaled + list(FINE)

    def _bare_depth(self, x: Floats, y: Floats) -> Floats:
        depths = [_ellipse_depth(piece, x, y) for piece in self._pieces]
        deepest: Floats = np.maximum.reduce(depths)
        return deepest


def _ellipse_depth(piece: Piece, x: Floats, y: Floats) -> Floats:
    cosine, sine = np.cos(piece.turn), np.sin(piece.turn)
    across = ((x - piece.x) * cosine + (y - piece.y) * sine) / piece.radius_x
    along = ((y - piece.y) * cosine - (x - piece.x) * sine) / piece.radius_y
    depth: Floats = (1.0 - np.sqrt(across * across + along * along)) * min(piece.radius_x, piece.radius_y)
    return depth
