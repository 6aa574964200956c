"""Clients run at the same time, wait for their answers, and end with a named error or at the end of the time."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from replay.conftest import Answer, StartFiles
from wavescope.cli import main
from wavescope.errors import InvalidParameter
from wavescope_lab.errors import ServerUnreachable, UnexpectedResponse
from wavescope_lab.replay.driver import replay
from wavescope_lab.replay.exchange import Counts, Exchange, cache_hit
from wavescope_lab.replay.report import report
from wavescope_lab.workload.pathologist import Field
from wavescope_lab.workload.trace import Plan, make_trace

TRACE = make_trace(Plan("slide", (4000, 3000), clients=3, requests=4))


class Waiting:
    """A client whose fields arrive once all clients wait for one, or never."""

    def __init__(self, barrier: asyncio.Barrier) -> None:
        self.counts, self.shown, self._barrier = Counts(), [], barrier  # type: ignore[var-annotated]
        self.opened = self.closed = 0

    async def open(self) -> tuple[int, int]:
        self.opened += 1
        return (4000, 3000)

    async def show(self, field: Field) -> None:
        await self._barrier.wait()
        self.shown.append(field)
        self.counts.bytes += 10
        self.counts.answers += 1
        self.counts.parts[f"part {field}"] = 10

    async def close(self) -> None:
        self.closed += 1


async def test_all_clients_run_at_the_same_time_and_request_their_fields_in_order() -> None:
    barrier, viewers = asyncio.Barrier(3), []

    def open_viewer() -> Waiting:
        viewers.append(Waiting(barrier))
        return viewers[-1]

    run = await replay(TRACE, open_viewer, 0, 20)
    assert run.complete
    assert [viewer.shown for viewer in viewers] == [[r.field for r in TRACE if r.client == c] for c in range(3)]
    assert [(viewer.opened, viewer.closed) for viewer in viewers] == [(1, 1)] * 3
    figures = report(run)
    assert figures["bytes"] == 120
    assert figures["distinct_bytes"] == 10 * len({r.field for r in TRACE})
    assert figures["hit_ratio"] is None
    assert [row["count"] for row in figures["by_number"]] == [3] * 4


async def test_a_run_ends_after_its_time() -> None:
    viewers = [Waiting(asyncio.Barrier(9)) for _ in range(3)]
    left = iter(viewers)
    run = await replay(TRACE, lambda: next(left), 0, 0.05)
    assert not run.complete
    assert all(viewer.closed for viewer in viewers)
    with pytest.raises(InvalidParameter):
        report(run)


async def test_think_times_are_scaled() -> None:
    run = await replay(TRACE, lambda: Waiting(asyncio.Barrier(1)), 0.002, 20)
    for client in range(3):
        last = [timed for timed in run.requests if timed.client == client][-1]
        assert last.begun >= max(r.time for r in TRACE if r.client == client) * 0.002


async def test_a_trace_of_a_larger_slide_is_refused() -> None:
    larger = make_trace(Plan("slide", (8000, 6000), clients=3, requests=4))
    with pytest.raises(InvalidParameter, match="4000x3000"):
        await replay(larger, lambda: Waiting(asyncio.Barrier(1)), 0, 20)


@pytest.mark.parametrize(("think", "seconds"), [(-1, 1), (0, 0)])
async def test_wrong_times_are_refused(think: float, seconds: float) -> None:
    with pytest.raises(InvalidParameter):
        await replay(TRACE, lambda: Waiting(asyncio.Barrier(1)), think, seconds)


async def test_a_server_that_closes_in_the_middle_of_an_answer_is_a_named_error(files) -> None:  # type: ignore[no-untyped-def]
    async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc")
        writer.close()

    async with await asyncio.start_server(cut, "127.0.0.1", 0) as server:
        exchange = Exchange()
        with pytest.raises(ServerUnreachable):
            await exchange.get(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", "a")
        await exchange.close()


async def test_an_address_that_is_none_is_a_named_error() -> None:
    exchange = Exchange()
    for url in ("nonsense", "ftp://a/", "http://[::1"):
        with pytest.raises(UnexpectedResponse):
            await exchange.get(url, "a")
    await exchange.close()


@pytest.mark.parametrize(
    ("headers", "hit"),
    [
        ({"x-cache": "HIT from edge"}, True),
        ({"x-cache": "MISS"}, False),
        ({"x-cache-status": "EXPIRED"}, False),
        ({"cache-status": "wavescope-edge; hit"}, True),
        ({"cache-status": "wavescope-edge; fwd=stale; detail=origin-unreachable"}, True),
        ({"cache-status": "inner; hit, wavescope-edge; fwd=miss; stored"}, True),
        ({"cache-status": "wavescope-edge; fwd=miss; stored"}, False),
        ({"cache-status": "wavescope-edge; fwd=partial; stored"}, False),
        ({"server-timing": 'edge;dur=1, cache; desc="HIT"'}, True),
        ({"server-timing": "cache;desc=miss"}, False),
        ({"age": "0"}, False),
        ({"age": "12"}, True),
        ({"age": "x"}, None),
        ({}, None),
    ],
)
def test_headers_say_whether_an_answer_came_from_a_cache(headers: dict[str, str], hit: bool | None) -> None:
    assert cache_hit(headers) is hit


@pytest.mark.slow
async def test_the_command_makes_a_trace_replays_it_and_writes_its_figures(
    files: StartFiles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dzi = b'<Image Format="jpg" TileSize="254"><Size Width="4000" Height="3000"/></Image>'

    def answer(path: str) -> Answer:
        return (200, {}, dzi if path.endswith(".dzi") else b"tile")

    trace, out = tmp_path / "trace.jsonl", tmp_path / "out"
    made = ["workload", "trace", str(trace), "--slide", "a", "--size", "4000x3000", "--clients", "3", "--requests", "4"]
    assert await asyncio.to_thread(main, made) == 0
    async with files(answer) as server:
        replayed = ["workload", "replay", str(trace), f"{server.url}/a.dzi", "--think", "0"]
        token = tmp_path / "token"
        token.write_text("secret\n")
        options = ["--clients", "2", "--out", str(out), "--json", "--token-file", str(token)]
        assert await asyncio.to_thread(main, [*replayed, *options]) == 0
        assert all(b"authorization: bearer secret\r\n" in head.lower() for head in server.heads)
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["clients"], figures["requests"]) == (2, 8)
    assert json.loads((out / "report.json").read_text())["bytes"] == figures["bytes"]
    assert (out / "response.svg").read_text().startswith("<?xml")


async def test_the_command_names_a_server_that_does_not_answer_and_a_wrong_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_text("{}\n")
    assert await asyncio.to_thread(main, ["workload", "replay", str(trace), "http://127.0.0.1:1"]) == 2
    assert "line 1 of the trace" in capsys.readouterr().err
    plan = ["--slide", "a", "--size", "4000x3000"]
    assert await asyncio.to_thread(main, ["workload", "trace", str(trace), *plan]) == 0
    assert await asyncio.to_thread(main, ["workload", "replay", str(trace), "http://127.0.0.1:1"]) == 2
    assert "does not answer" in capsys.readouterr().err


def test_the_command_refuses_what_it_cannot_do_before_it_asks_a_server(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "trace.jsonl"
    assert main(["workload", "trace", str(trace), "--slide", "a", "--size", "4000x3000"]) == 0
    assert main(["workload", "replay", str(trace), "http://127.0.0.1:1/a.dzi", "--layers", "1"]) == 2
    assert "none for dzi, whose tiles have no layers" in capsys.readouterr().err
    assert main(["workload", "replay", str(trace), "http://127.0.0.1:1", "--out", str(trace)]) == 2
    assert "File exists" in capsys.readouterr().err


def test_a_client_alone_has_the_requests_it_has_in_a_class() -> None:
    alone = make_trace(replace(Plan("slide", (4000, 3000), clients=3, requests=4), clients=1))
    assert alone == [request for request in TRACE if request.client == 0]
