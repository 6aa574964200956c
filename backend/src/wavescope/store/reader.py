"""Reading a published slide version: stored bytes by address, verified, never decoded (rules ST40 to ST44)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from wavescope.caches import BoundedCache
from wavescope.errors import CodecError, CorruptBlock, CorruptStore
from wavescope.geometry import Address
from wavescope.kernel.layers import split_layers
from wavescope.store.handles import OpenFile, OpenShard
from wavescope.store.layer_index import Directory, IndexShape, PageKey, ShardKey, decode_directory
from wavescope.store.layout import PAGE, StorePaths, VersionPaths
from wavescope.store.manifest import Manifest, load_manifest
from wavescope.store.proof import blocks_of, check_identity, check_shard, layers_of, sha256_of
from wavescope.store.reading import (
    PageLengths,
    check_layers,
    entry_of,
    layer_extent,
    page_of,
    parsed_page,
    reason_of,
    shard_of,
)
from wavescope.store.version import SlideVersion


@dataclass(frozen=True)
class StoreCaches:
    """What all readers of a process cache of their versions: open layer indexes, open shards, parsed index pages.

    64 indexes and 256 shards take 320 descriptors; 256 shards take about 8 MB, 512 pages at most about 100 MB.
    """

    indexes: BoundedCache[str, tuple[OpenFile, Directory]]
    shards: BoundedCache[tuple[str, ShardKey], OpenShard]
    pages: BoundedCache[tuple[str, PageKey], PageLengths]

    @classmethod
    def sized(cls, shards: int = 256, pages: int = 512, indexes: int = 64) -> StoreCaches:
        return cls(BoundedCache(indexes), BoundedCache(shards), BoundedCache(pages))

    def drop(self, digest: str) -> None:
        """Forget all parts of one version."""
        self.indexes.drop(lambda key: key == digest)
        self.shards.drop(lambda key: key[0] == digest)
        self.pages.drop(lambda key: key[0] == digest)

    def clear(self) -> None:
        """Forget everything; the files close when their last reader has finished."""
        self.indexes.clear()
        self.shards.clear()
        self.pages.clear()


class StoreReader:
    """One slide version on disk. Thread-safe. ``version`` is its handle, which checks every address."""

    def __init__(self, paths: VersionPaths, manifest: Manifest, digest: str, caches: StoreCaches | None = None) -> None:
        self.paths = paths
        self.manifest = manifest
        self.digest = digest
        self.version = SlideVersion.of(digest, manifest)
        self.shape = IndexShape(manifest.pyramid, manifest.planes, manifest.layers, self.version.bindings)
        self._top = self.version.top
        self._caches = caches or StoreCaches.sized()

    @classmethod
    def open(cls, store: Path, digest: str, caches: StoreCaches | None = None) -> StoreReader:
        """The version with this digest; StaleVersion if there is none, CorruptStore if its manifest is damaged."""
        paths = StorePaths(store)
        return cls(paths.version(digest), load_manifest(paths.slides, digest), digest, caches)

    # --- the layer index -------------------------------------------------------------------------------------------

    @property
    def directory(self) -> Directory:
        """The directory of the layer index; CorruptStore if it is damaged."""
        return self._open_index()[1]

    def page(self, z: int, c: int, level: int, page: int) -> bytes:
        """A layer-index page in its wire form, checked."""
        data, _ = self._load_page(PageKey(z, c, level, self.version.index_page(z, c, level, page)))
        return data

    def layer_lengths(self, address: Address) -> tuple[int, ...]:
        """Stored bytes of each layer of a block; all 0 for an empty one. At level L: of the approximation."""
        self.version.check_address(address)
        if address.level == self._top:
            return self.directory.approximations[address.z, address.c].layers
        return self._lengths(address)[address.y % PAGE][address.x % PAGE]

    # --- blocks and approximations ---------------------------------------------------------------------------------

    def read(self, address: Address, layers: range) -> bytes:
        """The layers of a block (at level L: of the approximation), concatenated; ``b""`` if it is empty.

        Waits for the disk. CorruptBlock unless every returned layer is exactly what was stored.
        """
        self.version.check_request(address, layers)
        if address.level == self._top:
            return self._read_approximation(address, layers)
        try:
            lengths = self._lengths(address)[address.y % PAGE][address.x % PAGE]
        except CorruptStore as error:
            raise CorruptBlock(address, f"{error.part}: {error.reason}") from error
        if not any(lengths) or not layers:
            return b""
        try:
            shard = self._shard(address)
            data = shard.read(*layer_extent(entry_of(shard.entries, address), lengths, layers))
            check_layers(data, address, lengths, layers, self.version.binding(address))
        except CorruptStore as error:
            raise CorruptBlock(address, f"{error.part}: {error.reason}") from error
        except (OSError, ValueError, CodecError) as error:
            self._forget_shard(address)
            raise CorruptBlock(address, reason_of(error)) from error
        return data

    def read_cached(self, address: Address, layers: range) -> bytes | None:
        """What ``read`` returns, if that does not wait for a disk; None if it might."""
        self.version.check_request(address, layers)
        if address.level == self._top:
            return None
        page = self._caches.pages.find((self.digest, page_of(self.version, address)))
        if page is None:
            return None
        lengths = page[address.y % PAGE][address.x % PAGE]
        if not lengths[0] or not layers:
            return b""
        shard = self._caches.shards.find((self.digest, shard_of(address)))
        if shard is None:
            return None
        try:
            data = shard.read_cached(*layer_extent(entry_of(shard.entries, address), lengths, layers))
            if data is not None:
                check_layers(data, address, lengths, layers, self.version.binding(address))
        except (ValueError, CodecError) as error:
            self._forget_shard(address)
            raise CorruptBlock(address, reason_of(error)) from error
        return data

    def icc_profile(self) -> bytes | None:
        """The source's ICC profile, if the slide has one; CorruptStore if it is damaged."""
        if self.manifest.icc_sha256 is None:
            return None
        try:
            data = self.paths.icc.read_bytes()
        except OSError as error:
            raise CorruptStore(self.digest, "the ICC profile", reason_of(error)) from error
        if hashlib.sha256(data).hexdigest() != self.manifest.icc_sha256:
            raise CorruptStore(self.digest, "the ICC profile", "its SHA-256 does not match")
        return data

    # --- inside ----------------------------------------------------------------------------------------------------

    def _open_index(self) -> tuple[OpenFile, Directory]:
        return self._caches.indexes.get(self.digest, self._load_index)

    def _load_index(self) -> tuple[OpenFile, Directory]:
        try:
            file = OpenFile(self.paths.layer_index)
            if file.size != self.manifest.layer_index_bytes:
                raise ValueError(f"it has {file.size} bytes instead of {self.manifest.layer_index_bytes}")
            data = file.read(0, min(file.size, self.shape.directory_bytes))
            directory = decode_directory(data, self.shape, file.size)
            if sha256_of(file).hex() != self.manifest.layer_index_sha256 and self._pages_are_whole(file, directory):
                raise ValueError("it belongs to another slide: its SHA-256 does not match")
            return file, directory
        except (OSError, ValueError) as error:
            raise CorruptStore(self.digest, "the layer index", reason_of(error)) from error

    def _pages_are_whole(self, file: OpenFile, directory: Directory) -> bool:
        """Whether no page is damaged."""
        try:
            for key, (offset, length) in directory.pages.items():
                parsed_page(file.read(offset, length), self.shape, key)
        except ValueError:
            return False
        return True

    def _lengths(self, address: Address) -> PageLengths:
        key = page_of(self.version, address)
        return self._caches.pages.get((self.digest, key), lambda: self._load_page(key)[1])

    def _load_page(self, key: PageKey) -> tuple[bytes, PageLengths]:
        file, directory = self._open_index()
        offset, length = directory.pages[key]
        try:
            data = file.read(offset, length)
            lengths = parsed_page(data, self.shape, key)
        except (OSError, ValueError) as error:
            raise CorruptStore(self.digest, f"layer-index page {tuple(key)}", reason_of(error)) from error
        return data, lengths

    def _shard(self, address: Address) -> OpenShard:
        key = shard_of(address)
        return self._caches.shards.get((self.digest, key), lambda: self._open_shard(key, address))

    def _open_shard(self, key: ShardKey, address: Address) -> OpenShard:
        """Opened once, then cached: only here the shard is proved to be the one that the layer index records (ST48)."""
        shard = OpenShard(self.paths.shard(*key))
        blocks = blocks_of(self._lengths(address), key)
        check_shard(shard, self.directory, key, blocks, self.version.bindings[key.level][key.c])
        return shard

    def _forget_shard(self, address: Address) -> None:
        """Opened again next time: it may have been repaired."""
        found = (self.digest, shard_of(address))
        self._caches.shards.drop(lambda key: key == found)

    def _read_approximation(self, address: Address, layers: range) -> bytes:
        try:
            record = self.directory.approximations[address.z, address.c]
            file = OpenFile(self.paths.approximation_plane(address.z, address.c))
            if file.size != record.file.length:
                raise ValueError(f"the approximation has {file.size} bytes instead of {record.file.length}")
            binding = self.version.binding(address)
            check_identity(file, record.file.sha256, layers_of(address, record.layers), binding)
            ends = [0, *accumulate(record.layers)]
            data = file.read(ends[layers.start], ends[layers.stop] - ends[layers.start])
            check_layers(data, address, record.layers, layers, binding)
        except CorruptStore as error:
            raise CorruptBlock(address, f"{error.part}: {error.reason}") from error
        except (OSError, ValueError, CodecError) as error:
            raise CorruptBlock(address, reason_of(error)) from error
        return data


def split(data: bytes) -> list[bytes]:
    """The layers of what ``read`` returned, one by one; ``[]`` for an empty block."""
    return split_layers(data)
