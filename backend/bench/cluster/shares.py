"""A fixed share of a core for a process, and what it used of it, by a control group of the kernel (cgroup v1 or v2)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
PERIOD_US = 100_000  # long enough that a process fills the caches of its processor once, and works on with them
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


def _accounts() -> Path:
    return ROOT / "cpuacct" if (ROOT / "cpuacct").is_dir() else ROOT


@contextmanager
def share(name: str, cores: float | None) -> Iterator[Share]:
    """A group whose processes together get at most this part of a core; None: all that there is."""
    folder = _base() / f"wavescope-bench-{os.getpid()}-{name}"
    accounts = _accounts() / folder.name
    try:
        for one in dict.fromkeys((folder.resolve(), accounts.resolve())):  # often one folder
            one.mkdir()
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
        yield Share(folder, accounts, cores)
    finally:
        for one in dict.fromkeys((folder.resolve(), accounts.resolve())):
            for pid in (one / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    (one.parent / "cgroup.procs").write_text(pid)
            one.rmdir()


class Share:
    """One group."""

    def __init__(self, folder: Path, accounts: Path, cores: float | None) -> None:
        self._folder, self._accounts, self.cores = folder, accounts, cores

    def hold(self, pid: int) -> None:
        """From now on the process, its threads and those that it starts have this share."""
        (self._folder / "cgroup.procs").write_text(str(pid))
        (self._accounts / "cgroup.procs").write_text(str(pid))

    def cpu_seconds(self) -> float:
        """Processor time of everything that ran in this group so far."""
        if (self._accounts / "cpuacct.usage").exists():
            return int((self._accounts / "cpuacct.usage").read_text()) / 1e9
        return int((self._accounts / "cpu.stat").read_text().split()[1]) / 1e6
