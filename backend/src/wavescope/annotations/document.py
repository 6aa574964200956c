"""The result of reading a document of any format: contents with their ids, and the objects that could not be read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wavescope.annotations.content import Color, Content
from wavescope.annotations.geometry import excerpt
from wavescope.errors import InvalidParameter

MAX_REASONS = 100  # reasons that a report lists
DENSE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Found(NamedTuple):
    """One object of a document; ``id`` is empty if the document has none, or none that can be used."""

    id: str
    content: Content


@dataclass
class Reading:
    """The content of a document."""

    found: list[Found] = field(default_factory=list)
    classes: dict[str, Color] = field(default_factory=dict)
    skipped: int = 0
    reasons: list[str] = field(default_factory=list)

    def skip(self, place: int, reason: str) -> None:
        """Counts an object that cannot be imported; the first reasons are listed."""
        self.skipped += 1
        if len(self.reasons) < MAX_REASONS:
            self.reasons.append(f"object {place}: {reason}")


class Exported(NamedTuple):
    """One stored object on its way out."""

    id: str
    content: Content
    created: str  # ISO 8601
    updated: str
    author: str


def load_json(body: bytes) -> Any:
    """The document's JSON; other threads run meanwhile. Raises InvalidParameter."""
    try:
        return json.loads(body, object_hook=_unchanged)
    except (ValueError, RecursionError) as cause:
        raise InvalidParameter("the document", excerpt(body[:80]), f"JSON: {excerpt(cause)}") from cause


def dump_json(document: Mapping[str, Any]) -> str:
    """The JSON of a collection, whose last member is the list of its objects; other threads run meanwhile."""
    *_, key = document
    head = DENSE.encode({**document, key: []})
    return f"{head[:-2]}{','.join(map(DENSE.encode, document[key]))}]}}"


def _unchanged(found: dict[str, Any]) -> dict[str, Any]:
    """Called for each object: a thread that parses a large document in one go stops all others until its end."""
    return found


def members(document: object, key: str, one: str) -> list[Any]:
    """The objects of a collection, of a bare list, or the one object itself. Raises InvalidParameter."""
    if isinstance(document, list):
        return document
    if isinstance(document, Mapping):
        listed = document.get(key)
        if isinstance(listed, list):
            return listed
        if document.get("type") == one:
            return [document]
    raise InvalidParameter("the document", excerpt(document), f"a list, or an object with {key}")
