"""What both forms of the kernel have: buffers at fixed addresses, and calls."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from wavescope.errors import CodecError

_RESULTS = {
    -1: "truncated",
    -2: "magic",
    -3: "newer-version",
    -4: "checksum",
    -5: "order",
    -6: "binding",
    -7: "header",
    -8: "unsupported",
    -9: "space",
    -10: "argument",
    -11: "kind",
    -12: "unsupported-channels",
    -13: "unsupported-depth",
    -14: "unsupported-tile",
}


class Kernel(ABC):
    """One kernel with fixed buffers. Not to be shared between threads."""

    def __init__(self, views: Mapping[str, NDArray[np.uint8]], address: Mapping[str, int]) -> None:
        self._views, self.address = views, address

    @abstractmethod
    def call(self, function: str, *arguments: int) -> int:
        """The plain result of an exported function (the GIL is released while it runs)."""

    def checked(self, function: str, *arguments: int) -> None:
        """Like call(), a negative result raised as CodecError."""
        result = self.call(function, *arguments)
        if result < 0:
            raise CodecError(_RESULTS.get(result, str(result)), f"by {function}")

    def view(self, buffer: str) -> NDArray[np.uint8]:
        """A buffer as bytes; valid as long as the kernel."""
        return self._views[buffer]

    def shorts(self, buffer: str, *shape: int) -> NDArray[np.int16]:
        """The start of a buffer as int16 of the given shape."""
        count = math.prod(shape)
        return self._views[buffer][: 2 * count].view(np.int16).reshape(shape)

    def put(self, buffer: str, array: NDArray[np.generic]) -> int:
        """Copies an array to the start of a buffer; returns the address at which the kernel reads it."""
        view = self._views[buffer][: array.nbytes].view(array.dtype).reshape(array.shape)
        view[...] = array
        return self.address[buffer]

    def result(self, buffer: str, *shape: int) -> tuple[int, NDArray[np.int16]]:
        """The address for a result, and the array in which it stands after the call, until the next call."""
        return self.address[buffer], self.shorts(buffer, *shape)

    def write(self, buffer: str, data: bytes) -> int:
        """Copies bytes to the start of a buffer; returns how many. Too many are the caller's bad input."""
        view = self._views[buffer]
        if len(data) > view.size:
            raise CodecError("header", f"{len(data)} bytes are more than any block has")
        view[: len(data)] = np.frombuffer(data, np.uint8)
        return len(data)
