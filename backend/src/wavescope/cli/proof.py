"""``wavescope prove``"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.util import find_spec
from socket import socket

from wavescope.cli.configured import config_of
from wavescope.cli.opening.running import address_of, is_ready
from wavescope.cli.output import DAMAGED, OK, print_line, print_stderr, result
from wavescope.cli.store import opened_catalog
from wavescope.client.locations import RemoteLocation, location_of
from wavescope.client.slide import Slide, open_slide
from wavescope.config import Config
from wavescope.errors import InvalidParameter, MissingPackage, StaleVersion, Unavailable, UnknownSlide
from wavescope.proof.browsers import window
from wavescope.proof.comparison import Seen, compared
from wavescope.proof.receipt import ShownSlide, checked, read_receipt, sentences
from wavescope.proof.report import PAGE, described, private_key, write

MOST_VIEWS = 100_000
SECONDS = 60.0
"""In which the service of the store begins."""
EVERY = 5.0
"""Seconds between lines of progress."""


def run(arguments: argparse.Namespace) -> int:
    """Show views of a slide in browsers, compare them with its pixels, and write the report."""
    if arguments.check is not None:
        return _check(arguments)
    if not 1 <= arguments.views <= MOST_VIEWS:
        raise InvalidParameter("--views", arguments.views, f"1 to {MOST_VIEWS}")
    if find_spec("selenium") is None:
        raise MissingPackage("selenium", "a proof of display", "prove")
    key = None if arguments.key is None else private_key(arguments.key)
    begun, names = datetime.now(UTC), list(dict.fromkeys(arguments.browser or ["chromium"]))
    with _page(arguments) as page, open_slide(page) as slide:
        all_seen: list[Seen] = []
        for name in names:
            with window(name) as opened:
                reported = _progress(name, arguments.views)
                all_seen.append(compared(opened, page, slide, arguments.views, arguments.seed, reported))
        slide_id = page.rsplit("/", 1)[-1]
        report = described(slide_id, slide.version, arguments.seed, (begun, datetime.now(UTC)), all_seen)
    write(arguments.out, report, all_seen, key)
    if arguments.json:
        result({**report, "browsers": [{**one, "views": len(one["views"])} for one in report["browsers"]]})
    else:
        for one in report["browsers"]:
            print_line(f"{one['name']} {one['version']}: {one['equal']} of {len(one['views'])} screens equal the slide")
        print_line(f"the report is {arguments.out / PAGE}, {'signed' if key else 'not signed'}")
    return OK if report["equal"] else DAMAGED


def _check(arguments: argparse.Namespace) -> int:
    """Compare a receipt with the slide, and say what holds."""
    receipt = read_receipt(arguments.check)
    with _version(arguments, receipt.slide) as slide:
        found = checked(receipt, slide)
    if arguments.json:
        result({**asdict(found), "holds": found.holds})
    else:
        for sentence in sentences(receipt, found):
            print_line(sentence)
    return OK if found.holds else DAMAGED


def _version(arguments: argparse.Namespace, shown: ShownSlide) -> Slide:
    """The slide in the version that was shown if it is still there, else as it is now."""
    if "://" in arguments.slide:
        place = arguments.slide
        former = f"{place.partition('#')[0].rstrip('/')}/v/{shown.digest}"
    else:
        store = config_of(arguments).store
        place, former = str(store / arguments.slide), str(store / shown.digest)
    slide = open_slide(place)
    if slide.version.digest != shown.digest and place.endswith(f"/{shown.id}"):
        with suppress(StaleVersion, UnknownSlide):
            opened = open_slide(former)
            slide.close()
            return opened
    return slide


@contextmanager
def _page(arguments: argparse.Namespace) -> Iterator[str]:
    """The address of the slide's page, of a service that is started for it if there is none."""
    if "://" in arguments.slide:
        location = location_of(arguments.slide)
        if not isinstance(location, RemoteLocation):
            raise InvalidParameter("SLIDE", arguments.slide, "a slide of the store, or the address of its page")
        yield f"{location.base}/slides/{location.slide}"
        return
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        catalog.get(arguments.slide)  # raises UnknownSlide
    with _served(config) as address:
        yield f"{address}/slides/{arguments.slide}"


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


def _progress(name: str, views: int) -> Callable[[int], None]:
    """Lines on stderr, not more than one in some seconds."""
    reported = time.monotonic()

    def report(done: int) -> None:
        nonlocal reported
        if time.monotonic() >= reported + EVERY or done == views:
            reported = time.monotonic()
            print_stderr(f"{name}: {done} of {views} views")

    return report
