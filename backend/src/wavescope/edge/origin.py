"""The connections of an edge to its first origin: what clients send is passed on as it is."""

from __future__ import annotations

from yarl import URL

from wavescope.api.forwarding.headers import client_headers
from wavescope.api.forwarding.upstream import Upstream
from wavescope.config.values import without_password
from wavescope.errors import InvalidParameter, Unavailable
from wavescope.service.access.authenticator import Credentials


class OriginUpstream(Upstream):
    """The service at ``url``. Raises InvalidParameter for an address that is none."""

    def __init__(self, url: str, connections: int = 512) -> None:
        super().__init__(checked_url(url), connections)

    def own_headers(self, credentials: Credentials) -> dict[str, str]:
        """Of a request that the edge makes for an asker: their credentials, and the address of their client."""
        cookies = {
            "wavescope_sign_in": credentials.sign_in,
            "wavescope_links": ".".join(credentials.links),
            "wavescope_guest": credentials.guest,
        }
        named = "; ".join(f"{name}={value}" for name, value in cookies.items() if value)
        bearer = {"Authorization": f"Bearer {credentials.bearer}"} if credentials.bearer else {}
        return {
            **({"Cookie": named} if named else {}),
            **bearer,
            **client_headers(),
            "Origin": str(self.url.origin()),
            "Accept-Encoding": "identity",
        }


def checked_url(url: str) -> URL:
    """Raises InvalidParameter."""
    try:
        found = URL(url)
        if found.scheme in ("http", "https") and found.host and not found.query_string and not found.fragment:
            return found
    except ValueError:
        pass
    raise InvalidParameter(
        "--origin", without_password(url), "the address of a Wavescope service, such as https://slides.example.org"
    )


def unavailable(origin: OriginUpstream) -> Unavailable:
    """What a client reads if the origin does not answer."""
    return Unavailable("the origin of this edge", "it does not answer")
