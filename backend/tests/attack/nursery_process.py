"""The warm process of the nursery: ``python -m attack.nursery_process LIBRARY``; orders and answers in JSON lines."""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import signal
import struct
import sys
import tempfile
import time
import traceback
from typing import Any

from attack import work
from wavescope.logs.lines import configure

MAX_BYTES = 2 << 30
LOOK_SECONDS = 0.01
WAYS = {"count": 0, "kill": 1, "once": 2, "from": 3}


def main(library: Any) -> None:
    os.environ.pop("LD_PRELOAD", None)  # programs that the children start run undisturbed
    for line in sys.stdin:
        print(json.dumps(execute(library, json.loads(line))), flush=True)


def execute(library: Any, asked: dict[str, Any]) -> dict[str, Any]:
    """Forks a child for one order and watches it."""
    configure("warning", "json")  # as a service does: a fault that is logged is no traceback
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors, mmap.mmap(-1, mmap.PAGESIZE) as shared:
        begin = time.monotonic()
        child = os.fork()
        if child == 0:
            _be_child(library, asked, output.fileno(), errors.fileno(), shared)
        status, peak, stopped = _watched(child, begin + asked["seconds"])
        said, complained = (os.pread(file.fileno(), 1 << 22, 0).decode(errors="replace") for file in (output, errors))
        return {
            "code": os.waitstatus_to_exitcode(status),
            "peak": peak,
            "seconds": time.monotonic() - begin,
            "output": said,
            "errors": complained,
            "calls": struct.unpack("l", shared[:8])[0],
            "stopped": stopped,
        }


def _watched(child: int, until: float) -> tuple[int, int, str]:
    """Status, peak resident bytes, and why it was ended."""
    stopped, peak = "", 0
    while True:
        ended, status, used = os.wait4(child, os.WNOHANG)
        if ended:
            return status, max(peak, used.ru_maxrss * 1024), stopped
        peak = max(peak, _resident(child))
        reason = "took too much memory" if peak > MAX_BYTES else "took too long" if time.monotonic() > until else ""
        if reason and not stopped:
            stopped = reason
            os.killpg(child, signal.SIGKILL)
        time.sleep(LOOK_SECONDS)  # nothing tells when a process grows


def _resident(process: int) -> int:
    try:
        with open(f"/proc/{process}/statm") as statm:
            return int(statm.read().split()[1]) * mmap.PAGESIZE
    except (OSError, IndexError):
        return 0


def _be_child(library: Any, asked: dict[str, Any], output: int, errors: int, shared: mmap.mmap) -> None:
    code = 1
    try:
        os.setpgid(0, 0)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        number, way, error = asked["fault"]

        def arm() -> None:
            library.attack_arm(asked["store"].encode(), ctypes.c_long(number), WAYS[way], error)

        code = getattr(work, asked["work"])(asked["store"], arm, **asked["order"])
    except BaseException as error:
        code = error.code if isinstance(error, SystemExit) and isinstance(error.code, int) else 1
        if not isinstance(error, SystemExit):
            traceback.print_exc()
    finally:
        library.attack_seen.restype = ctypes.c_long
        shared[:8] = struct.pack("l", library.attack_seen())
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code or 0)


if __name__ == "__main__":
    main(ctypes.CDLL(sys.argv[1]))
