"""Who may do what in a session, and what it makes (section 6)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sessions.worlds import NOW, VIEW, facts, kinds, session
from wavescope.sessions.ballots import BallotBox
from wavescope.sessions.client_messages import CLIENT_MESSAGES, Malformed, read_message
from wavescope.sessions.decision import Decision, DeletedPoll
from wavescope.sessions.model import State
from wavescope.sessions.operations import apply, steer
from wavescope.sessions.presence import depart, wait_over

SCENE = {"slide": "b"}
LINK = {
    "scale": 1.0, "rotation": 0.0, "mirrored": False, "plane_step": 1.0, "plane_shift": 0.0, "l0_dx": 5.0, "l0_dy": 0.0,
    "zoom": 1.0,
}  # fmt: skip
PAIR = {"slide": "a", "pair": {"slide": "b", "mode": "side", "link": LINK}}
QUESTION = {"kind": "single", "question": "q", "options": ["a", "b"]}
SETTINGS = {"everyone_steers": True, "guests_annotate": True, "locked": False}


def done(
    state: State, who: str, kind: str, /, now: int = NOW, more: dict[str, Any] | None = None, **members: Any
) -> Decision:
    """An operation as it comes over the wire."""
    operation = read_message(json.dumps({"type": kind, "ref": 1, **members}))
    return apply(state, operation, who, facts(now, **(more or {})))  # type: ignore[arg-type]


ALLOWED = [
    ("follow", {"following": False}, {"m1": [], "m2": ["member"], "m3": ["member"]}),
    ("name", {"name": "Eve"}, {"m1": ["member"], "m2": ["member"], "m3": ["member"]}),
    ("hand", {"member": "m3", "raised": True}, {"m1": None, "m2": None, "m3": ["member"]}),
    ("lower-hands", {}, {"m1": [], "m2": [], "m3": None}),
    ("present", {"member": "m3"}, {"m1": ["presenter"], "m2": ["presenter"], "m3": None}),
    ("present", {"member": "m1"}, {"m1": ["presenter"], "m2": ["presenter"], "m3": None}),
    ("allow", {"member": "m3", "steers": True}, {"m1": ["member"], "m2": None, "m3": None}),
    ("pause", {"paused": True}, {"m1": ["state"], "m2": ["state"], "m3": None}),
    ("settings", {"settings": SETTINGS}, {"m1": ["settings"], "m2": None, "m3": None}),
    ("slides", {"slides": ["b", "a"]}, {"m1": ["slides"], "m2": ["slides"], "m3": None}),
    ("stage", {"stage": SCENE}, {"m1": None, "m2": ["stage"], "m3": None}),
    ("note", {"text": "front"}, {"m1": ["note"], "m2": ["note"], "m3": None}),
    (
        "ask-poll",
        {"kind": "single", "question": "q", "options": ["a", "b"]},
        {"m1": ["poll"], "m2": ["poll"], "m3": None},
    ),
    (
        "answer-poll",
        {"poll": "d0" * 16, "answer": {"choices": [1]}},
        {"m1": ["poll-answered"], "m2": ["poll-answered"], "m3": ["poll-answered"]},
    ),
    ("groups", {"groups": [{"name": "A", "members": ["m3"]}]}, {"m1": ["groups"], "m2": None, "m3": None}),
    ("move", {"member": "m3", "group": None}, {"m1": [], "m2": None, "m3": None}),
    ("close-poll", {"poll": "d0" * 16, "reveal": True}, {"m1": ["poll"], "m2": ["poll"], "m3": None}),
    ("delete-poll", {"poll": "d0" * 16}, {"m1": ["poll-deleted"], "m2": ["poll-deleted"], "m3": None}),
    ("restore-poll", {"poll": "d0" * 16}, {"m1": ["poll"], "m2": ["poll"], "m3": None}),
    (
        "ask-question",
        {"text": "Why?"},
        {"m1": ["question"], "m2": ["question"], "m3": ["question"]},
    ),
    (
        "vote-question",
        {"vote": True},
        {"m1": ["question-voted"], "m2": ["question-voted"], "m3": None},
    ),
    ("answer-question", {"answered": True}, {"m1": ["question"], "m2": ["question"], "m3": None}),
    (
        "hide-question",
        {"hidden": True},
        {"m1": ["question-gone"], "m2": ["question-gone"], "m3": None},
    ),
    ("delete-question", {}, {"m1": None, "m2": None, "m3": ["question-gone"]}),
    ("record", {"on": True}, {"m1": ["recording"], "m2": None, "m3": None}),
    ("remove", {"member": "m3"}, {"m1": ["gone"], "m2": None, "m3": None}),
    ("readmit", {"member": "m3"}, {"m1": [], "m2": None, "m3": None}),
    ("leave", {}, {"m1": ["absent"], "m2": ["gone", "presenter"], "m3": ["gone"]}),
    ("end", {}, {"m1": ["state"], "m2": None, "m3": None}),
]


@pytest.mark.parametrize(("kind", "members", "who"), ALLOWED, ids=lambda value: value if isinstance(value, str) else "")
def test_each_operation_is_open_to_those_it_is_meant_for_se21(
    kind: str, members: dict[str, Any], who: dict[str, list[str] | None]
) -> None:
    state = done(session("Ben", "Cleo"), "m1", "present", member="m2").state  # m1 owns, m2 presents, m3 follows
    more: dict[str, Any] = {"ballots": BallotBox()}
    if kind.endswith("-poll") and kind != "ask-poll":
        asked = replace(facts(), fresh_id="d0" * 16)
        question = {"type": "ask-poll", "ref": 1, **QUESTION}
        with_poll = apply(state, read_message(json.dumps(question)), "m1", asked).state  # type: ignore[arg-type]
        if kind == "restore-poll":
            more = {**more, "deleted": {"d0" * 16: DeletedPoll(with_poll.polls[0], {})}}
        else:
            state = with_poll
    if kind.endswith("-question"):
        asked_by_cleo = done(state, "m3", "ask-question", more={"ballots": BallotBox()}, text="q")
        state, more = asked_by_cleo.state, {"ballots": BallotBox(asked_by_cleo.ballots)}
        members = {**members, "question": "c0" * 16} if kind != "ask-question" else members
    if kind == "follow":
        state = done(state, "m1", "present", member="m1").state  # a presenter follows nobody
        assert kinds(done(state, "m1", kind, following=True)) == []
        who = {"m2": ["member"], "m3": ["member"]}
    for member, expected in who.items():
        decision = done(state, member, kind, more=more, **members)
        if expected is None:
            assert decision.refusal is not None, member
            assert decision.refusal.code == "not-allowed", member
            assert (decision.state, decision.events) == (state, ())
        else:
            assert decision.refusal is None, (member, decision.refusal)
            assert kinds(decision) == expected, member


def test_an_absent_member_has_no_raised_hand_se31() -> None:
    gone = done(session("Ben"), "m1", "leave").state  # the owner stays a member; its connection is closed soon after
    assert kinds(done(gone, "m1", "hand", member="m1", raised=True)) == []
    absent = depart(session("Ben"), ["m2"], NOW).state
    assert kinds(done(absent, "m2", "hand", member="m2", raised=True)) == []


def test_all_hands_are_lowered_at_once_se53() -> None:
    state = session("Ben", "Cleo")
    for member in ("m2", "m3"):
        state = done(state, member, "hand", member=member, raised=True).state
    lowered = done(state, "m1", "lower-hands")
    assert kinds(lowered) == ["hands-lowered"]
    assert [one.hand for one in lowered.state.members] == [None, None, None]
    assert kinds(done(lowered.state, "m1", "lower-hands")) == []


def test_every_operation_is_tried() -> None:
    assert {kind for kind, _, _ in ALLOWED} == set(CLIENT_MESSAGES) - {"hello", "ping", "view", "cursor"}


@pytest.mark.parametrize(
    ("kind", "members", "code"),
    [
        ("present", {"member": "m9"}, "unknown-member"),
        ("allow", {"member": "m9", "steers": True}, "unknown-member"),
        ("remove", {"member": "m1"}, "not-allowed"),
        ("stage", {"stage": {"slide": "z"}}, "unknown-slide"),
        ("stage", {"stage": {"slide": "a", "pair": {"slide": "z", "mode": "side"}}}, "unknown-slide"),
        ("slides", {"slides": ["a", "z"]}, "unknown-slide"),
    ],
)
def test_what_names_nothing_is_refused_se21(kind: str, members: dict[str, Any], code: str) -> None:
    decision = done(session("Ben"), "m1", kind, **members)
    assert decision.refusal is not None
    assert decision.refusal.code == code


def test_a_tour_that_the_sender_may_not_view_is_unknown() -> None:
    scene = {"slide": "a", "tour": {"id": "t", "waypoint": "w1"}}
    refused = done(session(), "m1", "stage", more={"tour_seen": False}, stage=scene)
    assert refused.refusal is not None
    assert refused.refusal.code == "unknown-tour"
    assert done(session(), "m1", "stage", stage=scene).state.stage.tour is not None


def test_a_stage_begins_with_its_views_and_without_cursors() -> None:
    views = [{"pane": 0, "view": VIEW.model_dump()}, {"pane": 1, "view": VIEW.model_dump()}]
    state = done(session(), "m1", "stage", stage=PAIR, views=views).state
    assert (state.stage.number, [look.pane for look in state.views], state.cursors) == (2, [0, 1], ())
    assert {look.stage for look in state.views} == {2}
    alone = done(state, "m1", "stage", stage=SCENE, views=views).state
    assert [look.pane for look in alone.views] == [0]


def test_a_stage_has_up_to_four_panes_each_linked_to_the_first_with_their_landmarks() -> None:
    pair = {"slide": "b", "mode": "side", "more": [{"slide": "a"}, {"slide": "b"}], "swiped": [1, 3]}
    marks = [[{"l0_x": 1.0, "l0_y": 2.0}, None, {"l0_x": 3.0, "l0_y": 4.0}, None]]
    scene = {"slide": "a", "pair": {**pair, "marks": marks}}
    views = [{"pane": pane, "view": VIEW.model_dump()} for pane in range(4)]
    state = done(session(), "m1", "stage", stage=scene, views=views).state
    assert state.stage.slides() == ("a", "b", "a", "b")
    assert [look.pane for look in state.views] == [0, 1, 2, 3]
    assert state.stage.pair is not None
    assert [mark and mark.l0_x for mark in state.stage.pair.marks[0]] == [1, None, 3, None]
    unknown = {**scene, "pair": {**pair, "more": [{"slide": "z"}]}}
    refused = done(state, "m1", "stage", stage=unknown).refusal
    assert refused is not None
    assert refused.code == "unknown-slide"


def test_a_slide_that_goes_takes_its_stage_along() -> None:
    state = done(session(), "m1", "stage", stage=PAIR).state
    decision = done(state, "m1", "slides", slides=["a"])
    assert kinds(decision) == ["slides", "stage"]
    assert decision.state.stage.pair is None
    more = done(state, "m1", "slides", more={"slides": {"c": "C"}}, slides=["c", "a", "b"])
    assert [slide.title for slide in more.state.slides] == ["C", "A", "B"]


def test_while_paused_the_stage_stays_se22() -> None:
    paused = done(session(), "m1", "pause", paused=True).state
    refused = done(paused, "m1", "stage", stage=SCENE)
    assert refused.refusal is not None
    assert refused.refusal.code == "paused"
    assert kinds(done(paused, "m1", "pause", paused=True)) == []
    assert done(paused, "m1", "pause", paused=False).state.state == "live"


def test_everyone_may_steer_unless_the_presenter_moves_se18() -> None:
    state = session("Ben", everyone=True)
    busy = steer(state, "m2", facts(NOW + 400, moved=NOW))
    assert busy.refusal is not None
    assert busy.refusal.code == "busy"
    free = steer(state, "m2", facts(NOW + 600, moved=NOW))
    assert free.state.presenter == "m2"
    assert steer(session("Ben"), "m2", facts(NOW + 600)).refusal is not None
    taken = done(state, "m2", "stage", now=NOW + 600, more={"moved": NOW}, stage=SCENE)
    assert kinds(taken) == ["presenter", "stage"]


def test_who_has_the_right_takes_what_nobody_has_se33() -> None:
    state = done(session("Ben", "Cleo"), "m1", "allow", member="m2", steers=True).state
    assert done(state, "m2", "present", member="m2").refusal is not None
    vacant = depart(state, ["m1"], NOW).state.model_copy(
        update={"presenter": None, "lost_until": None, "state": "paused"}
    )
    assert done(vacant, "m3", "present", member="m3").refusal is not None
    taken = done(vacant, "m2", "present", member="m2")
    assert kinds(taken) == ["presenter", "state"]
    assert (taken.state.presenter, taken.state.state) == ("m2", "live")


def test_a_hand_falls_when_its_member_presents_se50() -> None:
    raised = done(session("Ben", "Cleo"), "m2", "hand", member="m2", raised=True).state
    handed = done(raised, "m1", "present", member="m2")
    assert kinds(handed) == ["presenter", "member"]
    assert [(one.id, one.hand) for one in handed.state.members] == [("m1", None), ("m2", None), ("m3", None)]
    everyone = raised.model_copy(update={"settings": raised.settings.model_copy(update={"everyone_steers": True})})
    assert kinds(steer(everyone, "m2", facts())) == ["presenter", "member"]
    alone = depart(everyone, ["m1"], NOW).state
    assert kinds(wait_over(alone, NOW + 20_000)) == ["presenter", "member"]


def test_a_removal_is_taken_back_with_all_that_the_member_had_se51() -> None:
    state = done(session("Ben"), "m1", "allow", member="m2", steers=True).state
    ben = state.member("m2")
    gone = done(state, "m1", "remove", member="m2", text="This is the room of group B.").state
    assert gone.member("m2") is None
    assert done(gone, "m1", "readmit", member="m2").refusal is not None  # nobody knows who that was
    back = done(gone, "m1", "readmit", more={"removed": {"m2": ben}}, member="m2")
    assert ben is not None
    assert back.state.member("m2") == ben.model_copy(update={"present": False})


@pytest.mark.parametrize("text", ["x" * 121, "é" * 61, "two\nlines"])
def test_the_reason_of_a_removal_fits_into_a_close_frame_se51(text: str) -> None:
    with pytest.raises(Malformed):
        done(session("Ben"), "m1", "remove", member="m2", text=text)


def test_whose_names_pointers_show_is_a_setting_se52() -> None:
    chosen = done(session("Ben"), "m1", "settings", settings={**SETTINGS, "names": "hover"})
    assert (session().settings.names, chosen.state.settings.names) == ("presenter", "hover")


def test_nothing_is_done_in_a_session_that_has_ended() -> None:
    recorded = done(session(), "m1", "record", on=True).state
    ended = done(recorded, "m1", "end")
    assert kinds(ended) == ["recording", "state"]
    refused = done(ended.state, "m1", "note", text="late")
    assert refused.refusal is not None
    assert refused.refusal.code == "not-allowed"


def test_what_already_holds_makes_no_event_se21() -> None:
    state = session("Ben")
    for kind, members in (
        ("follow", {"following": True}), ("name", {"name": "Ada"}), ("present", {"member": "m1"}),
        ("pause", {"paused": False}), ("slides", {"slides": ["a", "b"]}), ("stage", {"stage": {"slide": "a"}}),
        ("record", {"on": False}), ("allow", {"member": "m2", "steers": False}),
        ("settings", {"settings": state.settings.model_dump()}),
    ):  # fmt: skip
        decision = done(state, "m1", kind, **members)
        assert (decision.refusal, decision.events) == (None, ()), kind
