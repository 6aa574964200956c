"""Requests that one node of a cluster passes on to another: what the first one states of the client, signed (CL10).

Pure. The signature covers method and target, so that it serves no other request; SECONDS bound how long it serves.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass

SECONDS = 60.0  # by which the clocks of two nodes may differ, with the time that the request takes
VERSION = "1"
MAX_VALUE = 2048  # characters of a value


@dataclass(frozen=True)
class Hop:
    """``node``: the name of the node that passed the request on; ``scheme``: http or https, of the client's request;
    ``client``: the client's address; ``claimed``: the one that a proxy names which is not trusted, else empty;
    ``counted``: whether the request was counted against the rates.
    """

    node: str
    scheme: str
    client: str
    claimed: str = ""
    counted: bool = False


def sign(key: bytes, hop: Hop, method: str, target: str, now: float) -> str:
    """The value of the header. ``target``: path and query as they are sent; ``now``: seconds since 1970."""
    fields = (VERSION, str(int(now)), hop.node, hop.scheme, hop.client, hop.claimed, str(int(hop.counted)))
    text = ".".join(_encoded(one) for one in fields)
    return f"{text}.{_signature(key, text, method, target)}"


def read(key: bytes, value: str, method: str, target: str, now: float) -> tuple[Hop, bool] | None:
    """What a header states, and whether it is fresh; None if it is not signed by this key for this request."""
    text, _, signature = value.rpartition(".")
    if len(value) > MAX_VALUE or not hmac.compare_digest(
        signature.encode(), _signature(key, text, method, target).encode()
    ):
        return None
    version, signed, node, scheme, client, claimed, counted = (_decoded(one) for one in text.split("."))
    if version != VERSION:
        return None
    return Hop(node, scheme, client, claimed, counted == "1"), abs(now - int(signed)) <= SECONDS


def _signature(key: bytes, text: str, method: str, target: str) -> str:
    signed = "\n".join((text, method, target)).encode("latin-1", "replace")
    return hmac.new(key, signed, hashlib.sha256).hexdigest()


def _encoded(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _decoded(text: str) -> str:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
