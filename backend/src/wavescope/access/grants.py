"""Grants: short-lived signed capabilities that a node verifies without another service (AC43 to AC46)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from wavescope.access.principal import ANONYMOUS, Capability, Principal
from wavescope.deferred import deferred
from wavescope.errors import CredentialsExpired, InvalidParameter

if TYPE_CHECKING:
    from joserfc import errors, jwk, jwt
else:
    errors, jwk, jwt = deferred("joserfc.errors"), deferred("joserfc.jwk"), deferred("joserfc.jwt")

SECONDS = 60  # the longest validity of a grant
TYPE = "wavescope-grant"
ALGORITHM = "Ed25519"

GrantedRight = Literal["view", "annotate"]


def is_grant(token: str) -> bool:
    """Whether a bearer token has the form of a grant, a JSON Web Token; other tokens of the service never have."""
    return token.startswith("ey") and token.count(".") == 2


def new_key(kid: str) -> dict[str, Any]:
    """A private key as JWK."""
    key = jwk.OKPKey.generate_key("Ed25519", {"kid": kid, "alg": ALGORITHM, "use": "sig"}, private=True)
    return dict(key.as_dict(private=True))


def public_key(private: Mapping[str, Any]) -> dict[str, Any]:
    """What nodes may know of it."""
    return dict(jwk.OKPKey.import_key(dict(private)).as_dict(private=False))


@dataclass(frozen=True)
class Granted:
    """What a grant states: its holder, rights to slides by their ids, those slides that everyone may see."""

    subject: str
    name: str
    slides: Mapping[str, GrantedRight]
    public: frozenset[str] = frozenset()


def sign_grant(private: Mapping[str, Any], granted: Granted, expires: float) -> str:
    """A grant, until ``expires`` (seconds since 1970), at most SECONDS from now."""
    now = time.time()
    claims = {
        "sub": granted.subject,
        "name": granted.name,
        "slides": dict(granted.slides),
        "public": sorted(granted.public),
        "iat": int(now),
        "exp": int(min(expires, now + SECONDS)),
    }
    header = {"alg": ALGORITHM, "typ": TYPE, "kid": private["kid"]}
    return jwt.encode(header, claims, jwk.OKPKey.import_key(dict(private)), algorithms=[ALGORITHM])


class GrantVerifier:
    """Reads grants by public keys alone: no catalog, no network."""

    def __init__(self, keys: Mapping[str, Any]) -> None:
        try:
            self._keys = jwk.KeySet.import_key_set({"keys": list(keys["keys"])})
        except (errors.JoseError, KeyError, TypeError, ValueError) as cause:
            raise InvalidParameter("grant keys", "...", "a JSON Web Key Set") from cause

    @property
    def keys(self) -> frozenset[str]:
        """The public keys themselves."""
        return frozenset(str(key.as_dict(private=False).get("x")) for key in self._keys.keys)

    def read(self, grant: str) -> Principal:
        """Its holder. Raises CredentialsExpired for anything that is no grant, or none any more."""
        granted, ends = self.open(grant)
        rights: tuple[GrantedRight, ...] = ("view", "annotate")
        capabilities = [
            Capability("grant", granted.subject, right, frozenset(named), expires=ends)
            for right in rights
            if (named := {slide for slide, given in granted.slides.items() if given == right})
        ]
        holder = ANONYMOUS.with_capabilities(*capabilities)
        return Principal(granted.name, holder.kind, capabilities=holder.capabilities)

    def open(self, grant: str) -> tuple[Granted, float]:
        """What a grant states, and when it ends (seconds since 1970). Raises CredentialsExpired."""
        now = time.time()
        try:
            token = jwt.decode(grant, self._keys, algorithms=[ALGORITHM])
            claims = token.claims
            issued, ends = float(claims["iat"]), float(claims["exp"])
            slides, public = dict(claims["slides"]), frozenset(claims.get("public", ()))
            granted = Granted(str(claims["sub"]), str(claims["name"]), slides, public)
        except (errors.JoseError, KeyError, TypeError, ValueError) as cause:
            raise CredentialsExpired from cause
        if token.header.get("typ") != TYPE or not now < ends <= issued + SECONDS or issued > now + SECONDS:
            raise CredentialsExpired
        return granted, ends
