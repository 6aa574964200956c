"""Grants are read by public keys alone, and refused when anything about them is not right."""

from __future__ import annotations

import time
from collections.abc import Callable
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


def now() -> int:
    return int(time.time())


def forged(claims: dict[str, Any], header: dict[str, Any] | None = None, key: Any = None) -> str:
    at = now()
    whole = {"sub": "u1", "name": "n", "slides": {"s": "view"}, "iat": at, "exp": at + 30, **claims}
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
    given, issued = grant(3600.0), time.time()
    monkeypatch.setattr("time.time", lambda: issued + SECONDS - 2)
    VERIFIER.read(given)
    monkeypatch.setattr("time.time", lambda: issued + SECONDS)
    with pytest.raises(CredentialsExpired):
        VERIFIER.read(given)


OTHER = new_key("k1")


def damaged(given: str) -> str:
    return given[:-4] + ("AAAA" if given[-4:] != "AAAA" else "BBBB")


def signed_by_another_key() -> str:
    return forged({}, key=OKPKey.import_key(OTHER))


def signed_with_the_public_key() -> str:
    return forged({}, {"alg": "HS256"}, OctKey.import_key(public_key(KEY)["x"]))


# Made when the test runs, so that none is refused for its age: what is forged, and the grant that it was made from.
FORGED: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
    "empty": (lambda: "", grant),
    "no token": (lambda: "a.b.c", grant),
    "damaged signature": (lambda: damaged(grant()), grant),
    "key of another service": (signed_by_another_key, lambda: forged({})),
    "unknown key": (lambda: forged({}, {"kid": "unknown"}), lambda: forged({}, {"kid": "k1"})),
    "another type": (lambda: forged({}, {"typ": "JWT"}), lambda: forged({}, {"typ": TYPE})),
    "public key as a secret": (signed_with_the_public_key, lambda: forged({})),
    "valid for too long": (lambda: forged({"exp": now() + 3600}), lambda: forged({"exp": now() + 30})),
    "issued in the future": (
        lambda: forged({"exp": now() + 3600, "iat": now() + 3590}),
        lambda: forged({"exp": now() + 30, "iat": now()}),
    ),
    "expired": (lambda: forged({"exp": now() - 1}), lambda: forged({"exp": now() + 5})),
    "a time that is no number": (lambda: forged({"exp": "soon"}), lambda: forged({"exp": now() + 30})),
    "slides without rights": (lambda: forged({"slides": ["s"]}), lambda: forged({"slides": {"s": "view"}})),
}


@pytest.mark.parametrize("reason", FORGED)
def test_what_is_no_grant_is_refused_ac45(reason: str) -> None:
    make, make_genuine = FORGED[reason]
    VERIFIER.read(make_genuine())
    with pytest.raises(CredentialsExpired):
        VERIFIER.read(make())


def test_keys_that_are_none_are_refused() -> None:
    for keys in ({}, {"keys": 7}, {"keys": [{"kty": "?"}]}):
        with pytest.raises(InvalidParameter):
            GrantVerifier(keys)
