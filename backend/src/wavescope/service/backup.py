"""Backups: one archive with the catalog and a list of slide versions, with their bytes if wanted (PR50 to PR53)."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.nodes import living_nodes
from wavescope.catalog.dump import Row, fill, snapshot
from wavescope.catalog.health import check_integrity, set_aside
from wavescope.errors import CatalogDamaged, InvalidParameter, StoreBusy
from wavescope.store.durable import (
    full_disk_reported,
    locked,
    make_directory,
    make_private_directory,
    sync_directory,
    sync_tree,
    write_file,
)
from wavescope.store.files.stored import ORIGINALS, OVERLAYS
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend, ObjectBackend
from wavescope.store.objects.backup import files_of, restore_files
from wavescope.store.objects.contents import MANIFEST
from wavescope.store.private import KEYS, STAGING, close_exposed

FORMAT, VERSION = "wavescope-backup", 1
CONTENTS = "backup.json"
FOLDERS = ("slides", "identity")
FILES = {kind.folder: retired for kind, retired in ((ORIGINALS, "retired"), (OVERLAYS, "removed"))}
"""The folders of stored files, each as the table of its rows, and the column that is null while one is needed."""
CHUNK = 1 << 20


@dataclass(frozen=True)
class Contents:
    """The content of an archive. ``members``: SHA-256 of every other file in it; ``slides``: id, digest, title."""

    format: str
    version: int
    created: float
    revision: str
    tables: dict[str, int]
    slides: list[dict[str, str]]
    pixels: bool
    members: dict[str, str]


@dataclass(frozen=True)
class Restored:
    """What came of it. ``missing``: slides whose version is not in the store."""

    contents: Contents
    missing: tuple[str, ...]


def make_backup(
    catalog: Catalog, store: Path, target: Path, *, pixels: bool, replace: bool, backend: ObjectBackend | None = None
) -> Contents:
    """Writes an archive while the service runs; the file exists complete and verified, or not at all.

    Raises InvalidParameter if ``target`` exists (unless ``replace``), Unavailable, StoreFull, OSError.
    """
    if target.exists() and not replace:
        raise InvalidParameter("FILE", str(target), "a file that does not exist yet, or --replace")
    part = target.with_name(target.name + ".part")
    try:
        with full_disk_reported(target):
            contents = _write_archive(part, catalog, store, pixels, backend)
            verify_backup(part)
            part.replace(target)
            sync_directory(target.absolute().parent)
    finally:
        with suppress(FileNotFoundError):
            part.unlink()
    return contents


def _write_archive(part: Path, catalog: Catalog, store: Path, pixels: bool, backend: ObjectBackend | None) -> Contents:
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:  # it contains secrets
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            contents = _written(_Writer(archive), catalog, store, pixels, backend)
            archive.writestr(CONTENTS, json.dumps(asdict(contents), indent=1))
        stream.flush()
        os.fsync(stream.fileno())
    return contents


def verify_backup(path: Path) -> Contents:
    """Reads every byte of an archive. Raises InvalidParameter if it is none, is damaged, or is of a newer program."""
    try:
        with zipfile.ZipFile(path) as archive:
            contents = Contents(**json.loads(archive.read(CONTENTS)))
            if (contents.format, contents.version) != (FORMAT, VERSION):
                raise _rejected(path, f"a backup of version {VERSION}, not {contents.version}")
            if set(archive.namelist()) != {CONTENTS, *contents.members}:
                raise _rejected(path, "a whole backup: files in it are missing or strange")
            for name, expected in contents.members.items():
                if _digest(archive, name) != expected:
                    raise _rejected(path, f"a whole backup: {name} is damaged")
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError) as cause:
        raise _rejected(path, f"a whole backup: {cause}") from cause
    return contents


def restore_backup(
    path: Path, store: Path, url: str, *, replace: bool, backend: ObjectBackend | None = None
) -> Restored:
    """Verifies an archive, then brings the catalog and the store back as they were; no service may run on the store.

    ``backend``: the object store of the slides; None: they are in the folder of the store.

    Raises InvalidParameter (see ``verify_backup``, and if the catalog is not empty, unless ``replace``), StoreBusy,
    also while nodes of a cluster run on the catalog, Unavailable.
    """
    contents = verify_backup(path)
    if nodes := living_nodes(url):
        raise StoreBusy(f"the catalog, by {', '.join(nodes)},")
    make_directory(store)
    locks = locked(store / "jobs.lock", "the jobs of this store"), locked(StorePaths(store).lock, "the store")
    with locks[0], locks[1], zipfile.ZipFile(path) as archive:
        if contents.pixels and backend is not None:
            restore_files(backend, contents.members, partial(_chunks, archive))
        elif contents.pixels:
            _unpack(archive, contents, store)
            close_exposed(store)

        def rows(table: str) -> Iterator[Row]:
            with archive.open(f"tables/{table}.jsonl") as lines:
                for line in lines:
                    yield json.loads(line)

        if replace:
            _set_aside_damaged(url)
        fill(url, contents.revision, tuple(contents.tables), rows, replace=replace)
        for name in KEYS:
            if name in contents.members:
                write_file(store / name, [archive.read(name)], private=True)
    there = FolderBackend(store) if backend is None else backend
    lost = [one["id"] for one in contents.slides if there.files(one["digest"]).size(MANIFEST) is None]
    return Restored(contents, tuple(lost))


def _set_aside_damaged(url: str) -> None:
    """A damaged database cannot be emptied, only be replaced by a new one; its files stay beside it."""
    try:
        check_integrity(url)
    except CatalogDamaged:
        set_aside(url)


class _Writer:
    """Writes members and collects their hashes."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.members: dict[str, str] = {}

    def lines(self, name: str, rows: Iterator[Row]) -> int:
        """JSON, one row a line; the number of rows."""
        sha256, count = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as member:
            for row in rows:
                line = json.dumps(row, separators=(",", ":")).encode() + b"\n"
                member.write(line)
                sha256.update(line)
                count += 1
        self.members[name] = sha256.hexdigest()
        return count

    def file(self, name: str, path: Path) -> None:
        """A file as it is."""
        with path.open("rb") as source:
            self.chunks(name, iter(partial(source.read, CHUNK), b""))

    def chunks(self, name: str, chunks: Iterable[bytes]) -> None:
        """A file from its pieces, as it is: blocks are compressed already."""
        sha256 = hashlib.sha256()
        with self._archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
            for chunk in chunks:
                member.write(chunk)
                sha256.update(chunk)
        self.members[name] = sha256.hexdigest()


def _written(writer: _Writer, catalog: Catalog, store: Path, pixels: bool, backend: ObjectBackend | None) -> Contents:
    with snapshot(catalog.engine) as moment:
        tables = {name: writer.lines(f"tables/{name}.jsonl", moment.rows(name)) for name in moment.tables}
        slides = [{name: str(row[name]) for name in ("id", "digest", "title")} for row in moment.rows("slides")]
        revision = moment.revision
        files = {
            folder: sorted({str(row["sha256"]) for row in moment.rows(folder) if row[column] is None})
            for folder, column in FILES.items()
        }
    for name in KEYS:
        if (store / name).is_file():
            writer.file(name, store / name)
    digests = sorted({one["digest"] for one in slides})
    if pixels and backend is not None:
        for name, chunks in files_of(backend, digests, files):
            writer.chunks(name, chunks)
    elif pixels:
        stored = [store / folder / digest for digest in digests for folder in FOLDERS]
        stored += [store / folder / sha256 for folder, needed in files.items() for sha256 in needed]
        for found in stored:
            for path in sorted(one for one in found.rglob("*") if one.is_file()):
                writer.file(path.relative_to(store).as_posix(), path)
    return Contents(FORMAT, VERSION, time.time(), revision, tables, slides, pixels, writer.members)


def _unpack(archive: zipfile.ZipFile, contents: Contents, store: Path) -> None:
    """The versions that are missing in the store, each moved into place when it is complete."""
    make_private_directory(store / STAGING)
    folders = (*FOLDERS, *FILES)
    made = store / STAGING / f"restored-{os.getpid()}"
    shutil.rmtree(made, ignore_errors=True)
    try:
        for name in contents.members:
            parts = PurePosixPath(name).parts
            if parts[0] in folders and len(parts) > 2 and ".." not in parts:
                target = made.joinpath(*parts)
                target.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, target.open("wb") as out:
                    shutil.copyfileobj(source, out, CHUNK)
        sync_tree(made)
        for folder in folders:
            for version in sorted((made / folder).iterdir()) if (made / folder).is_dir() else ():
                (store / folder).mkdir(exist_ok=True)
                if not (store / folder / version.name).exists():
                    version.rename(store / folder / version.name)
            if (store / folder).is_dir():
                sync_directory(store / folder)
        sync_directory(store)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _chunks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(name) as member:
        while chunk := member.read(CHUNK):
            yield chunk


def _digest(archive: zipfile.ZipFile, name: str) -> str:
    sha256 = hashlib.sha256()
    with archive.open(name) as member:
        while chunk := member.read(CHUNK):
            sha256.update(chunk)
    return sha256.hexdigest()


def _rejected(path: Path, expected: str) -> InvalidParameter:
    return InvalidParameter("FILE", str(path), expected)
