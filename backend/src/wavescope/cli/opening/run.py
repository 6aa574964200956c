"""``wavescope open``: imports files into the store of this user, serves it on loopback, opens the browser."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import replace

from wavescope.cli.announcing import announce
from wavescope.cli.configured import flags_of
from wavescope.cli.opening.imports import FileToOpen, page_of, report_end, stored_page, wanted
from wavescope.cli.opening.running import address_of, is_served, noted, running_address
from wavescope.cli.opening.user_store import user_store
from wavescope.cli.output import OK, print_line, print_stderr
from wavescope.cli.store import opened_catalog
from wavescope.config import Config, Resolved
from wavescope.errors import InvalidParameter, WavescopeError
from wavescope.main import Server, answering_loopback_names, create_app, server_config
from wavescope.service.composition import Services
from wavescope.store.durable import make_directory

HOST = "127.0.0.1"
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
BROWSER_SECONDS = 10.0


def run(arguments: argparse.Namespace) -> int:
    """Show the files until interrupted; at once if another ``wavescope open`` serves the store."""
    resolved = Resolved.of(None, **flags_of(arguments), listen_port=arguments.port)
    config = _personal(resolved)
    files = [wanted(file) for file in arguments.files]
    make_directory(config.store)
    if is_served(config.store):
        page = _imported_here(arguments, config, files)
        address = running_address(config.store)
        if address is not None:
            opening = show(address + page, browser=not arguments.no_browser)
            if opening is not None:
                opening.join(BROWSER_SECONDS)
            return OK
    listening = _bound(config.listen_port, strict=resolved.found["listen_port"].source != "default")
    with listening:
        _serve(config, listening, files, arguments)
    return OK


def _personal(resolved: Resolved) -> Config:
    """The settings of a service for one person on this machine (IN11). Raises InvalidParameter."""
    config = resolved.config
    if config.access != "local":
        raise InvalidParameter("access", config.access, "local; a service with accounts starts with: wavescope serve")
    if resolved.found["store"].source == "default":
        config = replace(config, store=user_store())
    if resolved.found["log_level"].source == "default":
        config = replace(config, log_level="warning")
    return answering_loopback_names(replace(config, listen_host=HOST, store=config.store.absolute()))


def _bound(port: int, *, strict: bool) -> socket.socket:
    """A socket on the port, or on any free one unless ``strict`` (IN10). Raises InvalidParameter."""
    if not 0 <= port <= 65535:
        raise InvalidParameter("--port", port, "0 to 65535")
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        if strict:
            listening.close()
            raise InvalidParameter("--port", port, "a port that is free") from error
        listening.bind((HOST, 0))
    return listening


def _serve(
    config: Config, listening: socket.socket, files: Sequence[FileToOpen], arguments: argparse.Namespace
) -> None:
    port: int = listening.getsockname()[1]
    server = OpeningServer(replace(config, listen_port=port), files, arguments)
    try:
        with noted(config.store, port):
            server.run(sockets=[listening])
    except KeyboardInterrupt:
        print_stderr("stopped; what is not imported yet goes on when the file is opened again")
    if server.failure is not None:
        raise server.failure


class OpeningServer(Server):
    """Serves; as soon as it does, it queues the files and shows the first one."""

    failure: Exception | None = None

    def __init__(self, config: Config, files: Sequence[FileToOpen], arguments: argparse.Namespace) -> None:
        super().__init__(server_config(create_app(config), HOST, config.listen_port))
        self._address, self._files, self._arguments = address_of(config.listen_port), files, arguments
        self._store, self._log_format = config.store, config.log_format
        self._reports: list[asyncio.Task[None]] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        try:
            page = await self._pages(self.config.app.state.api.services)  # type: ignore[union-attr]
        except (WavescopeError, OSError) as error:
            self.failure, self.should_exit = error, True
            return
        text = f"serving {self._store}, Ctrl-C to stop"
        announce(self._log_format, text, "serving", address=self._address)
        show(self._address + page, browser=not self._arguments.no_browser)

    async def _pages(self, services: Services) -> str:
        """The page of the first file; of none, the gallery."""
        pages = []
        for one in self._files:
            page, job_id = await page_of(services.catalog, services.jobs, one, self._arguments.quality)
            pages.append(page)
            if job_id is not None:
                report = report_end(services.jobs, job_id, one.file.name, self._address)
                self._reports.append(asyncio.create_task(report))
        return pages[0] if pages else "/"


def _imported_here(arguments: argparse.Namespace, config: Config, files: Sequence[FileToOpen]) -> str:
    """The page of the first file, imported by this command: another process runs the jobs of the store (IN14)."""
    from wavescope.cli.imports.ingest import run as ingest

    pages = []
    for one in files:
        with opened_catalog(config, create=True) as catalog:
            page = stored_page(catalog, one)
        if page is None:
            chosen = {"quality": arguments.quality, "config": arguments.config, "store": str(config.store)}
            with contextlib.redirect_stdout(sys.stderr):  # standard output is for the address (IN10)
                ingest(argparse.Namespace(files=[str(one.file)], **chosen, **_INGEST))
            with opened_catalog(config) as catalog:
                page = stored_page(catalog, one)
        pages.append(page or "/")
    return pages[0] if pages else "/"


_INGEST = {
    "id": None,
    "time": 1,
    "title": None,
    "steps": None,
    "owner": None,
    "if_new": True,
    "deidentify": False,
    "keep_original": None,
    "workers": None,
    "dask": None,
    "json": False,
}
"""The options of ``wavescope ingest`` that ``wavescope open`` does not have."""


def show(address: str, *, browser: bool) -> threading.Thread | None:
    """Prints the address and opens the browser of the desktop, if there is one, in a thread that may outlast it."""
    print_line(address)
    if not browser or not (sys.platform == "darwin" or any(map(os.environ.get, DISPLAYS))):
        return None
    opening = threading.Thread(target=webbrowser.open, args=(address,), daemon=True)
    opening.start()
    return opening
