"""Writing that survives a crash: temporary name, fsync, rename; locks; a full disk has its own error (ST7, ST8)."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from wavescope.errors import StoreBusy, StoreFull
from wavescope.store.layer_index import FileRecord
from wavescope.store.private import FOLDER, close, make_file

# renameat2(2): relative to the working directory; swap the two
_HERE, _EXCHANGE = -100, 2
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@contextmanager
def full_disk_reported(path: Path) -> Iterator[None]:
    """Raise StoreFull for an OSError that says no space is left."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise StoreFull(path) from error
        raise


def write_file(path: Path, chunks: Iterable[bytes], *, sync: bool = True, private: bool = False) -> FileRecord:
    """Write a file so that it exists complete or not at all; on the disk before this returns if ``sync``.

    ``private``: whatever the umask, other accounts of this machine cannot read it.
    """
    temporary = path.with_name(path.name + ".tmp")
    digest = hashlib.sha256()
    length = 0
    with full_disk_reported(path):
        try:
            if private:
                make_file(temporary)
            with temporary.open("wb") as stream:
                for chunk in chunks:
                    stream.write(chunk)
                    digest.update(chunk)
                    length += len(chunk)
                if sync:
                    stream.flush()
                    os.fsync(stream.fileno())
            temporary.rename(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        if sync:
            sync_directory(path.parent)
    return FileRecord(length, digest.digest())


def exchange(one: Path, other: Path) -> None:
    """Two existing directories of one file system swap their names, in one step where the system can (Linux)."""
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        supported = False
    else:
        supported = renameat2(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0
    if not supported:
        between = one.with_name(one.name + ".between")
        other.rename(between)
        one.rename(other)
        between.rename(one)


def put_in_place(folder: Path, target: Path) -> None:
    """Gives a complete folder its name, in one step and durable; a folder that has the name is then at ``folder``."""
    make_directory(target.parent)
    if target.exists():
        exchange(folder, target)
    else:
        folder.rename(target)
    sync_directory(target.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_directory(path: Path) -> None:
    """Make a directory and those above it that are missing, their names durable when this returns."""
    with full_disk_reported(path):
        missing = [one for one in (path, *path.parents) if not one.exists()]
        path.mkdir(parents=True, exist_ok=True)
        for one in reversed(missing):
            sync_directory(one.parent)


def make_private_directory(path: Path) -> None:
    """The same for its owner alone (PR45); one that is there is closed to others."""
    make_directory(path.parent)
    with full_disk_reported(path):
        if not path.exists():
            path.mkdir(FOLDER, exist_ok=True)
            sync_directory(path.parent)
    close(path)


def sync_file(path: Path) -> None:
    """Make a file's content durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(path: Path) -> None:
    """Make a directory with all that is in it durable, but not its own name."""
    for folder, _, names in os.walk(path):
        for name in names:
            sync_file(Path(folder) / name)
        sync_directory(Path(folder))


def sync_tree_directories(path: Path) -> None:
    """Make the names in a directory and in all below it durable."""
    for folder, _, _ in os.walk(path):
        sync_directory(Path(folder))


@contextmanager
def locked(path: Path, what: str, *, wait: bool = False) -> Iterator[None]:
    """Lock the file ``path``; StoreBusy if another process holds it and ``wait`` is false.

    The lock goes with the process, however it ends. Its holder may unlink the file.
    """
    descriptor = _locked_descriptor(path, what, wait)
    try:
        yield
    finally:
        os.close(descriptor)


def _locked_descriptor(path: Path, what: str, wait: bool) -> int:
    while True:
        with full_disk_reported(path):
            make_directory(path.parent)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            # An earlier holder may have unlinked the file between our open and our lock.
            if path.exists() and path.stat().st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except BlockingIOError as error:
            os.close(descriptor)
            raise StoreBusy(what) from error
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def remove_tree(path: Path) -> None:
    """Remove a directory that nobody needs any more; what is gone already is no error."""
    shutil.rmtree(path, ignore_errors=True)
