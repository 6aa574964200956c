"""Our Zarr codecs, found by zarr through the entry points ``zarr.codecs``: ``zarr.open`` gives coefficients.

Reading only: a slide version never changes. Zarr tells a codec nothing of a chunk's position, so the address in the
bytes is the one that is proved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from zarr.abc.codec import ArrayBytesCodec
from zarr.registry import register_codec

from wavescope.errors import CodecError
from wavescope.kernel.layers import check_layer, read_address, split_layers
from wavescope.kernel.parameter_set import ParameterSet, read_parameters
from wavescope.kernel.tiles import address_of, decode_approximation, decode_block
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
    parameters: tuple[str, ...]
    """The parameter sets of the level, one for each channel group, in hexadecimal (ST14)."""

    @classmethod
    def from_dict(cls, data: dict[str, JSON]) -> Self:
        configuration = data.get("configuration")
        sets = configuration.get("parameters") if isinstance(configuration, dict) else None
        if data.get("name") != cls.name or not isinstance(sets, list | tuple) or not sets:
            raise ValueError(f"{data!r} is not the codec {cls.name} of version 1.0: ingest the slide again")
        return cls(tuple(str(each) for each in sets))

    def to_dict(self) -> dict[str, JSON]:
        return {"name": self.name, "configuration": {"parameters": list(self.parameters)}}

    async def _decode_single(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> NDBuffer:
        layers = split_layers(chunk_data.to_bytes())
        sets = [read_parameters(bytes.fromhex(each)) for each in self.parameters]
        if len(layers) < sets[0].layers:  # whole layers that a decoder of the first ones would accept (ST99)
            raise CodecError("order", f"{len(layers)} layers of {sets[0].layers}")
        decoded = self.decoded(layers, sets[0] if len(sets) == 1 else _set_of(layers, sets))
        if decoded.size != int(np.prod(chunk_spec.shape)):
            raise ValueError(f"a codestream of shape {decoded.shape} in a chunk of shape {chunk_spec.shape}")
        return chunk_spec.prototype.nd_buffer.from_numpy_array(decoded.reshape(chunk_spec.shape))

    async def _encode_single(self, chunk_data: NDBuffer, chunk_spec: ArraySpec) -> Buffer | None:
        raise NotImplementedError("a slide version is immutable; ingest writes new ones")

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        raise NotImplementedError("the size of a codestream is not known before it is written")

    @staticmethod
    def decoded(layers: list[bytes], parameters: ParameterSet) -> NDArray[np.int16]:
        """The array in the layers. Raises CodecError."""
        raise NotImplementedError


def _set_of(layers: list[bytes], sets: list[ParameterSet]) -> ParameterSet:
    """Of the parameter sets of all channel groups, the one that the first layer is bound to. Raises CodecError."""
    for one in sets:
        try:
            check_layer(layers[0], 0, one.binding, read_address(layers[0], one.level, one.groups))
        except CodecError as error:
            if error.code != "checksum":
                raise
        else:
            return one
    raise CodecError("checksum", "in layer 0 by the parameters of every channel group")


@dataclass(frozen=True)
class BlockCodec(LayersCodec):
    """``wavescope.block``: quantised details, chunk shape (1, C, 3, 128, 128)."""

    name = BLOCK_CODEC

    @staticmethod
    def decoded(layers: list[bytes], parameters: ParameterSet) -> NDArray[np.int16]:
        return decode_block(layers, parameters, address_of(layers, parameters))


@dataclass(frozen=True)
class ApproximationCodec(LayersCodec):
    """``wavescope.approximation``: samples of the top tile, chunk shape (1, C, 256, 256)."""

    name = APPROXIMATION_CODEC

    @staticmethod
    def decoded(layers: list[bytes], parameters: ParameterSet) -> NDArray[np.int16]:
        return decode_approximation(layers, parameters, address_of(layers, parameters).z)


register_codec(BLOCK_CODEC, BlockCodec)
register_codec(APPROXIMATION_CODEC, ApproximationCodec)
