"""Real nginx and real Varnish with the configurations of ``shared/deploy``, on free ports of loopback."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx

from api.processes import free_port

DEPLOY = Path(__file__).parents[3] / "shared" / "deploy"
Running = Callable[[Path, tuple[str, int]], AbstractAsyncContextManager[str]]


def replaced(text: str, changes: dict[str, str]) -> str:
    """The text with other values; each of them must be in it."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx_configuration(shipped: str, folder: Path, origin: tuple[str, int], port: int) -> str:
    """A complete nginx.conf with a shipped part in it, without TLS."""
    changes = {
        "192.0.2.10:8000": "{}:{}".format(*origin),
        "listen 443 ssl": f"listen 127.0.0.1:{port}",
        "/var/cache/nginx/": f"{folder}/cache_",
        "    ssl_certificate     /etc/ssl/wavescope/fullchain.pem;\n": "",
        "    ssl_certificate_key /etc/ssl/wavescope/key.pem;\n": "",
    }
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    head = f"daemon off; master_process off; pid {folder}/pid; error_log stderr warn;\n"
    events = "events { worker_connections 512; }\n"
    return f"{head}{events}http {{ access_log off;\n{temporary}{replaced(shipped, changes)}}}\n"


@asynccontextmanager
async def nginx(
    folder: Path, origin: tuple[str, int], name: str = "nginx-edge.conf", changes: dict[str, str] | None = None
) -> AsyncIterator[str]:
    """A shipped nginx edge; its address."""
    folder.mkdir()
    port = free_port()
    shipped = replaced((DEPLOY / name).read_text(), changes or {})
    (folder / "nginx.conf").write_text(nginx_configuration(shipped, folder, origin, port))
    async with _program(["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")], port) as url:
        yield url


@asynccontextmanager
async def varnish(folder: Path, origin: tuple[str, int]) -> AsyncIterator[str]:
    """The shipped Varnish edge; its address."""
    folder.mkdir()
    port = free_port()
    host, service = origin
    shipped = (DEPLOY / "varnish-edge.vcl").read_text()
    changes = {'.host = "192.0.2.10"': f'.host = "{host}"', '.port = "8000"': f'.port = "{service}"'}
    (folder / "edge.vcl").write_text(replaced(shipped, changes))
    command = ["varnishd", "-F", "-j", "none", "-n", str(folder / "work"), "-a", f"127.0.0.1:{port}"]
    async with _program([*command, "-f", str(folder / "edge.vcl"), "-s", "default,64m"], port) as url:
        yield url


CACHES: dict[str, Running] = {
    name: running
    for name, program, running in (("nginx", "nginx", nginx), ("varnish", "varnishd", varnish))
    if shutil.which(program)
}
"""Those that are installed."""


@asynccontextmanager
async def _program(command: list[str], port: int) -> AsyncIterator[str]:
    quiet = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(*command, stdout=quiet, stderr=quiet)
    url = f"http://127.0.0.1:{port}"
    try:
        async with httpx.AsyncClient(base_url=url) as client, asyncio.timeout(30):
            while child.returncode is None:
                try:
                    await client.get("/healthz")
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.02)
        assert child.returncode is None, f"{command[0]} ended with code {child.returncode}"
        yield url
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()
