"""The original file of an ingest: staged, then stored with the slide that it becomes (ST90 to ST93)."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from wavescope.errors import IngestCancelled, InvalidParameter, NotEnoughSpace, UnreadableSource
from wavescope.ingest.ingest_source import IngestSource
from wavescope.ingest.stored_source import PREFIX
from wavescope.source.files import files_fingerprint, of_time, open_regular, source_files, source_size
from wavescope.source.open import SPECIMEN
from wavescope.store.durable import full_disk_reported, make_private_directory, remove_tree, sync_file, write_file
from wavescope.store.files.stored import (
    CONTENT,
    NO_ORIGINAL,
    Note,
    Settle,
    Staged,
    StoredFile,
    StoredFiles,
)
from wavescope.store.private import make_file

CHUNK = 1 << 20
STAGED = "original"
EPOCH = (1980, 1, 1, 0, 0, 0)
Cancelled = Callable[[], bool]


def check_keeping(spec: str, deidentify: bool) -> None:
    """Returns if the original file of a source can be stored. Raises InvalidParameter."""
    if deidentify:
        expected = "false for an import that removes identifying data: the original file may identify the patient"
        raise InvalidParameter("keep_original", "true", expected)
    if spec.startswith((SPECIMEN, PREFIX)):
        raise InvalidParameter("keep_original", "true", "false for a source that is no file")


def staged_original(ingest_source: IngestSource, work: Path, originals: StoredFiles, cancelled: Cancelled) -> Staged:
    """The file of a source, or one ZIP of its files, ready to be stored. Raises SourceError kinds, NotEnoughSpace,
    StoreFull, IngestCancelled.
    """
    path = Path(ingest_source.spec)
    files = source_files(path)
    folder = work / STAGED if len(files) > 1 or originals.moves else None
    content, size = files[0], source_size(files)
    if folder is not None:
        with full_disk_reported(work):
            if size > (free := shutil.disk_usage(work).free):
                raise NotEnoughSpace(size, free)
            remove_tree(folder)
            make_private_directory(folder)
            content = folder / CONTENT
            if len(files) > 1:
                _zip(path, files, content, cancelled)
            else:
                write_file(content, _chunks(files[0], cancelled), private=True)
    hashed, length = hashlib.sha256(), 0
    for chunk in _chunks(content, cancelled):
        hashed.update(chunk)
        length += len(chunk)
    found = hashed.hexdigest() if len(files) == 1 else files_fingerprint(files, path)
    if of_time(found, ingest_source.time) != ingest_source.fingerprint:
        raise UnreadableSource(path, "it was changed while it was imported")
    name = path.name.encode(errors="replace").decode()
    if len(files) > 1:
        name = f"{path.stem.encode(errors='replace').decode()}.zip"
    file = StoredFile(hashed.hexdigest(), name, length, len(files), ingest_source.fingerprint)
    if folder is not None:
        write_file(folder / originals.kind.record, [file.to_json()], private=True)
    return Staged(file, content, folder)


class KeptOriginal:
    """What an ingest does with the original file: stores it, leaves what the slide has, or removes that."""

    def __init__(self, staged: Staged | None, originals: StoredFiles, *, none: bool) -> None:
        self._staged, self._originals = staged, originals
        self.file = staged.file if staged else NO_ORIGINAL if none else None

    @contextmanager
    def stored(self, note: Note) -> Iterator[Settle]:
        """Inside, ``settle`` and then the catalog's transaction. Raises StoreBusy, StoreFull, OriginalDamaged,
        Unavailable.
        """
        if self._staged is None:
            yield lambda: None
            return
        with self._originals.storing(self._staged, note) as settle:
            yield settle


def _zip(path: Path, files: Sequence[Path], target: Path, cancelled: Cancelled) -> None:
    """One ZIP, not compressed: the same files give the same bytes. Names as they lie beside each other."""
    make_file(target)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for file in sorted(files):
            base = path.parent if file.is_relative_to(path.parent) else file.parent
            name = file.relative_to(base).as_posix().encode(errors="replace").decode()
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = 0o600 << 16
            with archive.open(info, "w", force_zip64=True) as out:
                for chunk in _chunks(file, cancelled):
                    out.write(chunk)
    sync_file(target)


def _chunks(path: Path, cancelled: Cancelled) -> Iterator[bytes]:
    """Raises IngestCancelled, UnreadableSource."""
    try:
        with open_regular(path) as stream:
            while chunk := stream.read(CHUNK):
                if cancelled():
                    raise IngestCancelled
                yield chunk
    except OSError as error:
        raise UnreadableSource(path, error.strerror or str(error)) from error
