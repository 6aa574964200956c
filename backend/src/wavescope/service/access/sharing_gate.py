"""The gate of a service with accounts: the rule table on what the catalog knows of ownership and sharing."""

from __future__ import annotations

import time
from typing import TypeVar

from wavescope.access.principal import RIGHTS, Principal, Right
from wavescope.access.rules import Action, Sharing, may, right_of
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.errors import Forbidden, SignInRequired, UnknownCase

Key = TypeVar("Key")
Value = TypeVar("Value")

MAX_CACHED = 65536  # decisions, and slides whose sharing is known


class SharingGate:
    """See Gate. Decisions are cached until rights are changed, in any process."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog, self._table = catalog, SharingTable(catalog)
        self._generation = -1
        self._decisions: dict[tuple[Principal, Action, str], tuple[bool, float]] = {}
        self._sharing: dict[str, Sharing] = {}

    def __call__(self, principal: Principal, action: Action, slide: str | None) -> bool:
        if principal.local:
            return True
        if slide is None:  # a matter of the principal alone: the event loop may ask (OP45)
            return may(principal, action, None, Sharing())
        generation = self._refresh()
        key = principal, action, slide
        known = self._decisions.get(key)
        if known is not None and time.time() < known[1]:
            return known[0]
        decision = may(principal, action, slide, self.sharing(slide))
        if self._generation == generation:  # else another thread has noticed a change meanwhile
            _cache(self._decisions, key, (decision, _expires(principal)))
        return decision

    def sharing(self, slide_id: str) -> Sharing:
        """Who has what right to a slide; cached."""
        generation = self._refresh()
        found = self._sharing.get(slide_id)
        if found is not None:
            return found
        found = self._table.slide(slide_id)
        if self._generation == generation:
            _cache(self._sharing, slide_id, found)
        return found

    def _refresh(self) -> int:
        generation = self._catalog.generation()
        if generation != self._generation:
            self._decisions.clear()
            self._sharing.clear()
            self._generation = generation
        return generation


class SlideVisibility:
    """Which slides everyone may see. ``mode``: local, accounts or grants."""

    def __init__(self, mode: str, gate: SharingGate) -> None:
        self._mode, self._gate = mode, gate

    def is_public(self, slide_id: str) -> bool:
        """Whether any cache may store the answers about the slide: without accounts, or if everyone may see it."""
        return self._mode == "local" or (self._mode == "accounts" and self._gate.sharing(slide_id).public)


class CaseGate:
    """Who may do what with a case (AC15). The local user may do everything."""

    def __init__(self, table: SharingTable) -> None:
        self._table = table

    def right(self, principal: Principal, case_id: str) -> Right | None:
        """Raises UnknownCase."""
        return "own" if principal.local else right_of(principal, "", self._table.case(case_id))

    def require(self, principal: Principal, case_id: str, minimum: Right) -> None:
        """Returns if the principal has the right. Raises UnknownCase if it has none, SignInRequired, Forbidden."""
        if principal.local:
            return
        right = self.right(principal, case_id)
        if right is None:
            raise UnknownCase(case_id)
        if RIGHTS.index(right) >= RIGHTS.index(minimum):
            return
        action = f"{minimum} case {case_id!r}"
        raise Forbidden(action) if principal.user else SignInRequired(action)


def _expires(principal: Principal) -> float:
    return min((one.expires for one in principal.capabilities if one.expires is not None), default=float("inf"))


def _cache(known: dict[Key, Value], key: Key, value: Value) -> None:
    if len(known) >= MAX_CACHED:
        known.clear()
    known[key] = value
