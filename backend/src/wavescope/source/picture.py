"""A grey or RGB picture of 8 bits over a function that reads regions of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from wavescope.source.base import Pixels, SourceInfo, check_region


class Picture:
    """``read``: (z, l0_x, l0_y, width, height) to pixels. Thread-safe, if ``read`` is."""

    def __init__(self, info: SourceInfo, read: Callable[..., Pixels], close: Callable[[], None]) -> None:
        self._info, self._read, self._close = info, read, close

    @property
    def info(self) -> SourceInfo:
        return self._info

    def note(self, notice: str) -> None:
        """Adds to what the user should know of the files."""
        self._info = replace(self._info, notices=(*self._info.notices, notice))

    def read_region(self, z: int, l0_x: int, l0_y: int, width: int, height: int) -> Pixels:
        check_region(self._info, z, l0_x, l0_y, width, height)
        return self._read(z, l0_x, l0_y, width, height)

    def close(self) -> None:
        self._close()
