"""The service under a bounded load on loopback: requests a second and CPU per block, single and in batches.

Beside it nginx serving a DZI tile of the same place, and our own server-side JPEG tile. Keep-alive, 8 connections, warm
caches.
"""

from __future__ import annotations

import asyncio
import json
import os
import struct
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from setting import (
    WAVESCOPE,
    await_port,
    bench_slide,
    dzsave,
    fetch_json,
    free_port,
    ingest,
    missing,
    table,
    work_folder,
)

from wavescope.source.open import open_source

SIDE = 4096  # level-0 pixels of the part that is measured
CONNECTIONS = 8
SINGLE_GETS = 4000
BATCHED_BLOCKS = 20_000
COUNTED = (
    "env",
    "WAVESCOPE_OPEN_TO_ALL=1",
    "WAVESCOPE_RATE_LIMITS=1",
    "WAVESCOPE_RATE_BLOCKS=1000000 per second",
)  # the rates as they run, never reached
NGINX = """daemon off; master_process off; pid {work}/nginx.pid; error_log {work}/nginx.log;
events {{ worker_connections 256; }}
http {{ access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; types {{ image/jpeg jpeg jpg; }}
client_body_temp_path {work}/t1; proxy_temp_path {work}/t2; fastcgi_temp_path {work}/t3; uwsgi_temp_path {work}/t4;
scgi_temp_path {work}/t5; server {{ listen 127.0.0.1:{port}; root {work}; }} }}"""


@dataclass(frozen=True)
class Load:
    """What a load cost: per second, CPU milliseconds of the server per unit, mean bytes of a unit."""

    rate: float
    cpu_ms: float
    size: float


@contextmanager
def program(command: Sequence[object], port: int) -> Iterator[int]:
    """A server on a port; yields its process id."""
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        await_port(port, process)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process with all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> int:
    """One request on a kept connection; bytes of the body. Anything but success ends the bench."""
    writer.write(request)
    return await answer(reader, request)


async def answer(reader: asyncio.StreamReader, request: bytes) -> int:
    """Bytes of the body of the next answer, to this request."""
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith((b"http/1.1 200", b"http/1.1 204")):
        raise SystemExit(f"unexpected answer: {head[:200]!r} to {request[:200]!r}")
    if b"transfer-encoding: chunked" in head:
        return await chunked(reader)
    length = next((line for line in head.split(b"\r\n") if line.startswith(b"content-length:")), b": 0")
    size = int(length.split(b":")[1])
    await reader.readexactly(size)
    return size


async def chunked(reader: asyncio.StreamReader) -> int:
    """The length of a chunked body, which must end with the batch's last frame."""
    size, last = 0, b""
    while piece := int(await reader.readline(), 16):
        last = (last + await reader.readexactly(piece))[-12:]
        size += piece
        await reader.readexactly(2)
    await reader.readexactly(2)
    if last != struct.pack("<IB3xI", 0xFFFFFFFF, 0, 0):
        raise SystemExit("a batch was cut")
    return size


async def load(port: int, pid: int, requests: Sequence[bytes], count: int, warm: int) -> Load:
    """``count`` requests, taken in turn from ``requests``, over CONNECTIONS connections."""
    numbers = iter(range(count))
    sizes: list[int] = []

    async def worker(mine: Iterator[int]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
        for number in mine:
            sizes.append(await exchange(reader, writer, requests[number % len(requests)]))
        writer.close()

    await worker(iter(range(warm)))
    sizes.clear()
    cpu, begun = cpu_seconds(pid), time.perf_counter()
    await asyncio.gather(*(worker(numbers) for _ in range(CONNECTIONS)))
    seconds, used = time.perf_counter() - begun, cpu_seconds(pid) - cpu
    return Load(count / seconds, used / count * 1000, sum(sizes) / count)


async def row_of(port: int, pid: int, requests: Sequence[bytes], count: int, depth: int) -> Load:
    """``count`` requests on one connection, ``depth`` of them at once; the first one goes alone."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 22)
    await exchange(reader, writer, requests[0])
    sizes: list[int] = []
    cpu, begun = cpu_seconds(pid), time.perf_counter()
    for start in range(0, count, depth):
        writer.write(b"".join(requests[number % len(requests)] for number in range(start, start + depth)))
        sizes += [await answer(reader, requests[start % len(requests)]) for _ in range(depth)]
    seconds, used = time.perf_counter() - begun, cpu_seconds(pid) - cpu
    writer.close()
    return Load(len(sizes) / seconds, used / len(sizes) * 1000, sum(sizes) / len(sizes))


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def post(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def part_of(slide: Path, work: Path) -> Path:
    """The middle of the slide as a picture of its own, so that every peer has the same pixels."""
    import tifffile

    source = open_source(slide)
    width, height = min(SIDE, source.info.width), min(SIDE, source.info.height)
    x, y = (source.info.width - width) // 2, (source.info.height - height) // 2
    path = work / "part.tif"
    tifffile.imwrite(path, source.read_region(0, x, y, width, height), tile=(512, 512), photometric="rgb")
    return path


def places(manifest: dict) -> list[tuple[int, int]]:  # type: ignore[type-arg]
    """Columns and rows of all level-0 tiles."""
    size = manifest["sizes"][0]
    return [(x, y) for y in range(size["tiles_y"]) for x in range(size["tiles_x"])]


def measure_service(part: Path, work: Path) -> list[tuple[str, Load]]:
    """Blocks one by one and in batches, then pixels by the same service."""
    ingest(part, work / "store")
    port, rows = free_port(), []
    with program([WAVESCOPE, "serve", "--port", port, "--store", work / "store"], port) as pid:
        manifest = fetch_json(f"http://127.0.0.1:{port}/api/v1/slides/bench")
        url, tiles = manifest["url"], places(manifest)
        singles = [get(f"{url}/blocks/0/0/0/{x}/{y}") for x, y in tiles]
        rows.append(("block, single GET", asyncio.run(load(port, pid, singles, SINGLE_GETS, len(tiles) * 2))))
        first = [get(f"{url}/blocks/0/0/0/{x}/{y}?to=1") for x, y in tiles]
        rows.append(("layer 0 of a block, single GET", asyncio.run(load(port, pid, first, SINGLE_GETS, len(tiles)))))
        for entries in (16, 64, 512):
            blocks = [[0, 0, 0, *tiles[n % len(tiles)], 0, manifest["layers"]] for n in range(entries)]
            request = [post(f"{url}/blocks:batch", json.dumps({"blocks": blocks}).encode())]
            whole = asyncio.run(load(port, pid, request, BATCHED_BLOCKS // entries, 3))
            name = f"block, in batches of {entries}"
            rows.append((name, Load(whole.rate * entries, whole.cpu_ms / entries, whole.size / entries)))
        fresh = [get(f"{url}/tiles/0/0/{x}/{y}.jpg") for x, y in tiles]
        rows.append(("our JPEG tile, made for each GET", asyncio.run(load(port, pid, fresh, len(fresh), 0))))
        rows.append(("our JPEG tile, from the cache", asyncio.run(load(port, pid, fresh, SINGLE_GETS, len(fresh)))))
    with program([*COUNTED, WAVESCOPE, "serve", "--port", port, "--store", work / "store"], port) as pid:
        counted = asyncio.run(load(port, pid, singles, SINGLE_GETS, len(tiles) * 2))
        rows.insert(1, ("block, single GET, counted per client", counted))
    return rows


def measure_nginx(part: Path, work: Path) -> Load:
    """DZI tiles of the same place as files."""
    dzsave(part, work / "dzi", 90)
    level = max((path for path in (work / "dzi_files").iterdir() if path.is_dir()), key=lambda path: int(path.name))
    tiles = [get(f"/{path.relative_to(work)}") for path in sorted(level.iterdir())]
    port = free_port()
    (work / "nginx.conf").write_text(NGINX.format(work=work, port=port))
    with program(["nginx", "-p", work, "-c", work / "nginx.conf"], port) as pid:
        return asyncio.run(load(port, pid, tiles, 4 * SINGLE_GETS, len(tiles)))


def main() -> None:
    if absent := missing("nginx", "vips"):
        print(
            f"not installed, so no peer for the service: {', '.join(absent)} (Debian: nginx, libvips-tools)", flush=True
        )
    with work_folder() as work:
        part = part_of(bench_slide(work), work)
        rows = measure_service(part, work)
        if not absent:
            rows.append(("nginx, DZI tile Q90 (256 px)", measure_nginx(part, work)))
        reference = rows[0][1].cpu_ms
        table(
            f"Service: {CONNECTIONS} connections, keep-alive; CPU of the server's process",
            ["", "per second", "CPU ms each", "x single block", "bytes each"],
            [(name, round(one.rate), one.cpu_ms, one.cpu_ms / reference, round(one.size)) for name, one in rows],
        )


if __name__ == "__main__":
    main()
