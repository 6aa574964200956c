"""What every bench shares: the slide, a folder to work in, a running service, tables of ratios."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WAVESCOPE = ROOT / ".venv" / "bin" / "wavescope"
DATA = Path(os.environ.get("WAVESCOPE_TEST_DATA", ROOT.parent / "shared" / "data"))
MINERVA = DATA / "minerva_CRC01_HE_17408x14336.tif"


def bench_slide(work: Path) -> Path:
    """The slide to measure on: the first argument, else the shared one, else a freshly made specimen's picture."""
    if len(sys.argv) > 1:
        given = Path(sys.argv[1]).resolve()
        if not given.exists():
            raise SystemExit(f"there is no slide file {given}")
        return given
    if MINERVA.exists():
        return MINERVA
    return specimen_image(work)


def specimen_image(work: Path) -> Path:
    """A specimen written as a tiled JPEG TIFF, for machines without the shared slide."""
    import tifffile

    from wavescope.source.open import open_source

    source = open_source("specimen:8192x6144")
    path = work / "specimen.tif"
    pixels = source.read_region(0, 0, 0, source.info.width, source.info.height)
    tifffile.imwrite(path, pixels, tile=(512, 512), compression="jpeg", photometric="rgb")
    return path


def missing(*programs: str) -> list[str]:
    """The names among ``programs`` that this machine does not have; a bench says so and goes on without them."""
    return [name for name in programs if shutil.which(name) is None]


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="wavescope-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_port() -> int:
    """A loopback port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ingest(slide: Path, store: Path, *options: str) -> None:
    """Ingests a slide as ``bench``."""
    command: list[str | Path] = [WAVESCOPE, "ingest", slide, "--id", "bench", "--store", store, "--json", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def service(store: Path) -> Iterator[str]:
    """The real service on a free port; yields its address."""
    port = free_port()
    command: list[str | Path] = [WAVESCOPE, "serve", "--port", str(port), "--store", store]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_port(port, process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def await_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Returns once something accepts on the port; fails if the process ends first."""
    import time

    for _ in range(2400):  # two minutes: a busy machine starts programs slowly
        if process.poll() is not None:
            raise SystemExit(f"the service ended with code {process.returncode}")
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("the service did not start")


def fetch(url: str) -> bytes:
    """The body of a GET."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        return bytes(answer.read())


def fetch_json(url: str) -> dict:  # type: ignore[type-arg]
    """The JSON body of a GET."""
    return dict(json.loads(fetch(url)))


def dzsave(slide: Path, target: Path, quality: int) -> None:
    """A DZI of the slide by ``vips dzsave`` with its own defaults (tiles of 254 + 1 pixel of overlap)."""
    subprocess.run(["vips", "dzsave", slide, target, "--suffix", f".jpg[Q={quality}]"], check=True)


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Prints a table; numbers right, words left."""
    cells = [[f"{cell:.3g}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(columns), *cells]) for i in range(len(columns))]
    print(f"\n{title}")
    for row in [list(columns), *cells]:
        print("  " + "  ".join(row[i].ljust(widths[i]) if i == 0 else row[i].rjust(widths[i]) for i in range(len(row))))
    sys.stdout.flush()
