"""The outbox of scores, filled from the attempts that are over: none is lost between its end and its row (LT24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.platforms import PlatformRecord, platform_record
from wavescope.catalog.lti.tables import LaunchRow, PlatformRow, ScoreRow
from wavescope.catalog.quizzes import AttemptRecord, attempt_record
from wavescope.catalog.tables import AttemptRow, QuizRow

AT_ONCE = 100  # scores of one round


@dataclass(frozen=True)
class DueScore:
    """A score to be sent; ``known``: since when it can be, seconds since 1970; ``questions`` with their keys."""

    attempt: AttemptRecord
    platform: PlatformRecord
    line_item: str
    subject: str
    known: float
    tries: int
    questions: Sequence[dict[str, Any]]


@dataclass(frozen=True)
class UnsentScores:
    """The scores that a platform did not accept: how many are sent again, how many not any more (LT26), and what was
    wrong with one of them.
    """

    waiting: int = 0
    lost: int = 0
    fault: str = ""


class Scores:
    """The scores of a catalog that go to platforms."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def note_ended(self, now: float) -> int:
        """A row for each attempt that is over and was begun from a launch with a line item; how many are new.

        The newest launch before the end counts.
        """
        over = or_(AttemptRow.ended.is_not(None), AttemptRow.ends <= now)
        query = (
            select(AttemptRow.id, LaunchRow.id)
            .join(LaunchRow, (LaunchRow.quiz_id == AttemptRow.quiz_id) & (LaunchRow.user_id == AttemptRow.user_id))
            .outerjoin(ScoreRow, ScoreRow.attempt_id == AttemptRow.id)
            .where(ScoreRow.attempt_id.is_(None), LaunchRow.line_item.is_not(None), over)
            .where(or_(LaunchRow.created <= AttemptRow.ended, AttemptRow.ended.is_(None)))
            .where(or_(LaunchRow.created <= AttemptRow.ends, AttemptRow.ends.is_(None)))
            .order_by(LaunchRow.created)
        )
        with self._catalog.reading() as session:
            if not session.execute(query.limit(1)).first():
                return 0
        with self._catalog.writing(rights=False) as session:
            found = {row[0]: row[1] for row in session.execute(query)}
            session.add_all(
                ScoreRow(attempt_id=one, launch_id=launch, state="waiting", tries=0, next=now, fault="", created=now)
                for one, launch in found.items()
            )
            return len(found)

    def due(self, now: float, claim_seconds: float) -> tuple[DueScore, ...]:
        """Scores to be sent now, some of which may wait for marks. For ``claim_seconds`` no other service gets them."""
        query = select(ScoreRow).where(ScoreRow.state == "waiting", ScoreRow.next <= now).order_by(ScoreRow.next)
        with self._catalog.reading() as session:
            if session.scalar(query.limit(1)) is None:
                return ()
        with self._catalog.writing(rights=False) as session:
            rows = session.scalars(query.limit(AT_ONCE).with_for_update(skip_locked=True)).all()
            found = [_due(session, row) for row in rows]
            for row, score in zip(rows, found, strict=True):
                row.next = now + claim_seconds
                if score is None:
                    row.state, row.fault = "lost", "the attempt, its quiz or its launch was deleted"
            return tuple(one for one in found if one is not None)

    def put_off(self, attempt_id: str, until: float) -> None:
        """A person has to mark an answer first (LT28): asked again at ``until``; the week of tries has not begun."""
        with self._catalog.writing(rights=False) as session:
            row = session.get(ScoreRow, attempt_id)
            if row is not None:
                row.next = row.created = until

    def settle(self, due: DueScore, state: str, fault: str, next_try: float) -> None:
        """What came of sending a score: ``sent``, ``waiting`` until ``next_try``, or ``lost``. A score that was marked
        again in the meantime stays due (LT28).
        """
        with self._catalog.writing(rights=False) as session:
            row = session.get(ScoreRow, due.attempt.id)
            if row is not None and row.created == due.known:
                row.state, row.fault, row.next, row.tries = state, fault[:500], next_try, row.tries + 1

    def unsent(self) -> dict[str, UnsentScores]:
        """By platforms, those that did not accept all."""
        columns = (LaunchRow.platform_id, ScoreRow.state, ScoreRow.fault)
        query = select(*columns).join(LaunchRow, LaunchRow.id == ScoreRow.launch_id).where(ScoreRow.fault != "")
        found: dict[str, UnsentScores] = {}
        with self._catalog.reading() as session:
            for platform_id, state, fault in session.execute(query.order_by(ScoreRow.next)):
                if state != "sent":
                    one = found.get(platform_id, UnsentScores())
                    found[platform_id] = UnsentScores(
                        one.waiting + (state == "waiting"), one.lost + (state == "lost"), fault
                    )
        return found

    def counts(self) -> dict[str, int]:
        """How many scores are in which state."""
        with self._catalog.reading() as session:
            states = list(session.scalars(select(ScoreRow.state)))
        return {state: states.count(state) for state in sorted(set(states))}


def export_launches(catalog: Catalog, user_id: str | None) -> list[dict[str, Any]]:
    """The stored launches of a user, with who it is at the platform and what came of their scores (LT29); None: of
    everybody, for the one user of a machine.
    """
    query = select(LaunchRow, PlatformRow).join(PlatformRow, PlatformRow.id == LaunchRow.platform_id)
    if user_id is not None:
        query = query.where(LaunchRow.user_id == user_id)
    scores = select(ScoreRow.state).order_by(ScoreRow.created)
    with catalog.reading() as session:
        return [
            {
                "platform": platform.title, "issuer": platform.issuer, "subject": row.subject, "course": row.course,
                "quiz": row.quiz_id, "launched": row.created,
                "scores": list(session.scalars(scores.where(ScoreRow.launch_id == row.id))),
            }
            for row, platform in session.execute(query.order_by(LaunchRow.created))
        ]  # fmt: skip


def _due(session: Session, row: ScoreRow) -> DueScore | None:
    launch, attempt = session.get(LaunchRow, row.launch_id), session.get(AttemptRow, row.attempt_id)
    quiz = None if attempt is None else session.get(QuizRow, attempt.quiz_id)
    platform = None if launch is None else session.get(PlatformRow, launch.platform_id)
    if launch is None or attempt is None or quiz is None or platform is None or launch.line_item is None:
        return None
    return DueScore(
        attempt_record(session, attempt), platform_record(platform), launch.line_item, launch.subject, row.created,
        row.tries, quiz.document["questions"],
    )  # fmt: skip
