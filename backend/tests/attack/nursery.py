"""Work in children forked from one warm process, quick and watched; they fail at the Nth file-system call if asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Fault:
    """What happens at the ``number``-th call that changes the store: kill, or an errno, once or from then on."""

    number: int
    way: str  # kill, once, from
    error: int = 0

    def __str__(self) -> str:
        if self.way == "kill":
            return f"killed at call {self.number}"
        return f"{os.strerror(self.error)} at call {self.number}{' and all after it' if self.way == 'from' else ''}"


@dataclass(frozen=True)
class Done:
    """How a child ended: exit code (negative: a signal), peak resident bytes, seconds, what it said, calls it made."""

    code: int
    peak: int
    seconds: float
    output: str
    errors: str
    calls: int
    stopped: str  # why the nursery had to end it; empty if it ended by itself

    @property
    def said(self) -> list[Any]:
        """Every line of its output that is JSON."""
        lines = []
        for line in self.output.splitlines():
            try:
                lines.append(json.loads(line))
            except ValueError:
                continue
        return lines


@cache
def failing_calls() -> tuple[Path, tempfile.TemporaryDirectory[str]]:
    """The compiled library, once for this process and those forked from it, and the folder that it is removed with."""
    folder = tempfile.TemporaryDirectory(prefix="wavescope-nursery-")
    library = Path(folder.name) / "failing_calls.so"
    flags = ["-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "failing_calls.c"), "-ldl"]
    subprocess.run([sys.executable, "-m", "ziglang", "cc", *flags], check=True, capture_output=True)
    return library, folder


class Nursery:
    """The warm process; children do one piece of work of ``attack.work`` each."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Nursery:
        library, _ = failing_calls()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "attack.nursery_process", str(library)],
            cwd=HERE.parent,
            env={**os.environ, "LD_PRELOAD": str(library)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self._process is not None
        self._process.communicate()

    def run(self, work: str, store: Path, fault: Fault | None = None, *, seconds: float = 60, **order: Any) -> Done:
        """One child: ``work`` of attack.work with what ``order`` says; ended after ``seconds``, or above 2 GiB."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        faulty = [fault.number, fault.way, fault.error] if fault else [0, "count", 0]
        asked = {"work": work, "store": str(store), "fault": faulty, "seconds": seconds, "order": order}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        return Done(**json.loads(self._process.stdout.readline()))
