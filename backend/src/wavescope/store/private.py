"""Files and folders that other accounts of this machine may not read, whatever the umask (PR45 to PR47)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

FILE, FOLDER = 0o600, 0o700
OTHERS = 0o077  # what group and others may do
SEARCH = 0o011  # group or others may come to what is in a folder

CATALOG = "catalog.sqlite"
SIGNING_KEYS = "signing-keys.json"
SEALING_KEY = "second-factor-key.json"
TOOL_KEYS = "lti-keys.json"
KEYS = (SIGNING_KEYS, SEALING_KEY, TOOL_KEYS)
AUDIT_WAITING = "audit-waiting.jsonl"  # audit entries that the catalog does not have yet
DATABASE = (CATALOG, f"{CATALOG}-wal", f"{CATALOG}-shm", f"{CATALOG}-journal")
FILES = (*DATABASE, *KEYS, "watched.json", AUDIT_WAITING)
FOLDERS = ("uploads", "exports", "identity", "originals", "overlays")
"""Private with everything in them. ``ingest`` is closed itself, but what is made there is published later."""
STAGING = "ingest"


def make_file(path: Path) -> None:
    """An empty file for its owner alone, before anything is written to it; one that is there is closed."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE))
    close(path)


def open_new(path: Path) -> BinaryIO:
    """A new file for its owner alone, to be written. Raises FileExistsError."""
    return open(path, "xb", opener=_opener)


def close(path: Path) -> bool:
    """Takes from others what they may do with a file or folder; whether they may do nothing now.

    A link is left as it is: it is not what is private, and where it leads is not ours to change.
    """
    try:
        found = os.lstat(path).st_mode
        if found & OTHERS and not path.is_symlink():
            os.chmod(path, found & ~OTHERS & 0o7777)
            found = os.lstat(path).st_mode
    except FileNotFoundError:
        return True
    except OSError:  # another owner's
        return False
    return path.is_symlink() or not found & OTHERS


def reachable(path: Path, store: Path) -> bool:
    """Whether other accounts come to a private file or folder of the store: no folder above it, up to the store's own,
    is closed to them.
    """
    above = (path.parents[i] for i in range(len(path.relative_to(store).parts)))
    return all(folder.stat().st_mode & SEARCH for folder in above)


def exposed(store: Path) -> tuple[Path, ...]:
    """The private files and folders of a store whose own permissions let others read or change them."""
    found = []
    for path in _private(store):
        with suppress(FileNotFoundError):  # cleared away meanwhile
            if not path.is_symlink() and path.lstat().st_mode & OTHERS:
                found.append(path)
    return tuple(found)


def close_exposed(store: Path) -> tuple[Path, ...]:
    """Makes exposed files private; returns those for which that failed."""
    return tuple(path for path in exposed(store) if not close(path))


def _private(store: Path) -> Iterator[Path]:
    for name in FILES:
        if (store / name).is_file():
            yield store / name
    if (store / STAGING).is_dir():
        yield store / STAGING
    for name in FOLDERS:
        if (store / name).is_dir():
            yield store / name
            for folder, folders, files in os.walk(store / name):
                for found in (*folders, *files):
                    path = Path(folder) / found
                    if path.is_dir() or (path.is_file() and path.lstat().st_nlink == 1):
                        yield path  # a file with another name is also a user's source: its folder is closed


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, FILE)
