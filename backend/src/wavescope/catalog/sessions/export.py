"""What a person has done in live sessions, for the export of its account (SE61)."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Select, select

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.tables import (
    SessionBallotRow,
    SessionEventRow,
    SessionMemberRow,
    SessionRow,
    SessionVisitRow,
)


def export_visits(catalog: Catalog, user_id: str | None) -> list[dict[str, Any]]:
    """The own visits, in milliseconds since 1970; None: of everybody, for the one user of a machine."""
    with catalog.reading() as session:
        found = session.execute(_own(SessionVisitRow, user_id).order_by(SessionVisitRow.began))
        return [
            {"session": row.session_id, "title": title, "name": name, "began": row.began, "ended": row.ended}
            for row, title, name in found
        ]


def export_ballots(catalog: Catalog, user_id: str | None) -> list[dict[str, Any]]:
    """The own answers to polls with the polls, questions and votes. None: of everybody, without names, which nobody
    learns (SE55, SE57).
    """
    with catalog.reading() as session:
        found = session.execute(_own(SessionBallotRow, user_id)).all()
        sessions = {row.session_id for row, _, _ in found}
        states = session.scalars(select(SessionRow.state).where(SessionRow.id.in_(sessions)))
        polls = {poll["id"]: poll for state in states for poll in json.loads(state).get("polls", ())}
        newer = select(SessionEventRow.event).where(SessionEventRow.session_id.in_(sessions))
        for event in session.scalars(newer.where(SessionEventRow.event.startswith('{"kind":"poll",'))):
            poll = json.loads(event)["poll"]
            polls.setdefault(poll["id"], poll)
        return [
            {
                "session": row.session_id, "title": title, "item": row.item, "poll": _asked(polls.get(row.item)),
                "answer": json.loads(row.answer),
            }
            for row, title, _ in found
        ]  # fmt: skip


def _asked(poll: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if poll is None else {name: poll[name] for name in ("kind", "question", "options", "slide")}


def _own(table: type[SessionVisitRow] | type[SessionBallotRow], user_id: str | None) -> Select[Any]:
    mine = (SessionMemberRow.session_id == table.session_id) & (SessionMemberRow.member == table.member)
    columns: Select[Any] = select(table, SessionRow.title, SessionMemberRow.name)  # type: ignore[assignment]
    query = columns.join(SessionMemberRow, mine).join(SessionRow, SessionRow.id == table.session_id)
    return query if user_id is None else query.where(SessionMemberRow.identity == f"user:{user_id}")
