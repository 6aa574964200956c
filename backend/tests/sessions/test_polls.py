"""Polls: asked, answered, closed and revealed, and what nobody learns of them (SE54, SE55)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from sessions.worlds import NOW, Trial, code, folded, kinds
from wavescope.sessions import limits
from wavescope.sessions.client_messages import Malformed, read_message
from wavescope.sessions.events import EVENT
from wavescope.sessions.model import Poll, PollAnswer, State, to_json
from wavescope.sessions.polls import private_of

CHOICE = {"kind": "single", "question": "Which grade?", "options": ["1", "2", "3"]}
POINT = {"kind": "point", "question": "Where is the mitosis?", "slide": "a"}


class PollTrial(Trial):
    """A session with polls."""

    def ask(self, question: dict[str, Any] | None = None, **more: Any) -> str:
        self.do("m1", "ask-poll", **{**(question or CHOICE), **more})
        return self.state.polls[-1].id

    def poll(self, poll_id: str) -> Poll:
        poll = self.state.poll(poll_id)
        assert poll is not None
        return poll


def test_an_answer_is_given_once_and_changed_until_the_poll_is_closed_se54() -> None:
    trial = PollTrial("Ben", "Cleo")
    poll = trial.ask()
    assert kinds(trial.do("m2", "answer-poll", poll=poll, answer={"choices": [1]})) == ["poll-answered"]
    assert kinds(trial.do("m2", "answer-poll", poll=poll, answer={"choices": [1]})) == []
    trial.do("m2", "answer-poll", poll=poll, answer={"choices": [2]})
    trial.do("m3", "answer-poll", poll=poll, answer={"choices": [2]})
    assert (trial.poll(poll).answered, trial.poll(poll).results) == (2, None)
    trial.do("m1", "close-poll", poll=poll, reveal=False)
    assert code(trial.do("m3", "answer-poll", poll=poll, answer={"choices": [0]})) == "closed"
    trial.do("m1", "close-poll", poll=poll, reveal=True)
    results = trial.poll(poll).results
    assert results is not None
    assert (results.counts, results.answers) == ((0, 0, 2), ())
    trial.do("m1", "close-poll", poll=poll, reveal=False)
    assert trial.poll(poll).results is None


def test_another_poll_closes_the_open_one_and_the_oldest_goes_with_its_answers_se54() -> None:
    trial = PollTrial("Ben")
    first = trial.ask()
    trial.do("m2", "answer-poll", poll=first, answer={"choices": [0]})
    for _ in range(limits.POLLS):
        last = trial.ask()
    assert [one.open for one in trial.state.polls] == [False] * (limits.POLLS - 1) + [True]
    assert trial.state.poll(first) is None
    assert trial.box.of(first) == {}
    trial.do("m2", "answer-poll", poll=last, answer={"choices": [0]})
    trial.do("m1", "delete-poll", poll=last)
    assert (trial.state.poll(last), trial.box.of(last)) == (None, {})


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (CHOICE, {}), (CHOICE, {"choices": [0, 1]}), (CHOICE, {"choices": [3]}),
        (CHOICE, {"choices": [0], "point": {"l0_x": 1.0, "l0_y": 1.0}}),
        ({**CHOICE, "kind": "multiple"}, {"choices": []}),
        (POINT, {}), (POINT, {"choices": [0], "point": {"l0_x": 1.0, "l0_y": 1.0}}),
    ],
)  # fmt: skip
def test_what_is_no_answer_to_the_poll_is_refused_se54(question: dict[str, Any], answer: dict[str, Any]) -> None:
    trial = PollTrial("Ben")
    assert code(trial.do("m2", "answer-poll", poll=trial.ask(question), answer=answer)) == "not-allowed"


def test_what_names_no_poll_or_no_slide_is_refused_se54() -> None:
    trial = PollTrial("Ben")
    unknown = {"poll": "ab" * 16}
    refused = [
        trial.do("m2", "answer-poll", **unknown, answer={"choices": [0]}),
        trial.do("m1", "close-poll", **unknown, reveal=True),
        trial.do("m1", "delete-poll", **unknown),
    ]
    assert [code(one) for one in refused] == ["unknown-poll"] * 3
    assert code(trial.do("m1", "ask-poll", **{**POINT, "slide": "z"})) == "unknown-slide"


@pytest.mark.parametrize(
    "question",
    [
        {**CHOICE, "options": ["1"]}, {**CHOICE, "options": ["1", "1"]}, {**CHOICE, "slide": "a"},
        {**CHOICE, "options": [str(n) for n in range(11)]}, {**CHOICE, "options": ["1", "x" * 121]},
        {**CHOICE, "question": "x" * 301}, {**CHOICE, "question": " "}, {**CHOICE, "question": "two\nlines"},
        {**POINT, "options": ["1", "2"]}, {"kind": "point", "question": "q"}, {**CHOICE, "kind": "secret"},
    ],
)  # fmt: skip
def test_a_question_outside_its_limits_is_malformed_se54(question: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        read_message(json.dumps({"type": "ask-poll", "ref": 1, **question}))


def test_names_are_in_the_results_only_where_the_poll_says_so_se55() -> None:
    trial = PollTrial("Ben", "Cleo")
    spots = {"m2": {"l0_x": 9.0, "l0_y": 1.0}, "m3": {"l0_x": 2.0, "l0_y": 5.0}}
    for named in (False, True):
        poll = trial.ask(POINT, named=named)
        for member, spot in spots.items():
            trial.do(member, "answer-poll", poll=poll, answer={"point": spot})
        trial.do("m1", "close-poll", poll=poll, reveal=True)
        results = trial.poll(poll).results
        assert results is not None
        found = [(one.by, one.answer.point and one.answer.point.l0_x) for one in results.answers]
        assert found == ([("m2", 9.0), ("m3", 2.0)] if named else [(None, 2.0), (None, 9.0)])


def test_a_deleted_poll_comes_back_to_its_place_with_its_answers_se70() -> None:
    trial = PollTrial("Ben", "Cleo")
    first = trial.ask()
    trial.do("m2", "answer-poll", poll=first, answer={"choices": [1]})
    before = trial.poll(first)
    trial.do("m1", "delete-poll", poll=first)
    assert code(trial.do("m2", "restore-poll", poll=first)) == "not-allowed"
    assert kinds(trial.do("m1", "restore-poll", poll=first)) == ["poll"]
    assert (trial.poll(first), trial.box.of(first)["m2"]) == (before, PollAnswer(choices=(1,)))
    assert kinds(trial.do("m1", "restore-poll", poll=first)) == []
    assert code(trial.do("m1", "restore-poll", poll="ab" * 16)) == "unknown-poll"
    trial.do("m1", "delete-poll", poll=first)
    others = [trial.ask() for _ in range(limits.POLLS - 1)]
    trial.do("m1", "restore-poll", poll=first)
    assert [one.id for one in trial.state.polls] == [first, *others]
    assert [one.open for one in trial.state.polls] == [False] * (limits.POLLS - 1) + [True]
    trial.do("m1", "delete-poll", poll=first)
    trial.ask()
    assert code(trial.do("m1", "restore-poll", poll=first)) == "full"


def test_a_new_poll_is_the_newest_after_a_clock_was_set_back_se70() -> None:
    trial = PollTrial("Ben")
    first = trial.ask()
    ahead = trial.poll(first).model_copy(update={"asked": NOW + 10**9})
    trial.state = trial.state.model_copy(update={"polls": (ahead,)})
    second = trial.ask()
    assert [one.id for one in trial.state.polls] == [first, second]


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["m1", "m2", "m3", "m4"]),
        st.sampled_from(["ask", "answer", "answer", "answer", "close", "reveal", "delete", "restore", "present"]),
        st.integers(0, 2),
        st.sampled_from([CHOICE, {**CHOICE, "named": True}, {**CHOICE, "kind": "multiple"}, POINT]),
    ),
    max_size=50,
)


@settings(max_examples=share(150))
@given(ACTS)
def test_nobody_learns_an_answer_before_it_is_revealed_or_a_name_that_is_not_shown_se55(acts: list[Any]) -> None:
    trial = PollTrial("Ben", "Cleo", "Dan")
    begun = trial.state
    for who, act, number, question in acts:
        poll = trial.state.polls[number % len(trial.state.polls)] if trial.state.polls else None
        if act == "ask":
            trial.do(who, "ask-poll", **question)
        elif act == "present":
            trial.do(who, "present", member=who)
        elif act == "restore" and trial.deleted:
            trial.do(who, "restore-poll", poll=list(trial.deleted)[number % len(trial.deleted)])
        elif poll is not None and act == "answer":
            spot = {"point": {"l0_x": float(who[1:]), "l0_y": 0.0}}
            trial.do(who, "answer-poll", poll=poll.id, answer=spot if poll.kind == "point" else {"choices": [number]})
        elif poll is not None and act in ("close", "reveal"):
            trial.do(who, "close-poll", poll=poll.id, reveal=act == "reveal")
        elif poll is not None and act == "delete":
            trial.do(who, "delete-poll", poll=poll.id)
        check(trial)
    wire = tuple(EVENT.validate_json(to_json(event)) for event in trial.events)
    assert folded(begun, wire) == trial.state
    assert State.model_validate_json(to_json(trial.state)) == trial.state


def check(trial: PollTrial) -> None:
    """What is true of every state and of what each member alone may know."""
    state, box = trial.state, trial.box
    assert sum(one.open for one in state.polls) <= 1
    assert len(state.polls) <= limits.POLLS
    for poll in state.polls:
        assert poll.answered == len(box.of(poll.id))
        assert poll.results is None or not poll.open
        assert poll.results is None or poll.named or {one.by for one in poll.results.answers} <= {None}
    for member in state.members:
        private = private_of(state, member.id, box)
        assert {one.poll: one.answer for one in private.answers} == dict(box.by(member.id))
        asks = member.id in (state.owner, state.presenter)
        assert asks or private.results == ()
        for hidden in private.results:
            poll = trial.poll(hidden.poll)
            assert poll.results is None
            assert poll.named or {one.by for one in hidden.results.answers} <= {None}
