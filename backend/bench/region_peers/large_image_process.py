"""large_image, in an environment of its own: its package is not one of ours."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from region_peers.places import SIDE, Place

VARIABLE = "WAVESCOPE_BENCH_LARGE_IMAGE"
WORKER = Path(__file__).with_name("large_image_worker.py")


def needs() -> str:
    """What must be installed; empty if the environment is there."""
    found = os.environ.get(VARIABLE, "")
    if found and Path(found).exists():
        return ""
    install = "python3 -m venv ENV && ENV/bin/pip install 'large-image[tiff,openslide]' openslide-bin"
    return f"{install}, then {VARIABLE}=ENV/bin/python"


class LargeImage:
    """Its Python API in a process, which measures itself."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.name = str(self._ask(None))

    def cpu(self, places: Sequence[Place]) -> float:
        """Milliseconds of processor time for each of these regions."""
        return float(self._ask(places)) / len(places)  # type: ignore[arg-type]

    def _ask(self, places: Sequence[Place] | None) -> object:
        assert self._process.stdin
        assert self._process.stdout
        if places is not None:
            self._process.stdin.write(json.dumps(places) + "\n")
            self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"large_image ended with code {self._process.wait()}")
        return json.loads(line)


@contextmanager
def opened(slide: Path) -> Iterator[LargeImage]:
    """The slide in a process of its own."""
    command = [os.environ[VARIABLE], str(WORKER), str(slide), str(SIDE)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield LargeImage(process)
    finally:
        process.terminate()
        process.wait()
