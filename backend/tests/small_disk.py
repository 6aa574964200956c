"""A disk of a few megabytes that can be filled: in memory, mounted for one test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class SmallDisk:
    """A disk at ``path``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def fill(self, left: int = 0) -> None:
        """Leaves ``left`` bytes."""
        with (self.path / "filler").open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, shutil.disk_usage(self.path).free - left)

    def free(self) -> None:
        """Removes what ``fill`` wrote."""
        (self.path / "filler").unlink()


@contextmanager
def small_disk(path: Path, megabytes: int) -> Iterator[SmallDisk]:
    """Skips where this user may not mount one."""
    path.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(path)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount a small disk")
    try:
        yield SmallDisk(path)
    finally:
        subprocess.run(["umount", str(path)], check=True)
