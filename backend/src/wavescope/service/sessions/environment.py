"""What live sessions need from the rest of the service: the time, slides, tours, annotations, the audit log."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from wavescope.access.names import likeness
from wavescope.access.principal import Principal
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Query
from wavescope.errors import Forbidden, NameTaken, SignInRequired, UnknownSlide
from wavescope.service.access.gate import Gate, require, require_in_thread
from wavescope.service.sessions.members import Person
from wavescope.service.slides.annotations import record_json
from wavescope.service.slides.tours import TourService
from wavescope.sessions.client_messages import AnyOperation, Rename, SetStage, Slides
from wavescope.sessions.decision import Decision, Facts
from wavescope.sessions.events import PhaseChanged, RecordingChanged, SlidesChanged
from wavescope.sessions.model import Recording, State

PAGE = 5000  # annotations

SessionAct = Literal["session recorded", "session ended", "shared"]


class AddAuditEntry(Protocol):
    """Adds an entry to the audit log."""

    def __call__(
        self, principal: Principal, action: SessionAct, slide_id: str | None = None, **detail: str | int | bool | None
    ) -> object: ...


class Environment:
    """The same for all sessions. ``clock``: seconds since 1970."""

    def __init__(
        self,
        catalog: Catalog,
        gate: Gate,
        tours: TourService,
        annotations: AnnotationTable,
        audit: AddAuditEntry,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._catalog, self._gate, self._tours, self._annotations = catalog, gate, tours, annotations
        self._audit, self.clock, self._accounts = audit, clock, Accounts(catalog)

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int(self.clock() * 1000)

    async def require_host(self, principal: Principal, slide_id: str) -> None:
        """Raises Forbidden, SignInRequired or UnknownSlide unless the principal may show this slide to others."""
        await require_in_thread(self._gate, principal, "host session", slide_id)

    async def presentable(self, principal: Principal, slides: Sequence[str]) -> Mapping[str, str]:
        """The titles of those slides that the principal may show to others."""
        return await asyncio.to_thread(self._presentable, principal, slides)

    def _presentable(self, principal: Principal, slides: Sequence[str]) -> dict[str, str]:
        titles = {}
        for slide in slides:
            try:
                require(self._gate, principal, "host session", slide)
                titles[slide] = self._catalog.get(slide).title
            except (Forbidden, SignInRequired, UnknownSlide):
                continue
        return titles

    async def is_tour_visible(self, principal: Principal, tour_id: str) -> bool:
        """Whether the principal may view the tour."""
        return await asyncio.to_thread(self._tours.is_visible, principal, tour_id)

    async def is_name_taken(self, principal: Principal, name: str) -> bool:
        """Whether the name is that of another account, or looks like it (AC63)."""
        if principal.local:
            return False
        wanted = likeness(name)
        titles = await asyncio.to_thread(self._accounts.titles)
        return any(likeness(title) == wanted for user, title in titles.items() if user != principal.id)

    async def require_name(self, principal: Principal, name: str) -> None:
        """Raises NameTaken."""
        if await self.is_name_taken(principal, name):
            raise NameTaken(name)

    async def annotations(self, slide_id: str, since: int | None) -> tuple[list[Mapping[str, Any]], int]:
        """The slide's annotations changed after ``since`` (None: all objects), and the number of its last change.

        Raises UnknownSlide.
        """
        found: list[Mapping[str, Any]] = []
        while True:
            page = await asyncio.to_thread(self._annotations.page, slide_id, Query(since, PAGE))
            found += [record_json(record) for record in page.records]
            since = page.sequence
            if not page.more:
                return found, page.sequence

    # -- rules and audit

    def facts(
        self,
        moved: int,
        slides: Mapping[str, str] | None = None,
        *,
        tour_seen: bool = True,
        name_taken: bool = False,
    ) -> Facts:
        """``moved``: when the presenter moved last, in milliseconds since 1970."""
        return Facts(self.now(), moved, slides or {}, tour_seen, name_taken, uuid.uuid4().hex)

    async def facts_for(self, operation: AnyOperation, state: State, person: Person, moved: Callable[[], int]) -> Facts:
        """What the rules must know to decide on an operation.

        ``moved`` is called last, because the presenter continues to move while slides and tours are looked up.
        """
        if isinstance(operation, Slides):
            new = [one for one in operation.slides if one not in {slide.id for slide in state.slides}]
            titles = await self.presentable(person.principal, new) if new else {}
            return self.facts(moved(), titles)
        if isinstance(operation, SetStage) and operation.stage.tour is not None:
            known = state.stage.tour
            same = known is not None and known.id == operation.stage.tour.id
            seen = same or await self.is_tour_visible(person.principal, operation.stage.tour.id)
            return self.facts(moved(), tour_seen=seen)
        if isinstance(operation, Rename):
            taken = await self.is_name_taken(person.principal, operation.name)
            return self.facts(moved(), name_taken=taken)
        return self.facts(moved())

    def audit(self, state: State, person: Person, decision: Decision) -> None:
        """Adds audit entries for slides that others will see, for recordings, and for the end of the session."""
        for event in decision.events:
            match event:
                case SlidesChanged(slides=slides):
                    for slide_id in {slide.id for slide in slides} - {slide.id for slide in state.slides}:
                        self._audit(person.principal, "shared", slide_id, session=state.id)
                case RecordingChanged(recording=Recording(id=recording_id)):
                    self._audit(person.principal, "session recorded", session=state.id, recording=recording_id)
                case PhaseChanged(state="ended"):
                    self._audit(person.principal, "session ended", session=state.id)
