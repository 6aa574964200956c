"""Our Zarr codecs, found by zarr through the entry points ``zarr.codecs``: ``zarr.open`` gives coefficients.

Reading only: a slide version never changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from zarr.abc.codec import ArrayBytesCodec
from zarr.registry import register_codec

from wavescope.kernel.layers import check_layers, split_layers
from wavescope.kernel.tiles import decode_approximation, decode_block
from wavescope.store.layout import APPROXIMATION_CODEC, BLOCK_CODEC

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from zarr.core.array_spec import ArraySpec
    from zarr.core.buffer import Buffer, NDBuffer
    from zarr.core.common import JSON


@dataclass(frozen=True)
class LayersCodec(ArrayBytesCodec):
    """Common to both: a chunk is the concatenated layers of one codestream."""

    is_fixed_size = False
    name: ClassVar[str]

    @classmethod
    def from_dict(cls, data: dict[str, JSON]) -> Self:
        if data.get("name") != cls.name or data.get("configuration", {}) != {}:
            raise ValueError(f"{data!r} is not the codec {cls.name} without configuration")
        return cls()

    def to_dict(self) -> dict[str, JSON]:
        return {"name": self.name, "configuration": {}}

    async def _decode_single(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> NDBuffer:
        layers = split_layers(chunk_data.to_bytes())
        check_layers(layers)
        decoded = self.decoded(layers)
        if decoded.size != int(np.prod(chunk_spec.shape)):
            raise ValueError(f"a codestream of shape {decoded.shape} in a chunk of shape {chunk_spec.shape}")
        return chunk_spec.prototype.nd_buffer.from_numpy_array(decoded.reshape(chunk_spec.shape))

    async def _encode_single(self, chunk_data: NDBuffer, chunk_spec: ArraySpec) -> Buffer | None:
        raise NotImplementedError("a slide version is immutable; ingest writes new ones")

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        raise NotImplementedError("the size of a codestream is not known before it is written")

    @staticmethod
    def decoded(layers: list[bytes]) -> NDArray[np.int16]:
        """The array in the layers."""
        raise NotImplementedError


@dataclass(frozen=True)
class BlockCodec(LayersCodec):
    """``wavescope.block``: quantised details, chunk shape (1, C, 3, 256, 256)."""

    name = BLOCK_CODEC

    @staticmethod
    def decoded(layers: list[bytes]) -> NDArray[np.int16]:
        return decode_block(layers)


@dataclass(frozen=True)
class ApproximationCodec(LayersCodec):
    """``wavescope.approximation``: samples of the top tile, chunk shape (1, C, 256, 256)."""

    name = APPROXIMATION_CODEC

    @staticmethod
    def decoded(layers: list[bytes]) -> NDArray[np.int16]:
        return decode_approximation(layers)[0]


register_codec(BLOCK_CODEC, BlockCodec)
register_codec(APPROXIMATION_CODEC, ApproximationCodec)
