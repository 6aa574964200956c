"""The keys by which this service signs as a tool: RSA, because platforms support nothing else (LT4)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wavescope.catalog.access.key_file import Document, KeyDocument
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.cluster.keys import TOOL
from wavescope.deferred import deferred
from wavescope.errors import Unavailable
from wavescope.store.private import TOOL_KEYS

if TYPE_CHECKING:
    from joserfc import errors, jwk, jwt
else:
    errors, jwk, jwt = deferred("joserfc.errors"), deferred("joserfc.jwk"), deferred("joserfc.jwt")

SUBJECT = "the keys that sign for learning platforms"
ALGORITHM = "RS256"
BITS = 2048


class ToolKeys:
    """The key of a store, or of a cluster, made on first use and kept as the keys that sign grants."""

    def __init__(self, catalog: Catalog, store: Path) -> None:
        self._document = KeyDocument(catalog, store / TOOL_KEYS, TOOL, SUBJECT)

    def public(self) -> dict[str, list[dict[str, Any]]]:
        """What platforms check signatures by, a JSON Web Key Set. Raises Unavailable."""
        return {"keys": [dict(self._key().as_dict(private=False))]}

    def sign(self, claims: Mapping[str, Any]) -> str:
        """A JSON Web Token. Raises Unavailable."""
        key = self._key()
        return jwt.encode({"alg": ALGORITHM, "kid": key.kid, "typ": "JWT"}, dict(claims), key, algorithms=[ALGORITHM])

    def _key(self) -> jwk.RSAKey:
        found = self._document.read() or self._document.change(lambda there: there or _new())
        try:
            return jwk.RSAKey.import_key(dict(found["key"]))
        except (errors.JoseError, KeyError, TypeError, ValueError) as cause:
            raise Unavailable(SUBJECT, f"{TOOL_KEYS} cannot be read") from cause


def _new() -> Document:
    members: Any = {"kid": uuid.uuid4().hex, "alg": ALGORITHM, "use": "sig"}
    return {
        "key": dict(jwk.RSAKey.generate_key(BITS, members, private=True).as_dict(private=True)),
        "created": time.time(),
    }
