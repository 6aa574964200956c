"""Members who look at slides in groups for a while (SE62 to SE68)."""

from __future__ import annotations

from sessions.worlds import NOW, VIEW, Trial, code, facts, kinds
from wavescope.sessions import limits
from wavescope.sessions.client_messages import CursorMessage, ViewMessage
from wavescope.sessions.groups import audiences, seen_by
from wavescope.sessions.live import as_current, cursor_of, view_of, with_views
from wavescope.sessions.model import Group, ViewEntry
from wavescope.sessions.operations import steer
from wavescope.sessions.presence import arrive, depart, join, wait_over


def divided(*groups: tuple[str, ...]) -> Trial:
    """A session of m1, who owns and presents it, to m5, in these groups."""
    trial = Trial("Ben", "Cleo", "Dan", "Eve")
    plans = [{"name": f"Group {number}", "members": list(one)} for number, one in enumerate(groups, 1)]
    assert kinds(trial.do("m1", "groups", groups=plans)) == ["groups"]
    return trial


def group(trial: Trial, number: int = 1) -> Group:
    return trial.state.groups[number - 1]


def look(by: str, stage: int, x: float) -> ViewEntry:
    return ViewEntry(pane=0, stage=stage, by=by, view=VIEW.model_copy(update={"l0_x": x}))


def test_each_group_begins_where_all_are_with_a_presenter_of_its_own_se62() -> None:
    trial = Trial("Ben", "Cleo")
    trial.state = with_views(trial.state, [look("m1", 1, 5.0)])
    plans = [{"name": "A", "members": ["m3", "m9"]}, {"name": "B", "members": ["m2"]}, {"name": "C", "members": []}]
    trial.do("m1", "groups", groups=plans)
    assert [one.members for one in trial.state.groups] == [("m3",), ("m2",), ()]
    assert [one.presenter for one in trial.state.groups] == ["m3", "m2", None]
    assert [one.stage.number for one in trial.state.groups] == [2, 3, 4]
    assert [one.views[0].view.l0_x for one in trial.state.groups] == [5.0] * 3
    assert (trial.state.presenter, trial.state.stage.number) == ("m1", 1)


def test_the_presenter_of_a_group_moves_its_members_alone_se63() -> None:
    trial = divided(("m2", "m3"), ("m4", "m5"))
    assert code(trial.do("m3", "stage", stage={"slide": "b"})) == "not-allowed"
    assert kinds(trial.do("m2", "stage", stage={"slide": "b"})) == ["group"]
    number = group(trial).stage.number
    assert (group(trial).stage.slide, group(trial, 2).stage.slide, trial.state.stage.slide) == ("b", "a", "a")
    assert number == 4
    message = ViewMessage(type="view", pane=0, stage=number, view=VIEW)
    shown = view_of(trial.state, "m2", message)
    assert shown is not None
    assert [view_of(trial.state, who, message) for who in ("m1", "m3", "m4")] == [None, None, None]
    moved = with_views(trial.state, [shown])
    assert [one.views for one in moved.groups] == [(shown,), ()]
    assert as_current(trial.state, moved).groups[0].views == (shown,)
    point = CursorMessage(type="cursor", pane=0, stage=number, l0_x=1.0, l0_y=1.0)
    assert [cursor_of(trial.state, who, point) is not None for who in ("m1", "m3", "m4")] == [False, True, False]


def test_an_audience_is_of_those_who_see_the_same_se63() -> None:
    trial = divided(("m2", "m3"), ("m4",))
    found = [
        [who for who in ("m1", "m2", "m3", "m4", "m5") if audience.has(who)] for audience in audiences(trial.state)
    ]
    assert found == [["m1", "m5"], ["m2", "m3"], ["m4"]]
    assert seen_by(trial.state, "m3").presenter == "m2"
    assert seen_by(trial.state, "m5") is trial.state


def test_members_of_a_group_hand_over_among_themselves_se63() -> None:
    trial = divided(("m2", "m3"), ("m4", "m5"))
    trial.do("m3", "hand", member="m3", raised=True)
    assert code(trial.do("m3", "present", member="m3")) == "not-allowed"
    assert code(trial.do("m2", "present", member="m4")) == "unknown-member"
    assert kinds(trial.do("m2", "present", member="m3")) == ["member", "group"]
    assert (group(trial).presenter, trial.state.presenter) == ("m3", "m1")
    raised = trial.state.member("m3")
    assert raised is not None
    assert (raised.hand, raised.steers) == (None, False)


def test_everyone_steers_in_a_group_too_se63() -> None:
    trial = divided(("m2", "m3"))
    settings = {"everyone_steers": True, "guests_annotate": False, "locked": False}
    trial.do("m1", "settings", settings=settings)
    decided = steer(trial.state, "m3", facts(NOW + 9000))
    assert (decided.state.groups[0].presenter, decided.state.presenter) == ("m3", "m1")


def test_a_group_waits_for_its_presenter_and_the_next_one_goes_on_se64() -> None:
    trial = divided(("m2", "m3", "m4"))
    lost = depart(trial.state, ["m2"], NOW)
    assert kinds(lost) == ["absent", "group"]
    assert lost.state.groups[0].lost_until == NOW + limits.GRACE_MS
    back = arrive(lost.state, "m2").state.groups[0]
    assert (back.presenter, back.lost_until) == ("m2", None)
    over = wait_over(lost.state, NOW + limits.GRACE_MS).state
    assert (over.groups[0].presenter, over.groups[0].lost_until) == ("m3", None)
    assert (over.presenter, over.state) == ("m1", "live")
    empty = wait_over(depart(over, ["m3", "m4"], NOW).state, NOW + limits.GRACE_MS).state
    assert empty.groups[0].presenter is None
    assert arrive(empty, "m4").state.groups[0].presenter == "m4"


def test_who_leaves_a_group_hands_over_at_once_se64() -> None:
    trial = divided(("m2", "m3"))
    assert kinds(trial.do("m2", "leave")) == ["gone", "group"]
    assert (group(trial).members, group(trial).presenter) == (("m3",), "m3")
    assert kinds(trial.do("m1", "remove", member="m3")) == ["gone", "group"]
    assert (group(trial).members, group(trial).presenter) == ((), None)
    assert kinds(trial.do("m1", "readmit", member="m3")) == []


def test_who_joins_late_comes_into_the_smallest_group_se65() -> None:
    trial = divided(("m2", "m3"), ("m4",))
    joined = join(trial.state, "m6", "Fay", "guest", NOW)
    assert kinds(joined) == ["member", "group"]
    assert joined.state.groups[1].members == ("m4", "m6")
    assert joined.state.groups[1].presenter == "m4"


def test_the_owner_moves_members_and_visits_groups_se66() -> None:
    trial = divided(("m2", "m3"), ("m4",))
    assert code(trial.do("m1", "move", member="m2", group="g9")) == "unknown-group"
    assert kinds(trial.do("m1", "move", member="m2", group="g2")) == ["group", "group"]
    assert [(one.members, one.presenter) for one in trial.state.groups] == [(("m3",), "m3"), (("m4", "m2"), "m4")]
    trial.do("m1", "move", member="m1", group="g1")
    assert (group(trial).members, group(trial).presenter) == (("m3", "m1"), "m3")
    assert kinds(trial.do("m1", "present", member="m1")) == ["group"]
    trial.do("m1", "move", member="m1", group=None)
    assert (group(trial).members, group(trial).presenter) == (("m3",), "m3")
    assert trial.state.presenter == "m1"


def test_the_owner_calls_all_back_se66() -> None:
    trial = divided(("m2", "m3"), ("m4",))
    trial.do("m2", "stage", stage={"slide": "b"})
    assert kinds(trial.do("m1", "groups", groups=[])) == ["groups"]
    assert seen_by(trial.state, "m2").stage == trial.state.stage
    assert kinds(trial.do("m1", "groups", groups=[])) == []
    trial.do("m1", "stage", stage={"slide": "b"})
    assert trial.state.stage.number == 2


def test_a_group_shows_no_tour_and_no_slide_that_is_gone_se68() -> None:
    trial = divided(("m2",))
    tour = {"slide": "a", "tour": {"id": "t", "waypoint": "w"}}
    assert code(trial.do("m2", "stage", stage=tour)) == "unknown-tour"
    trial.do("m2", "stage", stage={"slide": "b"})
    assert kinds(trial.do("m1", "slides", slides=["a"])) == ["slides", "group"]
    assert group(trial).stage.slide == "a"


def test_polls_notes_and_hands_stay_those_of_all_se68() -> None:
    trial = divided(("m2", "m3"))
    assert code(trial.do("m2", "note", text="x")) == "not-allowed"
    trial.do("m3", "hand", member="m3", raised=True)
    asked = {"kind": "single", "question": "q", "options": ["1", "2"]}
    assert code(trial.do("m2", "ask-poll", **asked)) == "not-allowed"
    trial.do("m1", "ask-poll", **asked)
    assert code(trial.do("m3", "answer-poll", poll=trial.state.polls[0].id, answer={"choices": [0]})) is None
