"""Original files and overlays in ``wavescope copy``: all of a kind, or none, which is said (ST95, OV34)."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from wavescope.cli.output import print_stderr
from wavescope.errors import CorruptOverlay, OriginalDamaged
from wavescope.store.durable import locked, make_private_directory, write_file
from wavescope.store.files.location import damage_of, files_at
from wavescope.store.files.stored import CONTENT, Kind, Staged, StoredFile, StoredFiles
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend, ObjectBackend, VersionBackend


@dataclass(frozen=True)
class CopiedFile:
    """``sent``: False if it was there already; ``reason``: why it was not copied, None if it was."""

    sha256: str
    sent: bool
    reason: str | None


def copied_files(source: VersionBackend, target: VersionBackend, kind: Kind, *, wanted: bool) -> list[CopiedFile]:
    """Copies all files of a kind, or says that there are some. Raises StoreFull, Unavailable, OSError."""
    there = list(_files(source, kind).records())
    if not wanted:
        if there:
            print_stderr(f"{len(there)} {kind.title}(s) not copied; --{kind.folder} copies them")
        return []
    return [_copied(_files(source, kind), target, file) for file in there]


def _copied(source: StoredFiles, backend: VersionBackend, file: StoredFile) -> CopiedFile:
    target = _files(backend, source.kind)
    if damage_of(target, file) is None:
        return CopiedFile(file.sha256, False, None)
    if isinstance(backend, FolderBackend):
        make_private_directory(backend.paths.ingest)
    near = backend.paths.ingest if isinstance(backend, FolderBackend) else None
    folder = Path(tempfile.mkdtemp(prefix=f"{source.kind.name}-", dir=near))  # for its owner alone
    try:
        written = write_file(folder / CONTENT, source.chunks(file.sha256), private=True)
        if written.sha256.hex() != file.sha256:
            raise source.kind.damaged(file.sha256, "its SHA-256 does not match")
        write_file(folder / source.kind.record, [file.to_json()], private=True)
        with target.storing(Staged(file, folder / CONTENT, folder), lambda _: None) as settle:
            if isinstance(backend, FolderBackend):
                with locked(backend.paths.lock, "the store", wait=True):
                    settle()
            else:
                settle()
    except (CorruptOverlay, OriginalDamaged, FileNotFoundError) as error:
        print_stderr(str(error))
        return CopiedFile(file.sha256, False, str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return CopiedFile(file.sha256, True, None)


def _files(backend: VersionBackend, kind: Kind) -> StoredFiles:
    if isinstance(backend, ObjectBackend):
        return files_at(StorePaths(Path()), backend, kind)
    assert isinstance(backend, FolderBackend)
    return files_at(backend.paths, None, kind)
