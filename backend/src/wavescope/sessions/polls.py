"""Polls: who asks, who answers, and who learns the results when (SE54, SE55)."""

from __future__ import annotations

from collections.abc import Mapping

from wavescope.sessions import limits
from wavescope.sessions.ballots import Ballot, BallotBox
from wavescope.sessions.client_messages import AnswerPoll, AskPoll, ClosePoll, DeletePoll, RestorePoll
from wavescope.sessions.decision import Decision, Facts, check_allowed, refused
from wavescope.sessions.events import PollAnswered, PollChanged, PollDeleted
from wavescope.sessions.model import (
    Answer,
    AskedQuestion,
    GivenAnswer,
    LandmarkPoint,
    Member,
    Poll,
    PollAnswer,
    PollResults,
    State,
    Vote,
)
from wavescope.sessions.server_messages import HiddenResults, OwnAnswer, Private


def ask_poll(state: State, operation: AskPoll, sender: Member, facts: Facts) -> Decision:
    """A new poll; the open one is closed, and the oldest one makes room."""
    _check_asks(state, sender)
    if operation.slide is not None and operation.slide not in {slide.id for slide in state.slides}:
        raise refused("unknown-slide", f"the session has no slide {operation.slide}")
    decision = Decision(state)
    for one in state.polls:
        if one.open:
            decision = decision.then(PollChanged(poll=one.model_copy(update={"open": False})))
    asked = max([facts.now, *(one.asked + 1 for one in state.polls)])  # the newest one, whatever a clock says
    poll = Poll(
        id=facts.fresh_id, kind=operation.kind, question=operation.question, options=operation.options,
        slide=operation.slide, named=operation.named, by=sender.id, asked=asked, open=True, answered=0, results=None,
    )  # fmt: skip
    dropped = state.polls[: max(0, len(state.polls) + 1 - limits.POLLS)]
    return decision.then(PollChanged(poll=poll)).casting(*(Ballot(one.id, None, None) for one in dropped))


def answer_poll(state: State, operation: AnswerPoll, sender: Member, facts: Facts) -> Decision:
    """An answer to an open poll; another one replaces it until the poll is closed."""
    poll = _known_poll(state, operation.poll)
    if not poll.open:
        raise refused("closed", "the poll is closed")
    if not _fits(poll, operation.answer):
        raise refused("not-allowed", "this is no answer to the poll")
    given = facts.ballots.of(poll.id)
    if given.get(sender.id) == operation.answer:
        return Decision(state)
    answered = len(given) + (sender.id not in given)
    ballot = Ballot(poll.id, sender.id, operation.answer)
    return Decision(state).then(PollAnswered(poll=poll.id, answered=answered)).casting(ballot)


def close_poll(state: State, operation: ClosePoll, sender: Member, facts: Facts) -> Decision:
    """No further answers; all see the results, or do not see them any more."""
    _check_asks(state, sender)
    poll = _known_poll(state, operation.poll)
    results = results_of(poll, facts.ballots.of(poll.id)) if operation.reveal else None
    changed = poll.model_copy(update={"open": False, "results": results})
    return Decision(state) if changed == poll else Decision(state).then(PollChanged(poll=changed))


def delete_poll(state: State, operation: DeletePoll, sender: Member, facts: Facts) -> Decision:
    """The poll and all answers are deleted."""
    _check_asks(state, sender)
    poll = _known_poll(state, operation.poll)
    return Decision(state).then(PollDeleted(poll=poll.id)).casting(Ballot(poll.id, None, None))


def restore_poll(state: State, operation: RestorePoll, sender: Member, facts: Facts) -> Decision:
    """A deleted poll is back with its answers, closed if another one is open."""
    _check_asks(state, sender)
    if state.poll(operation.poll) is not None:
        return Decision(state)
    deleted = facts.deleted.get(operation.poll)
    if deleted is None:
        raise refused("unknown-poll", "there is no such poll")
    if len(state.polls) >= limits.POLLS:
        raise refused("full", f"at most {limits.POLLS} polls")
    poll, answers = deleted
    back = poll.model_copy(update={"open": poll.open and not any(one.open for one in state.polls)})
    ballots = (Ballot(poll.id, member, answer) for member, answer in answers.items())
    return Decision(state).then(PollChanged(poll=back)).casting(*ballots)


def results_of(poll: Poll, ballots: Mapping[str, Answer]) -> PollResults:
    """The results: with names only if the poll said so, else in an order that tells nothing."""
    given = {member: one for member, one in ballots.items() if isinstance(one, PollAnswer)}
    counts = tuple(sum(number in one.choices for one in given.values()) for number in range(len(poll.options)))
    if poll.named:
        order = sorted(given, key=lambda member: int(member[1:]))
        return PollResults(counts=counts, answers=tuple(GivenAnswer(by=one, answer=given[one]) for one in order))
    points = sorted((one.point.l0_x, one.point.l0_y) for one in given.values() if one.point is not None)
    spots = (PollAnswer(point=LandmarkPoint(l0_x=x, l0_y=y)) for x, y in points)
    return PollResults(counts=counts, answers=tuple(GivenAnswer(by=None, answer=one) for one in spots))


def private_of(state: State, member_id: str, ballots: BallotBox) -> Private:
    """What this member alone may know: its own answers, questions and votes; of presenter and owner, the results that
    are hidden.
    """
    own = ballots.by(member_id)
    polls = ((one.id, own.get(one.id)) for one in state.polls)
    questions = [(one.id, own.get(one.id)) for one in state.questions]
    private = Private(
        answers=tuple(OwnAnswer(poll=poll, answer=given) for poll, given in polls if isinstance(given, PollAnswer)),
        questions=tuple(question for question, given in questions if isinstance(given, AskedQuestion)),
        votes=tuple(question for question, given in questions if isinstance(given, Vote)),
    )
    if member_id not in (state.presenter, state.owner):
        return private
    hidden = tuple(
        HiddenResults(poll=one.id, results=results_of(one, ballots.of(one.id)))
        for one in state.polls
        if one.results is None
    )
    return private.model_copy(update={"results": hidden})


def _check_asks(state: State, sender: Member) -> None:
    check_allowed(sender.id in (state.presenter, state.owner), "the presenter and the owner")


def _known_poll(state: State, poll_id: str) -> Poll:
    poll = state.poll(poll_id)
    if poll is None:
        raise refused("unknown-poll", "there is no such poll")
    return poll


def _fits(poll: Poll, answer: PollAnswer) -> bool:
    if poll.kind == "point":
        return answer.point is not None and not answer.choices
    chosen = len(answer.choices)
    return (
        answer.point is None
        and (chosen == 1 if poll.kind == "single" else chosen >= 1)
        and all(number < len(poll.options) for number in answer.choices)
    )
