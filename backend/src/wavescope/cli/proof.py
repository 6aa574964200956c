"""``wavescope prove``"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from socket import socket
from typing import TYPE_CHECKING

from wavescope.cli.configured import config_of
from wavescope.cli.opening.running import address_of, is_ready
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, result
from wavescope.cli.receipt import check
from wavescope.cli.store import opened_catalog
from wavescope.client.locations import RemoteLocation, location_of
from wavescope.client.slide import open_slide
from wavescope.config import Config
from wavescope.errors import InvalidParameter, MissingPackage, Unavailable
from wavescope.proof.browsers import window
from wavescope.proof.comparison import Seen, Wanted, compared
from wavescope.proof.page import PAGE
from wavescope.proof.report import Report, private_key

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST_VIEWS = 100_000
SECONDS = 60.0
"""In which the service of the store begins."""
EVERY = 5.0
"""Seconds between lines of progress."""
WRITTEN = 30.0
"""Seconds after which what was seen is written: a proof that ends early is continued from there."""


def run(arguments: argparse.Namespace) -> int:
    """Show views of a slide in browsers, compare them with its pixels, and write the report."""
    if arguments.check is not None:
        return check(arguments)
    if len(arguments.slide) != 1:
        raise InvalidParameter("SLIDE", " ".join(arguments.slide), "one slide")
    if not 1 <= arguments.views <= MOST_VIEWS:
        raise InvalidParameter("--views", arguments.views, f"1 to {MOST_VIEWS}")
    if find_spec("selenium") is None:
        raise MissingPackage("selenium", "a proof of display", "prove")
    key = None if arguments.key is None else private_key(arguments.key)
    names, wanted = list(dict.fromkeys(arguments.browser or ["chromium"])), Wanted(arguments.views, arguments.seed)
    with _page(arguments) as page, open_slide(page) as slide:
        proof = Report(arguments.out, (page.rsplit("/", 1)[-1], slide.version), wanted, names)
        if known := proof.resume(key):
            print_stderr(f"the unfinished report in {arguments.out} is continued: {known} views are known")
        saved = _Saved(proof, key, wanted)
        try:
            for name in (one for one in names if not proof.is_complete(one)):
                with window(name) as opened:
                    compared(opened, page, slide, wanted, proof.before(name), saved)
        finally:
            if saved.begun:
                report = proof.write(key)
    if arguments.json:
        result({**report, "browsers": [{**one, "views": len(one["views"])} for one in report["browsers"]]})
    else:
        for one in report["browsers"]:
            print_line(f"{one['name']} {one['version']}: {one['equal']} of {len(one['views'])} screens equal the slide")
        print_line(f"the report is {arguments.out / PAGE}, {'signed' if key else 'not signed'}")
    return OK if report["equal"] else DAMAGED


@contextmanager
def _page(arguments: argparse.Namespace) -> Iterator[str]:
    """The address of the slide's page, of a service that is started for it if there is none."""
    (name,) = arguments.slide
    if "://" in name:
        location = location_of(name)
        if not isinstance(location, RemoteLocation):
            raise InvalidParameter("SLIDE", name, "a slide of the store, or the address of its page")
        yield f"{location.base}/slides/{location.slide}"
        return
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        catalog.get(name)  # raises UnknownSlide
    with _served(config) as address:
        yield f"{address}/slides/{name}"


@contextmanager
def _served(config: Config) -> Iterator[str]:
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "wavescope.cli", "serve", "--store", str(config.store), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as service:
        try:
            _await(address_of(port), service)
            yield address_of(port)
        finally:
            service.terminate()


def _await(address: str, service: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + SECONDS
    while service.poll() is None and time.monotonic() < end:
        if is_ready(address):
            return
        time.sleep(0.1)
    raise Unavailable("the service of this store", "it does not start; wavescope serve says why")


class _Saved:
    """Takes what is seen into the report, writes that now and then, and says how far it is."""

    def __init__(self, report: Report, key: Ed25519PrivateKey | None, wanted: Wanted) -> None:
        self._report, self._key, self._wanted = report, key, wanted
        self._said = self._written = time.monotonic()
        self.begun = False

    def __call__(self, seen: Seen) -> None:
        self._report.add(seen)
        self.begun, now, done = True, time.monotonic(), len(seen.views)
        if now >= self._said + EVERY or (done == self._wanted.views and not seen.colours):
            self._said = now
            print_stderr(f"{seen.name}: {done} of {self._wanted.views} views")
        if now >= self._written + WRITTEN:
            self._report.write(self._key)
            self._written = time.monotonic()
