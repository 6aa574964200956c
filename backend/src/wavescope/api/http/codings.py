"""Content codings: which of them a client accepts, and the digest of what is sent in them (RFC 9110, RFC 9530)."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

DIGEST = b"repr-digest"
CODINGS = ("br", "gzip")  # the best first
PLAIN = ""  # no coding
REJECTED = re.compile(rb"\s*q=0(\.0*)?\s*").fullmatch


def accepted_codings(offered: bytes | None) -> tuple[str, ...]:
    """What a client accepts, by its Accept-Encoding, the best first; one that says nothing accepts all of them."""
    if offered is None:
        return (PLAIN, *reversed(CODINGS))
    named = {name.strip() for name, _, q in (one.partition(b";") for one in offered.split(b",")) if not REJECTED(q)}
    return (*(coding for coding in CODINGS if coding.encode() in named), PLAIN)


def digest_field(digest: bytes) -> bytes:
    """The value of Repr-Digest for a SHA-256."""
    return b"sha-256=:" + b64encode(digest) + b":"


def fits_digest(body: bytes, field: bytes) -> bool:
    """Whether a Repr-Digest states the SHA-256 of these bytes."""
    return digest_field(sha256(body).digest()) in [one.strip() for one in field.split(b",")]
