"""Work of the lowest priority on every processor: so that a second of processor time is worth the same in every row.

A processor with an idle neighbour runs faster, on cores that share units, power or a machine with others. A node among
idle nodes would so answer more with its share than the same node among busy ones, which says nothing about a cluster.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

WORK = """
import json, os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
rows = [{"number": number, "name": str(number)} for number in range(2000)]
while os.getppid() == PARENT:
    json.loads(json.dumps(rows))
"""


@contextmanager
def ballast() -> Iterator[None]:
    """Runs while nothing else wants a processor."""
    script = WORK.replace("PARENT", str(os.getpid()))
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in running:
            process.terminate()
            process.wait()
