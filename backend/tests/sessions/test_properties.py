"""What holds of every session, whatever its members do in whatever order."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from sessions.worlds import NOW, VIEW, facts, folded, session
from wavescope.sessions import limits
from wavescope.sessions.buckets import Bucket
from wavescope.sessions.client_messages import Malformed, read_message
from wavescope.sessions.codes import new_code, read_code
from wavescope.sessions.events import EVENT, AnyEvent
from wavescope.sessions.live import with_cursors, with_views
from wavescope.sessions.model import Changes, Cursor, State, ViewEntry
from wavescope.sessions.operations import apply
from wavescope.sessions.outbox import Outbox, merged
from wavescope.sessions.presence import arrive, depart, restart, wait_over
from wavescope.sessions.server_messages import Tick

MEMBERS = st.sampled_from(["m1", "m2", "m3", "m4"])
FLAGS = st.booleans()
SCENES = st.sampled_from(
    [{"slide": "a"}, {"slide": "b"}, {"slide": "a", "pair": {"slide": "b", "mode": "swipe"}}, {"slide": "z"}]
)
PLANS = st.sampled_from(
    [
        [],
        [{"name": "A", "members": ["m2"]}, {"name": "B", "members": ["m3", "m4"]}],
        [{"name": "A", "members": ["m1", "m2", "m3", "m4"]}],
        [{"name": "A", "members": ["m4", "m2"]}, {"name": "B", "members": []}],
    ]
)
OPERATIONS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries({"type": st.just("follow"), "following": FLAGS}),
    st.fixed_dictionaries({"type": st.just("hand"), "member": MEMBERS, "raised": FLAGS}),
    st.just({"type": "lower-hands"}),
    st.fixed_dictionaries({"type": st.just("present"), "member": MEMBERS}),
    st.fixed_dictionaries({"type": st.just("allow"), "member": MEMBERS, "steers": FLAGS}),
    st.fixed_dictionaries({"type": st.just("pause"), "paused": FLAGS}),
    st.fixed_dictionaries(
        {
            "type": st.just("settings"),
            "settings": st.fixed_dictionaries({"everyone_steers": FLAGS, "guests_annotate": FLAGS, "locked": FLAGS}),
        }
    ),
    st.fixed_dictionaries(
        {"type": st.just("slides"), "slides": st.sampled_from([["a"], ["b"], ["a", "b"], ["c", "a"]])}
    ),
    st.fixed_dictionaries({"type": st.just("stage"), "stage": SCENES}),
    st.fixed_dictionaries({"type": st.just("note"), "text": st.text(min_size=1, max_size=20)}),
    st.fixed_dictionaries({"type": st.just("record"), "on": FLAGS}),
    st.fixed_dictionaries({"type": st.just("remove"), "member": MEMBERS}),
    st.fixed_dictionaries({"type": st.just("leave")}),
    st.fixed_dictionaries({"type": st.just("groups"), "groups": PLANS}),
    st.fixed_dictionaries({"type": st.just("move"), "member": MEMBERS, "group": st.sampled_from([None, "g1", "g2"])}),
)
STEPS = st.lists(
    st.tuples(MEMBERS, st.one_of(OPERATIONS, st.sampled_from(["arrive", "depart", "wait", "restart"]))), max_size=40
)


def step(state: State, who: str, what: dict[str, Any] | str, now: int) -> tuple[State, tuple[AnyEvent, ...]]:
    match what:
        case "arrive":
            decision = arrive(state, who)
        case "depart":
            decision = depart(state, [who], now)
        case "wait":
            decision = wait_over(state, now)
        case "restart":
            decision = restart(state, now)
        case _:
            operation = read_message(json.dumps({**what, "ref": 1}))  # type: ignore[dict-item]
            decision = apply(state, operation, who, facts(now, slides={"c": "C"}))  # type: ignore[arg-type]
            assert decision.refusal is None or decision.events == ()
    return decision.state, decision.events


def check(state: State) -> None:
    """What is true of every state."""
    ids = [member.id for member in state.members]
    assert len(set(ids)) == len(ids)
    assert "m1" in ids, "the owner stays a member"
    assert state.presenter is None or state.presenter in ids
    assert state.presenter is not None or state.state != "live", "SE33: nobody presents only while paused"
    assert state.lost_until is None or state.presenter is not None
    if state.lost_until is not None:
        presenter = state.member(str(state.presenter))
        assert presenter is not None
        assert not presenter.present
    assert set(state.stage.slides()) <= {slide.id for slide in state.slides}
    assert all(look.stage == state.stage.number for look in state.views)
    assert {cursor.by for cursor in state.cursors} <= set(ids)
    assert all(member.present or member.hand is None for member in state.members)
    check_groups(state)


def check_groups(state: State) -> None:
    """Each group is a session for its members (SE62 to SE66)."""
    grouped = [one for group in state.groups for one in group.members]
    assert len(set(grouped)) == len(grouped)
    assert set(grouped) <= {member.id for member in state.members}
    numbers = [state.stage.number, *(group.stage.number for group in state.groups)]
    assert len(set(numbers)) == len(numbers)
    for group in state.groups:
        assert group.presenter is None or group.presenter in group.members
        here = {one.id for one in state.members if one.id in group.members and one.present and one.id != state.owner}
        assert group.presenter is not None or not here, "anybody who is there presents"
        assert (group.lost_until is None) == (group.presenter is None or is_present(state, group.presenter))
        assert set(group.stage.slides()) <= {slide.id for slide in state.slides}
        assert all(look.stage == group.stage.number for look in group.views)


def is_present(state: State, member_id: str) -> bool:
    member = state.member(member_id)
    return member is not None and member.present


@settings(max_examples=share(150))
@given(STEPS)
def test_events_alone_lead_from_state_to_state_and_the_rules_of_the_state_hold_se2_se15(
    steps: list[tuple[str, Any]],
) -> None:
    begun = state = session("Ben", "Cleo", "Dan")
    events: tuple[AnyEvent, ...] = ()
    for number, (who, what) in enumerate(steps):
        if what != "arrive" or state.member(who) is not None:
            state, more = step(state, who, what, NOW + 4000 * number)
            events += more
        check(state)
    wire = tuple(EVENT.validate_json(event.model_dump_json()) for event in events)
    received = folded(begun, wire)
    assert received == state
    assert received.sequence - begun.sequence == len(events)
    assert State.model_validate_json(state.model_dump_json()) == state


VIEWS = st.builds(
    lambda pane, x, stage: ViewEntry(pane=pane, stage=stage, by="m1", view=VIEW.model_copy(update={"l0_x": x})),
    st.integers(0, 1),
    st.floats(-100, 100),
    st.integers(1, 2),
)
CURSORS = st.builds(
    lambda by, x: Cursor(by=by, l0_x=x, l0_y=x), st.sampled_from(["m1", "m2"]), st.one_of(st.none(), st.floats(0, 9))
)
CHANGES = st.builds(lambda slide, n: Changes(slide=slide, sequence=n), st.sampled_from("ab"), st.integers(0, 9))
TICKS = st.builds(
    lambda looks, cursors, changes: Tick(
        time=NOW, stage=1, views=tuple(one for one in looks if one.stage == 1) or None, cursors=tuple(cursors) or None,
        annotations=tuple(changes) or None,
    ),
    st.lists(VIEWS, max_size=3),
    st.lists(CURSORS, max_size=3),
    st.lists(CHANGES, max_size=2, unique_by=lambda one: one.slide),
)  # fmt: skip


def shown(state: State, ticks: list[Tick]) -> State:
    for tick in ticks:
        state = with_cursors(with_views(state, tick.views or ()), tick.cursors or ())
    return state


@given(st.lists(TICKS, min_size=1, max_size=6))
def test_a_slow_client_ends_where_a_quick_one_does_se27(ticks: list[Tick]) -> None:
    state = session("Ben")
    slow = ticks[0]
    for tick in ticks[1:]:
        slow = merged(slow, tick)
    quick, late = shown(state, ticks), shown(state, [slow])
    assert quick.views == late.views
    assert set(quick.cursors) == set(late.cursors)
    newest = {one.slide: one.sequence for tick in ticks for one in tick.annotations or ()}
    assert {one.slide: one.sequence for one in slow.annotations or ()} == newest


def test_only_events_queue_and_one_too_many_is_reported_se27() -> None:
    box = Outbox(limit=3)
    for tick in range(10):
        box.tick(Tick(time=tick, stage=1, cursors=(Cursor(by="m1", l0_x=float(tick), l0_y=0.0),)))
    for number in range(3):
        box.put(str(number))
    assert (len(box), box.overrun) == (4, False)
    assert [box.next_text(), box.next_text(), box.next_text()] == ["0", "1", "2"]
    tick = json.loads(box.next_text() or "")
    assert [one["l0_x"] for one in tick["cursors"]] == [9.0]
    assert box.next_text() is None
    for number in range(4):
        box.put(str(number))
    assert box.overrun


@given(st.text(max_size=200))
def test_text_is_a_message_or_malformed_se12(text: str) -> None:
    try:
        read_message(text)
    except Malformed:
        return
    raise AssertionError(f"{text!r} is no message")


BASE = {"type": "view", "pane": 0, "stage": 1, "view": VIEW.model_dump()}


@given(st.sampled_from(["pane", "stage", "view", "motion", "swipe", "type"]), st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(-(10**20), 10**20), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
))  # fmt: skip
def test_a_members_nonsense_is_malformed_or_within_its_limits_se12(member: str, value: Any) -> None:
    try:
        message = read_message(json.dumps({**BASE, member: value}))
    except Malformed:
        return
    assert abs(message.view.l0_x) <= limits.COORDINATE  # type: ignore[union-attr]
    assert message.pane in range(4)  # type: ignore[union-attr]


def test_codes_are_read_as_people_write_them_se5() -> None:
    code = new_code()
    assert read_code(f" {code[:4].lower()}-{code[4:]} ") == code
    assert [read_code(text) for text in ("", "7KQM2XW", "7KQM2XWD2", "0KQM2XWD", "x" * 10**6)] == [None] * 5
    assert len({new_code() for _ in range(1000)}) == 1000


def test_a_bucket_lets_its_rate_through_se28() -> None:
    bucket = Bucket(rate=10, burst=5, now=0)
    assert sum(bucket.consume(0) for _ in range(9)) == 5
    assert sum(bucket.consume(now) for now in range(0, 1000, 10)) == 9
    assert not bucket.consume(500)  # a clock that goes back gives nothing
