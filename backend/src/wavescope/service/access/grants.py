"""Giving grants, and the gate of a node that knows only grants (AC43 to AC46)."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from wavescope.access.grants import SECONDS, Granted, GrantedRight, GrantVerifier, sign_grant
from wavescope.access.principal import Principal
from wavescope.access.rules import Action, may
from wavescope.catalog.access.keys import SigningKeys
from wavescope.errors import CredentialsExpired, InvalidParameter
from wavescope.service.access.gate import Gate, require_in_thread

MAX_SLIDES = 200  # of one grant


class Grant(NamedTuple):
    """A signed grant; ``expires``: seconds since 1970."""

    token: str
    expires: float


class GrantService:
    """Signs grants for those who may see the slides now."""

    def __init__(self, keys: SigningKeys, gate: Gate, is_public: Callable[[str], bool]) -> None:
        self._keys, self._gate, self._is_public = keys, gate, is_public

    async def start(self) -> None:
        """Moves the keys out of a catalog in which an older version stored them (PR46)."""
        await asyncio.to_thread(self._keys.adopt)

    async def issue(self, principal: Principal, slides: Sequence[str]) -> Grant:
        """A grant to all of these slides. Raises UnknownSlide, InvalidParameter."""
        if not 1 <= len(slides) <= MAX_SLIDES:
            raise InvalidParameter("slides", len(slides), f"1 to {MAX_SLIDES} slides")
        rights: dict[str, GrantedRight] = {}
        for slide in slides:
            await require_in_thread(self._gate, principal, "view slide", slide)
            rights[slide] = (
                "annotate" if await asyncio.to_thread(self._gate, principal, "edit annotations", slide) else "view"
            )
        ends = [one.expires for one in principal.capabilities if one.expires is not None]
        expires = min([time.time() + SECONDS, *ends])
        key = await asyncio.to_thread(self._keys.current)
        subject = principal.id or principal.kind
        public = await asyncio.to_thread(lambda: frozenset(filter(self._is_public, rights)))
        return Grant(sign_grant(key, Granted(subject, principal.name, rights, public), expires), expires)

    async def keys(self) -> dict[str, list[dict[str, Any]]]:
        """The public keys, a JSON Web Key Set."""
        return await asyncio.to_thread(self._keys.public)


class OwnGrants:
    """Reads the grants that this service signed: each lets its holder view (AC45)."""

    def __init__(self, keys: SigningKeys) -> None:
        self._keys = keys
        self._verifier: GrantVerifier | None = None

    def read(self, grant: str) -> Principal:
        """Its holder, who may view and nothing else; waits for the disk. Raises CredentialsExpired, Unavailable."""
        try:
            if self._verifier is None:
                raise CredentialsExpired
            principal = self._verifier.read(grant)
        except CredentialsExpired:  # perhaps signed by a key that is newer
            self._verifier = GrantVerifier(self._keys.public())
            principal = self._verifier.read(grant)
        held = tuple(replace(one, right="view") for one in principal.capabilities)
        return replace(principal, capabilities=held)


def grant_gate(principal: Principal, action: Action, slide: str | None) -> bool:
    """The gate of a node: it knows no owners and no sharing, only what grants say."""
    return not principal.local and may(principal, action, slide)


def verifier_of(path: Path | None) -> GrantVerifier:
    """Reads the public keys of the origin. Raises InvalidParameter."""
    try:
        return GrantVerifier(json.loads((path or Path()).read_bytes()))
    except (OSError, ValueError, AttributeError) as cause:
        raise InvalidParameter("WAVESCOPE_GRANT_KEYS", str(path), "a file made by: wavescope grant-keys") from cause
