"""Cases and collections: slides in an order, each slide in as many as one likes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.access.sharing import may_share_all
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.nesting import check_kind, empty, put_into, share_as, sharing_of
from wavescope.catalog.records import CaseChange, CaseRecord, ListedCase
from wavescope.catalog.slide_rows import check_title, existing, record_of
from wavescope.catalog.tables import CaseRow, CaseSlideRow, LinkRow, QuizRow, ShareRow, SlideRow, TourRow
from wavescope.catalog.visible import ALL, SLIDES, Visible
from wavescope.errors import Conflict, InvalidParameter, UnknownCase

KINDS = ("case", "collection")
MOST_SLIDES = 2000  # of one case
DESCRIPTION = 20_000  # characters


class Cases:
    """The cases of a catalog. Changes may name the revision they were made from: Conflict if it is not the newest."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def list(self, search: str = "", visible: Visible = ALL) -> tuple[ListedCase, ...]:
        """Every seen case whose title contains all words of ``search``, by title, with the slides seen."""
        words = search.lower().split()
        with self._catalog.reading() as session:
            by_title = select(CaseRow).where(visible.cases).order_by(func.lower(CaseRow.title), CaseRow.id)
            rows = {row.id: row for row in session.scalars(by_title)}
            slides = _seen_slides(session, visible)
            parents = {row.id: row.parent for row in rows.values()}
            below = counts_below(parents, slides)
            found = [row for row in rows.values() if all(word in row.title.lower() for word in words)]
            firsts = [slides[row.id][0] for row in found if slides.get(row.id)]
            records = {
                row.id: record_of(row) for row in session.scalars(select(SlideRow).where(SlideRow.id.in_(firsts)))
            }
            return tuple(
                ListedCase(
                    *(row.id, row.title, row.kind, row.revision, row.created, row.updated),
                    parent=row.parent if row.parent in rows else "",
                    slides=len(slides.get(row.id, ())),
                    below=below[row.id],
                    first=records[slides[row.id][0]] if slides.get(row.id) else None,
                )
                for row in found
            )

    def get(self, case_id: str) -> CaseRecord:
        """Raises UnknownCase."""
        with self._catalog.reading() as session:
            return _record(session, _existing(session, case_id))

    def create(
        self,
        title: str,
        kind: str = "case",
        slides: Sequence[str] = (),
        owner: str = "",
        description: str = "",
        parent: str = "",
    ) -> CaseRecord:
        """In a collection it is shared as that is.

        Raises InvalidParameter, UnknownSlide, UnknownCase, InvalidNesting.
        """
        now = time.time()
        row = CaseRow(
            id=uuid.uuid4().hex,
            title=check_title(title),
            kind=_kind(kind),
            revision=1,
            owner=owner,
            public=False,
            parent="",
        )
        row.description = _description(description)
        row.created = row.updated = now
        with self._catalog.writing() as session:
            session.add(row)
            _append(session, row.id, slides)
            put_into(session, row, parent)
            if parent:
                share_as(session, row, sharing_of(session, _existing(session, parent)))
            session.flush()
            return _record(session, row)

    def change(self, case_id: str, change: CaseChange, revision: int | None = None) -> CaseRecord:
        """Raises UnknownCase, InvalidParameter, InvalidNesting, Conflict."""
        with self._catalog.writing() as session:
            row = _changing(session, case_id, revision)
            if change.title is not None:
                row.title = check_title(change.title)
            if change.kind is not None:
                row.kind = _kind(change.kind)
                check_kind(session, row)
            if change.description is not None:
                row.description = _description(change.description)
            if change.parent is not None:
                put_into(session, row, change.parent)
            session.flush()
            return _record(session, row)

    def add(self, case_id: str, slides: Sequence[str]) -> CaseRecord:
        """Appends slides that are not in it yet. Raises UnknownCase, UnknownSlide, InvalidParameter."""
        with self._catalog.writing() as session:
            row = _changing(session, case_id, None)
            _append(session, case_id, slides)
            return _record(session, row)

    def remove(self, case_id: str, slide_id: str) -> CaseRecord:
        """Removes a slide from the case, if it is in it. Raises UnknownCase."""
        with self._catalog.writing() as session:
            row = _changing(session, case_id, None)
            member = (CaseSlideRow.case_id == case_id, CaseSlideRow.slide_id == slide_id)
            session.execute(delete(CaseSlideRow).where(*member))
            return _record(session, row)

    def arrange(
        self, case_id: str, slides: Sequence[str], revision: int | None = None, unseen: Collection[str] = ()
    ) -> CaseRecord:
        """Sets the slides of the case, in this order; ``unseen`` keep their places (AC16), and those in the trash stay
        members, at the end.

        Raises UnknownCase, UnknownSlide, InvalidParameter, Conflict.
        """
        with self._catalog.writing() as session:
            row = _changing(session, case_id, revision)
            hidden = _members(session, case_id, trashed=True)
            known = [slide.id for slide in _members(session, case_id, trashed=False)]
            order = merged_order(known, slides, unseen)
            session.execute(delete(CaseSlideRow).where(CaseSlideRow.case_id == case_id))
            _append(session, case_id, order)
            last = len(order)
            session.add_all(_member(case_id, slide.id, last + place) for place, slide in enumerate(hidden))
            session.flush()
            return _record(session, row)

    def delete(self, case_id: str) -> None:
        """Forgets the case; its slides stay, and so do its tours and quizzes, which belong to no case then. What it
        contained comes into what contained it.

        Raises UnknownCase.
        """
        with self._catalog.writing() as session:
            row = _existing(session, case_id)
            empty(session, row)
            session.delete(row)
            for table, key in ((ShareRow, ShareRow.target), (LinkRow, LinkRow.target)):
                session.execute(delete(table).where(table.scope == "case", key == case_id))
            session.execute(delete(CaseSlideRow).where(CaseSlideRow.case_id == case_id))
            session.execute(update(TourRow).where(TourRow.case_id == case_id).values(case_id=None))
            session.execute(update(QuizRow).where(QuizRow.case_id == case_id).values(case_id=None))


def merged_order(known: Sequence[str], wanted: Sequence[str], unseen: Collection[str]) -> list[str]:
    """The wanted order around those of the known ones that are not seen, which keep their places."""
    rest = iter([one for one in dict.fromkeys(wanted) if one not in unseen])
    order = [one if one in unseen else next(rest, None) for one in known]
    return [*(one for one in order if one is not None), *rest]


def counts_below(parents: Mapping[str, str], slides: Mapping[str, Sequence[str]]) -> Mapping[str, int]:
    """How many different slides there are in each case and in all that lies in it."""
    found: dict[str, set[str]] = {case_id: set() for case_id in parents}
    for case_id in parents:
        outer = case_id
        while outer in found:
            found[outer].update(slides.get(case_id, ()))
            outer = parents[outer]
    return {case_id: len(below) for case_id, below in found.items()}


def _seen_slides(session: Session, visible: Visible) -> Mapping[str, Sequence[str]]:
    """The ids of the seen slides of each case, in their order."""
    places = select(CaseSlideRow.case_id, CaseSlideRow.slide_id).join(SlideRow, SlideRow.id == CaseSlideRow.slide_id)
    seen = places.where(SlideRow.trashed.is_(None), visible.slides(SLIDES)).order_by(CaseSlideRow.position)
    found: dict[str, list[str]] = {}
    for case_id, slide_id in session.execute(seen):
        found.setdefault(case_id, []).append(slide_id)
    return found


def _existing(session: Session, case_id: str) -> CaseRow:
    row = session.get(CaseRow, case_id)
    if row is None:
        raise UnknownCase(case_id)
    return row


def _changing(session: Session, case_id: str, revision: int | None) -> CaseRow:
    row = _existing(session, case_id)
    if revision is not None and revision != row.revision:
        raise Conflict(f"case {case_id}", revision, row.revision)
    row.revision += 1
    row.updated = time.time()
    return row


def _kind(kind: str) -> str:
    if kind not in KINDS:
        raise InvalidParameter("kind", kind, " or ".join(KINDS))
    return kind


def _description(text: str) -> str:
    text = text.strip()
    if len(text) > DESCRIPTION or "\0" in text:
        raise InvalidParameter("description", f"{len(text):,} characters", f"at most {DESCRIPTION:,} characters")
    return text


def _members(session: Session, case_id: str, *, trashed: bool) -> list[SlideRow]:
    here = SlideRow.trashed.is_not(None) if trashed else SlideRow.trashed.is_(None)
    members = select(SlideRow).join(CaseSlideRow, CaseSlideRow.slide_id == SlideRow.id)
    return list(session.scalars(members.where(CaseSlideRow.case_id == case_id, here).order_by(CaseSlideRow.position)))


def _append(session: Session, case_id: str, slides: Sequence[str]) -> None:
    places = select(CaseSlideRow.slide_id, CaseSlideRow.position).where(CaseSlideRow.case_id == case_id)
    known = {row.slide_id: row.position for row in session.execute(places)}
    last = max(known.values(), default=-1)
    new = [slide_id for slide_id in dict.fromkeys(slides) if slide_id not in known]
    if len(known) + len(new) > MOST_SLIDES:
        raise InvalidParameter("slides", len(known) + len(new), f"at most {MOST_SLIDES} slides")
    for place, slide_id in enumerate(new):
        session.add(_member(case_id, existing(session, slide_id).id, last + 1 + place))
    session.flush()


def _member(case_id: str, slide_id: str, position: int) -> CaseSlideRow:
    return CaseSlideRow(case_id=case_id, slide_id=slide_id, position=position)


def _record(session: Session, row: CaseRow) -> CaseRecord:
    slides = tuple(record_of(slide) for slide in _members(session, row.id, trashed=False))
    numbers = {slide.id: number for number, slide in enumerate(slides, 1)}
    all_shared = may_share_all(session, row.owner)
    shared = frozenset(slide.id for slide in slides if all_shared or slide.owner == row.owner)
    facts = (row.id, row.title, row.kind, row.description, row.revision, row.created, row.updated)
    return CaseRecord(*facts, slides, numbers, shared, row.owner, row.parent)
