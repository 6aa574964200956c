"""Ingest: megapixels a second beside ``vips dzsave``, in one run, with CPU time and peaks of resident memory."""

from __future__ import annotations

import os
import subprocess
import time

from setting import WAVESCOPE, bench_slide, missing, table, work_folder

from wavescope.source.open import open_source


def timed(command: list[object]) -> tuple[float, float, float]:
    """Seconds of wall time, seconds of CPU and megabytes of peak resident memory of one child process."""
    begin = time.perf_counter()
    with subprocess.Popen(
        [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
    if status != 0:
        raise SystemExit(f"{command[0]} failed with status {status}")
    return time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    with work_folder() as work:
        slide = bench_slide(work)
        info = open_source(slide).info
        megapixels = info.width * info.height / 1e6
        runs: list[tuple[str, list[object]]] = [
            ("wavescope visual", [WAVESCOPE, "ingest", slide, "--store", work / "v", "--json"]),
            (
                "wavescope lossless",
                [WAVESCOPE, "ingest", slide, "--store", work / "l", "--profile", "lossless", "--json"],
            ),
        ]
        if missing("vips"):
            print("vips is not installed: no peer for the ingest (Debian: libvips-tools)", flush=True)
        else:
            runs.insert(0, ("vips dzsave Q90", ["vips", "dzsave", slide, work / "dzi", "--suffix", ".jpg[Q=90]"]))
        measured = [(name, *timed(command)) for name, command in runs]
        _, peer_seconds, peer_cpu, _ = measured[0]
        rows = [
            (name, megapixels / seconds, peer_seconds / seconds, cpu, peer_cpu / cpu, memory)
            for name, seconds, cpu, memory in measured
        ]
        table(
            f"Ingest of {slide.name} ({megapixels:.0f} megapixels)",
            ["", "Mpx/s", f"x {measured[0][0]}", "CPU s", "x by CPU", "peak MB"],
            rows,
        )


if __name__ == "__main__":
    main()
