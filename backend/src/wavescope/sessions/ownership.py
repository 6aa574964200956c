"""Which node owns a live session: pure, by its lease and by which nodes are alive (CL20 to CL22)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

NOBODY = ""  # the instance of a lease that was given back


class Lease(NamedTuple):
    """``node`` owns the session: ``instance`` is this run of the node; ``term`` grows with each owner."""

    session_id: str
    node: str
    instance: str
    term: int


Claim = Literal["claim", "elsewhere", "unsure"]


def decide(lease: Lease | None, me: str, alive: Collection[str], dead: Collection[str]) -> Claim:
    """What the node ``me`` does that is to open a session. Instances that are neither alive nor dead are unknown.

    A node claims what nobody owns, what it owned itself before, and what a dead node owned.
    """
    if lease is None or lease.instance in (NOBODY, me) or lease.instance in dead:
        return "claim"
    return "elsewhere" if lease.instance in alive else "unsure"
