"""Live sessions for those who may be in them: making, joining, finding, ending (SE3 to SE11)."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from wavescope.access.principal import Principal
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import Kept, SessionRecord, StoredMember
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.errors import (
    Forbidden,
    InvalidParameter,
    SignInRequired,
    TooManySessions,
    UnknownSession,
    WrongPasscode,
)
from wavescope.service.access.gate import Gate, require
from wavescope.service.sessions.attempt_limiter import AttemptLimiter
from wavescope.service.sessions.connection import Person
from wavescope.service.sessions.participants import Participants, needs_no_account
from wavescope.service.sessions.passcodes import fits, hashed
from wavescope.service.sessions.ports import Answers, Recorded, SessionPorts
from wavescope.service.sessions.rooms import Rooms
from wavescope.sessions.codes import new_code, read_code
from wavescope.sessions.messages import written
from wavescope.sessions.model import Look, Member, Phase, Scene, Settings, Slide, Stage, State, View
from wavescope.sessions.presence import PALETTE

OPEN_SESSIONS = 20  # of one owner


@dataclass(frozen=True)
class Wanted:
    """A session to be made."""

    title: str
    slides: Sequence[str]
    nickname: str
    passcode: str | None = None
    guests: bool = True
    settings: Settings = field(default_factory=Settings)
    scene: Scene | None = None
    view: View | None = None


@dataclass(frozen=True)
class SessionView:
    """A session as its members see it (SE9)."""

    record: SessionRecord
    state: State
    owner: bool


@dataclass(frozen=True)
class Door:
    """A session as it is seen before joining (SE5). ``recording``: whether it is being recorded now; ``joined``: the
    member that the client is already.
    """

    id: str
    code: str
    title: str
    host: str
    state: Phase
    passcode: bool
    account: bool
    recording: bool
    joined: str | None


class SessionService:
    """All sessions of a service."""

    def __init__(
        self,
        sessions: SessionTable,
        recordings: RecordingTable,
        answers: Answers,
        gate: Gate,
        audit: Recorded,
        people: Participants,
    ) -> None:
        clock = time.time
        self.table, self._answers, self._gate, self._clock = sessions, answers, gate, clock
        self._writer = ThreadPoolExecutor(1, "sessions")
        self._ports = SessionPorts(sessions, recordings, answers, lambda: int(clock() * 1000), audit, self._writer)
        self.people = people
        self.rooms = Rooms(self._ports, clock)
        self.codes = AttemptLimiter("session codes", 600, clock)
        self._passcodes: defaultdict[str, AttemptLimiter] = defaultdict(lambda: AttemptLimiter("passcodes", 100, clock))

    def start(self) -> None:
        """Begins to look after the rooms."""
        self.rooms.start()

    async def stop(self) -> None:
        """Keeps all rooms."""
        await self.rooms.stop()
        self._writer.shutdown()

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self._ports.clock()

    # -- making and joining

    async def create(self, principal: Principal, token: str | None, wanted: Wanted) -> tuple[SessionView, str | None]:
        """The session, and the token of a cookie that is to be set.

        Raises Forbidden, SignInRequired, UnknownSlide, InvalidParameter, TooManySessions.
        """
        titles = await self._titles(principal, wanted.slides)
        person, fresh = await self.people.newcomer(principal, token)
        mine = await asyncio.to_thread(self.table.listed, [person.identity])
        if sum(one.ended is None and one.owner == person.identity for one in mine) >= OPEN_SESSIONS:
            raise TooManySessions(OPEN_SESSIONS)
        state = self._first_state(person, wanted, titles)
        record = SessionRecord(
            state.id, state.code, person.identity, state.title, wanted.passcode and await hashed(wanted.passcode),
            wanted.guests, wanted.settings.guests_annotate, tuple(wanted.slides), self._clock(), self._clock(), None,
        )  # fmt: skip
        views = "[" + ",".join(written(one) for one in state.views) + "]"
        owner = StoredMember("m1", person.identity, wanted.nickname)
        await self._ports.elsewhere(self.table.create, record, written(state), views, owner)
        return SessionView(record, state, owner=True), fresh

    async def _titles(self, principal: Principal, slides: Sequence[str]) -> dict[str, str]:
        for slide in slides:
            require(self._gate, principal, "host session", slide)
        titles = dict(await self._answers.presentable(principal, slides))
        for slide in slides:
            if slide not in titles:
                raise InvalidParameter("slides", slide, "slides that are there")
        return titles

    def _first_state(self, person: Person, wanted: Wanted, titles: dict[str, str]) -> State:
        now = int(self._clock() * 1000)
        scene = wanted.scene or Scene(slide=wanted.slides[0])
        if not set(scene.slides()) <= set(wanted.slides):
            raise InvalidParameter("stage", scene.slides(), "slides of the session")
        owner = Member(
            id="m1", name=wanted.nickname, color=PALETTE[0], kind=person.kind, steers=True, following=True,
            present=False, hand=None, joined=now,
        )  # fmt: skip
        looks = () if wanted.view is None else (Look(pane=0, stage=1, by="m1", view=wanted.view),)
        return State(
            id=uuid.uuid4().hex, code=new_code(), title=wanted.title, state="live", sequence=0, started=now, owner="m1",
            presenter="m1", lost_until=None, settings=wanted.settings, recording=None,
            slides=tuple(Slide(id=one, title=titles[one]) for one in wanted.slides),
            stage=Stage(slide=scene.slide, pair=scene.pair, tour=scene.tour, number=1), members=(owner,), views=looks,
        )  # fmt: skip

    async def door(self, principal: Principal, token: str | None, code: str) -> Door:
        """What may be known before joining. Raises UnknownSession, TooManyRequests."""
        record = await self._by_code(code)
        room = await self.rooms.open(record.id)
        person = await self.people.of(principal, token)
        host = room.state.member(room.state.owner)
        return Door(
            record.id, room.state.code, room.state.title, host.name if host else "", room.state.state,
            passcode=record.passcode is not None, account=not record.guests and not needs_no_account(principal),
            recording=room.state.recording is not None, joined=room.member_of(person.identity) if person else None,
        )  # fmt: skip

    async def join(
        self, principal: Principal, token: str | None, code: str, nickname: str, passcode: str | None
    ) -> tuple[str, str, str | None]:
        """The session, the member that whoever asks now is, and the token of a cookie that is to be set.

        Raises UnknownSession, WrongPasscode, SignInRequired, SessionLocked, SessionFull, TooManyRequests.
        """
        record = await self._by_code(code)
        room = await self.rooms.open(record.id)
        known = await self.people.of(principal, token)
        if known is None or room.member_of(known.identity) is None:
            if not record.guests and not needs_no_account(principal):
                raise SignInRequired("join session")
            await self._check_passcode(record, passcode)
        person, fresh = await self.people.newcomer(principal, token)
        return record.id, await room.admit(person, nickname), fresh

    async def _check_passcode(self, record: SessionRecord, passcode: str | None) -> None:
        if record.passcode is None:
            return
        guesses = self._passcodes[record.id]
        guesses.check()
        if passcode is None or not await fits(record.passcode, passcode):
            guesses.miss()
            raise WrongPasscode

    async def _by_code(self, text: str) -> SessionRecord:
        self.codes.check()
        code = read_code(text)
        record = await asyncio.to_thread(self.table.by_code, code) if code else None
        if record is None:
            self.codes.miss()
            raise UnknownSession
        return record

    # -- those that are there

    async def listed(self, principal: Principal, token: str | None) -> list[SessionView]:
        """Those one owns or is a member of, the newest first; the local user's are all."""
        person = await self.people.of(principal, token)
        if person is None and not principal.local:
            return []
        identities = None if principal.local else [person.identity] if person else []
        records = await asyncio.to_thread(self.table.listed, identities)
        return [await self._view(record, principal, person) for record in records]

    async def get(self, principal: Principal, token: str | None, session_id: str) -> SessionView:
        """A session of which one is a member. Raises UnknownSession."""
        record = await asyncio.to_thread(self.table.get, session_id)
        person = await self.people.of(principal, token)
        if not self._governs(record, principal, person):
            room = await self.rooms.open(session_id)
            if person is None or room.member_of(person.identity) is None:
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
        await self._govern(principal, token, session_id)
        if fields.get("passcode") is not None:
            fields["passcode"] = await hashed(fields["passcode"])
        if fields:
            await self._ports.elsewhere(self.table.keep, session_id, Kept(fields=fields))
        room = await self.rooms.open(session_id)
        if room.state.state != "ended":
            room.change_title(title or room.state.title, new_code() if fresh_code else room.state.code)
            await room.settled()
        return await self.get(principal, token, session_id)

    async def end(self, principal: Principal, token: str | None, session_id: str) -> SessionView:
        """Raises UnknownSession, Forbidden."""
        await self._govern(principal, token, session_id)
        room = await self.rooms.open(session_id)
        room.end("asked")
        await room.settled()
        return await self.get(principal, token, session_id)

    async def delete(self, principal: Principal, token: str | None, session_id: str) -> None:
        """Forgets an ended session with its recordings. Raises UnknownSession, Forbidden, InvalidParameter."""
        record = await self._govern(principal, token, session_id)
        if record.ended is None:
            raise InvalidParameter("session", session_id, "a session that has ended")
        await self.rooms.drop(session_id)
        await self._ports.elsewhere(self.table.delete, session_id)

    async def _govern(self, principal: Principal, token: str | None, session_id: str) -> SessionRecord:
        view = await self.get(principal, token, session_id)
        if not view.owner:
            raise Forbidden("change this session")
        return view.record

    def _governs(self, record: SessionRecord, principal: Principal, person: Person | None) -> bool:
        return principal.has_role("admin") or (person is not None and person.identity == record.owner)

    async def _view(self, record: SessionRecord, principal: Principal, person: Person | None) -> SessionView:
        if record.ended is None or record.id in self.rooms:
            state = (await self.rooms.open(record.id)).state
        else:
            state = State.model_validate_json((await asyncio.to_thread(self.table.load, record.id)).state)
        return SessionView(record, state, self._governs(record, principal, person))
