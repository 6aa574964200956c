"""Traces of OpenTelemetry, received by a collector (OP64 to OP67)."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from api.accounts import PASSWORD, clinic
from api.asking import API, running_client
from api.otlp import Collector, Received, collector
from api.test_request_log import MARK, PATIENT, Lines, planted
from api.test_request_log import lines as lines
from api.test_server import QuickRunner, serving
from service.world import World
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.logs.tracing import outgoing_headers
from wavescope.service.composition import Services, compose
from wavescope.service.jobs.runs import IngestResult, JobFailed, Report
from wavescope.service.slides.slides import SlideService

TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TILES = 41


@pytest.fixture
def received() -> Iterator[Collector]:
    with collector() as listening:
        yield listening


class SteadyRunner(QuickRunner):
    """Reports each tile."""

    async def run(self, path: Path, options: Mapping[str, Any], report: Report) -> IngestResult:
        for done in range(1, TILES + 1):
            report(done, TILES)
        if path.read_bytes().startswith(b"bad"):
            raise JobFailed("UnsupportedSource", f"{PATIENT}: it is text")
        return IngestResult("visual")


def only(spans: list[Received]) -> Received:
    assert len(spans) == 1, spans
    return spans[0]


async def test_a_span_belongs_to_the_trace_of_its_caller_and_passes_it_on_op51_op64(
    world: World, received: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Mapping[str, str]] = []
    listed = SlideService.list

    def passed_on(self: SlideService, *given: Any, **named: Any) -> Any:
        sent.append(outgoing_headers())
        return listed(self, *given, **named)

    monkeypatch.setattr(SlideService, "list", passed_on)
    async with running_client(world.store, traces_endpoint=received.endpoint) as client:
        caller = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
        answer = await client.get(f"{API}/slides?search={MARK}", headers={**caller, "x-request-id": "edge-0001"})
        assert answer.status_code == 200
        begun = (await client.get(f"{API}/slides/visual")).headers["x-request-id"]
        unsampled = f"00-{TRACE[::-1]}-{CALLER}-00"
        await client.get(f"{API}/slides", headers={"traceparent": unsampled})
    span = only(received.named(f"GET {API}/slides"))
    assert (span.trace, span.parent) == (TRACE, CALLER)
    assert sent[0]["traceparent"] == f"00-{TRACE}-{span.id}-01"
    assert sent[1]["traceparent"].endswith("-00")
    assert span.attributes == {
        "http.request.method": "GET",
        "http.route": f"{API}/slides",
        "http.response.status_code": 200,
        "http.response.body.size": len(answer.content),
        "wavescope.request_id": "edge-0001",
    }
    first = only(received.named(f"GET {API}/slides/{{slide_id}}"))
    assert (first.trace, first.parent) == (begun, "")


async def flushed(service: Services) -> None:
    """Returns when the collector was sent what has ended."""
    assert service.spans is not None
    await asyncio.to_thread(service.spans.flush)


async def test_a_collector_that_refuses_is_logged_once_and_disturbs_no_request_op64(
    world: World, tmp_path: Path, received: Collector, lines: Lines
) -> None:
    async with serving(world.copy(tmp_path / "store").store, traces_endpoint=received.endpoint) as served:
        for status in (400, 400, 200, 200):
            received.status = status
            assert (await served.client.get(f"{API}/slides")).status_code == 200
            await flushed(served.service)
    assert len(lines.of("the collector does not receive traces")) == 1
    assert len(lines.of("the collector receives traces again")) == 1
    assert received.endpoint not in lines.text
    assert len(received.named(f"GET {API}/slides")) == 2


async def test_only_a_part_of_the_traces_is_recorded_op64(world: World, received: Collector) -> None:
    async with running_client(world.store, traces_endpoint=received.endpoint, traces_ratio=0.0) as client:
        await client.get(f"{API}/slides")
        await client.get(f"{API}/slides/visual", headers={"traceparent": f"00-{TRACE}-{CALLER}-01"})
    assert {span.trace for span in received.spans} == {TRACE}


async def test_a_job_is_in_the_trace_of_its_upload_with_a_handful_of_parts_op65(
    world: World, tmp_path: Path, received: Collector
) -> None:
    options: dict[str, Any] = {"traces_endpoint": received.endpoint, "runner": SteadyRunner()}
    async with serving(world.copy(tmp_path / "store").store, **options) as served:
        ids = []
        for content in (b"good", b"bad"):
            url = f"{API}/uploads?filename={PATIENT}.svs"
            ids.append((await served.client.post(url, content=content)).json()["id"])
            async with served.client.stream("GET", f"{API}/jobs/{ids[-1]}/events") as stream:
                await stream.aread()
    good, bad = received.named("job")
    uploads = received.named(f"POST {API}/uploads")
    assert [(job.trace, job.parent) for job in (good, bad)] == [(span.trace, span.id) for span in uploads]
    assert [job.attributes["job"] for job in (good, bad)] == ids
    assert (good.failed, bad.failed, bad.attributes["error.type"]) == (False, True, "JobFailed")
    assert bad.attributes["cause"] == "UnsupportedSource"
    parts = [part for part in received.named("tiles") if part.parent == good.id]
    assert [(part.attributes["first"], part.attributes["last"]) for part in parts] == [
        (0, 10), (11, 20), (21, 30), (31, 40),
    ]  # fmt: skip
    assert all(good.began <= part.began <= part.ended <= good.ended for part in parts)


async def test_the_span_of_an_event_stream_ends_with_its_head_op65(
    world: World, tmp_path: Path, received: Collector
) -> None:
    async with serving(world.copy(tmp_path / "store").store, traces_endpoint=received.endpoint) as served:
        job = (await served.client.post(f"{API}/uploads?filename=a.svs", content=b"slow")).json()["id"]
        async with served.client.stream("GET", f"{API}/jobs/{job}/events") as stream:
            await anext(stream.aiter_lines())
            await flushed(served.service)
            span = only(received.named(f"GET {API}/jobs/{{job_id}}/events"))
            assert span.attributes["http.response.status_code"] == 200


async def test_statements_and_reads_are_spans_of_their_request_op65(world: World, received: Collector) -> None:
    digest = world.digests["visual"]
    base = f"{API}/slides/visual/v/{digest}"
    async with running_client(world.store, traces_endpoint=received.endpoint) as client:
        block = await client.get(f"{base}/blocks/0/0/0/1/1")
        await client.post(f"{base}/blocks:batch", json={"blocks": [[0, 0, 0, 1, 1, 0, 1]] * 300})
        await client.get(f"{base}/approximation/0/0")
        assert (await client.get(f"{API}/slides?search={MARK}")).status_code == 200
    by_id = {span.id: span for span in received.spans}
    read = only(received.named("read block"))
    assert by_id[read.parent].attributes["http.route"].endswith("/blocks/{z}/{c}/{level}/{x}/{y}")
    assert read.attributes == {"digest": digest, "address": [0, 0, 0, 1, 1], "bytes": len(block.content)}
    assert only(received.named("read blocks")).attributes["blocks"] == 300
    assert only(received.named("read approximation")).attributes["bytes"] > 0
    searched = [one for one in received.named("SELECT") if by_id[one.parent].name == f"GET {API}/slides"]
    assert searched
    assert all(one.attributes["db.system.name"] == "sqlite" for one in searched)
    assert any("FROM slides" in one.attributes["db.query.text"] for one in searched)
    assert MARK not in received.text
    assert all(span.ended >= span.began > 0 for span in received.spans)


async def test_no_attribute_contains_a_secret_a_path_or_a_text_of_a_user_op66(
    world: World, tmp_path: Path, received: Collector
) -> None:
    """The same requests as for the log (OP52)."""
    secrets = [PASSWORD, str(tmp_path), "192.0.2.77"]
    store = world.copy(tmp_path / "store").store
    async with clinic(store, traces_endpoint=received.endpoint) as site:
        ivan = await site.signed_in("ivan")
        secrets += [value for value in ivan.cookies.values() if len(value) > 8]
        statuses = [answer.status_code async for answer in planted(site.client(), ivan)]
        assert {200, 201, 401, 404, 422} <= set(statuses)
        link = (await ivan.post(f"{API}/slides/visual/links", json={"right": "view", "title": PATIENT})).json()["token"]
        token = (await ivan.post(f"{API}/account/tokens", json={"title": PATIENT})).json()["token"]
        await site.client().get(f"{API}/slides?search={token}", headers={"authorization": f"Bearer {token}"})
        secrets += [link, token]
    assert len(received.named("SELECT")) > 20
    assert received.named("INSERT")
    assert MARK not in received.text.lower()
    for secret in secrets:
        assert secret not in received.text


async def test_an_error_is_a_class_and_no_message_op66(
    world: World, received: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError(PATIENT)

    monkeypatch.setattr(SlideService, "list", fail)
    async with running_client(world.store, traces_endpoint=received.endpoint) as client:
        assert (await client.get(f"{API}/slides")).status_code == 500
    span = only(received.named(f"GET {API}/slides"))
    assert span.failed
    assert span.attributes["error.type"] == "ValueError"
    assert MARK not in received.text


def test_without_the_extra_the_setting_is_refused_and_names_it_op67(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.startswith(("opentelemetry.", "wavescope.logs.spans"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk", None)
    with pytest.raises(InvalidParameter, match=r'WAVESCOPE_TRACES_ENDPOINT .* pip install "wavescope\[traces\]"'):
        compose(Config(store=tmp_path, traces_endpoint="http://user:secret@127.0.0.1:4318/v1/traces"))


def test_an_endpoint_is_a_url_op67(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameter, match="http://"):
        compose(Config(store=tmp_path, traces_endpoint="127.0.0.1:4318"))


@pytest.mark.slow
def test_what_is_off_is_not_loaded_and_wraps_nothing_op67(tmp_path: Path) -> None:
    code = f"""
import json, pathlib, sys
from wavescope.config import Config
from wavescope.main import create_app
app = create_app(Config(store=pathlib.Path({str(tmp_path)!r})))
names = [one.cls.__name__ for one in app.user_middleware]
parts = ("opentelemetry.sdk", "opentelemetry.exporter", "wavescope.logs.spans")
loaded = [name for name in sys.modules if name.startswith(parts)]
print(json.dumps([names, type(app.state.api.services.blocks).__name__, loaded]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    names, blocks, loaded = json.loads(done.stdout)
    assert "RequestSpans" not in names
    assert (blocks, loaded) == ("MeasuredSource", [])
