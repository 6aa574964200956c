"""The screen of one browser beside the pixels of the slide."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import ImageCms

from wavescope.cielab import difference, lab_of_pixels
from wavescope.client.slide import Slide
from wavescope.pixels.colour import as_srgb
from wavescope.pixels.images import Pixels
from wavescope.proof.browsers import BrowserFailed, Window
from wavescope.proof.views import View, chosen

COLOURED = 20
"""So many of the views are looked at with the colour profile as well."""
KEPT = 5
"""So many pairs of pictures that differ are kept."""


@dataclass
class Seen:
    """What one browser showed."""

    browser: str
    version: str
    agent: str
    screen: tuple[int, int]
    opening_ms: float
    views: list[dict[str, Any]] = field(default_factory=list)
    delta_e: list[tuple[float, float, float]] = field(default_factory=list)
    """Of each view with the profile, CIEDE2000 of its pixels: the mean, the 95th of 100, and the largest."""
    differing: list[tuple[dict[str, Any], Pixels, Pixels]] = field(default_factory=list)
    """Facts of a view, its screen, and the slide's pixels."""

    @property
    def equal(self) -> int:
        return sum(one["screen"] == one["reference"] for one in self.views)


def compared(
    window: Window, address: str, slide: Slide, count: int, seed: int, progress: Callable[[int], None]
) -> Seen:
    """Shows the views one after the other. Raises BrowserFailed."""
    opened = window.open(address)
    if opened["digest"] != slide.version.digest:
        raise BrowserFailed(window.name, f"the page shows the version {opened['digest']}, not {slide.version.digest}")
    height, width = window.screen().shape[:2]
    seen = Seen(window.name, window.version, opened["agent"], (width, height), round(opened["sharp"], 1))
    icc = slide.version.manifest.icc and slide.color_profile
    if icc:
        window.use_profile(False)
    views = list(chosen(slide.level_dimensions, seen.screen, opened["planes"], count, seed))
    for done, view in enumerate(views):
        _look(window, seen, slide, view)
        progress(done + 1)
    if icc:
        window.use_profile(True)
        for view in views[:COLOURED]:
            _look_at_colours(window, seen, slide, view, icc)
    return seen


def _look(window: Window, seen: Seen, slide: Slide, view: View) -> None:
    shown = window.show(view)
    pixels = _pixels(slide, view, seen.screen)
    screen = window.screen()[: pixels.shape[0], : pixels.shape[1]]
    facts = {
        "level": view.level, "x": view.x, "y": view.y, "plane": view.plane,
        "width": pixels.shape[1], "height": pixels.shape[0], "milliseconds": round(shown["ms"], 1),
        "fidelity": shown["fidelity"], "screen": _sha256(screen), "reference": _sha256(pixels),
    }  # fmt: skip
    if (shown["x"], shown["y"]) != (view.x, view.y):
        facts["lies_at"] = [shown["x"], shown["y"]]
    seen.views.append(facts)
    if facts["screen"] != facts["reference"] and len(seen.differing) < KEPT:
        seen.differing.append((facts, screen, pixels))


def _look_at_colours(window: Window, seen: Seen, slide: Slide, view: View, icc: ImageCms.ImageCmsProfile) -> None:
    window.show(view)
    pixels = as_srgb(icc, _pixels(slide, view, seen.screen))
    screen = window.screen()[: pixels.shape[0], : pixels.shape[1]]
    apart = difference(lab_of_pixels(screen), lab_of_pixels(pixels))
    seen.delta_e.append((float(apart.mean()), float(np.percentile(apart, 95)), float(apart.max())))


def _pixels(slide: Slide, view: View, screen: tuple[int, int]) -> Pixels:
    width, height = view.size(slide.level_dimensions[view.level], screen)
    pixels = slide.read_array(view.level, view.x, view.y, width, height, plane=view.plane)
    return np.ascontiguousarray(np.broadcast_to(pixels, (height, width, 3)) if pixels.shape[2:] == (1,) else pixels)


def _sha256(pixels: Pixels) -> str:
    """Of the RGB bytes, row by row."""
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()
