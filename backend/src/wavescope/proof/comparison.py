"""The screen of one browser beside the pixels of the slide."""

from __future__ import annotations

import base64
import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from wavescope.cielab import difference, lab_of_pixels
from wavescope.client.slide import Slide
from wavescope.pixels.colour import as_srgb
from wavescope.pixels.images import Pixels, encode_image
from wavescope.proof.browsers import BrowserFailed, Window
from wavescope.proof.views import View, chosen

COLOURED = 20
"""So many of the views are looked at with the colour profile as well."""
KEPT = 5
"""Of so many views that differ the pictures are kept."""
AHEAD = 2
"""Views whose pixels are read while the browser shows one."""
DELTA_E = "delta_e_2000"


@dataclass
class Seen:
    """What one browser showed. ``views``: facts of each view, in their order, as they stand in the report."""

    name: str
    version: str
    user_agent: str
    screen: tuple[int, int]
    opening_milliseconds: float
    views: list[dict[str, Any]] = field(default_factory=list)

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> Seen:
        """What a report says of a browser."""
        return cls(**{name: fields[name] for name in cls.__dataclass_fields__} | {"screen": tuple(fields["screen"])})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def equal(self) -> int:
        return sum(one["screen"] == one["reference"] for one in self.views)

    @property
    def colours(self) -> list[dict[str, float]]:
        """CIEDE2000 of the views that were shown with the profile: the mean, the 95th of 100, and the largest."""
        return [one[DELTA_E] for one in self.views if DELTA_E in one]


@dataclass(frozen=True)
class Wanted:
    """Which views are looked at."""

    views: int
    seed: int


def compared(
    window: Window, address: str, slide: Slide, wanted: Wanted, before: Seen | None, seen: Callable[[Seen], None]
) -> None:
    """Shows the views one after the other, and calls ``seen`` after each. Raises BrowserFailed.

    ``before``: what an earlier run has seen; it is continued if the browser is still the same.
    """
    opened = window.open(address)
    if opened["digest"] != slide.version.digest:
        raise BrowserFailed(window.name, f"the page shows the version {opened['digest']}, not {slide.version.digest}")
    height, width = window.screen().shape[:2]
    now = Seen(window.name, window.version, opened["agent"], (width, height), round(opened["sharp"], 1))
    if before is not None and (before.version, before.screen) == (now.version, now.screen):
        now = before
    icc = slide.version.manifest.icc and slide.color_profile
    if icc:
        window.use_profile(False)
    views = list(chosen(slide.level_dimensions, now.screen, opened["planes"], wanted.views, wanted.seed))
    seen(now)
    for view, pixels in _read_ahead(slide, views[len(now.views) :], now.screen):
        now.views.append(_look(window, view, pixels, now))
        seen(now)
    if icc:
        window.use_profile(True)
        count = len(now.colours)
        for view, pixels in _read_ahead(slide, views[count:COLOURED], now.screen):
            now.views[count][DELTA_E] = _look_at_colours(window, view, as_srgb(icc, pixels))
            count += 1
            seen(now)


def is_complete(seen: Seen, wanted: Wanted, coloured: bool) -> bool:
    """Whether all views were shown. ``coloured``: the slide has a colour profile."""
    return len(seen.views) == wanted.views and (not coloured or len(seen.colours) == min(COLOURED, wanted.views))


def _look(window: Window, view: View, pixels: Pixels, before: Seen) -> dict[str, Any]:
    shown = window.show(view)
    screen = window.screen()[: pixels.shape[0], : pixels.shape[1]]
    facts = {
        "level": view.level, "x": view.x, "y": view.y, "plane": view.plane,
        "width": pixels.shape[1], "height": pixels.shape[0], "milliseconds": round(shown["ms"], 1),
        "fidelity": shown["fidelity"], "screen": _sha256(screen), "reference": _sha256(pixels),
    }  # fmt: skip
    if (shown["x"], shown["y"]) != (view.x, view.y):
        facts["lies_at"] = [shown["x"], shown["y"]]
    if facts["screen"] != facts["reference"] and len(before.views) - before.equal < KEPT:
        facts["pictures"] = _pictures(screen, pixels)
    return facts


def _pictures(screen: Pixels, reference: Pixels) -> dict[str, str]:
    """The screen, the slide, and black where they differ: PNG as data URLs."""
    apart = np.where(np.any(screen != reference, axis=2), 0, 255).astype(np.uint8)
    pictures = {"screen": screen, "slide": reference, "where they differ": np.repeat(apart[..., None], 3, axis=2)}
    return {
        name: "data:image/png;base64," + base64.b64encode(encode_image(np.ascontiguousarray(one), "png")).decode()
        for name, one in pictures.items()
    }


def _look_at_colours(window: Window, view: View, pixels: Pixels) -> dict[str, float]:
    window.show(view)
    screen = window.screen()[: pixels.shape[0], : pixels.shape[1]]
    apart = difference(lab_of_pixels(screen), lab_of_pixels(pixels))
    figures = {"mean": apart.mean(), "p95": np.percentile(apart, 95), "largest": apart.max()}
    return {name: round(float(value), 4) for name, value in figures.items()}


def _read_ahead(slide: Slide, views: Sequence[View], screen: tuple[int, int]) -> Iterator[tuple[View, Pixels]]:
    """Views with their pixels, some of which are read while others are looked at."""
    with ThreadPoolExecutor(1) as reader:
        waiting: deque[tuple[View, Future[Pixels]]] = deque()
        for view in views:
            waiting.append((view, reader.submit(_pixels, slide, view, screen)))
            if len(waiting) > AHEAD:
                first, pixels = waiting.popleft()
                yield first, pixels.result()
        for view, pixels in waiting:
            yield view, pixels.result()


def _pixels(slide: Slide, view: View, screen: tuple[int, int]) -> Pixels:
    width, height = view.size(slide.level_dimensions[view.level], screen)
    pixels = slide.read_array(view.level, view.x, view.y, width, height, plane=view.plane)
    return np.ascontiguousarray(np.broadcast_to(pixels, (height, width, 3)) if pixels.shape[2:] == (1,) else pixels)


def _sha256(pixels: Pixels) -> str:
    """Of the RGB bytes, row by row."""
    return hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()
