"""One part of a cluster: small programs instead of real ones."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from wavescope_lab.cluster import state
from wavescope_lab.cluster.part import Part, in_order
from wavescope_lab.cluster.probes import HttpProbe
from wavescope_lab.cluster.process import ATTEMPTS, Running
from wavescope_lab.cluster.state import Process, process_of
from wavescope_lab.errors import PartFailed

SLEEPS = "import time; print('begins', flush=True); time.sleep(600)"
SECONDS = 20.0


@dataclass(frozen=True)
class LogProbe:
    """The program has printed that it begins."""

    log: Path

    async def fault(self) -> str | None:
        return None if self.log.exists() and b"begins" in self.log.read_bytes() else "has not begun"


def running(folder: Path, program: str, **values: object) -> Running:
    log = folder / "part.log"
    part = Part("part", "test", (sys.executable, "-c", program), "", LogProbe(log), folder / "part", **values)  # type: ignore[arg-type]
    return Running(part, log, lambda: None)


async def until(condition: object) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # type: ignore[operator]
            await asyncio.sleep(0.01)


LONG = "x" * 3000
JSON = '{"event": "cannot start", "level": "error", "reason": "no space", "at": 1}'
WRITES = {
    "print('[ALERT] config: unknown keyword'); print('[NOTICE] ends')": "ended with 3: [ALERT] config: unknown keyword",
    f"print('{LONG}'); print('begun'); print('ends')": "ended with 3: ends",
    "print('')": "ended with 3 and printed nothing",
    f"print({JSON!r})": "ended with 3: cannot start: no space",
    f"print('FATAL: {LONG}end')": f"ended with 3: FATAL: {LONG}end"[:1000] + " ...",
}


@pytest.mark.parametrize(("program", "reason"), WRITES.items())
async def test_the_reason_of_a_part_that_ended_is_what_was_wrong_not_a_fragment_cl62(
    tmp_path: Path, program: str, reason: str
) -> None:
    one = running(tmp_path, f"import sys; {program}; sys.exit(3)")
    one.start()
    with pytest.raises(PartFailed) as failed:
        await one.until_ready()
    assert failed.value.reason == reason


async def test_a_part_that_was_killed_says_by_which_signal_cl62(tmp_path: Path) -> None:
    one = running(tmp_path, "import os; os.kill(os.getpid(), 9)")
    one.start()
    with pytest.raises(PartFailed) as failed:
        await one.until_ready()
    assert failed.value.reason == "was killed by SIGKILL"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (b'503 Service Unavailable\r\n\r\n{"title": "Unavailable", "detail": "the catalog does not answer"}',
         "/readyz answers 503: the catalog does not answer"),
        (b"502 Bad Gateway\r\n\r\n<html>", "/readyz answers 502 Bad Gateway"),
        (b"200 OK\r\n\r\n{}", None),
    ],
)  # fmt: skip
async def test_a_part_that_is_not_ready_says_why_cl62(answer: bytes, fault: str | None) -> None:
    async def says(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 " + answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(says, "127.0.0.1", 0)
    async with server:
        assert await HttpProbe(server.sockets[0].getsockname()[1], "/readyz").fault() == fault


async def test_a_part_that_is_killed_is_started_again_and_its_children_end_cl63(tmp_path: Path) -> None:
    child = "import subprocess, sys; child = subprocess.Popen(['sleep', '600']); print(child.pid, flush=True); "
    one = running(tmp_path, child + SLEEPS)
    one.start()
    await one.until_ready()
    assert one.process is not None
    first, grandchild = one.process, process_of(int(one.log.read_text().split()[0]))
    os.kill(first.pid, signal.SIGKILL)
    await until(lambda: one.process is not None and one.process != first and one.state == "healthy")
    assert (one.restarts, first.runs()) == (1, False)
    await until(lambda: not grandchild.runs())
    await one.stop()
    assert one.state == "stopped"
    assert one.process is None


async def test_a_part_that_never_works_fails_with_what_it_printed_cl63(tmp_path: Path) -> None:
    one = running(tmp_path, "import sys; print('no port is free'); sys.exit(3)")
    one.start()
    with pytest.raises(PartFailed, match=r"part: ended with 3: no port is free"):
        await one.until_ready()
    assert one.log.read_text().count("no port") == ATTEMPTS
    await one.stop()


async def test_a_part_that_does_not_end_in_order_is_ended_at_once_cl64(tmp_path: Path) -> None:
    one = running(tmp_path, f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}", stop_seconds=0.2)
    one.start()
    await one.until_ready()
    process = one.process
    assert process is not None
    await one.stop()
    assert not process.runs()


@pytest.mark.slow
async def test_a_part_that_waits_for_its_next_start_stops_without_waiting_cl64(tmp_path: Path) -> None:
    one = running(tmp_path, "print('begins', flush=True); import time; time.sleep(0.3)")
    one.start()
    await one.until_ready()
    await until(lambda: one.restarts >= 3)  # the waits are long by now
    async with asyncio.timeout(2):
        await one.stop()
    assert one.state == "stopped"


def test_left_over_processes_end_and_others_with_their_number_do_not_cl65(tmp_path: Path) -> None:
    left, other = (subprocess.Popen([sys.executable, "-c", SLEEPS]) for _ in range(2))
    try:
        before = process_of(other.pid)
        state.save(tmp_path, {"left": process_of(left.pid), "other": Process(other.pid, before.began - 1)})
        assert state.end_left_over(tmp_path) == ["left"]
        assert left.wait(SECONDS) == -signal.SIGTERM
        assert before.runs()
    finally:
        for one in (left, other):
            one.kill()
            one.wait()


def test_ranks_have_names_after_what_they_need() -> None:
    needs = {"node": ("database", "gone"), "database": (), "balancer": ("node",), "rates": ()}
    assert in_order(needs) == [["database", "rates"], ["node"], ["balancer"]]
    with pytest.raises(ValueError, match="depend on each other: a, b"):
        in_order({"a": ("b",), "b": ("a",)})
