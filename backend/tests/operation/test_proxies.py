"""The service behind real proxies with the shipped configurations (OP10 to OP14, OP20, OP31)."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from api.accounts import PASSWORD, QUICK
from api.asking import API, problem
from api.test_resumable import TUS, metadata
from api.test_server import Served, serving
from operation.proxies import NAME, PROGRAMS, plain_url, proxy
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.audit import AuditLog
from wavescope.config import Limits, Rates

PATIENCE = 20.0  # seconds, for what must come
UPLOAD = 8 << 20
ACCOUNTS = {
    "access": "accounts",
    "allowed_hosts": (NAME,),
    "trusted_proxies": ("127.0.0.1",),
    "rate_limits": True,
    "rates": Rates(rate_sign_in_failures="2 per hour"),
    "limits": Limits(upload_bytes=2 * UPLOAD),
}


async def follow_an_upload(client: httpx.AsyncClient, served: Served) -> None:
    """The service has written a part of an upload to its disk before the client sends the rest (WI25)."""

    async def content() -> AsyncIterator[bytes]:
        yield b"bad" + bytes(UPLOAD // 2)
        async with asyncio.timeout(PATIENCE):
            while not any(path.is_file() and path.stat().st_size for path in served.uploads()):
                await asyncio.sleep(0.02)
        yield bytes(UPLOAD // 2)

    length = {"content-length": str(3 + 2 * (UPLOAD // 2))}
    sent = await client.post(f"{API}/uploads?filename=a.svs", content=content(), headers=length)
    assert sent.status_code == 202, sent.text
    head = TUS | {"upload-length": str(3 * UPLOAD), "upload-metadata": metadata(filename="a.svs")}
    refused = await client.post(
        f"{API}/uploads/resumable", headers=head
    )  # without a body: Caddy may cut the connection
    assert problem(refused) == (413, "too-large")


@pytest.mark.parametrize("kind", PROGRAMS)
async def test_accounts_uploads_and_live_sessions_work_through_the_shipped_proxies_op12_op14_op20_op31(
    kind: str, tmp_path: Path
) -> None:
    async with (
        serving(tmp_path / "store", **ACCOUNTS) as served,
        proxy(kind, tmp_path / kind, served.port) as client,
    ):
        Accounts(served.service.catalog).add("ada", "Ada", "instructor", QUICK)
        answer = await client.get("/readyz")
        assert answer.json()["status"] == "ready"
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert (await client.get(f"{API}/account")).json()["mode"] == "accounts"
        wrong = {"name": "nobody", "password": "wrong password"}
        forged = {"x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "http", "forwarded": "for=203.0.113.9"}
        assert problem(await client.post(f"{API}/sign-in", json=wrong, headers=forged)) == (401, "wrong-credentials")
        other = await client.get(f"{API}/account", headers={"host": "other.example.org"})
        if kind != "caddy":  # it answers to no other name itself
            assert problem(other) == (403, "forbidden")
            assert "WAVESCOPE_ALLOWED_HOSTS" in other.json()["detail"]

        signed_in = await client.post(f"{API}/sign-in", json={"name": "ada", "password": PASSWORD})
        assert signed_in.status_code == 200
        cookies = signed_in.headers.get_list("set-cookie")
        assert cookies
        assert all("secure" in cookie.lower() for cookie in cookies)  # X-Forwarded-Proto arrived
        await follow_an_upload(client, served)

        trusted = ssl.create_default_context(cafile=tmp_path / kind / "fullchain.pem")
        origin, port = client.headers["origin"], client.base_url.port
        address = f"wss://{NAME}:{port}{API}/sessions/{'0' * 32}/live"
        async with connect(address, ssl=trusted, host="127.0.0.1", port=port, origin=Origin(origin)) as socket:
            await socket.wait_closed()
            assert socket.close_code == 4401  # not a member: the handshake came through

        async with httpx.AsyncClient() as plain:
            redirected = await plain.get(plain_url(tmp_path / kind), headers={"host": NAME})
        assert redirected.status_code in (301, 308)
        assert redirected.headers["location"].startswith(f"https://{NAME}")

        await served.service.audit.stop()  # when all is written
        entries = [record.entry for record in AuditLog(served.service.catalog.engine).all()]
        assert {entry.address for entry in entries if entry.action.startswith("sign")} == {"127.0.0.2"}


@pytest.mark.parametrize("kind", PROGRAMS)
async def test_the_logs_of_the_shipped_proxies_have_no_queries_op31(kind: str, tmp_path: Path) -> None:
    async with AsyncExitStack() as service:
        served = await service.enter_async_context(serving(tmp_path / "store", **ACCOUNTS))
        async with proxy(kind, tmp_path / kind, served.port) as client:
            for site in (str(client.base_url), plain_url(tmp_path / kind).removesuffix("/slides")):
                await client.get(f"{site}{API}/slides?search=PLANTED")
            from_search = {"referer": f"https://{NAME}/?search=PLANTED"}
            await client.post(f"{API}/uploads?filename=PLANTED.svs", content=b"x", headers=from_search)
            await service.aclose()
            answer = await client.get(f"{API}/slides?search=PLANTED")
            assert answer.status_code in (502, 503)
    log = (tmp_path / kind / "log").read_text()
    assert "/slides" in log
    assert "PLANTED" not in log


async def test_a_proxy_without_upgrade_headers_is_named_as_the_cause_op14(tmp_path: Path) -> None:
    lost = {"proxy_set_header Upgrade $http_upgrade;": "", "proxy_set_header Connection $connection_upgrade;": ""}
    async with (
        serving(tmp_path / "store", open_to_all=True, trusted_proxies=("127.0.0.1",)) as served,
        proxy("nginx", tmp_path / "nginx", served.port, lost) as client,
    ):
        handshake = {"upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"}
        answer = await client.get(f"{API}/sessions/0/live", headers=handshake)
        assert problem(answer) == (426, "upgrade-required")
        assert "Upgrade and Connection" in answer.json()["detail"]


async def test_without_accounts_a_proxy_that_rewrites_host_opens_nothing_op10(tmp_path: Path) -> None:
    rewrites = {"proxy_set_header Host $http_host;": "proxy_set_header Host 127.0.0.1:8000;"}
    async with (
        serving(tmp_path / "store", allowed_hosts=("127.0.0.1",)) as served,
        proxy("nginx", tmp_path / "nginx", served.port, rewrites) as client,
    ):
        del client.headers["origin"]
        answer = await client.post(f"{API}/uploads?filename=a.svs", content=b"x")
        assert problem(answer) == (403, "forbidden")
        assert "WAVESCOPE_ACCESS=accounts" in json.loads(answer.content)["detail"]
        assert (await client.get("/readyz")).status_code == 200
