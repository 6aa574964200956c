"""Turning a finished work directory into a published slide version (rule ST54)."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from wavescope.channels.channel import Channel, NoiseModel
from wavescope.geometry import Address
from wavescope.ingest.occupancy_map import occupancy_map
from wavescope.ingest.plan import Unit
from wavescope.ingest.quality.choice import Choice
from wavescope.ingest.quality.measure import measured
from wavescope.ingest.work import UnitRecord, WorkDirectory
from wavescope.kernel.layers import Binding
from wavescope.kernel.noise import Noise
from wavescope.source.base import SlideSource
from wavescope.source.window import BITS
from wavescope.store.durable import (
    full_disk_reported,
    locked,
    put_in_place,
    remove_tree,
    sync_tree_directories,
    write_file,
)
from wavescope.store.layer_index import (
    ApproximationRecord,
    FileRecord,
    IndexShape,
    PageKey,
    ShardKey,
    encode_layer_index,
)
from wavescope.store.layout import PAGE, SHARD, StorePaths, page_grid, shard_grid
from wavescope.store.manifest import (
    Chosen,
    Manifest,
    Quality,
    SourceRecord,
    StoredWindow,
    canonical,
    codecs_json,
    parse_manifest,
)
from wavescope.store.objects.backend import FolderFiles, ObjectBackend
from wavescope.store.objects.copy import contents_of, write_version
from wavescope.store.page import encode_page
from wavescope.store.reader import StoreReader
from wavescope.store.zarr_meta import documents


class SourceIdentity(NamedTuple):
    """The facts about the source that the manifest stores beside its description."""

    name: str
    fingerprint: str


class Described(Protocol):
    """What an origin says of itself for the manifest."""

    @property
    def source(self) -> SourceIdentity: ...

    def total(self, measured: Quality) -> Quality: ...

    def provenance(self, chosen: Chosen) -> Chosen: ...


def complete(work: WorkDirectory, choice: Choice, source: SlideSource, ingest_source: Described) -> Manifest:
    """Write layer index, metadata and manifest next to the finished shards; all durable when this returns."""
    info, codecs, identity = source.info, choice.codecs, ingest_source.source
    records = {unit: work.record(unit) for unit in work.plan.units()}
    parameters = tuple(
        tuple(one.parameter_set(level, level == work.plan.top) for one in codecs) for level in range(work.plan.top + 1)
    )
    bindings = tuple(tuple(map(Binding.of, groups)) for groups in parameters)
    shape = IndexShape(work.plan.pyramid, work.plan.planes, codecs[0].layers, bindings)
    index = write_file(work.version.layer_index, [_layer_index(shape, records)])
    icc = info.icc_profile
    if icc:
        write_file(work.version.icc, [icc])
    manifest = Manifest(
        width=info.width,
        height=info.height,
        planes=info.planes,
        channels=info.channels,
        profile="lossless" if choice.lossless else "visual",
        layers=codecs[0].layers,
        codec=codecs_json(codecs),
        parameters=tuple(tuple(each.hex() for each in groups) for groups in parameters),
        source=SourceRecord(identity.name, info.format, info.source_bytes, info.tile_bytes, identity.fingerprint),
        bytes=_byte_sums(shape, records),
        layer_index_bytes=index.length,
        layer_index_sha256=index.sha256.hex(),
        plane_spacing_um=_positive(info.plane_spacing_um),
        mpp=_pair(_positive(info.mpp_x), _positive(info.mpp_y)),
        objective_power=_positive(info.objective_power),
        vendor=info.vendor,
        icc_sha256=hashlib.sha256(icc).hexdigest() if icc else None,
        window=StoredWindow(BITS, *info.window) if info.window else None,
        channel_groups=info.groups,
        bit_depth=info.bits,
        signed=info.signed,
        descriptions=_with_noise(info.descriptions, choice.noises),
    )
    reader = StoreReader(work.version, manifest, "not yet published")
    quality = ingest_source.total(measured(source, reader, choice.tiles))
    manifest = replace(
        manifest, quality=quality, chosen=ingest_source.provenance(choice.chosen), empty=occupancy_map(reader)
    )
    for relative, document in documents(manifest).items():
        write_file(work.version.root / relative, [document])
    _remove_leftovers(work)
    write_file(work.version.manifest, [canonical(manifest.stored_json())])
    sync_tree_directories(work.version.root)
    return manifest


def check_readable(work: WorkDirectory, digest: str) -> None:
    """Open the complete version as a client's request would (ST62); CorruptStore if that fails."""
    manifest = parse_manifest(work.version.manifest.read_bytes(), digest)
    reader = StoreReader(work.version, manifest, digest)
    for z, c in product(sorted({0, manifest.planes // 2, manifest.planes - 1}), range(manifest.channel_groups)):
        reader.read(Address(z, c, manifest.top, 0, 0), range(manifest.layers))
        if manifest.top:
            reader.page(z, c, 0, 0)
    reader.icc_profile()


def _with_noise(channels: tuple[Channel, ...], noises: tuple[Noise, ...]) -> tuple[Channel, ...]:
    """Noise as it was estimated, with four digits."""
    pairs = zip(channels, noises, strict=True)
    return tuple(replace(one, noise=NoiseModel(n.black, _short(n.gain), _short(n.read))) for one, n in pairs)


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _positive(value: float | None) -> float | None:
    """A measure that can be one; files claim zero, infinity and worse."""
    return value if value is not None and math.isfinite(value) and value > 0 else None


def _pair(x: float | None, y: float | None) -> tuple[float, float] | None:
    return None if x is None or y is None else (x, y)


def move_into_place(work: WorkDirectory, store: StorePaths, digest: str) -> None:
    """The one rename that publishes the version. An older equal version is replaced: it may be damaged."""
    target = store.version(digest).root
    with full_disk_reported(store.root):
        if target.exists():
            ready = work.root / "ready"
            remove_tree(ready)
            work.version.root.rename(ready)
            put_in_place(ready, target)
            write_file(work.published, [digest.encode()])
        else:
            write_file(work.published, [digest.encode()])
            put_in_place(work.version.root, target)


@contextmanager
def published(
    work: WorkDirectory, store: StorePaths, manifest: Manifest, backend: ObjectBackend | None
) -> Iterator[None]:
    """Publishes the version in the store, or in an object store; the catalog learns of it inside (ST54, ST80).

    What an interrupted run has sent to the object store is not sent again.
    """
    if backend is None:
        with locked(store.lock, "the store", wait=True):
            if work.version.manifest.exists():
                move_into_place(work, store, manifest.digest)
            yield
        return
    files, digest = FolderFiles(work.version.root), manifest.digest
    with backend.writing(digest) as target:
        write_version(files, target, digest, contents_of(files, digest, manifest), lambda _: None)
        target.publish(canonical(manifest.stored_json()))
        with locked(store.lock, "the store", wait=True):
            yield


def was_moved(work: WorkDirectory, store: StorePaths) -> str | None:
    """The digest, if an earlier run was interrupted after its version was moved and before all was done."""
    if work.published.exists() and not work.version.manifest.exists():
        digest = work.published.read_text()
        if store.version(digest).manifest.exists():
            return digest
    return None


def _layer_index(shape: IndexShape, records: dict[Unit, UnitRecord]) -> bytes:
    pages = {key: encode_page(_page(shape, key, records), shape.page_seed(key)) for key in shape.pages()}
    shards = {key: records[key].file for key in shape.shards()}
    tops = (records[Unit(z, c, shape.pyramid.top, 0, 0)] for z, c in shape.pictures())
    approximations = tuple(_approximation(record, shape.layers) for record in tops)
    return encode_layer_index(shape, pages, shards, approximations)


def _approximation(record: UnitRecord, layers: int) -> ApproximationRecord:
    lengths = record.lengths.ravel().tolist() or [0] * layers
    return ApproximationRecord(FileRecord(*record.file), tuple(lengths))


def _page(shape: IndexShape, key: PageKey, records: dict[Unit, UnitRecord]) -> NDArray[np.uint32]:
    """The lengths of a page, put together from the records of its up to 4 x 4 shards."""
    across = PAGE // SHARD
    page_columns = page_grid(shape.pyramid, key.level)[0]
    columns, rows = shard_grid(shape.pyramid, key.level)
    x, y = across * (key.page % page_columns), across * (key.page // page_columns)
    grid = [
        [
            _with_layers(records[ShardKey(key.z, key.c, key.level, sx, sy)].lengths, shape.layers)
            for sx in range(x, min(x + across, columns))
        ]
        for sy in range(y, min(y + across, rows))
    ]
    return np.concatenate([np.concatenate(row, axis=1) for row in grid], axis=0)


def _with_layers(lengths: NDArray[np.uint32], layers: int) -> NDArray[np.uint32]:
    """A unit of empty blocks alone knows no layers."""
    return lengths if lengths.shape[2] else np.zeros((*lengths.shape[:2], layers), np.uint32)


def _byte_sums(shape: IndexShape, records: dict[Unit, UnitRecord]) -> tuple[tuple[int, ...], ...]:
    sums = np.zeros((shape.pyramid.top + 1, shape.layers), np.uint64)
    for unit, record in records.items():
        sums[unit.level] += _with_layers(record.lengths, shape.layers).sum(axis=(0, 1), dtype=np.uint64)
    return tuple(tuple(row) for row in sums.tolist())


def _remove_leftovers(work: WorkDirectory) -> None:
    """Temporary files of interrupted writes."""
    for pattern in ("*.tmp", "*.new"):
        for path in work.version.root.rglob(pattern):
            path.unlink()
