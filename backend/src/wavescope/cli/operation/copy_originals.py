"""Original files in ``wavescope copy``: all of them, or none, which is said (ST95)."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from wavescope.cli.output import print_stderr
from wavescope.errors import OriginalDamaged
from wavescope.store.durable import locked, make_private_directory, write_file
from wavescope.store.files.location import damage_of, files_at
from wavescope.store.files.stored import CONTENT, ORIGINALS, Staged, StoredFile, StoredFiles
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import FolderBackend, ObjectBackend, VersionBackend


@dataclass(frozen=True)
class CopiedOriginal:
    """``sent``: False if it was there already; ``reason``: why it was not copied, None if it was."""

    sha256: str
    sent: bool
    reason: str | None


def copied_originals(source: VersionBackend, target: VersionBackend, *, wanted: bool) -> list[CopiedOriginal]:
    """Copies all original files, or says that there are some. Raises StoreFull, Unavailable, OSError."""
    there = list(_originals(source).records())
    if not wanted:
        if there:
            print_stderr(f"{len(there)} original file(s) not copied; --originals copies them")
        return []
    return [_copied(_originals(source), target, file) for file in there]


def _copied(source: StoredFiles, backend: VersionBackend, file: StoredFile) -> CopiedOriginal:
    target = _originals(backend)
    if damage_of(target, file) is None:
        return CopiedOriginal(file.sha256, False, None)
    if isinstance(backend, FolderBackend):
        make_private_directory(backend.paths.ingest)
    near = backend.paths.ingest if isinstance(backend, FolderBackend) else None
    folder = Path(tempfile.mkdtemp(prefix="original-", dir=near))  # for its owner alone
    try:
        written = write_file(folder / CONTENT, source.chunks(file.sha256), private=True)
        if written.sha256.hex() != file.sha256:
            raise OriginalDamaged(file.sha256, "its SHA-256 does not match")
        write_file(folder / ORIGINALS.record, [file.to_json()], private=True)
        with target.storing(Staged(file, folder / CONTENT, folder), lambda _: None) as settle:
            if isinstance(backend, FolderBackend):
                with locked(backend.paths.lock, "the store", wait=True):
                    settle()
            else:
                settle()
    except (OriginalDamaged, FileNotFoundError) as error:
        print_stderr(str(error))
        return CopiedOriginal(file.sha256, False, str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return CopiedOriginal(file.sha256, True, None)


def _originals(backend: VersionBackend) -> StoredFiles:
    if isinstance(backend, ObjectBackend):
        return files_at(StorePaths(Path()), backend, ORIGINALS)
    assert isinstance(backend, FolderBackend)
    return files_at(backend.paths, None, ORIGINALS)
