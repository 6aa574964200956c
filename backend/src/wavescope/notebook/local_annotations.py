"""Annotations of a slide that has no service: in memory, as the wire has them (AN6, AN8)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from wavescope.errors import InvalidParameter, TooLarge
from wavescope.notebook.exchange import Asked, Reply, json_reply

AUTHOR = "notebook"
MAX_CHANGES = 500  # of one request, as the service allows
MAX_OBJECTS = 100_000


class LocalAnnotations:
    """Objects by id, each with the sequence number of its last change."""

    def __init__(self) -> None:
        self._views: dict[str, dict[str, Any]] = {}
        self._changed: dict[str, int] = {}
        self._sequence = 0

    def live(self) -> list[dict[str, Any]]:
        """The objects that are not deleted."""
        return [view for view in self._views.values() if not view["deleted"]]

    def answer(self, request: Asked) -> Reply:
        """``GET annotations`` and ``POST annotations:batch``. Raises InvalidParameter, TooLarge."""
        path = urlsplit(request.path)
        if request.method == "GET" and path.path.endswith("/annotations"):
            since = dict(parse_qsl(path.query)).get("since", "")
            return json_reply(self.page(int(since) if since.isdecimal() and len(since) <= 15 else None))
        if request.method == "POST" and path.path.endswith("/annotations:batch"):
            outcomes = [self.change(**one) for one in _changes(request.body)]
            return json_reply({"outcomes": outcomes, "sequence": self._sequence})
        raise InvalidParameter("path", path.path[-80:], "annotations, annotations:batch")

    def page(self, since: int | None) -> dict[str, Any]:
        """An AnnotationList: what has changed after ``since``, the deleted among it; None: all that live."""
        views: Iterable[dict[str, Any]] = self.live()
        if since is not None:
            views = [view for key, view in self._views.items() if self._changed[key] > since]
        return {
            "annotations": list(views),
            "sequence": self._sequence,
            "more": False,
            "total": len(self.live()),
            "classes": {},
            "editable": True,
            "author": AUTHOR,
        }

    # `id` is the name on the wire
    def change(self, id: str, revision: int, content: Mapping[str, Any] | None) -> dict[str, Any]:
        """An AnnotationOutcome."""
        found = self._views.get(id)
        if revision != (found["revision"] if found else 0):
            return {"id": id, "status": "conflict", "annotation": found}
        if found is None and len(self._views) >= MAX_OBJECTS:
            raise TooLarge("the number of annotations", len(self._views) + 1, MAX_OBJECTS)
        now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        self._sequence += 1
        self._changed[id] = self._sequence
        self._views[id] = {
            "id": id,
            "revision": revision + 1,
            "deleted": content is None,
            "author": AUTHOR,
            "editor": AUTHOR,
            "created": found["created"] if found else now,
            "updated": now,
            "content": None if content is None else dict(content),
        }
        return {"id": id, "status": "saved", "annotation": self._views[id]}


def _changes(body: bytes) -> list[dict[str, Any]]:
    try:
        changes = json.loads(body)["changes"]
        found = [{name: one[name] for name in ("id", "revision", "content")} for one in changes[: MAX_CHANGES + 1]]
    except (ValueError, LookupError, TypeError, RecursionError) as cause:
        raise InvalidParameter("body", body[:80], "a JSON object with changes") from cause
    if len(found) > MAX_CHANGES:
        raise TooLarge("the number of changes", len(changes), MAX_CHANGES)
    for one in found:
        named = isinstance(one["id"], str) and 0 < len(one["id"]) <= 128 and type(one["revision"]) is int
        if not named or not isinstance(one["content"], dict | None):
            raise InvalidParameter("changes", str(one)[:80], "id, revision and content")
    return found
