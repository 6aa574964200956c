"""What the log says of requests, and what it never says (OP50 to OP56, OP60)."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from annotations.shapes import content
from api.accounts import PASSWORD, clinic
from api.asking import API, problem, running_client
from api.test_server import serving
from service.world import World
from source.worlds import tissue, write_svs
from wavescope.api.middleware.request_log import CompletedRequest, RequestLog
from wavescope.config import Config
from wavescope.errors import InvalidParameter
from wavescope.logs.lines import configure
from wavescope.logs.safe import name_of
from wavescope.service.jobs.runner import ChildRunner
from wavescope.service.slides.slides import SlideService

MARK = "zqxj"  # in everything that must not be logged
PATIENT = f"Doe{MARK}"


class Lines:
    """The lines that are written meanwhile."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def of(self, event: str) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.text.splitlines()]
        return [line for line in found if line["event"] == event]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """All lines, also the finest; the loggers are as before in the end."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    root.handlers.clear()
    lines = Lines()
    configure("debug", "json", lines.stream)
    yield lines
    root.handlers[:] = before
    root.setLevel(level)
    logging.captureWarnings(False)


async def test_a_request_has_a_line_and_its_id_in_it_and_in_the_answer_op51_op53(world: World, lines: Lines) -> None:
    async with running_client(world.store) as client:
        answer = await client.get(f"{API}/slides?search={MARK}", headers={"x-request-id": "edge-0001"})
        assert answer.headers["x-request-id"] == "edge-0001"
        missing = await client.get(f"{API}/slides/{MARK}", headers={"x-request-id": "no"})
        assert problem(missing) == (404, "unknown-slide")
        assert len(missing.headers["x-request-id"]) == 32
        assert missing.json()["request_id"] == missing.headers["x-request-id"]
        await client.get(f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0")
    first, second = lines.of("request")  # none for the block
    assert (first["method"], first["route"], first["status"]) == ("GET", f"{API}/slides", 200)
    assert (first["request_id"], first["bytes"]) == ("edge-0001", len(answer.content))
    assert (second["status"], second["request_id"]) == (404, missing.headers["x-request-id"])


@pytest.mark.parametrize(("access", "count"), [("none", 0), ("calls", 1), ("all", 2)])
async def test_the_access_log_is_as_long_as_wanted_op53(world: World, lines: Lines, access: str, count: int) -> None:
    async with running_client(world.store, log_access=access) as client:
        await client.get(f"{API}/slides/visual")
        await client.get(f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0")
    assert len(lines.of("request")) == count


@pytest.mark.parametrize(
    ("name", "value", "logged"),
    [
        ("z", "0", "0"),
        ("level", "12", "12"),
        ("x", "407", "407"),
        ("kind", "png", "png"),
        ("kind", PATIENT, name_of(PATIENT)),
        ("y", PATIENT, name_of(PATIENT)),
        ("x", "1" * 11, name_of("1" * 11)),  # no column of a slide; maybe the number of a patient
        ("slide_id", "4711", name_of("4711")),
        ("digest", "0f" * 32, "0f" * 32),
    ],
)
def test_numbers_and_choices_of_a_path_are_logged_as_they_are_and_names_are_not_op52(
    lines: Lines, name: str, value: str, logged: str
) -> None:
    RequestLog("all", 1.0, "none")(
        {"path_params": {name: value}}, CompletedRequest("/r", "GET", 200, False, 1, 0.1, 0.1)
    )
    assert lines.of("request")[0]["parameters"] == {name: logged}


def test_another_length_of_the_access_log_is_refused_op53() -> None:
    with pytest.raises(InvalidParameter):
        RequestLog("some", 1.0, "full")


@pytest.mark.parametrize(("addresses", "client"), [("full", "192.0.2.77"), ("network", "192.0.2.0/24"), ("none", "")])
async def test_addresses_are_logged_as_the_audit_log_stores_them_op53(
    world: World, lines: Lines, addresses: str, client: str
) -> None:
    async with running_client(world.store, audit_addresses=addresses) as opened:
        application = opened._transport.app  # type: ignore[attr-defined]
        transport = httpx.ASGITransport(application, client=("192.0.2.77", 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as other:
            await other.get("/healthz")
    assert [line["client"] for line in lines.of("request")] == [client]


def test_what_is_slow_has_a_line_and_a_slow_client_has_none_op55(lines: Lines) -> None:
    log = RequestLog("none", 2.0, "none")
    log({}, CompletedRequest("/slow", "GET", 200, False, 1, 3.0, 2.5))
    log({}, CompletedRequest("/uploads", "POST", 202, False, 1, 600.0, 0.1))
    assert [(line["route"], line["thinking_seconds"]) for line in lines.of("slow request")] == [("/slow", 2.5)]


async def test_a_5xx_has_a_line_with_its_error_op54(
    world: World, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError(PATIENT)

    monkeypatch.setattr(SlideService, "list", fail)
    async with running_client(world.store) as client:
        answer = await client.get(f"{API}/slides")
        assert problem(answer) == (500, "internal")
        assert 'event="request failed"' in (await client.get("/metrics")).text  # OP58
    (line,) = lines.of("request failed")
    assert (line["error"], line["request_id"]) == ("ValueError", answer.json()["request_id"])
    assert answer.headers["x-request-id"] == line["request_id"]
    assert "test_request_log.py" in line["trace"]
    assert MARK not in lines.text


async def test_each_damaged_block_has_one_line_with_its_address_op54(damaged: World, lines: Lines) -> None:
    digest = damaged.digests["lossless"]
    for shard in damaged.shards("lossless", 0):
        shard.write_bytes(bytes(shard.stat().st_size))
    async with running_client(damaged.store) as client:
        for _ in range(2):
            await client.get(f"{API}/slides/lossless/v/{digest}/blocks/0/0/0/1/1")
            blocks = [[0, 0, 0, 1, 1, 0, 1], [0, 0, 0, 0, 1, 0, 1]]
            await client.post(f"{API}/slides/lossless/v/{digest}/blocks:batch", json={"blocks": blocks})
    found = sorted((line["digest"], *line["address"]) for line in lines.of("damaged block"))
    assert found == [(digest, 0, 0, 0, 0, 1), (digest, 0, 0, 0, 1, 1)]
    assert all(line["reason"] and "trace" not in line for line in lines.of("damaged block"))


async def finished(client: httpx.AsyncClient, answer: httpx.Response) -> dict[str, Any]:
    """The job of an upload when it has ended."""
    assert answer.status_code == 202, answer.text
    url = f"{API}/jobs/{answer.json()['id']}"
    await client.get(f"{url}/events")
    job: dict[str, Any] = (await client.get(url)).json()
    return job


@pytest.mark.slow
async def test_jobs_have_lines_and_their_errors_show_no_paths_op56_op60(
    world: World, tmp_path: Path, lines: Lines
) -> None:
    store = world.copy(tmp_path / "store").store
    source = write_svs(tmp_path / f"{PATIENT}.svs", tissue(96, 96)).read_bytes()
    async with serving(store, runner=ChildRunner(Config(store=store))) as served:
        url = f"{API}/uploads?quality=lossless&filename={PATIENT}.svs"
        good = await finished(served.client, await served.client.post(url, content=source))
        assert good["state"] == "done"
        bad = await finished(served.client, await served.client.post(url, content=source[:200]))
        assert bad["state"] == "failed"
        assert str(tmp_path) not in json.dumps(bad)
    for event in ("job made", "job queued", "job started"):
        assert [line["job"] for line in lines.of(event)] == [good["id"], bad["id"]]
    assert [(line["job"], line["state"]) for line in lines.of("job ended")] == [(good["id"], "done")]
    assert [(line["job"], line["cause"]) for line in lines.of("job failed")] == [(bad["id"], "UnreadableSource")]
    assert MARK not in lines.text


async def planted(site_client: httpx.AsyncClient, owner: httpx.AsyncClient) -> AsyncIterator[httpx.Response]:
    """Requests with a secret or a text of a user wherever one can be."""
    yield await site_client.post(f"{API}/sign-in", json={"name": PATIENT, "password": f"{MARK}-password"})
    yield await site_client.post(f"{API}/sign-in", content=f'{{"name": "{MARK}')
    yield await site_client.get(f"{API}/slides?search={MARK}&token={MARK}", headers={"referer": f"http://x/?{MARK}"})
    bearer = {"authorization": f"Bearer {MARK}", "cookie": f"wavescope_guest={MARK}; other={MARK}"}
    yield await site_client.get(f"{API}/slides", headers=bearer)
    yield await site_client.get(
        f"{API}/slides/{PATIENT}/v/{MARK}/manifest.json", headers={"x-request-id": f"{MARK}\x01"}
    )
    yield await site_client.get(f"/{MARK}/{PATIENT}.html?key={MARK}")
    yield await site_client.post(f"{API}/links/open", json={"token": MARK})
    yield await site_client.post(f"{API}/sessions/{MARK}/join", json={"nickname": PATIENT, "passcode": MARK})
    yield await owner.patch(f"{API}/slides/visual", json={"title": PATIENT, "tags": {"case": MARK}})
    yield await owner.put(
        f"{API}/slides/visual/annotations/{MARK}",
        json=content("point", "Point", [1, 2], name=PATIENT, text=MARK),
        headers={"if-none-match": "*"},
    )
    yield await owner.get(f"{API}/slides?q={PATIENT}")
    yield await owner.post(f"{API}/cases", json={"title": PATIENT, "slides": ["visual"]})
    yield await owner.post(f"{API}/account/tokens", json={"title": PATIENT, "days": MARK})
    yield await owner.get(f"{API}/slides/visual/identity/images/{MARK}")
    yield await owner.post(
        f"{API}/sessions", json={"slides": ["visual"], "nickname": PATIENT, "title": MARK, "passcode": MARK}
    )


async def test_no_line_contains_a_secret_or_a_text_of_a_user_op52(world: World, tmp_path: Path, lines: Lines) -> None:
    secrets = [PASSWORD]
    async with clinic(world.copy(tmp_path / "store").store) as site:
        ivan = await site.signed_in("ivan")
        secrets += [value for value in ivan.cookies.values() if len(value) > 8]
        statuses = [answer.status_code async for answer in planted(site.client(), ivan)]
        assert {200, 201, 401, 404, 422} <= set(statuses)
        link = (await ivan.post(f"{API}/slides/visual/links", json={"right": "view", "title": PATIENT})).json()["token"]
        opened = await site.client().post(f"{API}/links/open", json={"token": link})
        token = (await ivan.post(f"{API}/account/tokens", json={"title": PATIENT})).json()["token"]
        bearer = await site.client().get(f"{API}/slides?search={token}", headers={"authorization": f"Bearer {token}"})
        session = (await ivan.post(f"{API}/sessions", json={"slides": ["visual"], "nickname": PATIENT})).json()
        await site.client().post(f"{API}/sessions/{session['code']}/join", json={"nickname": "B", "passcode": "x"})
        secrets += [link, token, session["code"], *opened.cookies.values()]
        assert (opened.status_code, bearer.status_code) == (200, 200)
    assert len(lines.of("request")) > len(statuses)
    assert MARK not in lines.text.lower()
    for secret in secrets:
        assert secret not in lines.text


async def test_what_the_server_itself_refuses_is_not_repeated_in_the_log_op52(
    world: World, tmp_path: Path, lines: Lines
) -> None:
    async with serving(world.copy(tmp_path / "store").store) as served:
        for sent in (f"GET /{MARK} HTTP/9\r\n\r\n", f"{MARK}\r\n\r\n", f"GET /?{MARK} HTTP/1.1\r\nHost {MARK}\r\n\r\n"):
            reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
            writer.write(sent.encode())
            await reader.read()
            writer.close()
    assert MARK not in lines.text
