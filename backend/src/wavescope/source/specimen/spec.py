"""The description of a specimen: size, focal planes, seed."""

from __future__ import annotations

import re
from typing import NamedTuple

from wavescope.channels.channel import MAX_CHANNELS
from wavescope.errors import InvalidParameter

LARGEST = 100_000
MAX_PLANES = 31
FORM = re.compile(
    r"specimen:([0-9]{1,6})x([0-9]{1,6})(?:x([0-9]{1,3}))?(?:\?seed=([0-9]{1,9}))?(?:[?&]channels=([0-9]{1,2}))?"
)
PAINTER = 1
"""Raised whenever the same description paints other pixels, so that an interrupted ingest does not mix two."""


class Spec(NamedTuple):
    """The parsed description of a specimen."""

    width: int
    height: int
    planes: int
    seed: int
    channels: int = 0
    """Of fluorescence, 1 to 64; 0: a stained section in RGB."""

    def canonical(self) -> str:
        """One spelling for every way to write the same specimen."""
        channels = f"&channels={self.channels}" if self.channels else ""
        return f"specimen:{self.width}x{self.height}x{self.planes}?seed={self.seed}{channels} painter {PAINTER}"


def parse_spec(text: str) -> Spec:
    """``specimen:WIDTHxHEIGHT[xPLANES][?seed=N][&channels=N]``; InvalidParameter says what is expected."""
    match = FORM.fullmatch(text)
    if match is None:
        raise InvalidParameter("specimen", text, "specimen:WIDTHxHEIGHT[xPLANES][?seed=N][&channels=N]")
    width, height, planes, seed, channels = (int(group) if group else None for group in match.groups())
    spec = Spec(width or 0, height or 0, 1 if planes is None else planes, seed or 0, channels or 0)
    if not (1 <= spec.width <= LARGEST and 1 <= spec.height <= LARGEST):
        raise InvalidParameter("specimen", text, f"sides of 1 to {LARGEST:,} pixels")
    if not 1 <= spec.planes <= MAX_PLANES:
        raise InvalidParameter("specimen", text, f"1 to {MAX_PLANES} focal planes")
    if channels is not None and not 1 <= channels <= MAX_CHANNELS:
        raise InvalidParameter("specimen", text, f"1 to {MAX_CHANNELS} channels")
    return spec
