"""The scenario in virtual time: exact, the same on every machine, without sockets."""

from __future__ import annotations

from blocks.replicated.shaped import Link, ShapedOrigin, blocks
from blocks.replicated.virtual_time import run_virtually
from replication.scenarios import SLIDES, Outcome, Scenario, Way, run

BLOCK = 12_000  # bytes
SECONDS = 30.0


def run_virtual(scenario: Scenario, way: Way) -> Outcome:
    """One row of the table."""
    trunks: dict[str, Link] = {}

    def open_origin(edge: str, origin: str, slides: set[str]) -> ShapedOrigin:
        wire = scenario.wires[edge][origin]
        link = Link(wire.bytes_per_second, wire.round_trip)
        link = trunks.setdefault(wire.trunk, link) if wire.trunk else link
        return ShapedOrigin(link, slides, BLOCK)

    some = blocks(600)
    return run_virtually(run(scenario, way, dict.fromkeys(SLIDES, some), open_origin, SECONDS))
