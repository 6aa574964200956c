"""Grants are read by public keys alone, and refused when anything about them is not right."""

from __future__ import annotations

import time
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, OKPKey

from wavescope.access.grants import ALGORITHM, SECONDS, TYPE, Granted, GrantVerifier, new_key, public_key, sign_grant
from wavescope.access.rules import UNOWNED, may, right_of
from wavescope.errors import CredentialsExpired, InvalidParameter

KEY = new_key("k1")
VERIFIER = GrantVerifier({"keys": [public_key(KEY)]})


def grant(seconds: float = 30.0) -> str:
    return sign_grant(KEY, Granted("u1", "Ivan", {"s": "view", "t": "annotate"}), time.time() + seconds)


def forged(claims: dict[str, Any], header: dict[str, Any] | None = None, key: Any = None) -> str:
    now = int(time.time())
    whole = {"sub": "u1", "name": "n", "slides": {"s": "view"}, "iat": now, "exp": now + 30, **claims}
    signer = key or OKPKey.import_key(KEY)
    return jwt.encode({"alg": ALGORITHM, "typ": TYPE, "kid": "k1", **(header or {})}, whole, signer,
                      algorithms=[ALGORITHM, "HS256"])  # fmt: skip


def test_a_grant_gives_its_rights_to_its_slides_ac43() -> None:
    holder = VERIFIER.read(grant())
    assert holder.name == "Ivan"
    assert right_of(holder, "s", UNOWNED) == "view"
    assert right_of(holder, "t", UNOWNED) == "annotate"
    assert right_of(holder, "u", UNOWNED) is None
    assert may(holder, "edit annotations", "t")
    assert not may(holder, "delete slide", "t")
    assert not holder.user


def test_public_keys_sign_nothing_ac44() -> None:
    assert "d" not in public_key(KEY)


def test_a_grant_never_holds_longer_than_a_minute_ac43(monkeypatch: pytest.MonkeyPatch) -> None:
    given, now = grant(3600.0), time.time()
    monkeypatch.setattr("time.time", lambda: now + SECONDS - 2)
    VERIFIER.read(given)
    monkeypatch.setattr("time.time", lambda: now + SECONDS)
    with pytest.raises(CredentialsExpired):
        VERIFIER.read(given)


OTHER = new_key("k1")
NOW = int(time.time())


@pytest.mark.parametrize(
    "given",
    [
        "",
        "a.b.c",
        grant()[:-4] + "AAAA",
        forged({}, key=OKPKey.import_key(OTHER)),
        forged({}, {"kid": "unknown"}),
        forged({}, {"typ": "JWT"}),
        forged({}, {"alg": "HS256"}, OctKey.import_key(public_key(KEY)["x"])),
        forged({"exp": NOW + 3600}),
        forged({"exp": NOW + 3600, "iat": NOW + 3590}),
        forged({"exp": NOW - 1}),
        forged({"exp": "soon"}),
        forged({"slides": ["s"]}),
    ],
)
def test_what_is_no_grant_is_refused_ac45(given: str) -> None:
    with pytest.raises(CredentialsExpired):
        VERIFIER.read(given)


def test_keys_that_are_none_are_refused() -> None:
    for keys in ({}, {"keys": 7}, {"keys": [{"kty": "?"}]}):
        with pytest.raises(InvalidParameter):
            GrantVerifier(keys)
