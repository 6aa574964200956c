"""The one gate. Every call of the service names who asks, for what, and for which slide."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from wavescope.errors import Forbidden

Action = Literal[
    "list slides",
    "view slide",
    "rename slide",
    "delete slide",
    "view trash",
    "view cases",
    "edit cases",
    "view tours",
    "edit tours",
    "view annotations",
    "edit annotations",
    "export",
    "upload",
    "view jobs",
    "cancel job",
]


@dataclass(frozen=True)
class Principal:
    """Who asks."""

    name: str
    local: bool = False  # the one user of this machine


LOCAL_USER = Principal("local user", local=True)


class Gate(Protocol):
    """Decides what a principal may do. ``slide`` is None where the action concerns no single slide."""

    def __call__(self, principal: Principal, action: Action, slide: str | None) -> bool: ...


def may(principal: Principal, action: Action, slide: str | None) -> bool:
    """Without accounts: the one local user may do all, nobody else anything."""
    return principal.local


def require(gate: Gate, principal: Principal, action: Action, slide: str | None = None) -> None:
    """Returns if the principal may. Raises Forbidden."""
    if not gate(principal, action, slide):
        raise Forbidden(action if slide is None else f"{action} {slide!r}")
