"""What equipment costs."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope_lab.planning.situation import Equipment, Number, Situation, checked

MAX_BYTES = 100_000
PRICE = Number(0, 0, 1e12, "in a month, in any one currency")


@dataclass(frozen=True)
class Prices:
    """In a month: a node, a GB of its cache, the edge of a site, a GB of its cache."""

    node: float
    node_gb: float
    edge: float
    edge_gb: float

    def of_node(self, equipment: Equipment) -> float:
        """One node with its cache."""
        return self.node + equipment.node_gb * self.node_gb

    def of_edge(self, equipment: Equipment) -> float:
        """The edge of one site; 0 if there is none."""
        return self.edge + equipment.edge_gb * self.edge_gb if equipment.edge_gb > 0 else 0.0

    def of(self, situation: Situation, equipment: Equipment) -> float:
        """All of it. Clients that are at no site need nothing."""
        edges = situation.sites if situation.site_clients > 0 else 0
        return equipment.nodes * self.of_node(equipment) + edges * self.of_edge(equipment)


def default_prices() -> Prices:
    """Those of prices.toml in this folder."""
    return _prices("prices.toml", resources.files("wavescope_lab.planning").joinpath("prices.toml").read_bytes())


def load_prices(path: Path) -> Prices:
    """Those of a file in TOML; what it does not state is the default. Raises InvalidParameter, OSError."""
    with path.open("rb") as file:
        return _prices(path.name, file.read(MAX_BYTES + 1))


def _prices(name: str, data: bytes) -> Prices:
    if len(data) > MAX_BYTES:
        raise InvalidParameter(name, f"a file of more than {MAX_BYTES} bytes", "prices in TOML")
    try:
        table = tomllib.loads(data.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidParameter(name, str(error), "prices in TOML") from error
    known = [each.name for each in fields(Prices)]
    for key, value in table.items():
        if key not in known:
            raise InvalidParameter(f"{name}: {key}", value, f"one of {', '.join(known)}")
        checked(f"{name}: {key}", value, PRICE)
    stated = {key: float(value) for key, value in table.items()}
    if len(stated) < len(known):
        stated = {**vars(default_prices()), **stated}
    return Prices(**stated)
