"""Which rate a request counts towards: one ordered table from method and path to a class of routes (PR11)."""

from __future__ import annotations

import re
from typing import Literal

from wavescope.api.middleware.csrf import SAFE

RouteClass = Literal["blocks", "pixels", "reads", "changes", "uploads", "exports", "sign_in", "join", "live"]

API = "/api/v1/"
PIXELS = re.compile(r"/(tiles/|region$|preview/|thumbnail$|jobs/[^/]+/preview)")
# For clients that are not signed in, with any method: each answer reveals whether a secret was right.
SECRET_ROUTES: tuple[tuple[re.Pattern[str], RouteClass], ...] = (
    (re.compile(r"/api/v1/sessions/[^/]+(/join)?$"), "join"),
    (re.compile(r"/api/v1/(sign-in$|account/password|links/open|oidc)"), "sign_in"),
)
CHANGES: tuple[tuple[re.Pattern[str], RouteClass], ...] = (
    (re.compile(r"/blocks:batch$"), "blocks"),
    (re.compile(r"/uploads$"), "uploads"),
    (re.compile(r"/exports$"), "exports"),
)


def route_class(method: str, path: str) -> RouteClass:
    """The class of a request."""
    if "/v/" in path or not path.startswith(API):
        if method in SAFE:
            return "pixels" if PIXELS.search(path) else "blocks"
    else:
        for pattern, name in SECRET_ROUTES:
            if pattern.match(path):
                return name
        if method in SAFE:
            return "pixels" if PIXELS.search(path) else "reads"
    return next((name for pattern, name in CHANGES if pattern.search(path)), "changes")
