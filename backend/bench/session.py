"""A live session under load: one presenter at 20 views a second, 200 scripted followers, one of which does not read.

Latency is from the presenter's sending to each follower's receiving; all clients run in one process beside the service,
so part of it is the clients' own. Fails if 1 % of the messages are later than 250 ms, if an ordered event is lost, or
if the service's memory grows.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from setting import WAVESCOPE, fetch_json, free_port, table, work_folder
from websockets.asyncio.client import ClientConnection, connect

from service import cpu_seconds, program

FOLLOWERS = 200  # one of them stalled
RATE = 20  # views a second
SECONDS = 60
NOTES = 60  # ordered events, about one a second
LATE = 0.25  # seconds
GROWTH = 1.10  # of memory, from the first quarter to the end
COOKIE = "wavescope_guest"


@dataclass
class Follower:
    """What one connection received."""

    socket: ClientConnection
    latencies: list[float] = field(default_factory=list)
    views: int = 0
    sequence: int = 0
    notes: int = 0
    gaps: int = 0

    async def follow(self) -> None:
        async for text in self.socket:
            now = time.perf_counter()
            message = json.loads(text)
            if message["type"] == "tick":
                for look in message["views"] or ():
                    self.latencies.append(now - look["view"]["l0_x"])  # the presenter's clock is this process's
                    self.views += 1
            elif message["type"] == "event":
                self.gaps += self.sequence != 0 and message["sequence"] != self.sequence + 1
                self.sequence = message["sequence"]
                self.notes += message["event"]["kind"] == "note"


async def enter(port: int, session: str, cookie: str, number: int, **options: Any) -> ClientConnection:
    """A connection that has sent hello and received its welcome."""
    url = f"ws://127.0.0.1:{port}/api/v1/sessions/{session}/live"
    socket = await connect(url, additional_headers={"Cookie": f"{COOKIE}={cookie}"}, compression=None, **options)
    hello = {"type": "hello", "versions": [1], "client": f"bench-{number:06}", "sequence": None}
    await socket.send(json.dumps(hello))
    json.loads(await socket.recv())
    return socket


async def present(socket: ClientConnection) -> tuple[int, int]:
    """Views and notes at their rates; how many of each were sent."""
    begun, sent, notes = time.perf_counter(), 0, 0
    while (elapsed := time.perf_counter() - begun) < SECONDS:
        view = {"l0_x": time.perf_counter(), "l0_y": 0, "l0_width": 1000, "l0_height": 800}
        await socket.send(json.dumps({"type": "view", "pane": 0, "stage": 1, "view": view}))
        if sent % (RATE * SECONDS // NOTES) == 0:
            notes += 1
            await socket.send(json.dumps({"type": "note", "ref": notes, "text": f"note {notes}"}))
        sent += 1
        await asyncio.sleep(max(0.0, sent / RATE - elapsed))
    return sent, notes


def resident(pid: int) -> float:
    """MiB of memory that a process holds."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def watch_memory(pid: int, into: list[float]) -> None:
    while True:
        into.append(resident(pid))
        await asyncio.sleep(1)


async def drain(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


def joined(port: int, code: str, number: int) -> str:
    """The cookie of another member."""
    return made(port, f"/sessions/{code}/join", {"nickname": f"Follower {number}"})[1]


def made(port: int, path: str, body: object) -> tuple[dict[str, str], str]:
    """The answer to a POST, and the cookie that came with it."""
    url = f"http://127.0.0.1:{port}/api/v1{path}"
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        cookie = answer.headers["Set-Cookie"] or ""
        return json.load(answer), cookie.partition("=")[2].partition(";")[0]


async def run(port: int, pid: int) -> bool:
    slide = fetch_json(f"http://127.0.0.1:{port}/api/v1/slides")["slides"][0]["id"]
    session, owner = made(port, "/sessions", {"slides": [slide], "nickname": "Presenter"})
    cookies = [joined(port, session["code"], number) for number in range(FOLLOWERS)]
    presenter = await enter(port, session["id"], owner, 0)
    followers = [
        Follower(await enter(port, session["id"], cookie, number)) for number, cookie in enumerate(cookies[1:], 1)
    ]
    stalled = await enter(
        port, session["id"], cookies[0], FOLLOWERS, max_queue=1
    )  # hears its welcome, then reads no more
    stalled.transport.pause_reading()
    listening = [asyncio.create_task(follower.follow()) for follower in followers]
    listening.append(asyncio.create_task(drain(presenter)))
    await asyncio.sleep(2)  # all members receive the presence of all
    for follower in followers:
        follower.latencies.clear()
    memory: list[float] = []
    watching = asyncio.create_task(watch_memory(pid, memory))
    cpu = cpu_seconds(pid)
    sent, notes = await present(presenter)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(10):
            while any(follower.notes < notes for follower in followers):
                await asyncio.sleep(0.1)
    cpu = cpu_seconds(pid) - cpu
    watching.cancel()
    for task in listening:
        task.cancel()
    return report(followers, sent, notes, memory, cpu)


def report(followers: list[Follower], sent: int, notes: int, memory: list[float], cpu: float) -> bool:
    """Prints what was measured; whether it is good enough."""
    latencies = sorted(one for follower in followers for one in follower.latencies)
    p50, p99 = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
    in_time = sum(one <= LATE for one in latencies) / len(latencies)
    views = sum(follower.views for follower in followers) / len(followers)
    complete = all(follower.notes == notes and follower.gaps == 0 for follower in followers)
    early = max(memory[: len(memory) // 4])
    steady = memory[-1] <= early * GROWTH
    table(
        f"one presenter, {RATE} views a second for {SECONDS} s",
        ["followers", "views sent", "received by each", "median ms", "99 % ms", "within 250 ms", "CPU", "memory MiB"],
        [
            [
                f"{len(followers)} + 1 stalled", str(sent), f"{views:.0f}", f"{p50 * 1e3:.1f}", f"{p99 * 1e3:.1f}",
                f"{in_time:.2%}", f"{cpu / SECONDS:.0%}", f"{early:.0f} -> {memory[-1]:.0f}",
            ]
        ],
    )  # fmt: skip
    print(f"ordered events: {'complete' if complete else 'LOST'}; memory {'steady' if steady else 'GROWS'}")
    return in_time >= 0.99 and complete and steady


def main() -> int:
    with work_folder() as work:
        command = [WAVESCOPE, "ingest", "specimen:700x600", "--id", "session", "--store", work / "store"]
        subprocess.run([str(part) for part in command], check=True, capture_output=True)
        port = free_port()
        with program([WAVESCOPE, "serve", "--port", port, "--store", work / "store"], port) as pid:
            return 0 if asyncio.run(run(port, pid)) else 1


if __name__ == "__main__":
    sys.exit(main())
