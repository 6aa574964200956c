"""The scenario in virtual time: exact, the same on every machine, without sockets."""

from __future__ import annotations

from blocks.replicated.shaped import Link, ShapedOrigin, blocks
from blocks.replicated.virtual_time import run_virtually
from replication.scenarios import SLIDES, Outcome, Reading, Scenario, Way, run

BLOCK = 14_000  # bytes: 64 of them are a field of view of a real slide (decision 0009)
BATCH, SECONDS = 64, 30.0


def run_virtual(scenario: Scenario, way: Way) -> Outcome:
    """One row of the table."""
    trunks: dict[str, Link] = {}

    def open_origin(edge: str, origin: str, slides: set[str]) -> ShapedOrigin:
        wire = scenario.wires[edge][origin]
        link = Link(wire.bytes_per_second, wire.round_trip)
        link = trunks.setdefault(wire.trunk, link) if wire.trunk else link
        return ShapedOrigin(link, slides, BLOCK)

    reading = Reading(dict.fromkeys(SLIDES, blocks(600)), BATCH, SECONDS)
    return run_virtually(run(scenario, way, reading, open_origin))
