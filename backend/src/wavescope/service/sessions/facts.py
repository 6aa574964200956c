"""What a room learns from the rest of the service, and what it leaves there: facts, the stored state, audit entries."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping

from pydantic import TypeAdapter

from wavescope.catalog.sessions.records import SessionSnapshot
from wavescope.service.sessions.connection import Person
from wavescope.service.sessions.ports import SessionPorts
from wavescope.sessions.decision import Decision, Facts
from wavescope.sessions.events import EVENT, PhaseChanged, RecordingChanged, SlidesChanged, fold
from wavescope.sessions.live import with_changes, with_looks
from wavescope.sessions.messages import AnyOperation, SetStage, Slides
from wavescope.sessions.model import Changes, Look, Recording, State

LOOKS: TypeAdapter[tuple[Look, ...]] = TypeAdapter(tuple[Look, ...])


async def stored_state(snapshot: SessionSnapshot, ports: SessionPorts) -> State:
    """The state as it was left: the kept one, with the events since, views and annotations."""
    state = State.model_validate_json(snapshot.state)
    for event in snapshot.events:
        if event.sequence > snapshot.sequence:
            state = fold(state, EVENT.validate_json(event.event))
    state = with_looks(state.model_copy(update={"cursors": ()}), LOOKS.validate_json(snapshot.views))
    for slide, sequence in (await ports.elsewhere(ports.sessions.annotated, snapshot.record.slides)).items():
        state = with_changes(state, Changes(slide=slide, sequence=sequence))
    return state


def facts_of(
    ports: SessionPorts, moved: int, slides: Mapping[str, str] | None = None, *, tour_seen: bool = True
) -> Facts:
    """``moved``: when the presenter moved last, in milliseconds since 1970."""
    return Facts(ports.clock(), moved, slides or {}, tour_seen, uuid.uuid4().hex)


async def learned(
    ports: SessionPorts, state: State, moved: Callable[[], int], person: Person, operation: AnyOperation
) -> Facts:
    """What the rest of the service knows about an operation. ``moved`` is asked last: the presenter goes on moving."""
    answers = ports.answers
    if isinstance(operation, Slides):
        new = [one for one in operation.slides if one not in {slide.id for slide in state.slides}]
        titles = await answers.presentable(person.principal, new) if new else {}
        return facts_of(ports, moved(), titles)
    if isinstance(operation, SetStage) and operation.stage.tour is not None:
        known = state.stage.tour
        same = known is not None and known.id == operation.stage.tour.id
        seen = same or await answers.tour_seen(person.principal, operation.stage.tour.id)
        return facts_of(ports, moved(), tour_seen=seen)
    return facts_of(ports, moved())


def record(ports: SessionPorts, state: State, person: Person, decision: Decision) -> None:
    """What is recorded of an operation, before it is done: slides that others will see, recordings, the end."""
    for event in decision.events:
        match event:
            case SlidesChanged(slides=slides):
                for slide_id in {slide.id for slide in slides} - {slide.id for slide in state.slides}:
                    ports.audit(person.principal, "shared", slide_id, session=state.id)
            case RecordingChanged(recording=Recording(id=recording_id)):
                ports.audit(person.principal, "session recorded", session=state.id, recording=recording_id)
            case PhaseChanged(state="ended"):
                ports.audit(person.principal, "session ended", session=state.id)
