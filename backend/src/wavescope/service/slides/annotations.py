"""AnnotationService for those who may see or change them: paging, changes, classes, import and export."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

from wavescope.annotations.content import Color, Content, line_of, parse_color, parse_content
from wavescope.annotations.document import Exported, Found, Reading, dump_json
from wavescope.annotations.measure import Mpp
from wavescope.annotations.qupath import read_qupath, write_qupath
from wavescope.annotations.table import write_csv
from wavescope.annotations.webannotation import CONTEXT as W3C_CONTEXT
from wavescope.annotations.webannotation import read_page, write_page
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import AnnotationPage, AnnotationRecord, Change, Outcome, Query
from wavescope.config import Limits
from wavescope.errors import (
    AnnotationConflict,
    AnnotationLocked,
    InvalidParameter,
    TooLarge,
    Unavailable,
    UnknownAnnotation,
)
from wavescope.service.access.gate import Gate, Principal, require_in_thread
from wavescope.service.events import Events

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
DOCUMENTS, WAITING = 2, 32  # documents that are read or written at one time, and that wait: each is in memory
EXPORT_PAGE = 5000  # objects read from the catalog in one go

DocumentFormat = Literal["geojson", "w3c", "csv"]
Result = TypeVar("Result")


class RequestedChange(NamedTuple):
    """One change as a client sends it; ``content`` None deletes."""

    id: str
    base: int
    content: object


@dataclass(frozen=True)
class ImportReport:
    """What became of a document's objects."""

    ids: Sequence[str]  # of the objects that were added
    unchanged: int
    renumbered: int  # of the added: their id was used by another content
    skipped: int
    reasons: Sequence[str]

    @property
    def created(self) -> int:
        """How many objects were added."""
        return len(self.ids)


class AnnotationService:
    """The annotations of all slides."""

    def __init__(self, catalog: Catalog, gate: Gate, limits: Limits, events: Events) -> None:
        self._catalog, self._gate, self._limits, self._events = catalog, gate, limits, events
        self._documents, self._waiting = asyncio.Semaphore(DOCUMENTS), 0
        self._table = AnnotationTable(
            catalog.engine, max_objects=limits.annotations, max_classes=limits.annotation_classes
        )

    async def page(self, principal: Principal, slide_id: str, query: Query) -> AnnotationPage:
        """Objects in the order of their changes. Raises Forbidden, UnknownSlide, InvalidParameter."""
        await require_in_thread(self._gate, principal, "view annotations", slide_id)
        if not 1 <= query.limit <= self._limits.annotation_page:
            raise InvalidParameter("limit", query.limit, f"1 to {self._limits.annotation_page}")
        if query.since is not None and query.since < 0:
            raise InvalidParameter("since", query.since, "a sequence, not negative")
        return await _in_thread(partial(self._table.page, slide_id, query))

    def author(self, principal: Principal, slide_id: str) -> str | None:
        """The name under which the principal may change the slide's annotations (AN8); None: it may not."""
        return principal.name if self._gate(principal, "edit annotations", slide_id) else None

    async def get(self, principal: Principal, slide_id: str, annotation_id: str) -> AnnotationRecord:
        """An object that is not deleted. Raises Forbidden, UnknownSlide, UnknownAnnotation."""
        await require_in_thread(self._gate, principal, "view annotations", slide_id)
        record = await _in_thread(partial(self._table.get, slide_id, annotation_id))
        if record is None or record.deleted:
            raise UnknownAnnotation(slide_id, annotation_id)
        return record

    async def apply(
        self, principal: Principal, slide_id: str, wanted: Sequence[RequestedChange]
    ) -> tuple[tuple[Outcome, ...], int]:
        """Applies or refuses each change; outcomes in order, and the slide's sequence (AN6).

        Raises Forbidden, UnknownSlide, InvalidParameter, TooLarge: then none is applied.
        """
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)
        if len(wanted) > self._limits.annotation_changes:
            raise TooLarge("the number of changes", len(wanted), self._limits.annotation_changes)

        def work() -> tuple[tuple[Outcome, ...], int]:
            return self._table.apply(slide_id, [_change(one) for one in wanted], principal.name)

        outcomes, sequence = await _in_thread(work)
        self._events.annotations_changed.announce(slide_id, sequence)
        return outcomes, sequence

    async def change(self, principal: Principal, slide_id: str, wanted: RequestedChange) -> AnnotationRecord | None:
        """One change. Raises AnnotationConflict if it was made on another revision than the stored one (AN5),
        AnnotationLocked (AN45).
        """
        (outcome,), _ = await self.apply(principal, slide_id, [wanted])
        if outcome.status == "locked":
            raise AnnotationLocked(wanted.id, outcome.record.locked if outcome.record else "")
        if outcome.status == "conflict":
            raise AnnotationConflict(wanted.id, wanted.base, outcome.record and record_json(outcome.record))
        return outcome.record

    async def lock(self, principal: Principal, slide_id: str, annotation_id: str, locked: bool) -> AnnotationRecord:
        """Locks or unlocks an object (AN45).

        Raises Forbidden, UnknownSlide, UnknownAnnotation, AnnotationLocked: only who locked it, its author and who owns
        the slide unlock it.
        """
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)
        record = await self.get(principal, slide_id, annotation_id)
        if record.locked and principal.name not in (record.locked, record.author):
            owner = await asyncio.to_thread(self._gate, principal, "share slide", slide_id)
            if locked or not owner:
                raise AnnotationLocked(annotation_id, record.locked)
        now, sequence = await _in_thread(
            partial(self._table.lock, slide_id, annotation_id, principal.name if locked else "")
        )
        if now is None:
            raise UnknownAnnotation(slide_id, annotation_id)
        self._events.annotations_changed.announce(slide_id, sequence)
        return now

    async def set_classes(self, principal: Principal, slide_id: str, classes: Mapping[str, object]) -> dict[str, Color]:
        """Colours by class; None forgets one. Raises Forbidden, UnknownSlide, InvalidParameter, TooLarge."""
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)
        checked = {class_name(name): parse_color(color) for name, color in classes.items()}
        return await _in_thread(partial(self._table.set_classes, slide_id, checked))

    # -- documents

    async def export(
        self, principal: Principal, slide_id: str, form: DocumentFormat, source: str, context: object = W3C_CONTEXT
    ) -> str:
        """The objects as a document; ``source`` is the slide's IRI, ``context`` that of JSON-LD.

        Raises Forbidden, UnknownSlide, Unavailable.
        """
        await require_in_thread(self._gate, principal, "view annotations", slide_id)
        return await self._document(partial(self._export, slide_id, form, source, context))

    def current_objects(self, slide_id: str, author: str | None = None) -> tuple[list[Exported], dict[str, Color]]:
        """The objects that are not deleted, of one author or of all, and the slide's classes: the caller has checked
        the rights.

        Raises UnknownSlide.
        """
        classes = dict(self._table.page(slide_id, Query(limit=1)).classes)
        return [one for one in self._all(slide_id) if author in (None, one.author)], classes

    async def without_authors(self, principal: Principal, slide_id: str) -> AnnotationPage:
        """All objects as one page, for a slide that leaves the service. Raises Forbidden, UnknownSlide, Unavailable."""
        await require_in_thread(self._gate, principal, "view annotations", slide_id)
        return await self._document(partial(page_without_authors, self._table, slide_id))

    def _export(self, slide_id: str, form: DocumentFormat, source: str, context: object) -> str:
        mpp = self._catalog.get(slide_id).mpp
        classes, objects = dict(self._table.page(slide_id, Query(limit=1)).classes), self._all(slide_id)
        match form:
            case "csv":
                return write_csv(objects, Mpp(mpp["x"], mpp["y"]) if mpp else None)
            case "geojson":
                return dump_json(write_qupath(objects, classes))
            case "w3c":
                return dump_json(write_page(objects, classes, source, context))

    def _all(self, slide_id: str) -> Iterator[Exported]:
        for page in _pages(self._table, slide_id):
            yield from (_exported(record) for record in page.records if not record.deleted)

    async def import_(
        self, principal: Principal, slide_id: str, form: DocumentFormat, body: bytes, name: str = ""
    ) -> ImportReport:
        """Adds a document's objects; existing objects are never overwritten (AN20). ``name``: the document's, else its
        format is stored.

        Raises Forbidden, UnknownSlide, InvalidParameter, TooLarge, Unavailable.
        """
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)
        if form == "csv":
            raise InvalidParameter("format", form, "geojson or w3c: a table of measurements holds no shapes")
        read = read_qupath if form == "geojson" else read_page
        imported = line_of("name", name) or form
        return await self._document(lambda: self._import(principal, slide_id, read(body), imported))

    async def _document(self, work: Callable[[], Result]) -> Result:
        """Few at one time: the others leave threads and memory to other requests. Raises Unavailable (AN31)."""
        if self._waiting >= WAITING:
            raise Unavailable("documents of annotations", f"{self._waiting} requests are waiting")
        self._waiting += 1
        try:
            async with self._documents:
                return await _in_thread(work)
        finally:
            self._waiting -= 1

    def _import(self, principal: Principal, slide_id: str, reading: Reading, imported: str) -> ImportReport:
        wanted, renumbered = self._numbered(slide_id, reading.found)
        stored = self._table.known(slide_id, [change.id for change in wanted])
        changes = []
        for change in wanted:
            record = stored.get(change.id)
            if record is None or record.deleted:
                changes.append(change if record is None else change._replace(base=record.revision))
        outcomes, _ = self._table.apply(slide_id, changes, principal.name, imported)
        for place, outcome in enumerate(outcomes):
            if outcome.status == "conflict":
                reading.skip(place, "its id was taken meanwhile")
        created = [change.id for change, outcome in zip(changes, outcomes, strict=True) if outcome.status == "saved"]
        known = self._table.page(slide_id, Query(limit=1)).classes
        self._table.set_classes(slide_id, {name: reading.classes[name] for name in reading.classes.keys() - known})
        unchanged = len(wanted) - len(changes)
        return ImportReport(created, unchanged, renumbered, reading.skipped, tuple(reading.reasons))

    def _numbered(self, slide_id: str, found: Sequence[Found]) -> tuple[list[Change], int]:
        """Changes with ids that no other content of the slide or of the document has; how many lost their own."""
        known = self._table.known(slide_id, [one.id for one in found if one.id])
        changes: dict[str, Change] = {}
        renumbered = 0
        for place, one in enumerate(found):
            change = _change_of(one.id, 0, one.content)
            record = known.get(one.id)
            foreign = record is not None and not record.deleted and record.content != change.content
            if not one.id or foreign or one.id in changes:
                renumbered += bool(one.id)
                change = change._replace(id=_new_id(change, place))
            changes[change.id] = change
        return list(changes.values()), renumbered


def page_without_authors(table: AnnotationTable, slide_id: str) -> AnnotationPage:
    """The objects that are not deleted, as one page without the names of authors and files. Raises UnknownSlide."""
    pages = list(_pages(table, slide_id))
    living = [one for page in pages for one in page.records if not one.deleted]
    records = tuple(one._replace(author="", editor="", locked="", imported="") for one in living)
    return replace(pages[-1], records=records, more=False, objects=len(records))


def _pages(table: AnnotationTable, slide_id: str) -> Iterator[AnnotationPage]:
    since: int | None = None
    more = True
    while more:
        page = table.page(slide_id, Query(since, EXPORT_PAGE))
        yield page
        since, more = page.sequence, page.more


def record_json(record: AnnotationRecord) -> dict[str, Any]:
    """An object as clients see it (AN2)."""
    return {
        "id": record.id,
        "revision": record.revision,
        "deleted": record.deleted,
        "author": record.author,
        "editor": record.editor,
        "created": iso_time(record.created),
        "updated": iso_time(record.updated),
        "locked": record.locked,
        "imported": record.imported,
        "content": json.loads(record.content) if record.content else None,
    }


def check_annotation_id(annotation_id: str) -> str:
    """The id itself, if it may be one. Raises InvalidParameter."""
    if not ID.fullmatch(annotation_id):
        raise InvalidParameter("id", annotation_id[:80], "letters, digits, '.', '_' and '-', at most 64")
    return annotation_id


def class_name(name: str) -> str:
    """A class's name without surrounding space. Raises InvalidParameter, TooLarge."""
    checked = line_of("class", name)
    if not checked:
        raise InvalidParameter("class", name, "a name that is not empty")
    return checked


def iso_time(seconds: float) -> str:
    """UTC, to the millisecond."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _change(wanted: RequestedChange) -> Change:
    check_annotation_id(wanted.id)
    if wanted.base < 0:
        raise InvalidParameter("revision", wanted.base, "a revision, 0 for a new object")
    if wanted.content is None:
        return Change(wanted.id, wanted.base, None)
    return _change_of(wanted.id, wanted.base, parse_content(wanted.content))


def _change_of(annotation_id: str, base: int, content: Content) -> Change:
    return Change(annotation_id, base, content.canonical(), content.geometry.box(), content.plane.z)


def _new_id(change: Change, place: int) -> str:
    """An id that the same object of the same document gets again: importing twice makes no duplicates."""
    return hashlib.blake2b(f"{place} {change.id} {change.content}".encode(), digest_size=16).hexdigest()


def _exported(record: AnnotationRecord) -> Exported:
    content = parse_content(json.loads(record.content))
    return Exported(record.id, content, iso_time(record.created), iso_time(record.updated), record.author)


async def _in_thread(work: Callable[[], Result]) -> Result:
    """SQL and parsing wait in a thread, not on the event loop."""
    return await asyncio.to_thread(work)
