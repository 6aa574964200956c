"""One program of a cluster, as data."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class Probe(Protocol):
    """Whether a part can be used."""

    async def fault(self) -> str | None:
        """Why it cannot be used now; None if it can. Never raises, never takes longer than a few seconds."""
        ...


@dataclass(frozen=True)
class Part:
    """How one program runs, and after what.

    ``name``: unique in the cluster; ``address``: where others reach it; ``after``: parts and steps that must be ready
    before it starts; ``files``: what is written before each start; ``user``: the account that runs it, empty: the same;
    ``reload``: the signal after which it reads its files again.
    """

    name: str
    kind: str
    command: tuple[str, ...]
    address: str
    probe: Probe
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    after: tuple[str, ...] = ()
    files: Mapping[Path, str] = field(default_factory=dict)
    user: str = ""
    stop: signal.Signals = signal.SIGTERM
    stop_seconds: float = 20.0
    start_seconds: float = 90.0
    reload: signal.Signals | None = None


def in_order(parts: Mapping[str, tuple[str, ...]]) -> list[list[str]]:
    """Names by rank: each depends only on names of earlier ranks. ``parts``: what each name depends on; a name that is
    not a key is there already. Raises ValueError for a circle.
    """
    waiting = {name: {one for one in after if one in parts} for name, after in parts.items()}
    ranks: list[list[str]] = []
    while waiting:
        free = sorted(name for name, after in waiting.items() if not after)
        if not free:
            raise ValueError(f"these depend on each other: {', '.join(sorted(waiting))}")
        ranks.append(free)
        waiting = {name: after - set(free) for name, after in waiting.items() if name not in free}
    return ranks
