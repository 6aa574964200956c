"""Slides and their versions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, delete, func, or_, select
from sqlalchemy.orm import Session

from wavescope.caches import BoundedCache
from wavescope.catalog.database import ChangeWatch, WriterTurn, close_engine, mark_rights, open_engine, translated
from wavescope.catalog.labels import matching, merged_tags, relabel
from wavescope.catalog.originals.rows import expect
from wavescope.catalog.records import SlidePage, SlideRecord, Versions
from wavescope.catalog.scale import fits
from wavescope.catalog.slide_rows import (
    ID,
    check_id,
    check_title,
    existing,
    free_id,
    make_current,
    record_of,
    source_of,
)
from wavescope.catalog.slide_rows import to_publish as row_to_publish
from wavescope.catalog.sorting import NEWEST, ids_in_order
from wavescope.catalog.tables import RegistrationRow, SlideRow, VersionRow
from wavescope.catalog.visible import ALL, SLIDES, Visible
from wavescope.errors import SlideInTrash, StaleVersion, UnknownSlide
from wavescope.store.durable import make_directory
from wavescope.store.files.stored import NewVersion, StoredFile

CACHED_SLIDES = 65536  # slides whose versions are cached


class Catalog:
    """The slides, by id. Thread-safe. Other processes may write to the same database at any time.

    ``resolve`` and ``check_version`` answer from memory; at most once in ``trust_seconds`` they check whether
    rights or versions were changed.
    """

    def __init__(self, engine: Engine, *, trust_seconds: float = 0.25) -> None:
        self.engine = engine
        self._trust_seconds = trust_seconds
        self._watch, self._turn = ChangeWatch(engine), WriterTurn(engine)
        self._lock = threading.Lock()
        self._known: BoundedCache[str, Versions] = BoundedCache(CACHED_SLIDES)
        self._on_publish: Callable[[Session, str], None] = lambda _session, _slide_id: None
        self._trusted_until = 0.0
        self._generation = 0

    @classmethod
    def open(cls, store: Path | str, *, trust_seconds: float = 0.25) -> Catalog:
        """The catalog of a store folder (made if absent), or of a database URL."""
        if "://" in str(store):
            return cls(open_engine(str(store)), trust_seconds=trust_seconds)
        folder = Path(store)
        make_directory(folder)
        return cls(open_engine(f"sqlite:///{folder / 'catalog.sqlite'}"), trust_seconds=trust_seconds)

    def close(self) -> None:
        self._watch.close()
        close_engine(self.engine)

    # -- reading from memory, usually: it may wait for the database

    def resolve(self, slide_id: str) -> str:
        """The digest of the current version. Raises UnknownSlide."""
        return self.versions(slide_id).current

    def check_version(self, slide_id: str, digest: str) -> None:
        """Returns if the slide still serves this version. Raises UnknownSlide, StaleVersion."""
        if digest in self.versions(slide_id).served:
            return
        if digest not in self._look_up(slide_id).served:  # nor was it published an instant ago
            raise StaleVersion(slide_id, digest)

    def versions(self, slide_id: str) -> Versions:
        """The versions of a slide. Raises UnknownSlide."""
        self.generation()
        known = self._known.find(slide_id)
        return known if known is not None else self._look_up(slide_id)

    def generation(self) -> int:
        """Another number after rights or versions were changed, by any process: what was cached under an
        older one may be wrong.
        """
        now = time.monotonic()
        if now >= self._trusted_until:
            with self._lock:
                if self._watch.changed():
                    self._known.clear()
                    self._generation += 1
                self._trusted_until = now + self._trust_seconds
        return self._generation

    def trusts(self, generation: int) -> bool:
        """Whether what was found under this generation may still be trusted. Never waits; False where ``generation``
        has to ask the database.
        """
        return generation == self._generation and time.monotonic() < self._trusted_until

    def _look_up(self, slide_id: str) -> Versions:
        if not ID.fullmatch(slide_id):
            raise UnknownSlide(slide_id)
        with self._lock:
            with self.reading() as session:
                row = session.get(SlideRow, slide_id)
                if row is None or row.trashed is not None:
                    raise UnknownSlide(slide_id)
                query = select(VersionRow.digest).where(VersionRow.slide_id == slide_id)
                found = Versions(row.digest, frozenset(session.scalars(query)) | {row.digest})
            self._known.put(slide_id, found)
        return found

    def forget(self) -> None:
        """What is remembered of rights and versions is old."""
        with self._lock:
            self._known.clear()
            self._generation += 1

    # -- reading from the database

    def get(self, slide_id: str) -> SlideRecord:
        """The slide. Raises UnknownSlide, also for one in the trash."""
        with self.reading() as session:
            return record_of(existing(session, slide_id))

    def list(
        self,
        search: str = "",
        page: int = 1,
        page_size: int = 50,
        where: Sequence[tuple[str, str]] = (),
        visible: Visible = ALL,
        sort: str = NEWEST,
    ) -> SlidePage:
        """A page of the slides that contain every word of ``search``, carry the labels of ``where`` (see
        ``labels.matching``), if they are seen, in the order of ``sort`` (see ``sorting.ids_in_order``). What is decided
        on is in narrow indexes: only the rows of the page are read whole. Raises InvalidParameter.
        """
        wanted = partial(matching, search, where, visible)
        with self.reading() as session:
            total = session.scalar(select(func.count()).select_from(SlideRow).where(*wanted(SLIDES))) or 0
            ids = ids_in_order(session, wanted, sort, (page - 1) * page_size, page_size)
            rows = {row.id: row for row in session.scalars(select(SlideRow).where(SlideRow.id.in_(ids)))}
            return SlidePage(tuple(record_of(rows[one]) for one in ids), total, page, page_size)

    def slides_of_source(self, fingerprint: str) -> tuple[str, ...]:
        """Ids of the slides whose current version was made of the source with this fingerprint, the newest first."""
        same = SlideRow.manifest["source"]["fingerprint"].as_string() == fingerprint
        query = select(SlideRow.id).where(SlideRow.trashed.is_(None), same)
        with self.reading() as session:
            return tuple(session.scalars(query.order_by(SlideRow.updated.desc(), SlideRow.id)))

    def check_publishable(self, slide_id: str) -> None:
        """Returns if a version can be published under this id. Raises SlideInTrash, InvalidParameter."""
        check_id(slide_id)
        with self.reading() as session:
            row = session.get(SlideRow, slide_id)
            if row is not None and row.trashed is not None:
                raise SlideInTrash(slide_id)

    def free_id(self, wanted: str, *, readable: bool = True) -> str:
        """``wanted`` made of allowed characters, and a number if another slide (maybe in the trash) has it. Not
        ``readable``: six random digits always, so that the id reveals nothing about other slides (AC24).
        """
        with self.reading() as session:
            return free_id(session, wanted, readable=readable)

    # -- writing

    def on_publish(self, note: Callable[[Session, str], None]) -> Catalog:
        """The same catalog, whose ``publish`` calls ``note`` in its transaction, with the id of the slide."""
        made = Catalog(self.engine, trust_seconds=self._trust_seconds)
        made._on_publish = note
        return made

    def publish(
        self,
        slide_id: str,
        title: str,
        digest: str,
        manifest: Mapping[str, Any],
        *,
        replace: bool = True,
        owner: str = "",
    ) -> SlideRecord:
        """As ``publish_version``, of a version that changes nothing about the original file of the slide."""
        return self.publish_version(slide_id, title, NewVersion(digest, manifest), replace=replace, owner=owner)

    def publish_version(
        self, slide_id: str, title: str, version: NewVersion, *, replace: bool = True, owner: str = ""
    ) -> SlideRecord:
        """Makes a version the current one of the slide, which is made if it is new. One transaction.

        An existing slide keeps the title it has if ``title`` is empty; with ``replace=False`` it raises SlideExists.
        ``owner`` is that of a new slide. The id of a slide in the trash is reserved for it: SlideInTrash.
        """
        with self.writing() as session:
            row = row_to_publish(session, slide_id, title, owner, replace=replace)
            if row.calibration is not None and not fits(row.manifest, version.manifest):
                row.calibration = None
            if row.findings and source_of(row.manifest) != source_of(version.manifest):
                row.findings = None
            row.digest, row.manifest, row.updated = version.digest, dict(version.manifest), time.time()
            row.title = check_title(title) if title else row.title
            relabel(session, row)
            make_current(session, row, version.original)
            self._on_publish(session, slide_id)
            session.flush()
            return record_of(row)

    def expect_original(self, original: StoredFile) -> None:
        """Notes a file that is about to be stored: it is collected unless it is published with a slide (ST93)."""
        with self.writing(rights=False) as session:
            expect(session, original)

    def change(self, slide_id: str, title: str | None, tags: Mapping[str, str | None] | None = None) -> SlideRecord:
        """Changes the title, sets and (None) removes tags. Raises UnknownSlide, InvalidParameter."""
        with self.writing() as session:
            row = existing(session, slide_id)
            if title is not None:
                row.title = check_title(title)
            _tag(session, row, tags or {})
            return record_of(row)

    def tag(self, slide_ids: Sequence[str], tags: Mapping[str, str | None]) -> None:
        """Sets and (None) removes tags of all these slides, or of none. Raises UnknownSlide, InvalidParameter."""
        with self.writing() as session:
            for slide_id in slide_ids:
                _tag(session, existing(session, slide_id), tags)

    def collect(self, retired_before: float, remove: Callable[[str], None]) -> tuple[str, ...]:
        """Forgets versions retired before that time and calls ``remove`` with each digest that no slide needs any more.

        ``remove`` runs inside the transaction, so nobody can publish the digest meanwhile.
        """
        old = (VersionRow.retired.is_not(None), VersionRow.retired < retired_before)
        with self.reading() as session:
            if session.scalar(select(func.count()).select_from(VersionRow).where(*old)) == 0:
                return ()
        with self.writing() as session:
            digests = set(session.scalars(select(VersionRow.digest).where(*old)))
            session.execute(delete(VersionRow).where(*old))
            needed = set(session.scalars(select(VersionRow.digest).where(VersionRow.digest.in_(digests))))
            needed |= set(session.scalars(select(SlideRow.digest).where(SlideRow.digest.in_(digests))))
            gone = tuple(sorted(digests - needed))
            either = or_(RegistrationRow.left.in_(gone), RegistrationRow.right.in_(gone))
            session.execute(delete(RegistrationRow).where(either))
            for digest in gone:
                remove(digest)
            return gone

    def has_version(self, digest: str) -> bool:
        """Whether any slide has or had this version and it has not been collected."""
        with self.reading() as session:
            return session.scalar(select(VersionRow.digest).where(VersionRow.digest == digest).limit(1)) is not None

    def current_digests(self) -> tuple[str, ...]:
        """The current version of each slide, in no order."""
        with self.reading() as session:
            return tuple(session.scalars(select(SlideRow.digest)))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A transaction that only reads."""
        with translated(self.engine), Session(self.engine) as session, session.begin():
            yield session

    @contextmanager
    def writing(self, *, rights: bool = True) -> Iterator[Session]:
        """A transaction. ``rights``: whether it may change who may what, or which versions are served; what all
        processes remember of that is forgotten then.
        """
        bound = self.engine.execution_options(writing=True)
        try:
            with (
                self._turn,
                translated(self.engine),
                Session(bound, expire_on_commit=False) as session,
                session.begin(),
            ):
                yield session
                if rights:
                    session.flush()
                    mark_rights(session.connection())
        finally:
            if rights:
                self.forget()


def _tag(session: Session, row: SlideRow, tags: Mapping[str, str | None]) -> None:
    """Sets and (None) removes tags; what finds the slide knows of it, and of its title. Raises InvalidParameter."""
    if tags:
        row.tags = merged_tags(row.tags, tags)
    row.updated = time.time()
    relabel(session, row)
    session.flush()
