"""What the figures of the classroom must be (issue 13), and what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from edge.equal import Equal

MAX_BYTES = 1.02
"""Wide-area bytes : distinct bytes, where the cache has room for all that the class looks at."""
MAX_MEAN = 0.5
"""Mean response time : that without an edge."""
MAX_OF_DZI = 0.6
"""Our bytes : those of a DZI that is nowhere better."""
CLIENTS = 8


class Target(NamedTuple):
    """``value`` is to be at most ``limit``."""

    text: str
    value: float
    limit: float

    @property
    def met(self) -> bool:
        return self.value <= self.limit


def targets(records: Sequence[dict[str, Any]], equals: Sequence[Equal]) -> list[Target]:
    """All that the figures allow; none of the classroom without its rows for eight clients."""
    full = [record for record in records if record["clients"] == CLIENTS]
    plain = {record["fetch"]: record for record in full if record["row"].startswith("no edge")}
    found = [target for record in full if record["cache"] for target in _of_edge(record, plain.get(record["fetch"]))]
    return [*found, *_beside_dzi(equals)]


def _of_edge(record: dict[str, Any], plain: dict[str, Any] | None) -> Iterator[Target]:
    name, times = record["row"], record["response_seconds"]
    if record["cache"] > record["distinct_bytes"]:
        yield Target(
            f"{name}: wide-area : distinct bytes", record["wide_area_bytes"] / record["distinct_bytes"], MAX_BYTES
        )
    if plain and record["layers"] is None:
        before = plain["response_seconds"]
        yield Target(f"{name}: mean response : without an edge", times["mean"] / before["mean"], MAX_MEAN)
        yield Target(f"{name}: variance : without an edge", times["variance"] / before["variance"], 1.0)


def _beside_dzi(equals: Sequence[Equal]) -> Iterator[Target]:
    """Of the complete picture, beside the usual DZI."""
    most = max((equal.layers for equal in equals), default=0)
    for equal in equals:
        if equal.usual and equal.layers == most:
            yield Target(f"all layers : DZI Q{equal.weakest:.1f}, nowhere better", equal.ratio_at_weakest, MAX_OF_DZI)
            yield Target("all layers : DZI with the same PSNR on each level", equal.ratio_by_level, MAX_OF_DZI)


def lines(found: Sequence[Target]) -> list[tuple[str, str, str, str]]:
    """Rows of a table: what, value, limit, verdict."""
    return [(each.text, f"{each.value:.3f}", f"{each.limit:g}", "met" if each.met else "MISSED") for each in found]
