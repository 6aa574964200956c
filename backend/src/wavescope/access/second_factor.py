"""Time-based one-time passwords (TOTP, RFC 6238), recovery codes, and the encryption of secrets (AC53, AC54, AC59)."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from wavescope.deferred import deferred
from wavescope.errors import Unavailable

if TYPE_CHECKING:
    import pyotp
    from joserfc import errors, jwe, jwk
else:
    errors, jwe, jwk = deferred("joserfc.errors"), deferred("joserfc.jwe"), deferred("joserfc.jwk")
    pyotp = deferred("pyotp")

Required = Literal["optional", "admins", "all"]
"""Who needs a second factor to sign in with a password."""

ISSUER = "Wavescope"  # what apps show beside the name
PERIOD = 30  # seconds of a step
DRIFT = 1  # steps by which the clocks may differ
RECOVERY_CODES = 10
RECOVERY_BYTES = 10  # 80 random bits, so that a fast hash suffices
CODE = re.compile(r"[0-9]{6}")
HEADER = {"alg": "dir", "enc": "A256GCM"}


def new_secret() -> str:
    """A secret of 160 random bits, in base32."""
    return pyotp.random_base32()


def setup_uri(secret: str, name: str) -> str:
    """What an authenticator app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def step_of(secret: str, code: str, now: float) -> int | None:
    """The time step whose code this is, among the present one and DRIFT around it; None: the code is of none.

    ``now``: seconds since 1970.
    """
    if not CODE.fullmatch(code):
        return None
    totp, present = pyotp.TOTP(secret), int(now // PERIOD)
    steps = range(present - DRIFT, present + DRIFT + 1)
    return next((step for step in steps if secrets.compare_digest(totp.generate_otp(step), code)), None)


def plain(code: str) -> str:
    """A code as typed, without spaces, hyphens and capitals."""
    return re.sub(r"[\s-]", "", code).lower()


def new_recovery_codes() -> tuple[str, ...]:
    """Codes of four groups of four characters."""
    return tuple(_grouped(secrets.token_bytes(RECOVERY_BYTES)) for _ in range(RECOVERY_CODES))


def recovery_hash(user_id: str, code: str) -> str:
    """The stored form of a recovery code."""
    return hashlib.sha256(f"{user_id} {plain(code)}".encode()).hexdigest()


def new_sealing_key() -> dict[str, Any]:
    """A key that encrypts secrets, as JWK."""
    return dict(jwk.OctKey.generate_key(256).as_dict(private=True))


def seal(key: Mapping[str, Any], secret: str) -> str:
    """The secret encrypted (JWE, A256GCM)."""
    return jwe.encrypt_compact(HEADER, secret.encode(), jwk.OctKey.import_key(dict(key)))


def unseal(key: Mapping[str, Any], sealed: str) -> str:
    """The secret again. Raises Unavailable if the key is another one."""
    try:
        found = jwe.decrypt_compact(sealed, jwk.OctKey.import_key(dict(key))).plaintext
    except (errors.JoseError, ValueError) as cause:
        raise Unavailable("the second factor", "its key is not the one in this store") from cause
    return (found or b"").decode()


def _grouped(random: bytes) -> str:
    text = base64.b32encode(random).decode().lower()
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))
