"""The service behind a real nginx with the shipped configuration (OP10 to OP14, OP20, OP31)."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.typing import Origin

from api.asking import API, problem
from api.processes import free_port
from api.test_server import serving
from wavescope.config import Limits, Rates

SHIPPED = Path(__file__).parents[3] / "shared" / "operations" / "nginx.conf"
NAME = "slides.example.org"
PROGRAMS = (shutil.which("nginx"), shutil.which("openssl"))
pytestmark = pytest.mark.skipif(None in PROGRAMS, reason="nginx and openssl are not installed")


@asynccontextmanager
async def nginx(folder: Path, service: int, replaced: dict[str, str] | None = None) -> AsyncIterator[httpx.AsyncClient]:
    """The shipped configuration on a port of loopback, ``replaced`` in it; a client that trusts its certificate."""
    folder.mkdir()
    key, certificate = folder / "key.pem", folder / "fullchain.pem"
    request = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN={NAME}"
    names = f"subjectAltName=DNS:{NAME},IP:127.0.0.1"
    subprocess.run(
        [*request.split(), "-addext", names, "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    port, plain = free_port(), free_port()
    text = SHIPPED.read_text()
    for old, new in {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "listen 80": f"listen 127.0.0.1:{plain}",
        "/etc/ssl/wavescope": str(folder),
        "127.0.0.1:8000": f"127.0.0.1:{service}",
        **(replaced or {}),
    }.items():
        assert old in text
        text = text.replace(old, new)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr warn;\n"
        f"events {{}}\nhttp {{ access_log off;\n{temporary}{text}}}\n"
    )
    child = await asyncio.create_subprocess_exec("nginx", "-p", str(folder), "-c", str(configuration))
    context = ssl.create_default_context(cafile=str(certificate))
    headers = {"host": f"{NAME}:{port}", "origin": f"https://{NAME}:{port}"}
    try:
        async with (
            httpx.AsyncClient(base_url=f"https://127.0.0.1:{port}", verify=context, headers=headers) as client,
            asyncio.timeout(30),
        ):
            while child.returncode is None:
                try:
                    await client.get("/healthz")
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.02)
            yield client
    finally:
        child.terminate()
        await child.wait()


async def test_accounts_uploads_and_live_sessions_work_through_the_shipped_proxy_op12_op14_op20_op31(
    tmp_path: Path,
) -> None:
    options = {
        "access": "accounts",
        "allowed_hosts": (NAME,),
        "trusted_proxies": ("127.0.0.1",),
        "rate_limits": True,
        "rates": Rates(rate_sign_in_failures="2 per hour"),
        "limits": Limits(upload_bytes=1000),
    }
    async with (
        serving(tmp_path / "store", **options) as served,
        nginx(tmp_path / "nginx", served.port) as client,
    ):
        answer = await client.get("/readyz")
        assert answer.json()["status"] == "ready"
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert (await client.get(f"{API}/account")).json()["mode"] == "accounts"
        wrong = {"name": "ada", "password": "wrong password"}
        assert problem(await client.post(f"{API}/sign-in", json=wrong)) == (401, "wrong-credentials")
        other = await client.get(f"{API}/account", headers={"host": "other.example.org"})
        assert problem(other) == (403, "forbidden")
        assert "WAVESCOPE_ALLOWED_HOSTS" in other.json()["detail"]
        upload = await client.post(f"{API}/uploads?filename=a.svs", content=b"x" * 2000)
        assert upload.status_code in (401, 413)
        trusted = ssl.create_default_context(cafile=tmp_path / "nginx" / "fullchain.pem")
        origin, port = client.headers["origin"], client.base_url.port
        address = f"wss://{NAME}:{port}{API}/sessions/{'0' * 32}/live"
        async with connect(address, ssl=trusted, host="127.0.0.1", port=port, origin=Origin(origin)) as socket:
            await socket.wait_closed()
            assert socket.close_code == 4401  # not a member: the handshake came through


async def test_a_proxy_without_upgrade_headers_is_named_as_the_cause_op14(tmp_path: Path) -> None:
    lost = {"proxy_set_header Upgrade $http_upgrade;": "", "proxy_set_header Connection $connection_upgrade;": ""}
    async with (
        serving(tmp_path / "store", open_to_all=True, trusted_proxies=("127.0.0.1",)) as served,
        nginx(tmp_path / "nginx", served.port, lost) as client,
    ):
        handshake = {"upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"}
        answer = await client.get(f"{API}/sessions/0/live", headers=handshake)
        assert problem(answer) == (426, "upgrade-required")
        assert "Upgrade and Connection" in answer.json()["detail"]


async def test_without_accounts_a_proxy_that_rewrites_host_opens_nothing_op10(tmp_path: Path) -> None:
    rewrites = {"proxy_set_header Host $http_host;": "proxy_set_header Host 127.0.0.1:8000;"}
    async with (
        serving(tmp_path / "store", allowed_hosts=("127.0.0.1",)) as served,
        nginx(tmp_path / "nginx", served.port, rewrites) as client,
    ):
        del client.headers["origin"]
        answer = await client.post(f"{API}/uploads?filename=a.svs", content=b"x")
        assert problem(answer) == (403, "forbidden")
        assert "WAVESCOPE_ACCESS=accounts" in json.loads(answer.content)["detail"]
        assert (await client.get("/readyz")).status_code == 200


def test_the_shipped_configuration_sends_no_claims_of_clients_op12() -> None:
    assert re.search(r"X-Forwarded-For \$remote_addr;", SHIPPED.read_text())
