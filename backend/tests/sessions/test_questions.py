"""Questions: asked, voted for, answered and hidden, and what nobody learns of them (SE56 to SE58)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampling import share
from sessions.worlds import Trial, code, folded, kinds
from wavescope.sessions import limits
from wavescope.sessions.client_messages import Malformed, read_message
from wavescope.sessions.events import EVENT
from wavescope.sessions.model import AskedQuestion, State, Vote, to_json
from wavescope.sessions.polls import private_of

FIELD = {"l0_x": 1.0, "l0_y": 2.0, "l0_width": 30.0, "l0_height": 40.0}
UNKNOWN = "ab" * 16


class QuestionTrial(Trial):
    """A session with questions."""

    def ask(self, who: str = "m2", **more: Any) -> str:
        decision = self.do(who, "ask-question", text="Is this a mitosis?", **more)
        assert decision.refusal is None
        return self.state.questions[-1].id

    def votes(self, question: str) -> int:
        found = self.state.question(question)
        assert found is not None
        return found.votes


def test_each_other_member_votes_once_and_takes_it_back_se56() -> None:
    trial = QuestionTrial("Ben", "Cleo")
    question = trial.ask()
    assert kinds(trial.do("m3", "vote-question", question=question, vote=True)) == ["question-voted"]
    assert kinds(trial.do("m3", "vote-question", question=question, vote=True)) == []
    trial.do("m1", "vote-question", question=question, vote=True)
    assert trial.votes(question) == 2
    trial.do("m3", "vote-question", question=question, vote=False)
    assert trial.votes(question) == 1
    assert kinds(trial.do("m3", "vote-question", question=question, vote=False)) == []
    assert code(trial.do("m2", "vote-question", question=question, vote=True)) == "not-allowed"


def test_presenter_and_owner_answer_and_hide_and_show_again_with_all_votes_se56_se58() -> None:
    trial = QuestionTrial("Ben", "Cleo")
    question = trial.ask(place={"slide": "b", "view": FIELD})
    trial.do("m3", "vote-question", question=question, vote=True)
    assert kinds(trial.do("m1", "answer-question", question=question, answered=True)) == ["question"]
    assert kinds(trial.do("m1", "answer-question", question=question, answered=True)) == []
    before = trial.state.question(question)
    assert before is not None
    assert before.answered
    assert kinds(trial.do("m1", "hide-question", question=question, hidden=True)) == ["question-gone"]
    assert trial.state.questions == ()
    assert code(trial.do("m3", "vote-question", question=question, vote=False)) == "unknown-question"
    assert kinds(trial.do("m1", "hide-question", question=question, hidden=False)) == ["question"]
    assert kinds(trial.do("m1", "hide-question", question=question, hidden=False)) == []
    assert trial.state.question(question) == before


def test_the_asker_deletes_the_own_question_with_its_votes_se56() -> None:
    trial = QuestionTrial("Ben", "Cleo")
    question = trial.ask()
    trial.do("m3", "vote-question", question=question, vote=True)
    assert code(trial.do("m3", "delete-question", question=question)) == "not-allowed"
    assert code(trial.do("m1", "delete-question", question=question)) == "not-allowed"
    assert kinds(trial.do("m2", "delete-question", question=question)) == ["question-gone"]
    assert (trial.state.questions, trial.box.of(question)) == ((), {})
    assert code(trial.do("m1", "hide-question", question=question, hidden=False)) == "unknown-question"


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("answer-question", {"answered": True}),
        ("hide-question", {"hidden": True}),
        ("hide-question", {"hidden": False}),
    ],
)
def test_other_members_neither_answer_nor_hide_se56(kind: str, more: dict[str, Any]) -> None:
    trial = QuestionTrial("Ben", "Cleo")
    question = trial.ask()
    assert code(trial.do("m2", kind, question=question, **more)) == "not-allowed"


def test_what_names_no_question_or_no_slide_is_refused_se56() -> None:
    trial = QuestionTrial("Ben")
    trial.do("m1", "ask-poll", kind="single", question="q", options=["a", "b"])
    poll = trial.state.polls[-1].id
    trial.do("m2", "answer-poll", poll=poll, answer={"choices": [0]})
    for unknown in (UNKNOWN, poll):
        refused = [
            trial.do("m2", "vote-question", question=unknown, vote=True),
            trial.do("m2", "delete-question", question=unknown),
            trial.do("m1", "answer-question", question=unknown, answered=True),
            trial.do("m1", "hide-question", question=unknown, hidden=True),
            trial.do("m1", "hide-question", question=unknown, hidden=False),
        ]
        assert [code(one) for one in refused] == ["unknown-question"] * 5
    elsewhere = trial.do("m2", "ask-question", text="q", place={"slide": "z", "view": FIELD})
    assert code(elsewhere) == "unknown-slide"


def test_the_questions_of_one_member_and_of_all_are_limited_se56() -> None:
    trial = QuestionTrial(*(f"Guest {number}" for number in range(limits.QUESTIONS // limits.QUESTIONS_OF_ONE + 1)))
    for number in range(limits.QUESTIONS):
        first = trial.ask(f"m{2 + number // limits.QUESTIONS_OF_ONE}")
    trial.do("m1", "hide-question", question=first, hidden=True)
    last = len(trial.state.members)
    assert code(trial.do(f"m{last - 1}", "ask-question", text="one more")) == "full"
    trial.ask(f"m{last}")
    assert code(trial.do(f"m{last}", "ask-question", text="one more")) == "full"
    assert code(trial.do("m1", "hide-question", question=first, hidden=False)) == "full"


@pytest.mark.parametrize(
    "members",
    [
        {"text": ""}, {"text": " "}, {"text": "x" * 301}, {"text": "two\nlines"}, {"text": "a\u202eb"}, {},
        {"text": "q", "place": {"slide": "a"}}, {"text": "q", "votes": 5},
        {"text": "q", "place": {"slide": "a", "view": {**FIELD, "adjustments": {"gamma": 2}}}},
        {"text": "q", "place": {"slide": "a", "view": {**FIELD, "l0_width": 0.0}}},
    ],
)  # fmt: skip
def test_a_question_outside_its_limits_is_malformed_se56(members: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        read_message(json.dumps({"type": "ask-question", "ref": 1, **members}))


ACTS = st.lists(
    st.tuples(
        st.sampled_from(["m1", "m2", "m3", "m4"]),
        st.sampled_from(["ask", "named", "vote", "vote", "take back", "answer", "hide", "show", "delete", "present"]),
        st.integers(0, 3),
    ),
    max_size=50,
)


@settings(max_examples=share(150))
@given(ACTS)
def test_nobody_learns_who_asked_without_a_name_or_who_voted_or_what_is_hidden_se57_se58(acts: list[Any]) -> None:
    trial, asked = QuestionTrial("Ben", "Cleo", "Dan"), list[str]()
    begun = trial.state
    for who, act, number in acts:
        question = asked[number % len(asked)] if asked else UNKNOWN
        if act in ("ask", "named"):
            if trial.do(who, "ask-question", text=f"asked by {who}", named=act == "named").events:
                asked.append(trial.state.questions[-1].id)
        elif act in ("vote", "take back"):
            trial.do(who, "vote-question", question=question, vote=act == "vote")
        elif act in ("hide", "show"):
            trial.do(who, "hide-question", question=question, hidden=act == "hide")
        elif act == "answer":
            trial.do(who, "answer-question", question=question, answered=number > 0)
        elif act == "delete":
            trial.do(who, "delete-question", question=question)
        else:
            trial.do(who, "present", member=who)
        check(trial)
    wire = tuple(EVENT.validate_json(to_json(event)) for event in trial.events)
    assert folded(begun, wire) == trial.state
    assert State.model_validate_json(to_json(trial.state)) == trial.state


def check(trial: QuestionTrial) -> None:
    """What is true of every state and of what each member alone may know."""
    for question in trial.state.questions:
        given = trial.box.of(question.id)
        askers = {member: one for member, one in given.items() if isinstance(one, AskedQuestion)}
        ((asker, own),) = askers.items()
        assert question.by == (asker if own.named else None)
        assert question.votes == sum(isinstance(one, Vote) for one in given.values()) == len(given) - 1
    shown = {question.id for question in trial.state.questions}
    for member in trial.state.members:
        private, own_ones = private_of(trial.state, member.id, trial.box), trial.box.by(member.id)
        assert set(private.questions) == {id for id in shown if isinstance(own_ones.get(id), AskedQuestion)}
        assert set(private.votes) == {id for id in shown if isinstance(own_ones.get(id), Vote)}
