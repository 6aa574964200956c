"""The rows of comments on annotations, of whom they mention, and how far users have read (AN46 to AN49)."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Engine, delete, func, select, tuple_
from sqlalchemy.orm import Session, aliased

from wavescope.catalog.annotations import lock_counters
from wavescope.catalog.database import translated
from wavescope.catalog.slide_rows import existing
from wavescope.catalog.tables import AnnotationRow, AnnotationSlideRow, CommentReadRow, CommentRow, MentionRow, SlideRow
from wavescope.errors import InvalidParameter, TooLarge, UnknownAnnotation, UnknownComment


class Writer(NamedTuple):
    """Who writes: the name, and the id of the account or guest (empty: neither)."""

    name: str
    id: str


class NewComment(NamedTuple):
    """A comment as its author sends it. ``mentions``: names of accounts by id."""

    id: str
    annotation_id: str
    reply_to: str | None
    text: str
    mentions: Mapping[str, str]


class Comment(NamedTuple):
    """A stored comment; times in seconds since 1970. ``text`` is empty when it is deleted."""

    id: str
    annotation_id: str
    reply_to: str | None
    sequence: int
    author: str
    author_id: str
    text: str
    deleted: bool
    created: float
    edited: float | None
    mentions: tuple[str, ...] = ()


class Mention(NamedTuple):
    """An unread comment that names a user, or answers a comment of the user."""

    slide_id: str
    slide_title: str
    comment: Comment


@dataclass(frozen=True)
class CommentPage:
    """Comments in the order of their changes; the next request uses ``since=sequence``. ``read``: sequences by
    annotation.
    """

    comments: tuple[Comment, ...]
    sequence: int
    more: bool
    read: Mapping[str, int]


FIELDS = tuple(name for name in Comment._fields if name != "mentions")


class CommentTable:
    """Comments of slides. Thread-safe; other processes may write at any time."""

    def __init__(self, engine: Engine, *, max_comments: int) -> None:
        self._engine, self._max_comments = engine, max_comments

    def page(self, slide_id: str, since: int | None, limit: int, reader: str | None) -> CommentPage:
        """The comments changed after ``since``, deleted ones too; None: all that there are. ``reader``: whose unread
        marks are read. Raises UnknownSlide.
        """
        with self._session() as session:
            existing(session, slide_id)
            state = session.get(AnnotationSlideRow, slide_id)
            query = select(CommentRow).where(CommentRow.slide_id == slide_id, CommentRow.sequence > (since or 0))
            if since is None:
                query = query.where(CommentRow.deleted.is_(False))
            rows = session.scalars(query.order_by(CommentRow.sequence).limit(limit + 1)).all()
            comments, more = _comments(session, slide_id, rows[:limit]), len(rows) > limit
            until = comments[-1].sequence if more else max(state.comments if state else 0, since or 0)
            return CommentPage(comments, until, more, {} if reader is None else _read(session, slide_id, reader))

    def get(self, slide_id: str, comment_id: str) -> Comment:
        """Raises UnknownSlide, UnknownComment: also for a deleted one."""
        with self._session() as session:
            existing(session, slide_id)
            return _comments(session, slide_id, [_existing(session, slide_id, comment_id)])[0]

    def find(self, slide_id: str, comment_id: str) -> Comment | None:
        """The comment, also a deleted one; None: there never was one."""
        with self._session() as session:
            row = session.get(CommentRow, (slide_id, comment_id))
            return None if row is None else _comments(session, slide_id, [row])[0]

    def save(self, slide_id: str, new: NewComment, writer: Writer) -> Comment:
        """Stores a new comment or another text of it; one that is stored already changes nothing.

        Raises UnknownSlide, UnknownAnnotation, UnknownComment (what it answers, or it is deleted), TooLarge,
        InvalidParameter (the annotation or what it answers is another than before).
        """
        with self._session(writing=True) as session:
            existing(session, slide_id)
            state = lock_counters(session, slide_id)
            row, now = session.get(CommentRow, (slide_id, new.id)), time.time()
            if row is None:
                row = self._create(session, slide_id, new, writer, now)
            elif row.deleted:
                raise UnknownComment(slide_id, new.id)
            elif (row.annotation_id, row.reply_to) != (new.annotation_id, new.reply_to):
                raise InvalidParameter("annotation", new.annotation_id, "that of the comment")
            elif row.text == new.text:
                return _comments(session, slide_id, [row])[0]
            else:
                row.edited = now
            state.comments += 1
            row.text, row.sequence = new.text, state.comments
            session.execute(delete(MentionRow).where(MentionRow.slide_id == slide_id, MentionRow.comment_id == new.id))
            for user_id, name in new.mentions.items():
                session.add(MentionRow(slide_id=slide_id, comment_id=new.id, user_id=user_id, name=name))
            session.flush()
            return _comments(session, slide_id, [row])[0]

    def _create(self, session: Session, slide_id: str, new: NewComment, writer: Writer, now: float) -> CommentRow:
        annotation = session.get(AnnotationRow, (slide_id, new.annotation_id))
        if annotation is None or annotation.deleted:
            raise UnknownAnnotation(slide_id, new.annotation_id)
        if new.reply_to is not None:
            answered = session.get(CommentRow, (slide_id, new.reply_to))
            if answered is None or answered.annotation_id != new.annotation_id:
                raise UnknownComment(slide_id, new.reply_to)
            if answered.reply_to is not None:
                raise InvalidParameter("reply_to", new.reply_to, "a comment that is no reply itself")
        count = session.scalar(select(func.count()).select_from(CommentRow).where(CommentRow.slide_id == slide_id)) or 0
        if count >= self._max_comments:
            raise TooLarge("the number of the slide's comments", count + 1, self._max_comments)
        row = CommentRow(slide_id=slide_id, id=new.id, annotation_id=new.annotation_id, reply_to=new.reply_to)
        row.author, row.author_id, row.deleted, row.created, row.edited = writer.name, writer.id, False, now, None
        row.sequence, row.text = 0, ""
        session.add(row)
        return row

    def delete(self, slide_id: str, comment_id: str) -> None:
        """Deletes the text; its replies stay. Raises UnknownSlide, UnknownComment."""
        with self._session(writing=True) as session:
            existing(session, slide_id)
            state = lock_counters(session, slide_id)
            row = _existing(session, slide_id, comment_id)
            state.comments += 1
            row.deleted, row.text, row.sequence = True, "", state.comments
            session.execute(
                delete(MentionRow).where(MentionRow.slide_id == slide_id, MentionRow.comment_id == comment_id)
            )

    def read(self, slide_id: str, annotation_id: str, user_id: str, sequence: int) -> None:
        """The user has read comments on an annotation up to this sequence. Raises UnknownSlide, UnknownAnnotation."""
        with self._session(writing=True) as session:
            existing(session, slide_id)
            state = lock_counters(session, slide_id)
            if session.get(AnnotationRow, (slide_id, annotation_id)) is None:
                raise UnknownAnnotation(slide_id, annotation_id)
            before = session.get(CommentReadRow, (user_id, slide_id, annotation_id))
            until = min(sequence, state.comments)
            if before is None:
                session.add(
                    CommentReadRow(user_id=user_id, slide_id=slide_id, annotation_id=annotation_id, sequence=until)
                )
            else:
                before.sequence = max(before.sequence, until)

    def authors(self, slide_id: str) -> set[str]:
        """The ids of who has commented on the slide."""
        with self._session() as session:
            query = select(CommentRow.author_id).where(CommentRow.slide_id == slide_id, CommentRow.deleted.is_(False))
            return {one for one in session.scalars(query.distinct()) if one}

    def unread_mentions(self, user_id: str, limit: int) -> list[Mention]:
        """The newest unread comments by others that name the user or answer its own, also on slides that the user
        no longer sees.
        """
        naming = select(MentionRow.slide_id, MentionRow.comment_id).where(MentionRow.user_id == user_id)
        own, reply = aliased(CommentRow), aliased(CommentRow)
        answers = (reply.slide_id == own.slide_id) & (reply.reply_to == own.id)
        answering = select(reply.slide_id, reply.id).join(own, answers).where(own.author_id == user_id)
        for_user = tuple_(CommentRow.slide_id, CommentRow.id).in_(naming.union(answering))
        on_annotation = (
            (CommentReadRow.user_id == user_id)
            & (CommentReadRow.slide_id == CommentRow.slide_id)
            & (CommentReadRow.annotation_id == CommentRow.annotation_id)
        )
        query = (
            select(CommentRow, SlideRow.title)
            .join(SlideRow, SlideRow.id == CommentRow.slide_id)
            .outerjoin(CommentReadRow, on_annotation)
            .where(for_user, CommentRow.deleted.is_(False), CommentRow.author_id != user_id)
            .where(SlideRow.trashed.is_(None), CommentRow.sequence > func.coalesce(CommentReadRow.sequence, 0))
            .order_by(CommentRow.created.desc())
            .limit(limit)
        )
        with self._session() as session:
            return [Mention(row.slide_id, title, _comment(row, ())) for row, title in session.execute(query)]

    @contextmanager
    def _session(self, *, writing: bool = False) -> Iterator[Session]:
        bound = self._engine.execution_options(writing=writing)
        with translated(self._engine), Session(bound, expire_on_commit=False) as session, session.begin():
            yield session


def export_comments(engine: Engine, author_id: str | None) -> list[dict[str, Any]]:
    """All comments of an account; None: of everybody, for the one user of a machine."""
    query = select(CommentRow).where(CommentRow.deleted.is_(False)).order_by(CommentRow.slide_id, CommentRow.sequence)
    if author_id is not None:
        query = query.where(CommentRow.author_id == author_id)
    with translated(engine), Session(engine) as session:
        return [
            {"slide": row.slide_id, "annotation": row.annotation_id, "created": row.created, "text": row.text}
            for row in session.scalars(query)
        ]


def _existing(session: Session, slide_id: str, comment_id: str) -> CommentRow:
    row = session.get(CommentRow, (slide_id, comment_id))
    if row is None or row.deleted:
        raise UnknownComment(slide_id, comment_id)
    return row


def _read(session: Session, slide_id: str, user_id: str) -> dict[str, int]:
    query = select(CommentReadRow).where(CommentReadRow.user_id == user_id, CommentReadRow.slide_id == slide_id)
    return {row.annotation_id: row.sequence for row in session.scalars(query)}


def _comments(session: Session, slide_id: str, rows: Sequence[CommentRow]) -> tuple[Comment, ...]:
    names = _mentions(session, slide_id, [row.id for row in rows])
    return tuple(_comment(row, names.get(row.id, ())) for row in rows)


def _mentions(session: Session, slide_id: str, ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    query = select(MentionRow).where(MentionRow.slide_id == slide_id, MentionRow.comment_id.in_(ids))
    for row in session.scalars(query.order_by(MentionRow.name)):
        found[row.comment_id] = (*found.get(row.comment_id, ()), row.name)
    return found


def _comment(row: CommentRow, mentions: tuple[str, ...]) -> Comment:
    return Comment(*(getattr(row, name) for name in FIELDS))._replace(mentions=mentions)
