"""The outermost middleware: hosts, origins, security headers."""

from __future__ import annotations

import errno
from pathlib import Path

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from api.asking import API, problem, running_client
from service.world import World
from wavescope.api.metrics.registry import Metrics
from wavescope.api.middleware.access_guard import AccessGuard
from wavescope.errors import Unavailable
from wavescope.main import LOOPBACK_NAMES

LOCAL = "http://127.0.0.1:8000"


async def test_every_answer_carries_the_security_headers_pr1(client: httpx.AsyncClient) -> None:
    for path in (f"{API}/slides", f"{API}/nothing", "/healthz", "/"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"


async def test_sites_that_may_read_may_embed_too_pr1(world: World) -> None:
    async with running_client(world.store, cors_origins=("http://friend.example",)) as client:
        assert (await client.get(f"{API}/slides")).headers["cross-origin-resource-policy"] == "cross-origin"


async def test_the_page_may_run_wasm_and_workers_of_the_service_and_nothing_else_pr2_pr3(
    client: httpx.AsyncClient,
) -> None:
    headers = (await client.get("/")).headers
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["style-src-attr"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["worker-src"] == policy["connect-src"] == "'self'"
    assert "http" not in headers["content-security-policy"]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    given_up = headers["permissions-policy"].split(", ")
    assert {f"{name}=()" for name in ("camera", "microphone", "geolocation", "payment", "usb")} <= set(given_up)
    assert "content-security-policy" not in (await client.get(f"{API}/slides")).headers


HOSTS = {"127.0.0.1:8000": 200, "localhost": 200, "LOCALHOST:1": 200, "[::1]:8000": 200, "evil.example": 403, "": 403}


@pytest.mark.parametrize(("host", "status"), HOSTS.items())
async def test_on_loopback_only_names_of_loopback_are_answered_wi33_op13(world: World, host: str, status: int) -> None:
    async with running_client(world.store, allowed_hosts=LOOPBACK_NAMES) as client:
        response = await client.get(f"{API}/slides", headers={"host": host})
        assert response.status_code == status
        if status == 403:
            assert problem(response) == (403, "forbidden")
            assert "WAVESCOPE_ALLOWED_HOSTS" in response.json()["detail"]
        for path in ("/healthz", "/readyz"):  # probes use addresses (OP13)
            assert (await client.get(path, headers={"host": host})).status_code == 200


ORIGINS = {
    None: 404,
    LOCAL: 404,
    "http://localhost:5173": 404,
    "http://friend.example": 404,
    "http://evil.example": 403,
    "http://127.0.0.1.evil.example": 403,
    "null": 403,
}


@pytest.mark.parametrize(("origin", "status"), ORIGINS.items())
async def test_foreign_pages_may_not_change_anything_wi33(world: World, origin: str | None, status: int) -> None:
    async with running_client(world.store, cors_origins=("http://friend.example",)) as client:
        headers = {"origin": origin} if origin else {}
        for method in ("DELETE", "PATCH"):
            response = await client.request(method, f"{API}/slides/nobody", json={"title": "x"}, headers=headers)
            assert response.status_code == status
        assert (await client.get(f"{API}/slides", headers=headers)).status_code == 200


PAGE, EVIL, FRIEND = "http://127.0.0.1:8000", "http://evil.example", "http://friend.example"
FORGED: dict[str, tuple[dict[str, str], int]] = {
    "the page itself": ({"origin": PAGE}, 404),
    "the page itself behind a proxy that changes the name": (
        {"origin": "https://scope.example", "sec-fetch-site": "same-origin"},
        404,
    ),
    "a listed site": ({"origin": "http://friend.example"}, 404),
    "a site that is not listed, although any may read": ({"origin": EVIL, "sec-fetch-site": "cross-site"}, 403),
    "another service of this machine": ({"origin": "http://127.0.0.1:9999", "sec-fetch-site": "same-site"}, 403),
    "a page without an origin": ({"origin": "null"}, 403),
    "nobody says which page": ({}, 403),
}


@pytest.mark.parametrize("case", FORGED)
async def test_a_change_with_a_cookie_comes_from_a_page_of_the_service_pr6(world: World, case: str) -> None:
    headers, status = FORGED[case]
    async with running_client(world.store, cors_origins=("http://friend.example", "*")) as client:
        asked = {**headers, "cookie": "other=1; wavescope_sign_in=secret"}
        response = await client.delete(f"{API}/slides/nobody", headers=asked)
        assert response.status_code == status
        if status == 403:
            assert problem(response) == (403, "forbidden")
            assert "secret" not in response.text


SOCKETS = {PAGE: None, "": None, EVIL: 1008, "null": 1008}


@pytest.mark.parametrize(("origin", "code"), SOCKETS.items())
async def test_a_websocket_of_a_foreign_page_is_refused_before_it_opens_pr7(origin: str, code: int | None) -> None:
    reached, sent = [], []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["path"])

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    headers = [(b"host", b"127.0.0.1:8000"), (b"cookie", b"wavescope_sign_in=x")]
    headers += [(b"origin", origin.encode())] if origin else []
    await AccessGuard(application, Metrics())({"type": "websocket", "path": "/live", "headers": headers}, receive, send)
    assert (reached, sent) == (["/live"], []) if code is None else ([], [{"type": "websocket.close", "code": code}])


async def test_without_a_list_no_foreign_page_may_read(client: httpx.AsyncClient) -> None:
    response = await client.get(f"{API}/slides", headers={"origin": "http://friend.example"})
    assert "access-control-allow-origin" not in response.headers


async def test_listed_pages_may_read_and_ask_before_they_change(world: World) -> None:
    async with running_client(world.store, cors_origins=("http://friend.example",)) as client:
        asking = {"origin": "http://friend.example", "access-control-request-method": "POST"}
        before = await client.options(f"{API}/slides/visual/v/x/blocks:batch", headers=asking)
        assert before.headers["access-control-allow-origin"] == "http://friend.example"
        read = await client.get(f"{API}/slides", headers={"origin": "http://friend.example"})
        assert read.headers["access-control-allow-origin"] == "http://friend.example"
        other = await client.get(f"{API}/slides", headers={"origin": "http://evil.example"})
        assert "access-control-allow-origin" not in other.headers


TOKEN_ASKED = {"access-control-request-method": "GET", "access-control-request-headers": "authorization"}


@pytest.mark.parametrize(("listed", "allowed"), [((FRIEND,), True), (("*",), False), ((FRIEND, "*"), False)])
async def test_only_sites_listed_by_name_may_send_a_token_and_none_a_cookie_pr8(
    world: World, listed: tuple[str, ...], allowed: bool
) -> None:
    async with running_client(world.store, cors_origins=listed) as client:
        before = await client.options(f"{API}/slides", headers={"origin": FRIEND, **TOKEN_ASKED})
        assert (before.status_code == 200) is allowed
        assert ("Authorization" in before.headers["access-control-allow-headers"]) is allowed
        asked = {"origin": FRIEND, "authorization": "Bearer x", "cookie": "wavescope_sign_in=x"}
        for answer in (before, await client.get(f"{API}/slides", headers=asked)):
            assert "access-control-allow-credentials" not in answer.headers
        other = await client.options(f"{API}/slides", headers={"origin": EVIL, **TOKEN_ASKED})
        assert "access-control-allow-origin" not in other.headers or "*" in listed
        assert other.status_code == 400


async def test_a_mistake_in_the_code_is_a_problem_without_its_inside(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mistake(*_: object) -> None:
        raise ZeroDivisionError("secret")

    async with running_client(world.store) as client:
        monkeypatch.setattr("wavescope.store.version.SlideVersion.block", mistake)
        response = await client.get(f"{API}/slides/visual/v/{world.digests['visual']}/blocks/0/0/0/0/0")
        assert problem(response) == (500, "internal")
        assert "secret" not in response.text
        assert 'status="500"' in (await client.get("/metrics")).text


async def test_the_service_is_not_ready_when_its_catalog_does_not_answer_wi34(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*_: object) -> None:
        raise Unavailable("the catalog", "disk I/O error")

    assert (await client.get("/readyz")).json() == {"status": "ready", "disk": "ok", "catalog": "ok"}
    monkeypatch.setattr("wavescope.catalog.catalog.Catalog.list", silent)
    response = await client.get("/readyz")
    assert problem(response) == (503, "unavailable")
    assert response.headers["retry-after"] == "1"
    assert (await client.get("/healthz")).status_code == 200


async def test_a_full_disk_is_reported_to_the_uploader_and_leaves_nothing(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with running_client(tmp_path) as client:
        monkeypatch.setattr("wavescope.service.jobs.uploads._write", full)
        assert problem(await client.post(f"{API}/uploads?filename=a", content=b"x")) == (507, "store-full")
        assert list((tmp_path / "uploads").iterdir()) == []
