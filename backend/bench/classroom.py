"""npm run bench edge: the classroom of Beynon 1998 with and without a cache near the clients.

1, 2, 4 and 8 clients, two sweep patterns, 20 requests each, over real HTTP; between clients and origin a link of 10
Mbit/s and 50 ms (round trip) by default. Beside it DZI. Writes classroom.json to the folder of ``--out``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from edge.cached import cpu_of_cached_blocks
from edge.picture import psnr_per_level
from edge.processes import origin
from edge.rows import Lesson, rows, run
from setting import WAVESCOPE, bench_slide, dzsave, fetch_json, ingest, missing, table, work_folder

QUALITIES = (75, 90)
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


def prepare(slide: Path, work: Path) -> dict[str, Path]:
    """Ingest the slide, make the DZIs, write the trace."""
    ingest(slide, work / "store")
    dzis = {}
    if not missing("vips"):
        for quality in QUALITIES:
            dzsave(slide, work / f"q{quality}", quality)
            dzis[f"q{quality}"] = work / f"q{quality}"
    return dzis


def write_trace(work: Path, size: tuple[int, int]) -> Path:
    """The requests of eight clients."""
    path = work / "trace.jsonl"
    command = [WAVESCOPE, "workload", "trace", path, "--slide", "bench", "--size", "{}x{}".format(*size)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return path


def main() -> None:
    parsed = options()
    if absent := missing("nginx", "vips"):
        print(f"not installed: {', '.join(absent)} (Debian: nginx, libvips-tools); rows are left out", flush=True)
    parsed.out.mkdir(parents=True, exist_ok=True)
    sys.argv[1:] = [parsed.slide] if parsed.slide else []
    with work_folder() as work:
        slide = bench_slide(work)
        if parsed.cached:
            ingest(slide, work / "store")
            report_cached(cpu_of_cached_blocks(work))
            return
        dzis = prepare(slide, work)
        with origin(work / "store") as service:
            manifest = fetch_json(f"{service.url}/api/v1/slides/bench")
            quality = psnr_per_level(slide, service.url, dzis)
        trace = write_trace(work, (manifest["width"], manifest["height"]))
        lesson = Lesson(work, work / "store", trace, parsed.rate, parsed.delay, parsed.think)
        wanted = [
            row
            for row in rows([int(size) * 1_000_000 for size in parsed.sizes.split(",")], list(dzis))
            if parsed.rows in row.name and not ("nginx" in absent and (row.kind == "dzi" or "nginx" in row.name))
        ]
        records = []
        for row in wanted:
            for clients in map(int, parsed.clients.split(",")):
                records.append(run(row, lesson, clients, work / f"run{len(records)}"))
                print("  " + "  ".join(map(str, line(records[-1]))), flush=True)
                write_json(records, quality, parsed)
        cached = [] if "nginx" in absent else cpu_of_cached_blocks(work)
    (parsed.out / "cached.json").write_text(json.dumps(cached, indent=1) + "\n")
    report(records, quality, parsed)
    report_cached(cached)


def report_cached(cached: list[dict[str, Any]]) -> None:
    """The table of the CPU of cached blocks."""
    rows = [(one["cache"], f"{one['cpu_ms']:.3f}", f"{one['ratio']:.2f}", round(one["bytes"])) for one in cached]
    table("CPU of a cached block, warm, 8 connections", ["", "CPU ms", "x nginx", "bytes"], rows)


def report(records: list[dict[str, Any]], quality: list[dict[str, Any]], parsed: argparse.Namespace) -> None:
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
    names = [name for name in quality[0] if name != "level"]
    psnrs = [(f"level {record['level']}", *(f"{record[name]:.2f}" for name in names)) for record in quality]
    table("PSNR in dB against the box-reduced source", ["", *names], psnrs)


def write_json(records: list[dict[str, Any]], quality: list[dict[str, Any]], parsed: argparse.Namespace) -> None:
    """Everything measured so far."""
    value = {"rate": parsed.rate, "delay": parsed.delay, "think": parsed.think, "rows": records, "psnr": quality}
    (parsed.out / "classroom.json").write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
