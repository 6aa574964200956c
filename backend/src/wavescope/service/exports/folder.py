"""The folder of one service's exports: locked while the service runs, so that others know when it is left over."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import time
import uuid
from pathlib import Path

from wavescope.store.durable import make_private_directory, remove_tree


class ExportFolder:
    """A folder of this service in ``root``, where other services of the store have theirs. Thread-safe but for
    ``claim``. ``abandoned_seconds``: after which an unchanged folder is left over where folders cannot be locked.
    """

    def __init__(self, root: Path, abandoned_seconds: float) -> None:
        self._root, self._abandoned_seconds = root, abandoned_seconds
        self._descriptor = -1
        self.path = root / uuid.uuid4().hex

    @property
    def free_bytes(self) -> int:
        """Of the disk. ``root`` may not exist yet, the folder that it is in does."""
        return shutil.disk_usage(self._root.parent).free

    def claim(self) -> None:
        """Makes the folder unless it is there, and locks it. Waits for the disk; raises OSError."""
        while self._descriptor < 0:
            for folder in (self._root, self.path):
                make_private_directory(folder)
            descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            with contextlib.suppress(OSError):  # a file system without such locks
                fcntl.flock(descriptor, fcntl.LOCK_EX)
            if self._is_open_as(descriptor):  # not swept between the two
                self._descriptor = descriptor
            else:
                os.close(descriptor)

    def _is_open_as(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(self.path.stat(), os.fstat(descriptor))
        except FileNotFoundError:
            return False

    def remove(self) -> None:
        """Removes the folder with its files. Waits for the disk."""
        remove_tree(self.path)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def sweep(self) -> tuple[str, ...]:
        """Removes the folders of services that run no more (ST65); their names. Waits for the disk; raises OSError."""
        others = [path for path in sorted(self._root.iterdir()) if path != self.path] if self._root.is_dir() else []
        return tuple(path.name for path in others if _remove_abandoned(path, self._abandoned_seconds))


def _remove_abandoned(path: Path, seconds: float) -> bool:
    """Whether no service had it locked, and it was removed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # removed by another service, or no folder
        return False
    try:
        if _in_use(descriptor, seconds):
            return False
        remove_tree(path)
        return True
    finally:
        os.close(descriptor)


def _in_use(descriptor: int, seconds: float) -> bool:
    """Whether another service has locked the folder; else it is locked here."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without such locks
        return os.fstat(descriptor).st_mtime > time.time() - seconds
    return False
