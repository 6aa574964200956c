"""A tile without siblings."""

from __future__ import annotations

from wavescope import kernel
from wavescope.geometry import Address

FIRST = Address(0, 0, 0, 0, 0)


def alone(samples: kernel.Samples, codec: kernel.Codec) -> list[bytes]:
    """The layers of a level-0 tile whose parent has no other child."""
    return kernel.encode_tile(samples, kernel.parent_of({(0, 0): kernel.means(samples)}), FIRST, codec)
