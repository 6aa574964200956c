"""``wavescope workload trace`` and ``replay``."""

from __future__ import annotations

import argparse
import asyncio
import json

from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.errors import InvalidParameter, MissingPackage
from wavescope_lab.cli.workload.options import PATTERNS
from wavescope_lab.replay.base import Viewer
from wavescope_lab.replay.blocks import BlockViewer, Fetch, Options
from wavescope_lab.replay.driver import replay as replay_trace
from wavescope_lab.replay.exchange import Exchange
from wavescope_lab.replay.plots import write_plots
from wavescope_lab.replay.report import lines, report
from wavescope_lab.replay.tiles import TileViewer
from wavescope_lab.workload.trace import Plan, make_trace, read_trace, write_trace


def trace(parsed: argparse.Namespace) -> int:
    """Write a trace."""
    patterns = PATTERNS[parsed.pattern]
    plan = Plan(
        parsed.slide,
        parsed.size,
        parsed.clients,
        parsed.requests,
        parsed.seed,
        patterns,
        parsed.reading,
        parsed.view,
    )
    requests = make_trace(plan)
    parsed.file.write_text(write_trace(requests))
    print_line(f"{len(requests)} requests of {plan.clients} clients in {parsed.file}")
    return OK


def kind_of(url: str) -> str:
    """The kind of server that an address stands for."""
    path = url.partition("?")[0]
    return "dzi" if path.endswith((".dzi", ".xml")) else "iiif" if path.endswith("/info.json") else "blocks"


def replay(parsed: argparse.Namespace) -> int:
    """Replay a trace and report what it took."""
    requests = read_trace(parsed.file.read_text())
    if parsed.clients is not None:
        requests = [request for request in requests if request.client < parsed.clients]
    if not requests:
        raise InvalidParameter("clients", parsed.clients, "at least 1")
    if parsed.layers is not None and parsed.layers < 1:
        raise InvalidParameter("layers", parsed.layers, "at least 1")
    kind = parsed.kind or kind_of(parsed.url)
    if parsed.layers is not None and kind != "blocks":
        raise InvalidParameter("layers", parsed.layers, f"none for {kind}, whose tiles have no layers")
    if parsed.out:
        parsed.out.mkdir(parents=True, exist_ok=True)
    slide = requests[0].slide
    headers = {"authorization": f"Bearer {parsed.token_file.read_text().strip()}"} if parsed.token_file else {}

    def open_viewer() -> Viewer:
        if kind == "blocks":
            return BlockViewer(Options(parsed.url, slide, Fetch(parsed.fetch), parsed.layers), Exchange(headers))
        return TileViewer(parsed.url, Exchange(headers))

    figures = report(asyncio.run(replay_trace(requests, open_viewer, parsed.think, parsed.seconds)))
    if parsed.out:
        (parsed.out / "report.json").write_text(json.dumps(figures, indent=1) + "\n")
        try:
            write_plots(parsed.out, figures)
        except MissingPackage as error:
            print_stderr(str(error))
    if parsed.json:
        result(figures)
        return OK
    for line in lines(figures):
        print_line(line)
    return OK
