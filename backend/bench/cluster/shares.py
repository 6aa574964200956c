"""A fixed share of a core for a process, by a control group of the kernel (cgroup v1 or v2)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PERIOD_US = 25_000  # short, so that a process waits at most this long for its next share


class NoShares(SystemExit):
    """This machine does not allow control groups: the bench cannot measure scaling on few cores."""

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"this bench gives each node a share of a core with a control group in {ROOT}, which needs root and a "
            f"writable cgroup file system: {reason}"
        )


@contextmanager
def share(name: str, cores: float) -> Iterator[Share]:
    """A group whose processes together get at most this part of a core."""
    base = ROOT / "cpu" if (ROOT / "cpu").is_dir() else ROOT
    folder = base / f"wavescope-bench-{os.getpid()}-{name}"
    try:
        folder.mkdir()
        quota = int(cores * PERIOD_US)
        if (folder / "cpu.cfs_quota_us").exists():
            (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (folder / "cpu.max").write_text(f"{quota} {PERIOD_US}")
    except OSError as cause:
        raise NoShares(cause) from cause
    try:
        yield Share(folder, base)
    finally:
        for pid in (folder / "cgroup.procs").read_text().split():
            (base / "cgroup.procs").write_text(pid)
        folder.rmdir()


class Share:
    """One group."""

    def __init__(self, folder: Path, base: Path) -> None:
        self._folder, self._base = folder, base

    def hold(self, pid: int) -> None:
        """From now on the process and its threads have this share."""
        (self._folder / "cgroup.procs").write_text(str(pid))

    def release(self, pid: int) -> None:
        """The process is not limited any more."""
        (self._base / "cgroup.procs").write_text(str(pid))
