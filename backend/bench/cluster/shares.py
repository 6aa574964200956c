"""A fixed share of a core for a process, by a control group of the kernel (cgroup v1 or v2)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PERIOD_US = 25_000  # short, so that a process waits at most this long for its next share
WEIGHTS = {"cpu.shares": 262_144, "cpu.weight": 10_000}  # so that what else runs takes nothing of a share


class NoShares(SystemExit):
    """This machine does not allow control groups: the bench cannot measure scaling on few cores."""

    def __init__(self, reason: object) -> None:
        super().__init__(
            f"this bench gives each node a share of a core with a control group in {ROOT}, which needs root and a "
            f"writable cgroup file system: {reason}"
        )


def _base() -> Path:
    return ROOT / "cpu" if (ROOT / "cpu").is_dir() else ROOT


@contextmanager
def share(name: str, cores: float | None) -> Iterator[Share]:
    """A group whose processes together get at most this part of a core; None: all that there is."""
    folder = _base() / f"wavescope-bench-{os.getpid()}-{name}"
    try:
        folder.mkdir()
        for file, weight in WEIGHTS.items():
            if (folder / file).exists():
                (folder / file).write_text(str(weight))
        if cores is not None:
            quota = int(cores * PERIOD_US)
            if (folder / "cpu.cfs_quota_us").exists():
                (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
                (folder / "cpu.cfs_quota_us").write_text(str(quota))
            else:
                (folder / "cpu.max").write_text(f"{quota} {PERIOD_US}")
    except OSError as cause:
        raise NoShares(cause) from cause
    try:
        yield Share(folder)
    finally:
        for pid in (folder / "cgroup.procs").read_text().split():
            (_base() / "cgroup.procs").write_text(pid)
        folder.rmdir()


class Share:
    """One group."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def hold(self, pid: int) -> None:
        """From now on the process, its threads and those that it starts have this share."""
        (self._folder / "cgroup.procs").write_text(str(pid))
