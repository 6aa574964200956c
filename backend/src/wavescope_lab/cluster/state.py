"""Which processes a cluster has: written by its supervisor, so that none is left over when the supervisor is killed."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wavescope_lab.cluster.description import write_private

FILE = "processes.json"
STOP_SECONDS = 10.0


@dataclass(frozen=True)
class Process:
    """``began``: when the process with this id began, in the clock ticks of the system: ids are used again."""

    pid: int
    began: int

    def runs(self) -> bool:
        """Whether this very process runs."""
        return began(self.pid) == self.began

    def kill(self, sent: signal.Signals) -> None:
        """Sends a signal to this very process; nothing if it has ended."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return
        try:
            if self.runs():
                signal.pidfd_send_signal(handle, sent)
        except ProcessLookupError:
            return
        finally:
            os.close(handle)


def process_of(pid: int) -> Process:
    """The process with this id. Raises ProcessLookupError."""
    found = began(pid)
    if found is None:
        raise ProcessLookupError(pid)
    return Process(pid, found)


def began(pid: int) -> int | None:
    """When the process began; None if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else int(fields[19])


def save(folder: Path, processes: Mapping[str, Process]) -> None:
    """Replaces what is stored."""
    content = {name: [one.pid, one.began] for name, one in processes.items()}
    write_private(folder / FILE, json.dumps(content))


def load(folder: Path) -> dict[str, Process]:
    """What is stored; of these, those that run."""
    try:
        content = json.loads((folder / FILE).read_text())
        found = {name: Process(pid, since) for name, (pid, since) in content.items()}
    except (FileNotFoundError, ValueError):
        return {}
    return {name: one for name, one in found.items() if one.runs()}


def end_left_over(folder: Path) -> list[str]:
    """Ends the processes that a killed supervisor left; their names. First in order, then at once."""
    left = load(folder)
    for one in reversed(left.values()):
        one.kill(signal.SIGTERM)
    wait_for_end(left)
    for one in left.values():
        one.kill(signal.SIGKILL)
    return list(left)


def wait_for_end(processes: Mapping[str, Process]) -> None:
    """Returns when none of these runs any more, or after some time."""
    deadline = time.monotonic() + STOP_SECONDS
    while any(one.runs() for one in processes.values()) and time.monotonic() < deadline:
        time.sleep(0.02)
