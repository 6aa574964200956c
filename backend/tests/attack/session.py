"""Work in a child that leads a session of processes of its own; what is left of the session is killed in the end."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from types import TracebackType

SIGNALS = 20  # rounds: a process may start another between two looks


class Session:
    """The child begins at once and ends with ``work``."""

    def __init__(self, work: Callable[[], None]) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        self._leader = os.fork()
        if self._leader == 0:
            try:
                os.setsid()
                work()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(0)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Kills every process of the session; their temporary files are their folder's matter."""
        for _round in range(SIGNALS):
            members = _members(self._leader)
            for process in members:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            if members <= {self._leader}:
                break
        os.waitpid(self._leader, 0)


def _members(session: int) -> set[int]:
    """Process ids of a session; the leader is listed until it is waited for."""
    found = {session}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as stat:
                fields = stat.read().rpartition(")")[2].split()  # state, parent, group, session, ...
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.add(int(entry))
    return found
