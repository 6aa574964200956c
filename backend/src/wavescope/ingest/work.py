"""The work directory of an unfinished ingest: its finished parts, and how a unit becomes finished (ST50 to ST55).

    plan.json        what is being made; another plan under the same key starts from scratch
    lock             held by the process that works here
    version/         the slide version to be: its shards under their final names
    records/         one small file per finished unit: lengths of its layers, length and SHA-256 of its shard
    spill/           LLs of finished units whose parents are not finished
    published        the digest, written just before version/ becomes a slide version

A unit is finished by the rename of its shard, the last of the three files written for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavescope.ingest.plan import Plan, Unit, missing
from wavescope.ingest.spill import spill_is_whole, write_spill
from wavescope.ingest.strip import Encoded, spill_path
from wavescope.store.durable import full_disk_reported, locked, make_directory, remove_tree, write_file
from wavescope.store.layer_index import NO_FILE, FileRecord
from wavescope.store.layout import PUBLISHED, SHARD, SHARD_BLOCKS, VersionPaths
from wavescope.store.manifest import canonical
from wavescope.store.shard import assemble


@dataclass(frozen=True)
class UnitRecord:
    """What the layer index needs to know of a finished unit. ``lengths``: (rows, columns, layers) of its tiles."""

    file: FileRecord
    lengths: NDArray[np.uint32]

    def to_bytes(self) -> bytes:
        file = [self.file.length, self.file.sha256.hex()]
        return canonical({"file": file, "shape": list(self.lengths.shape), "lengths": self.lengths.ravel().tolist()})

    @classmethod
    def from_bytes(cls, data: bytes) -> UnitRecord:
        fields = json.loads(data)
        length, sha256 = fields["file"]
        lengths = np.array(fields["lengths"], np.uint32).reshape(fields["shape"])
        return cls(FileRecord(length, bytes.fromhex(sha256)), lengths)


class WorkDirectory:
    """One ingest's place under STORE/ingest; use it inside ``entered``."""

    def __init__(self, root: Path, plan: Plan) -> None:
        self.root = root
        self.plan = plan
        self.version = VersionPaths(root / "version")
        self.spills = root / "spill"
        self.records = root / "records"

    @contextmanager
    def entered(self, description: Mapping[str, Any]) -> Iterator[None]:
        """Lock the directory and make sure that what lies in it belongs to ``description``. StoreBusy, StoreFull."""
        with locked(self.root.with_name(self.root.name + ".lock"), f"the ingest in {self.root.name}"):
            plan = canonical(description)
            plan_file = self.root / "plan.json"
            if self.root.exists() and (not plan_file.exists() or plan_file.read_bytes() != plan):
                remove_tree(self.root)
            with full_disk_reported(self.root):
                self._make_directories()
            write_file(plan_file, [plan])
            yield

    def described(self) -> dict[str, Any]:
        """The description of what lies here; {} if nothing does, or if it was never completed."""
        try:
            found = json.loads((self.root / "plan.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def begin_again(self, description: Mapping[str, Any]) -> None:
        """Discards what is made; another plan begins, inside ``entered``. Raises StoreFull."""
        remove_tree(self.root)
        with full_disk_reported(self.root):
            self._make_directories()
        write_file(self.root / "plan.json", [canonical(description)])

    def remove(self) -> None:
        """Everything is published; nothing here is needed any more."""
        remove_tree(self.root)
        self.root.with_name(self.root.name + ".lock").unlink(missing_ok=True)

    @property
    def published(self) -> Path:
        return self.root / PUBLISHED

    def missing(self) -> set[Unit]:
        """The units still to be made."""
        return missing(self.plan, self._is_stored, lambda unit: spill_is_whole(spill_path(self.spills, unit)))

    def record(self, unit: Unit) -> UnitRecord:
        """The record of a finished unit."""
        return UnitRecord.from_bytes(self._record_path(unit).read_bytes())

    def finish(self, unit: Unit, strips: Sequence[Encoded], *, spill: bool = True) -> None:
        """Store a unit: spill, record, shard, in this order; then its children's spills are not needed any more.

        ``spill``: whether the parent is made here, and not where the unit was.
        """
        rows = [row for strip in strips for row in strip.blocks]
        if unit.level == self.plan.top:
            parts = list(rows[0][0])
        else:
            if spill:
                write_spill(spill_path(self.spills, unit), [strip.spill for strip in strips])
            parts = _shard_parts(rows)
        target = self.shard_path(unit)
        temporary = target.with_name(target.name + ".new")
        file = write_file(temporary, parts) if parts else NO_FILE
        write_file(self._record_path(unit), [UnitRecord(file, _lengths(rows)).to_bytes()])
        if parts:
            temporary.rename(target)
        for child in self.plan.children(unit):
            spill_path(self.spills, child).unlink(missing_ok=True)

    def shard_path(self, unit: Unit) -> Path:
        """Where the bytes of a unit lie in the version."""
        if unit.level == self.plan.top:
            return self.version.approximation_plane(unit.z, unit.c)
        return self.version.shard(*unit)

    def _make_directories(self) -> None:
        for folder in (self.version.approximation, self.spills, self.records):
            make_directory(folder)
        for level in range(self.plan.top):
            make_directory(self.version.level(level))

    def _record_path(self, unit: Unit) -> Path:
        return self.records / f"{unit.z}.{unit.c}.{unit.level}.{unit.sy}.{unit.sx}"

    def _is_stored(self, unit: Unit) -> bool:
        try:
            file = self.record(unit).file
            return not file.length or self.shard_path(unit).stat().st_size == file.length
        except (OSError, ValueError, KeyError, TypeError):
            return False


def _shard_parts(rows: Sequence[Sequence[Sequence[bytes]]]) -> list[bytes]:
    """The parts of the shard file, [] if every block is empty (ST11, ST12)."""
    blocks = [b""] * SHARD_BLOCKS
    for y, row in enumerate(rows):
        for x, layers in enumerate(row):
            blocks[y * SHARD + x] = b"".join(layers)
    return assemble(blocks) if any(blocks) else []


def _lengths(rows: Sequence[Sequence[Sequence[bytes]]]) -> NDArray[np.uint32]:
    """(rows, columns, layers); an empty block counts as all zeros."""
    layers = max((len(block) for row in rows for block in row), default=0)
    found = [[[len(layer) for layer in block] or [0] * layers for block in row] for row in rows]
    return np.array(found, np.uint32).reshape(len(rows), len(rows[0]), layers)
