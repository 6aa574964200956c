"""No exchange of valid bytes passes: every two blocks, and every two layers, of one length, within a slide and between
two slides, in each way in which blocks are read (CS6, CS8, ST42)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
import tifffile
import zarr

from ingest.worlds import ingested
from reference import decoder
from reference.stream import Malformed, Position, read_parameters
from wavescope import kernel
from wavescope.errors import CodecError, CorruptBlock
from wavescope.geometry import TILE, Address
from wavescope.store import proof
from wavescope.store.reader import StoreReader, split
from wavescope.store.verify import verify

PARENT = np.zeros((1, TILE, TILE), np.int16)


@dataclass(frozen=True)
class Stored:
    """A block or an approximation of a slide; the same bytes may be stored in both slides at the same address."""

    reader: StoreReader
    address: Address
    layers: tuple[bytes, ...]

    @property
    def is_top(self) -> bool:
        return self.address.level == self.reader.manifest.top

    @property
    def parameters(self) -> kernel.ParameterSet:
        return self.reader.version.parameters(self.address.level)

    def check(self, layers: list[bytes]) -> None:
        """What the service does before it sends bytes. Raises CodecError."""
        for index, layer in enumerate(layers):
            kernel.check_layer(layer, index, self.parameters.binding, self.address)

    def decode(self, layers: list[bytes]) -> None:
        """What kernel.wasm does. Raises CodecError."""
        if self.is_top:
            kernel.decode_approximation(layers, self.parameters, self.address.z)
        else:
            kernel.decode_tile(PARENT, layers, self.parameters, self.address)

    def decode_by_reference(self, layers: list[bytes]) -> None:
        """Raises Malformed."""
        position = Position(self.address.z, self.address.x, self.address.y)
        decoder.parse(read_parameters(self.parameters.data), position, layers)


def slide(folder: Path, shift: int) -> StoreReader:
    """Two planes of glass with equal dots in many tiles: most blocks have the length of many others."""
    side = 3 * TILE
    planes = np.full((2, side, side), 240, np.uint8)
    for z, y, x in product(range(2), range(20, side, TILE // 2), range(20, side, TILE // 2)):
        planes[z, y : y + 6, x : x + 6] = 60 + shift
    folder.mkdir()
    tifffile.imwrite(folder / "dots.tif", planes, photometric="minisblack", metadata=None)
    return StoreReader.open(folder, ingested(folder / "dots.tif", folder, steps="even").digest)


@pytest.fixture(scope="module")
def slides(tmp_path_factory: pytest.TempPathFactory) -> tuple[StoreReader, StoreReader]:
    folder = tmp_path_factory.mktemp("slides")
    return slide(folder / "one", 0), slide(folder / "other", 1)


def stored(reader: StoreReader) -> Iterator[Stored]:
    for z, level in product(range(reader.manifest.planes), range(reader.manifest.top + 1)):
        for x, y in np.ndindex(reader.manifest.pyramid.tiles(level)):
            address = Address(z, 0, level, x, y)
            layers = split(reader.read(address, range(reader.manifest.layers)))
            if layers:
                yield Stored(reader, address, tuple(layers))


def refusals(place: Stored, layers: list[bytes]) -> list[str]:
    """What each reader says of these layers in a place that they do not belong to."""
    with pytest.raises(CodecError) as checked:
        place.check(layers)
    with pytest.raises(CodecError) as decoded:
        place.decode(layers)
    with pytest.raises(Malformed) as referred:
        place.decode_by_reference(layers)
    return [checked.value.code, decoded.value.code, str(referred.value)]


@pytest.mark.slow
def test_cs6_cs8_no_two_blocks_of_one_length_can_be_exchanged(slides: tuple[StoreReader, StoreReader]) -> None:
    every = [one for reader in slides for one in stored(reader)]
    pairs = 0
    for one, other in combinations(every, 2):
        if len(b"".join(one.layers)) == len(b"".join(other.layers)):
            pairs += 1
            for place, foreign in ((one, other), (other, one)):
                said = refusals(place, list(foreign.layers))
                assert set(said) <= {"checksum", "binding"}
                assert said[1] == said[2]
    assert len(every) > 30
    assert pairs > 100


def test_cs6_cs8_no_two_layers_of_one_length_can_be_exchanged(slides: tuple[StoreReader, StoreReader]) -> None:
    every = [(one, index) for reader in slides for one in stored(reader) for index in range(len(one.layers))]
    pairs = 0
    for (one, i), (other, k) in combinations(every, 2):
        if len(one.layers[i]) == len(other.layers[k]):
            pairs += 1
            layers = list(one.layers)
            layers[i] = other.layers[k]
            said = refusals(one, layers)
            assert set(said) <= {"checksum", "binding", "header", "truncated"}
            assert said[1] == said[2]
    assert pairs > 200


@pytest.mark.parametrize("between", [False, True])
def test_st42_bytes_exchanged_in_the_files_are_corrupt_blocks(
    between: bool, slides: tuple[StoreReader, StoreReader], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the hashes of files: each block alone proves what it is, also to Zarr, verify and the pixel service."""
    monkeypatch.setattr(proof, "HASHED_BYTES", 0)
    monkeypatch.setattr(proof, "PROVING_BLOCKS", 0)
    one, other = slides if between else (slides[0], slides[0])
    pairs = [(a, b) for a, b in product(stored(one), stored(other)) if in_one_shard_grid(a, b)][:12]
    assert pairs
    for a, b in pairs:
        path = one.paths.shard(a.address.z, 0, a.address.level, 0, 0)
        whole = path.read_bytes()
        path.write_bytes(whole.replace(b"".join(a.layers), b"".join(b.layers)))
        reader = StoreReader.open(path.parents[4], one.digest)
        with pytest.raises(CorruptBlock, match=r"checksum|binding"):
            reader.read(a.address, range(reader.manifest.layers))
        assert a.address in {found.address for found in verify(path.parents[4], one.digest)}
        if a.reader.digest != b.reader.digest or a.address.level != b.address.level:
            array = zarr.open_group(one.paths.root, mode="r")[f"levels/{a.address.level}"]
            assert isinstance(array, zarr.Array)
            with pytest.raises(CodecError, match=r"checksum|binding"):
                array[...]
        path.write_bytes(whole)


def test_st78_every_parameter_set_contains_the_key_of_the_slide(slides: tuple[StoreReader, StoreReader]) -> None:
    one, other = slides
    for reader in slides:
        key = bytes.fromhex(reader.manifest.codec["key"])
        assert {data[16:32] for groups in reader.version.parameter_sets for data in groups} == {key}
    assert one.manifest.codec["key"] != other.manifest.codec["key"]


def in_one_shard_grid(a: Stored, b: Stored) -> bool:
    return (
        not a.is_top
        and not b.is_top
        and (a.address != b.address or a.reader.digest != b.reader.digest)
        and list(map(len, a.layers)) == list(map(len, b.layers))
    )
