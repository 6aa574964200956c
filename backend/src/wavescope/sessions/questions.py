"""Questions of the members to the presenter: who asks, votes, answers and hides (SE56 to SE58)."""

from __future__ import annotations

from wavescope.sessions import limits
from wavescope.sessions.ballots import Ballot, BallotBox
from wavescope.sessions.client_messages import (
    AnswerQuestion,
    AskQuestion,
    DeleteQuestion,
    HideQuestion,
    VoteQuestion,
)
from wavescope.sessions.decision import Decision, Facts, check_allowed, refused
from wavescope.sessions.events import QuestionChanged, QuestionGone, QuestionVoted
from wavescope.sessions.model import AskedQuestion, Member, Question, State, Vote


def ask_question(state: State, operation: AskQuestion, sender: Member, facts: Facts) -> Decision:
    """A new question, which all see."""
    if operation.place is not None and operation.place.slide not in {slide.id for slide in state.slides}:
        raise refused("unknown-slide", f"the session has no slide {operation.place.slide}")
    _check_not_full(state)
    own = facts.ballots.by(sender.id).values()
    if sum(isinstance(one, AskedQuestion) for one in own) >= limits.QUESTIONS_OF_ONE:
        raise refused("full", f"at most {limits.QUESTIONS_OF_ONE} questions of one member")
    asked = AskedQuestion(text=operation.text, place=operation.place, named=operation.named, asked=facts.now)
    question = _shown(facts.fresh_id, sender.id, asked)
    return Decision(state).then(QuestionChanged(question=question)).casting(Ballot(question.id, sender.id, asked))


def vote_question(state: State, operation: VoteQuestion, sender: Member, facts: Facts) -> Decision:
    """One vote of each member but the asker, which may be taken back."""
    question = _known_question(state, operation.question)
    given = facts.ballots.of(question.id).get(sender.id)
    check_allowed(not isinstance(given, AskedQuestion), "others than the asker")
    if operation.vote == (given is not None):
        return Decision(state)
    votes = _votes(facts.ballots, question.id) + (1 if operation.vote else -1)
    ballot = Ballot(question.id, sender.id, Vote() if operation.vote else None)
    return Decision(state).then(QuestionVoted(question=question.id, votes=votes)).casting(ballot)


def answer_question(state: State, operation: AnswerQuestion, sender: Member, facts: Facts) -> Decision:
    """Marks the question as answered, or as open again."""
    _check_answers(state, sender)
    question = _known_question(state, operation.question)
    changed = question.model_copy(update={"answered": operation.answered})
    if changed == question:
        return Decision(state)
    asker, asked = _asked(facts.ballots, question.id)
    ballot = Ballot(question.id, asker, asked.model_copy(update={"answered": operation.answered}))
    return Decision(state).then(QuestionChanged(question=changed)).casting(ballot)


def hide_question(state: State, operation: HideQuestion, sender: Member, facts: Facts) -> Decision:
    """Takes the question out of the state; shows it again with its votes."""
    _check_answers(state, sender)
    if operation.hidden:
        return Decision(state).then(QuestionGone(question=_known_question(state, operation.question).id))
    asker, asked = _asked(facts.ballots, operation.question)
    if state.question(operation.question) is not None:
        return Decision(state)
    _check_not_full(state)
    question = _shown(operation.question, asker, asked, _votes(facts.ballots, operation.question))
    return Decision(state).then(QuestionChanged(question=question))


def delete_question(state: State, operation: DeleteQuestion, sender: Member, facts: Facts) -> Decision:
    """The asker takes the question back, with all votes."""
    question = _known_question(state, operation.question)
    check_allowed(_asked(facts.ballots, question.id)[0] == sender.id, "the asker")
    return Decision(state).then(QuestionGone(question=question.id)).casting(Ballot(question.id, None, None))


def _shown(question_id: str, asker: str, asked: AskedQuestion, votes: int = 0) -> Question:
    return Question(
        id=question_id, text=asked.text, place=asked.place, by=asker if asked.named else None, asked=asked.asked,
        votes=votes, answered=asked.answered,
    )  # fmt: skip


def _asked(ballots: BallotBox, question_id: str) -> tuple[str, AskedQuestion]:
    """Who asked what."""
    for member, one in ballots.of(question_id).items():
        if isinstance(one, AskedQuestion):
            return member, one
    raise refused("unknown-question", "there is no such question")


def _votes(ballots: BallotBox, question_id: str) -> int:
    return sum(isinstance(one, Vote) for one in ballots.of(question_id).values())


def _known_question(state: State, question_id: str) -> Question:
    question = state.question(question_id)
    if question is None:
        raise refused("unknown-question", "there is no such question")
    return question


def _check_not_full(state: State) -> None:
    if len(state.questions) >= limits.QUESTIONS:
        raise refused("full", f"at most {limits.QUESTIONS} questions")


def _check_answers(state: State, sender: Member) -> None:
    check_allowed(sender.id in (state.presenter, state.owner), "the presenter and the owner")
