"""Live sessions for their owners and members: creating, joining, finding, ending (SE3 to SE11)."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from wavescope.access.principal import Principal
from wavescope.catalog.sessions.records import SessionRecord, StoredMember
from wavescope.config import Limits
from wavescope.errors import (
    Forbidden,
    InvalidParameter,
    SessionOnOtherNode,
    SignInRequired,
    TooManySessions,
    UnknownSession,
)
from wavescope.service.sessions.admission import Admission, hash_passcode
from wavescope.service.sessions.attendance import attendance
from wavescope.service.sessions.descriptions import Attendee, Invitation, SessionRequest, SessionView
from wavescope.service.sessions.environment import Environment
from wavescope.service.sessions.live_session import LiveSession
from wavescope.service.sessions.members import MemberRecords, Participants, Person, needs_no_account
from wavescope.service.sessions.open_sessions import OpenSessions, SessionCounts
from wavescope.service.sessions.ownership import Ownership
from wavescope.service.sessions.persistence import SessionStore, tour_id
from wavescope.sessions.codes import new_code
from wavescope.sessions.model import Member, Scene, Slide, Stage, State, ViewEntry
from wavescope.sessions.presence import PALETTE, restart

OPEN_SESSIONS = 20  # of one owner
HAND_OVER_SECONDS = 3.0

MemberOf = Callable[[str], str | None]
"""The member id of an identity; None: it is no member."""


class SessionService:
    """All sessions. ``principal`` and ``token`` (the guest cookie) identify the client of a request."""

    def __init__(
        self,
        store: SessionStore,
        environment: Environment,
        participants: Participants,
        limits: Limits | None = None,
        ownership: Ownership | None = None,
        admission: Admission | None = None,
    ) -> None:
        self._store, self._environment = store, environment
        self.participants = participants
        self.admission = admission or Admission(store)
        self._ownership = ownership
        self._open = OpenSessions(store, environment, limits or Limits(), ownership)

    def start(self) -> None:
        """Starts to wait for revoked rights."""
        self._open.start()

    async def stop(self) -> None:
        """Stores and closes all sessions."""
        await self._open.stop()
        self._store.close()

    async def hand_over(self) -> None:
        """Before the service stops: on a node of a cluster the sessions go to other nodes (CL22). Takes at most
        HAND_OVER_SECONDS; what is not handed over then is taken over when this node is gone.
        """
        if self._ownership is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(HAND_OVER_SECONDS):
                    await self._open.hand_over()

    async def open(self, session_id: str) -> LiveSession:
        """The open session, for its live connections. Raises UnknownSession, SessionOnOtherNode."""
        return await self._open.open(session_id)

    @property
    def shared(self) -> bool:
        """Whether other nodes may own sessions."""
        return self._ownership is not None

    async def node_gone(self, url: str) -> None:
        """Returns when no node with this URL is alive any more."""
        assert self._ownership is not None
        await self._ownership.node_gone(url)

    async def elsewhere(self, session_id: str) -> str | None:
        """The URL of the node that owns the session; None: this one does, or there is no such session.

        Raises Unavailable while no living node owns it.
        """
        if self._ownership is None or self._open.opened(session_id) is not None:
            return None
        try:
            await self._open.open(session_id)
        except UnknownSession:
            return None
        except SessionOnOtherNode as cause:
            if (url := self._ownership.url_of(cause.instance)) is None:
                raise
            return url
        return None

    def annotated(self, slide_id: str, sequence: int) -> None:
        """The annotations of a slide have changed; ``sequence``: the last change."""
        self._open.annotated(slide_id, sequence)

    def revoked(self) -> None:
        """Rights were revoked: the access of all connections is checked at once (SE30)."""
        self._open.revoked()

    async def update(self) -> None:
        """Stores what has changed in open sessions; to be called every UPDATE_SECONDS."""
        await self._open.update()

    async def drop_lost(self) -> None:
        """Leaves sessions to the nodes that own them; to be called once a second."""
        await self._open.drop_lost()

    def attendance(self) -> SessionCounts:
        """How many sessions are open in this process, and who is connected."""
        return self._open.attendance()

    async def sweep(self) -> None:
        """Ends sessions that are unused or too old (SE34)."""
        await self._open.sweep()

    # -- creating and joining

    async def create(
        self, principal: Principal, token: str | None, request: SessionRequest
    ) -> tuple[SessionView, str | None]:
        """The new session; and the token of the guest cookie to be set, if any.

        Raises Forbidden, SignInRequired, UnknownSlide, InvalidParameter, NameTaken, TooManySessions.
        """
        titles = await self._titles(principal, request.slides)
        await self._environment.require_name(principal, request.nickname)
        person, fresh = await self.participants.identify_or_add(principal, token)
        mine = await self._store.listed([person.identity])
        if sum(one.ended is None and one.owner == person.identity for one in mine) >= OPEN_SESSIONS:
            raise TooManySessions(OPEN_SESSIONS)
        state = self._first_state(person, request, titles)
        passcode = await hash_passcode(request.passcode) if request.passcode else None
        created = self._environment.clock()
        record = SessionRecord(
            state.id, state.code, person.identity, state.title, passcode, request.guests,
            request.settings.guests_annotate, tuple(request.slides), created, created, None, tour_id(state.stage),
        )  # fmt: skip
        await self._store.create(record, state, StoredMember("m1", person.identity, request.nickname))
        return SessionView(record, state, owner=True), fresh

    async def _titles(self, principal: Principal, slides: Sequence[str]) -> dict[str, str]:
        for slide in slides:
            await self._environment.require_host(principal, slide)
        titles = dict(await self._environment.presentable(principal, slides))
        for slide in slides:
            if slide not in titles:
                raise InvalidParameter("slides", slide, "slides that are there")
        return titles

    def _first_state(self, person: Person, request: SessionRequest, titles: dict[str, str]) -> State:
        now = self._environment.now()
        scene = request.scene or Scene(slide=request.slides[0])
        if not set(scene.slides()) <= set(request.slides):
            raise InvalidParameter("stage", scene.slides(), "slides of the session")
        owner = Member(
            id="m1", name=request.nickname, color=PALETTE[0], kind=person.kind, steers=True, following=True,
            present=False, hand=None, joined=now,
        )  # fmt: skip
        looks = () if request.view is None else (ViewEntry(pane=0, stage=1, by="m1", view=request.view),)
        return State(
            id=uuid.uuid4().hex, code=new_code(), title=request.title, state="live", sequence=0, started=now,
            owner="m1", presenter="m1", lost_until=None, settings=request.settings, recording=None,
            slides=tuple(Slide(id=one, title=titles[one]) for one in request.slides),
            stage=Stage(slide=scene.slide, pair=scene.pair, tour=scene.tour, number=1), members=(owner,), views=looks,
        )  # fmt: skip

    async def invitation(self, principal: Principal, token: str | None, code: str) -> Invitation:
        """What is shown before joining. Raises UnknownSession, TooManyRequests."""
        record = await self.admission.find(code)
        state, member_of = await self._current(record.id)
        person = await self.participants.identify(principal, token)
        host = state.member(state.owner)
        return Invitation(
            record.id, state.code, state.title, host.name if host else "", state.state,
            passcode=record.passcode is not None, account=not record.guests and not needs_no_account(principal),
            recording=state.recording is not None, joined=member_of(person.identity) if person else None,
        )  # fmt: skip

    async def join(
        self, principal: Principal, token: str | None, code: str, nickname: str, passcode: str | None
    ) -> tuple[str, str, str | None]:
        """The session's id, the client's member id, and the token of the guest cookie to be set, if any.

        Raises UnknownSession, WrongPasscode, SignInRequired, NameTaken, SessionLocked, SessionFull, TooManyRequests.
        """
        record = await self.admission.find(code)
        session = await self._open.open(record.id)
        known = await self.participants.identify(principal, token)
        if known is None or session.member_of(known.identity) is None:
            if not record.guests and not needs_no_account(principal):
                raise SignInRequired("join session")
            await self.admission.check_passcode(record, passcode)
        await self._environment.require_name(principal, nickname)
        person, fresh = await self.participants.identify_or_add(principal, token)
        return record.id, await session.admit(person, nickname), fresh

    # -- sessions of the client

    async def listed(self, principal: Principal, token: str | None) -> list[SessionView]:
        """The sessions that the client owns or is a member of, newest first; for the local user all."""
        person = await self.participants.identify(principal, token)
        if person is None and not principal.local:
            return []
        identities = None if principal.local else [person.identity] if person else []
        return [await self._view(record, principal, person) for record in await self._store.listed(identities)]

    async def get(self, principal: Principal, token: str | None, session_id: str) -> SessionView:
        """A session of which the client is a member. Raises UnknownSession."""
        record = await self._store.get(session_id)
        person = await self.participants.identify(principal, token)
        if not self._owns(record, principal, person):
            _, member_of = await self._current(session_id)
            if person is None or member_of(person.identity) is None:
                raise UnknownSession
        return await self._view(record, principal, person)

    async def change(
        self,
        principal: Principal,
        token: str | None,
        session_id: str,
        *,
        title: str | None = None,
        fresh_code: bool = False,
        **fields: Any,
    ) -> SessionView:
        """``fields``: passcode (None: none), guests. Raises UnknownSession, Forbidden."""
        await self._require_owner(principal, token, session_id)
        if fields.get("passcode") is not None:
            fields["passcode"] = await hash_passcode(fields["passcode"])
        if fields:
            await self._store.change(session_id, fields)
        session = await self._open.open(session_id)
        if session.state.state != "ended":
            session.change_title(title or session.state.title, new_code() if fresh_code else session.state.code)
            await session.settled()
        return await self.get(principal, token, session_id)

    async def end(self, principal: Principal, token: str | None, session_id: str) -> SessionView:
        """Ends a session for all. Raises UnknownSession, Forbidden."""
        await self._require_owner(principal, token, session_id)
        session = await self._open.open(session_id)
        session.end("asked")
        await session.settled()
        return await self.get(principal, token, session_id)

    async def delete(self, principal: Principal, token: str | None, session_id: str) -> None:
        """Deletes an ended session with its recordings. Raises UnknownSession, Forbidden, InvalidParameter."""
        record = await self._require_owner(principal, token, session_id)
        if record.ended is None:
            raise InvalidParameter("session", session_id, "a session that has ended")
        await self._open.close(session_id)
        await self._store.delete(session_id)

    async def attendees(self, principal: Principal, token: str | None, session_id: str) -> list[Attendee]:
        """Who was present and how long (SE60). Raises UnknownSession, Forbidden."""
        record = await self._require_owner(principal, token, session_id)
        return attendance(record, await self._store.visits(session_id), self._environment.now())

    async def _require_owner(self, principal: Principal, token: str | None, session_id: str) -> SessionRecord:
        view = await self.get(principal, token, session_id)
        if not view.owner:
            raise Forbidden("change this session")
        return view.record

    def _owns(self, record: SessionRecord, principal: Principal, person: Person | None) -> bool:
        return principal.has_role("admin") or (person is not None and person.identity == record.owner)

    async def _current(self, session_id: str) -> tuple[State, MemberOf]:
        """The state of a session and its members by identity: of the open session; on a node of a cluster that has not
        opened it, as stored. Raises UnknownSession.
        """
        session = self._open.opened(session_id) if self._ownership is not None else await self._open.open(session_id)
        if session is not None:
            return session.state, session.member_of
        assert self._ownership is not None
        loaded = await self._store.load(session_id)
        state = loaded.state
        if any(one.present for one in state.members) and not await self._ownership.is_open(session_id):
            state = restart(state, self._environment.now()).state
        return state, MemberRecords(loaded.snapshot.members).member_of

    async def _view(self, record: SessionRecord, principal: Principal, person: Person | None) -> SessionView:
        if record.ended is None or record.id in self._open:
            state, _ = await self._current(record.id)
        else:
            state = await self._store.last_state(record.id)
        return SessionView(record, state, self._owns(record, principal, person))
