"""Starting the service."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from wavescope.deferred import permanent

with permanent():
    import uvicorn

    from wavescope.api.app import build_app
    from wavescope.api.servers.http_socket import CLOSE
    from wavescope.api.servers.live_socket import LiveSocket
    from wavescope.api.servers.repeated_blocks import BlockSocket
    from wavescope.config import Config
    from wavescope.errors import InvalidParameter
    from wavescope.logs.lines import configure
    from wavescope.service.composition import Services, compose
    from wavescope.service.outages import Backoff, CatalogRetry
    from wavescope.sessions.limits import MESSAGE_BYTES

if TYPE_CHECKING:
    from fastapi import FastAPI

TICK = 0.1  # seconds: uvicorn's headers with the date are renewed in every tenth
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


Announce = Callable[[str], None]


def create_app(config: Config | None = None) -> FastAPI:
    """The application; without a config, as the environment says."""
    config = config or Config.from_env()
    configure(config.log_level, config.log_format)
    return build_app(_composed(config))


def _composed(config: Config) -> Services:
    """The service; waits for a catalog whose database does not answer yet."""
    return CatalogRetry(Backoff(config.limits.database_seconds)).run_blocking("start", lambda: compose(config))


def serve(config: Config, announce: Announce = lambda _: None) -> None:
    """Serves until it is interrupted. Bound to loopback, it answers only to names of loopback (WI33). ``announce`` is
    called with the address, once it serves.

    Raises InvalidParameter for an address that others reach, without accounts.
    """
    host = config.listen_host
    if config.access == "local" and not is_loopback(host) and not config.open_to_all:
        raise InvalidParameter(
            "--host",
            host,
            "a loopback address, because without accounts anyone who reaches the service may do everything; set "
            "WAVESCOPE_ACCESS=accounts, or WAVESCOPE_OPEN_TO_ALL=1 if that is what you want",
        )
    config = answering_loopback_names(config) if is_loopback(host) else config
    with permanent():
        app = create_app(config)
    Server(server_config(app, host, config.listen_port), announce).run()


def answering_loopback_names(config: Config) -> Config:
    """For a service on loopback: unless other names are set, it answers to those of loopback alone (WI33)."""
    return config if config.allowed_hosts else replace(config, allowed_hosts=LOOPBACK_NAMES)


class AnnouncingServer(uvicorn.Server):
    """Calls ``announce`` with its address, once it serves."""

    def __init__(self, config: uvicorn.Config, announce: Announce = lambda _: None) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            host, port = self.config.host, self.servers[0].sockets[0].getsockname()[1]
            self._announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")


class Server(AnnouncingServer):
    """Ends the streams that would otherwise prevent it from stopping."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        services = self.config.app.state.api.services  # type: ignore[union-attr]
        services.health.drain()
        await self._drain(services.config.drain_seconds)
        services.jobs.end_events()
        services.exports.give_up()
        await services.sessions.hand_over()
        await super().shutdown(sockets)

    async def _drain(self, seconds: float) -> None:
        """Serves for so long, so that a balancer finds that the service is not ready and sends requests elsewhere
        (CL17). Each connection ends with its next answer.
        """
        if seconds > 0:
            self.config.encoded_headers.append(CLOSE)
        for tick in range(round(seconds / TICK)):
            await self.on_tick(tick)
            if self.force_exit:
                return
            await asyncio.sleep(TICK)


def server_config(app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """How the HTTP server runs; requests are logged by the application (OP53)."""
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        proxy_headers=False,  # the application's own middleware believes trusted proxies only
        http=BlockSocket,
        ws=LiveSocket,
        ws_max_size=MESSAGE_BYTES,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        ws_per_message_deflate=False,  # messages are small, and each connection would need memory for it
        timeout_keep_alive=75,
        timeout_graceful_shutdown=3,
    )


def is_loopback(host: str) -> bool:
    """Whether a bound address can be reached from this machine only."""
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return False
    return all(address[4][0] in ("::1", "127.0.0.1") or str(address[4][0]).startswith("127.") for address in found)
