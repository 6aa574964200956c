"""The JSON of annotations on the wire (annotations.md)."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from wavescope.annotations.content import Color, Kind
from wavescope.annotations.geometry import GeometryType
from wavescope.api.schemas.numbers import Count, Revision
from wavescope.catalog.changes import AnnotationPage, AnnotationRecord, Outcome
from wavescope.service.slides.annotations import iso_time


class AnnotationGeometry(BaseModel):
    """GeoJSON in level-0 pixels (AN3)."""

    type: GeometryType
    coordinates: list[Any]


class AnnotationPlane(BaseModel):
    """QuPath's plane; z is the focal plane."""

    c: int = -1
    z: int = 0
    t: int = 0


class AnnotationContent(BaseModel):
    """The content of an annotation (AN2). Empty members are absent."""

    model_config = ConfigDict(populate_by_name=True)
    kind: Kind
    geometry: AnnotationGeometry
    plane: AnnotationPlane | None = None
    name: str | None = None
    text: str | None = None
    class_: str | None = Field(default=None, alias="class")
    color: tuple[int, int, int] | None = None
    foreign: dict[str, Any] | None = None


class AnnotationView(BaseModel):
    """A stored object (AN2); ``content`` is null when it is deleted."""

    id: str
    revision: Revision
    deleted: bool
    author: str = Field(description="who created it")
    editor: str = Field(default="", description="who changed it last; documents of older exports lack it")
    created: str
    updated: str
    locked: str = Field(default="", description="who locked it; empty: it is not locked")
    imported: str = Field(default="", description="the document that added it; empty: it was drawn")
    content: AnnotationContent | None


class AnnotationList(BaseModel):
    """Objects in the order of their last change (AN8)."""

    annotations: list[AnnotationView]
    sequence: Count = Field(description="the next request uses since=sequence")
    more: bool = Field(description="whether more changes can be read now")
    total: Count = Field(description="objects that live on the slide")
    classes: dict[str, tuple[int, int, int]]
    editable: bool = Field(description="whether the user may change them")
    author: str = Field(default="", description="the name under which the user's changes are stored, if editable")
    comments: Count = Field(default=0, description="grows with every change of the slide's comments")


class AnnotationChange(BaseModel):
    """One change: the new content, or null to delete; ``revision`` is the object's known one, 0: a new object."""

    model_config = ConfigDict(extra="forbid")
    id: str
    revision: int
    content: dict[str, Any] | None


class AnnotationChanges(BaseModel):
    """Changes to apply one by one (AN6)."""

    model_config = ConfigDict(extra="forbid")
    changes: list[AnnotationChange]


class AnnotationOutcome(BaseModel):
    """The result of one change, and the object's present state."""

    id: str
    status: Literal["saved", "conflict", "locked"]
    annotation: AnnotationView | None


class AnnotationOutcomes(BaseModel):
    """One outcome per change, in order."""

    outcomes: list[AnnotationOutcome]
    sequence: int


class AnnotationClasses(BaseModel):
    """Colours by class; null deletes a class."""

    model_config = ConfigDict(extra="forbid")
    classes: dict[str, tuple[int, int, int] | None]


class AnnotationImport(BaseModel):
    """The result of an import: what was done with the document's objects (AN20)."""

    created: Count
    ids: list[str]
    unchanged: Count
    renumbered: Count
    skipped: Count
    reasons: list[str]


def view_text(record: AnnotationRecord) -> str:
    """An AnnotationView as JSON; the stored content is already JSON and is not read again."""
    head = {
        "id": record.id,
        "revision": record.revision,
        "deleted": record.deleted,
        "author": record.author,
        "editor": record.editor,
        "created": iso_time(record.created),
        "updated": iso_time(record.updated),
        "locked": record.locked,
        "imported": record.imported,
    }
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "content": {record.content or "null"}}}'


def page_text(page: AnnotationPage, author: str | None) -> str:
    """An AnnotationList as JSON. ``author``: the name of the user who may change them."""
    members: dict[str, Any] = {
        "sequence": page.sequence,
        "more": page.more,
        "total": page.objects,
        "classes": _colors(page),
    }
    members |= {"editable": author is not None, "author": author or "", "comments": page.comments}
    return f'{{"annotations": [{",".join(map(view_text, page.records))}], {json.dumps(members)[1:]}'


def outcomes_text(outcomes: tuple[Outcome, ...], ids: list[str], sequence: int) -> str:
    """AnnotationOutcomes as JSON. A saved object is sent without its content, which the client has (AN6)."""
    lines = []
    for annotation_id, outcome in zip(ids, outcomes, strict=True):
        view = "null" if outcome.record is None else view_text(outcome.record)
        lines.append(f'{{"id": {json.dumps(annotation_id)}, "status": "{outcome.status}", "annotation": {view}}}')
    return f'{{"outcomes": [{",".join(lines)}], "sequence": {sequence}}}'


def _colors(page: AnnotationPage) -> dict[str, Color]:
    return dict(page.classes)
