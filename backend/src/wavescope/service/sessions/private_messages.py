"""What single members may know of answers, questions and votes, and nobody else (SE55, SE57)."""

from __future__ import annotations

from collections.abc import Iterable

from wavescope.service.sessions.connections import Connection, Connections
from wavescope.service.sessions.pipeline import Pipeline, PrivateItem
from wavescope.sessions.ballots import Ballot, BallotBox
from wavescope.sessions.decision import Decision
from wavescope.sessions.events import QUESTION_EVENTS, PollAnswered, PollChanged, PollDeleted
from wavescope.sessions.model import State, to_json
from wavescope.sessions.polls import private_of


class PrivateMessages:
    """Of one session. ``ballots``: the answers of all members."""

    def __init__(self, pipeline: Pipeline, connections: Connections, stored: Iterable[Ballot]) -> None:
        self._pipeline, self._connections = pipeline, connections
        self.ballots = BallotBox(stored)
        self._informed = _informed(pipeline.current)
        self._changed = False  # since the results were sent

    def welcome(self, connection: Connection) -> None:
        """A new connection learns what its member may know."""
        if self._pipeline.current.polls or self._pipeline.current.questions:
            self._tell(connection.member, (connection,))

    def note(self, decision: Decision, member_id: str) -> None:
        """Applies the answers of a decision; the windows of this member and of those who gave them learn of it."""
        self.ballots.cast(decision.ballots)
        polls = any(isinstance(event, PollAnswered | PollChanged | PollDeleted) for event in decision.events)
        self._changed |= polls
        if polls or any(isinstance(event, QUESTION_EVENTS) for event in decision.events):
            for one in {member_id, *(ballot.member for ballot in decision.ballots if ballot.member is not None)}:
                self._tell(one, self._connections.of(one))

    def send_results(self) -> None:
        """Sends new results to presenter and owner, and takes them from a former presenter; once a second."""
        informed = _informed(self._pipeline.current)
        if self._pipeline.failure is not None or not (self._changed or informed != self._informed):
            return
        for member in informed | self._informed:
            self._tell(member, self._connections.of(member))
        self._changed, self._informed = False, informed

    def _tell(self, member: str, connections: tuple[Connection, ...]) -> None:
        if connections:
            text = to_json(private_of(self._pipeline.current, member, self.ballots))
            self._pipeline.put(PrivateItem(connections, text))


def _informed(state: State) -> frozenset[str]:
    return frozenset(one for one in (state.presenter, state.owner) if one is not None)
