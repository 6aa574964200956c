"""Which rate a request counts towards: that of the route that will answer it (PR11)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from starlette.routing import Route

from wavescope.api.middleware.csrf import SAFE
from wavescope.api.routing import API, RouteClass, rate_class_of

GROUP = re.compile(r"\(\?P<\w+>")


class RouteClasses:
    """The classes of the application's routes. Empty until ``read``, as middleware is made before routes."""

    def __init__(self) -> None:
        self._names: dict[str, list[RouteClass]] = {}
        self._patterns: dict[str, re.Pattern[str]] = {}

    def read(self, routes: Iterable[Route]) -> None:
        """Reads the routes in the order in which requests are matched: one pattern per method, a group per route."""
        found: defaultdict[str, list[tuple[str, RouteClass]]] = defaultdict(list)
        for route in routes:
            for method in route.methods or ():
                found[method].append((GROUP.sub("(?:", route.path_regex.pattern), rate_class_of(route)))
        self._names = {method: [name for _, name in rows] for method, rows in found.items()}
        self._patterns = {
            method: re.compile("|".join(f"({text})" for text, _ in rows)) for method, rows in found.items()
        }

    def of(self, method: str, path: str) -> RouteClass:
        """The class of a request; one that no route answers is a change, a read or a file of the page."""
        known = "GET" if method == "HEAD" else method
        match = self._patterns[known].match(path) if known in self._patterns else None
        if match is not None and match.lastindex is not None:
            return self._names[known][match.lastindex - 1]
        if method not in SAFE:
            return "changes"
        return "reads" if path.startswith(f"{API}/") else "blocks"
