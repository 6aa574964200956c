"""Real proxies with the shipped configurations, on ports of loopback."""

from __future__ import annotations

import asyncio
import os
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from api.processes import free_port

SHIPPED = Path(__file__).parents[3] / "shared" / "operations"
NAME = "slides.example.org"
START_SECONDS = 60.0  # of the service and the proxy


@dataclass(frozen=True)
class Ports:
    """``tls`` and ``plain`` of the proxy, ``service`` behind it."""

    tls: int
    plain: int
    service: int


@dataclass(frozen=True)
class Program:
    """A proxy: its configuration in the guide, what a test replaces in it, and how it is started."""

    file: str
    replaced: Callable[[Ports], dict[str, str]]
    complete: Callable[[str, Path, Ports], str]
    command: tuple[str, ...]


def _nginx(text: str, folder: Path, _ports: Ports) -> str:
    """The shipped part of a configuration in the frame that Debian has around it."""
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr warn;\n"
        f"events {{}}\nhttp {{ access_log off;\n{temporary}{text}}}\n"
    )


def _caddy(text: str, _folder: Path, ports: Ports) -> str:
    ports_of = f"http_port {ports.plain}\nhttps_port {ports.tls}\ndefault_bind 127.0.0.1"
    return text.replace("{\n", f"{{\nadmin off\n{ports_of}\n", 1)


PROGRAMS = {
    "nginx": Program(
        "nginx.conf",
        lambda ports: {
            "/var/log/nginx/wavescope-error.log": "stderr",
            "/var/log/nginx/wavescope.log": "/dev/stderr",
            "listen 443 ssl": f"listen 127.0.0.1:{ports.tls} ssl",
            "listen 80": f"listen 127.0.0.1:{ports.plain}",
        },
        _nginx,
        ("nginx", "-p", "FOLDER", "-c", "FILE"),
    ),
    "caddy": Program(
        "Caddyfile",
        lambda _: {},
        _caddy,
        ("caddy", "run", "--adapter", "caddyfile", "--config", "FILE"),
    ),
    "haproxy": Program(
        "haproxy.cfg",
        lambda ports: {
            "log /dev/log local0": "log stderr format raw local0",
            "bind :443": f"bind 127.0.0.1:{ports.tls}",
            "bind :80": f"bind 127.0.0.1:{ports.plain}",
            " check\n": " check inter 200ms fall 1\n",  # after one failed check of /readyz every answer is 503
        },
        lambda text, _folder, _ports: text,
        ("haproxy", "-db", "-f", "FILE"),
    ),
}


def make_certificate(folder: Path) -> Path:
    """A key, a certificate of NAME, and both in one file as HAProxy reads them; the certificate's path."""
    key, certificate = folder / "key.pem", folder / "fullchain.pem"
    request = f"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN={NAME}"
    names = f"subjectAltName=DNS:{NAME},IP:127.0.0.1"
    subprocess.run(
        [*request.split(), "-addext", names, "-keyout", key, "-out", certificate], check=True, capture_output=True
    )
    (folder / "haproxy.pem").write_bytes(certificate.read_bytes() + key.read_bytes())
    return certificate


def configuration(kind: str, folder: Path, ports: Ports, replaced: Mapping[str, str]) -> str:
    """The shipped configuration with other ports and paths; ``replaced`` in it. Every replaced text must be there."""
    program = PROGRAMS[kind]
    text = (SHIPPED / program.file).read_text()
    for old, new in {
        **program.replaced(ports),
        "/etc/ssl/wavescope": str(folder),
        "127.0.0.1:8000": f"127.0.0.1:{ports.service}",
        **replaced,
    }.items():
        assert old in text, f"{program.file} has no {old}"
        text = text.replace(old, new)
    return program.complete(text, folder, ports)


@asynccontextmanager
async def proxy(
    kind: str, folder: Path, service: int, replaced: Mapping[str, str] | None = None
) -> AsyncIterator[httpx.AsyncClient]:
    """A proxy with the shipped configuration, ``replaced`` in it; a client that trusts its certificate.

    The client comes from 127.0.0.2. Skips where the program is not installed.
    """
    if None in (shutil.which(kind), shutil.which("openssl")):
        pytest.skip(f"{kind} and openssl are not installed (Debian: apt-get install {kind} openssl)")
    folder.mkdir()
    certificate = make_certificate(folder)
    ports = Ports(free_port(), free_port(), service)
    file = folder / PROGRAMS[kind].file
    file.write_text(configuration(kind, folder, ports, replaced or {}))
    (folder / "plain").write_text(f"http://127.0.0.1:{ports.plain}/slides")
    places = {"FOLDER": str(folder), "FILE": str(file)}
    with (folder / "log").open("wb") as log:
        child = await asyncio.create_subprocess_exec(
            *(places.get(part, part) for part in PROGRAMS[kind].command),
            env={**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)},
            stderr=log,
        )
    transport = httpx.AsyncHTTPTransport(
        verify=ssl.create_default_context(cafile=str(certificate)), local_address="127.0.0.2"
    )
    headers = {"host": f"{NAME}:{ports.tls}", "origin": f"https://{NAME}:{ports.tls}"}
    url = f"https://127.0.0.1:{ports.tls}"
    try:
        async with httpx.AsyncClient(base_url=url, transport=transport, headers=headers, timeout=30) as client:
            await _until_it_answers(client, child, folder / "log")
            yield client
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()


def plain_url(folder: Path) -> str:
    """A page at the port without TLS of the proxy that runs in ``folder``."""
    return (folder / "plain").read_text()


async def _until_it_answers(client: httpx.AsyncClient, child: asyncio.subprocess.Process, log: Path) -> None:
    async with asyncio.timeout(START_SECONDS):
        while child.returncode is None:
            try:
                if (await client.get("/healthz")).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            await asyncio.sleep(0.02)
    pytest.fail(f"the proxy ended: {log.read_text()}")
