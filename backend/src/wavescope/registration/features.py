"""Places that look alike on two sections: SIFT (Lowe 2004) of their even contrast, compared by the roots of descriptors
(Arandjelovic and Zisserman 2012).
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np

from wavescope.registration.density import Plane, Section
from wavescope.registration.spline import Floats

FEATURES = 2500
CLEAR = 0.85
"""Of the distance of the second best: a match that is hardly better than another is none."""
LEAST_MATCHES = 12
INLIERS = 0.01
"""Of the longer side: how far from an affine map a match may be."""


class Features(NamedTuple):
    """n places (n, 2), pixels' middles at 0.5, and unit descriptors (n, 128)."""

    places: Floats
    descriptors: Plane


class Matches:
    """What two sections have in common; the left one may be mirrored."""

    def __init__(self, left: Section, right: Section, mirrored: bool) -> None:
        self._one, self._other = _features(left, mirrored), _features(right, False)
        self._gap = 2 - 2 * self._one.descriptors @ self._other.descriptors.T
        self._mirror = np.array([-1.0 if mirrored else 1.0, 1.0])
        self._near = INLIERS * max(right.density.shape)

    def similarity(self) -> tuple[Floats, int] | None:
        """The map (2, 3) of most matches, anywhere, without shear, and how many agree; None: too few do."""
        found, wanted = self._pairs(self._gap)
        if len(found) < LEAST_MATCHES:
            return None
        fitted, inliers = cv2.estimateAffinePartial2D(
            found * self._mirror, wanted, ransacReprojThreshold=3 * self._near
        )
        if fitted is None or int(inliers.sum()) < LEAST_MATCHES:
            return None
        return fitted * np.append(self._mirror, 1), int(inliers.sum())

    def affine(self, near: Floats, reach: float) -> tuple[Floats, int] | None:
        """The map of the matches that are no further than ``reach`` pixels from where ``near`` lays them."""
        laid = self._one.places @ near[:, :2].T + near[:, 2]
        far = (laid**2).sum(axis=1)[:, None] + (self._other.places**2).sum(
            axis=1
        ) - 2 * laid @ self._other.places.T > reach * reach
        found, wanted = self._pairs(np.where(far, np.float32(4), self._gap))
        if len(found) < LEAST_MATCHES:
            return None
        fitted, inliers = cv2.estimateAffine2D(found, wanted, ransacReprojThreshold=self._near)
        if fitted is None or int(inliers.sum()) < LEAST_MATCHES:
            return None
        return fitted, int(inliers.sum())

    def _pairs(self, gap: Plane) -> tuple[Floats, Floats]:
        """Those that are each other's best, and clearly so: places (n, 2) on both sections."""
        if min(gap.shape) < 3:
            return np.empty((0, 2)), np.empty((0, 2))
        best, rows = gap.argmin(axis=1), np.arange(len(gap))
        two = np.partition(gap, 1, axis=1)[:, :2]
        clear = (two[:, 0] < CLEAR**2 * two[:, 1]) & (two[:, 0] < 2)
        chosen = clear & (gap.argmin(axis=0)[best] == rows)
        return self._one.places[chosen], self._other.places[best[chosen]]


def _features(section: Section, mirrored: bool) -> Features:
    turned = (slice(None), slice(None, None, -1 if mirrored else 1))
    contrast, tissue = (
        np.ascontiguousarray(picture[turned]) for picture in (section.contrast, section.tissue.astype(np.uint8))
    )
    keys, found = cv2.SIFT_create(nfeatures=FEATURES).detectAndCompute(contrast, tissue)
    if found is None:
        return Features(np.empty((0, 2)), np.empty((0, 128), np.float32))
    places = np.array([key.pt for key in keys], np.float64) + 0.5
    if mirrored:
        places[:, 0] = contrast.shape[1] - places[:, 0]
    roots = np.sqrt(found / np.maximum(found.sum(axis=1, keepdims=True), 1e-6))
    return Features(places, roots.astype(np.float32))
