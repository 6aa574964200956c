"""npm run bench edge: the classroom of Beynon 1998 with and without a cache near the clients. It takes half an hour.

1, 2, 4 and 8 clients, two sweep patterns, 20 requests each, over real HTTP; between clients and origin a link of 10
Mbit/s and 50 ms (round trip) by default; every policy and two sizes of the cache. Beside it DZI: Q75, Q90, and the
qualities that have our PSNR. Writes classroom.json and classroom.svg to the folder of ``--out``. Fails if it misses a
target.

    npm run bench edge -- --clients 8 --rows edge      a part of it
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edge.cached import cpu_of_cached_blocks
from edge.equal import EQUAL_COLUMNS, Equal, compared_views, equal_qualities, record_of, rows_of
from edge.jpeg import JpegLevels
from edge.plots import write_plot
from edge.processes import origin
from edge.rows import Lesson, rows, run
from edge.targets import lines, targets
from setting import WAVESCOPE, bench_slide, dzsave, fetch_json, ingest, missing, table, work_folder
from traffic import Wavescope

from wavescope_lab.workload.trace import read_trace

USUAL_QUALITIES = (75, 90)
COLUMNS = [
    "",
    "clients",
    "mean s",
    "min",
    "max",
    "95 %",
    "variance",
    "WAN MB",
    "x distinct",
    "origin CPU s",
    "edge CPU s",
]


def options() -> argparse.Namespace:
    """The command line; the slide comes first, as in all benches."""
    parser = argparse.ArgumentParser("classroom")
    parser.add_argument("slide", nargs="?")
    parser.add_argument("--clients", default="1,2,4,8")
    parser.add_argument("--rows", default="", help="only rows whose names contain this text")
    parser.add_argument("--rate", default="10mbit")
    parser.add_argument("--delay", default="25ms", help="one way: the half of the round trip")
    parser.add_argument("--think", type=float, default=0.05, help="factor of the think times")
    parser.add_argument("--sizes", default="8,64", help="of the edge's cache, in MB")
    parser.add_argument("--quality", default="visual", help="of our slide: compact, visual, fine, 38dB, ...")
    parser.add_argument("--equal", action="store_true", help="only the bytes at equal quality, without any replay")
    parser.add_argument("--cached", action="store_true", help="only the CPU of cached blocks")
    parser.add_argument("--out", type=Path, default=Path("build/bench-edge"))
    return parser.parse_args()


def line(record: dict[str, Any]) -> tuple[object, ...]:
    """A row of the table."""
    times, wan = record["response_seconds"], record["wide_area_bytes"]
    seconds = (times["mean"], times["min"], times["max"], times["percentiles"]["95"], times["variance"])
    amounts = (f"{wan / 1e6:.2f}", f"{wan / record['distinct_bytes']:.3f}")
    return (
        record["row"],
        record["clients"],
        *(f"{value:.3f}" for value in seconds),
        *amounts,
        f"{record['origin_cpu_seconds']:.2f}",
        f"{record['edge_cpu_seconds']:.2f}",
    )


def write_trace(work: Path, size: tuple[int, int]) -> Path:
    """The requests of eight clients."""
    path = work / "trace.jsonl"
    asked = ["--slide", "bench", "--size", "{}x{}".format(*size)]
    subprocess.run([WAVESCOPE, "workload", "trace", path, *asked], check=True, stdout=subprocess.DEVNULL)
    return path


def equal_quality(slide: Path, work: Path, trace: Path) -> list[Equal]:
    """Our first layers beside the JPEG qualities of the same PSNR."""
    fields = [request.field for request in read_trace(trace.read_text())]
    with origin(work / "store") as service:
        ours = Wavescope(service.url)
        size = (ours.pyramid.width, ours.pyramid.height)
        return equal_qualities(ours, JpegLevels(slide, fields, compared_views(fields, size)), fields)


def dzis_of(slide: Path, work: Path, equals: Sequence[Equal]) -> list[str]:
    """Saves the usual DZIs and those of our PSNR; their names, that of all our layers first."""
    qualities = dict.fromkeys([*(equal.quality for equal in reversed(equals) if equal.usual), *USUAL_QUALITIES])
    for quality in qualities:
        dzsave(slide, work / f"q{quality}", quality)
    return [f"q{quality}" for quality in qualities]


def main() -> int:
    parsed = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that it ends its servers
    if absent := missing("nginx", "vips"):
        print(f"not installed: {', '.join(absent)} (Debian: nginx, libvips-tools); rows are left out", flush=True)
    parsed.out.mkdir(parents=True, exist_ok=True)
    sys.argv[1:] = [parsed.slide] if parsed.slide else []
    with work_folder() as work:
        slide = bench_slide(work)
        ingest(slide, work / "store", "--quality", parsed.quality)
        if parsed.cached:
            report_cached(cpu_of_cached_blocks(work))
            return 0
        with origin(work / "store") as service:
            manifest = fetch_json(f"{service.url}/api/v1/slides/bench")
        trace = write_trace(work, (manifest["width"], manifest["height"]))
        equals = equal_quality(slide, work, trace)
        table(f"Equal quality ({parsed.quality}): the class's bytes beside DZI", EQUAL_COLUMNS, rows_of(equals))
        write_json([], equals, parsed)
        if parsed.equal:
            return judge([], equals)
        dzis = [] if "vips" in absent else dzis_of(slide, work, equals)
        lesson = Lesson(work, work / "store", trace, parsed.rate, parsed.delay, parsed.think)
        records = measure(parsed, lesson, absent, dzis, equals)
        cached = [] if "nginx" in absent or parsed.rows else cpu_of_cached_blocks(work)
    (parsed.out / "cached.json").write_text(json.dumps(cached, indent=1) + "\n")
    report(records, parsed)
    report_cached(cached)
    return judge(records, equals)


def report_cached(cached: list[dict[str, Any]]) -> None:
    """The table of the CPU of cached blocks."""
    shown = [(one["cache"], f"{one['cpu_ms']:.3f}", f"{one['ratio']:.2f}", round(one["bytes"])) for one in cached]
    table("CPU of a cached block, warm, 8 connections", ["", "CPU ms", "x nginx", "bytes"], shown)


def judge(records: list[dict[str, Any]], equals: Sequence[Equal]) -> int:
    """Prints the targets. The exit code: 1 if one is missed."""
    found = targets(records, equals)
    table("Targets", ["", "value", "at most", ""], lines(found))
    return 0 if all(target.met for target in found) else 1


def measure(
    parsed: argparse.Namespace, lesson: Lesson, absent: list[str], dzis: list[str], equals: Sequence[Equal]
) -> list[dict[str, Any]]:
    """Every row with every number of clients."""
    sizes = [int(size) * 1_000_000 for size in parsed.sizes.split(",")]
    wanted = [
        row
        for row in rows(sizes, dzis)
        if parsed.rows in row.name and not ("nginx" in absent and (row.kind == "dzi" or "nginx" in row.name))
    ]
    records: list[dict[str, Any]] = []
    for row in wanted:
        for clients in map(int, parsed.clients.split(",")):
            records.append(run(row, lesson, clients, lesson.work / f"run{len(records)}"))
            print("  " + "  ".join(map(str, line(records[-1]))), flush=True)
            write_json(records, equals, parsed)
    if records:
        write_plot(parsed.out / "classroom.svg", records)
    return records


def report(records: list[dict[str, Any]], parsed: argparse.Namespace) -> None:
    """The tables."""
    link = f"{parsed.rate}, {parsed.delay} one way"
    table(f"Classroom over {link}, think times x {parsed.think}", COLUMNS, [line(record) for record in records])
    most = max((record["clients"] for record in records), default=0)
    groups = [record for record in records if record["clients"] == most]
    levels = [f"level {level}" for level in range(4)]
    amounts = [
        (record["row"], *(f"{record['distinct_by_group'].get(level, 0) / 1e6:.2f}" for level in levels))
        for record in groups
    ]
    table(f"Distinct MB per level, {most} clients", ["", *levels], amounts)


def write_json(records: list[dict[str, Any]], equals: Sequence[Equal], parsed: argparse.Namespace) -> None:
    """Everything measured so far."""
    shape = {"quality": parsed.quality, "rate": parsed.rate, "delay": parsed.delay, "think": parsed.think}
    value = {**shape, "rows": records, "equal": [record_of(equal) for equal in equals]}
    (parsed.out / "classroom.json").write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
