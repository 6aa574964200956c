"""Annotations of a remote slide, with changes that are tried again where another user was faster (AN5, AN7)."""

from __future__ import annotations

import copy
import uuid
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from wavescope.client.http import Response, ServiceConnection, segment
from wavescope.client.problems import BadAnswer
from wavescope.errors import AnnotationConflict, UnknownAnnotation

PAGE = 1000
EDITS = 8  # attempts of one edit, each from what is stored then

Content = dict[str, Any]
"""kind, geometry, plane, name, text, class, color, foreign (AN3)."""
Change = Callable[[Content], Content | None]
"""Returns a new content, or changes the one that it is given and returns None."""


@dataclass(frozen=True)
class Annotation:
    """A stored annotation."""

    id: str
    revision: int
    author: str
    content: Content


class AsyncAnnotations:
    """The annotations of one slide."""

    def __init__(self, connection: ServiceConnection, slide: str) -> None:
        self._connection, self._slide = connection, slide
        self._path = f"/slides/{segment(slide)}/annotations"

    async def list(self, bbox: tuple[float, float, float, float] | None = None) -> AsyncIterator[Annotation]:
        """All annotations; with ``bbox`` (x, y, width, height in level-0 pixels) those that touch it."""
        since: int | None = None
        box = [] if bbox is None else [("bbox", ",".join(map(str, bbox)))]
        while True:
            later = [] if since is None else [("since", str(since))]
            response = await self._connection.request("GET", self._path, query=[("limit", str(PAGE)), *later, *box])
            for each in response.member("annotations", list):
                if not isinstance(each, dict) or not each.get("deleted"):
                    yield _annotation(each, response)
            sequence = response.member("sequence", int)
            if not response.member("more", bool):
                return
            if since is not None and sequence <= since:
                raise BadAnswer(response.url, "its sequence does not grow")
            since = sequence

    async def get(self, annotation_id: str) -> Annotation:
        """Raises UnknownAnnotation."""
        response = await self._connection.request("GET", self._of(annotation_id))
        return _annotation(response.object(), response)

    async def add(self, content: Mapping[str, Any], annotation_id: str | None = None) -> Annotation:
        """A new annotation. An answer that was lost is asked for again, and makes no second one."""
        path = self._of(annotation_id or str(uuid.uuid4()))
        response = await self._connection.request("PUT", path, body=dict(content), headers={"if-none-match": "*"})
        return _annotation(response.object(), response)

    async def edit(self, annotation_id: str, change: Change, attempts: int = EDITS) -> Annotation:
        """Stores what ``change`` makes of the content. Where another user was faster, ``change`` is called again with
        what that user stored: at most ``attempts`` times. Raises AnnotationConflict after them, UnknownAnnotation.
        """
        found = await self.get(annotation_id)
        for attempt in range(attempts):
            content = copy.deepcopy(found.content)
            changed = change(content)
            wanted = content if changed is None else changed
            try:
                return await self._put(found, wanted)
            except AnnotationConflict:
                if attempt == attempts - 1:
                    raise
            found = await self.get(annotation_id)
        raise UnknownAnnotation(self._slide, annotation_id)

    async def delete(self, annotation_id: str) -> None:
        """Deletes an annotation, whatever it is by then. Raises UnknownAnnotation, AnnotationConflict."""
        for attempt in range(EDITS):
            found = await self.get(annotation_id)
            try:
                await self._connection.request("DELETE", self._of(annotation_id), headers=_match(found))
            except AnnotationConflict:
                if attempt == EDITS - 1:
                    raise
            else:
                return

    async def _put(self, found: Annotation, content: Content) -> Annotation:
        response = await self._connection.request("PUT", self._of(found.id), body=content, headers=_match(found))
        return _annotation(response.object(), response)

    def _of(self, annotation_id: str) -> str:
        return f"{self._path}/{segment(annotation_id)}"


def _match(found: Annotation) -> dict[str, str]:
    return {"if-match": f'"r{found.revision}"'}


def _annotation(value: object, response: Response) -> Annotation:
    """Raises BadAnswer."""
    if isinstance(value, dict):
        found = (value.get("id"), value.get("revision"), value.get("author", ""), value.get("content"))
        if all(isinstance(each, kind) for each, kind in zip(found, (str, int, str, dict), strict=True)):
            return Annotation(*found)  # type: ignore[arg-type]
    raise BadAnswer(response.url, "it is no annotation")
