"""The one gate. Every call of the service names the principal, the action and the slide."""

from __future__ import annotations

import asyncio
from typing import Protocol

from wavescope.access.principal import ANONYMOUS, LOCAL_USER, Principal
from wavescope.access.rules import RULES, SCOPE_OF, Action
from wavescope.errors import Forbidden, SignInRequired, UnknownSlide

__all__ = ["ANONYMOUS", "LOCAL_USER", "Action", "Gate", "Principal", "allowed", "may", "require", "require_in_thread"]


class Gate(Protocol):
    """Decides what a principal may do. ``slide`` is None where the action concerns no single slide."""

    def __call__(self, principal: Principal, action: Action, slide: str | None) -> bool: ...


def may(principal: Principal, action: Action, slide: str | None) -> bool:
    """Without accounts: the local user may do everything, others nothing."""
    return principal.local


def allowed(gate: Gate, principal: Principal, slide: str) -> tuple[Action, ...]:
    """The actions of the table that concern a slide and that the principal may do with this one (AC50)."""
    concerning = (action for action, rule in RULES.items() if rule.right is not None)
    return tuple(action for action in concerning if gate(principal, action, slide))


def require(gate: Gate, principal: Principal, action: Action, slide: str | None = None) -> None:
    """Returns if the principal may. Raises UnknownSlide for a slide that the principal may not even see (AC9),
    SignInRequired for an anonymous principal, Forbidden.
    """
    if gate(principal, action, slide):
        return
    if slide is not None and (action == "view slide" or not gate(principal, "view slide", slide)):
        raise UnknownSlide(slide)
    if principal.kind not in ("local", "user") and RULES[action].role is not None:
        raise SignInRequired(action)
    scope = SCOPE_OF[action]
    missing = "" if scope in principal.scopes else f", for which the token needs the scope {scope!r}"
    raise Forbidden((action if slide is None else f"{action} {slide!r}") + missing)


async def require_in_thread(gate: Gate, principal: Principal, action: Action, slide: str | None) -> None:
    """As ``require``, for the event loop: what concerns a slide may wait for the catalog (OP45)."""
    if principal.local:
        require(gate, principal, action, slide)
    else:
        await asyncio.to_thread(require, gate, principal, action, slide)
