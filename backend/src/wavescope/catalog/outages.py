"""Which errors of a database mean that it does not answer now, so that the same work may succeed later."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

# SQLSTATEs of PostgreSQL, by their beginnings: connection failures; shutdown, crash recovery and start; too many
# connections; serialization failures, deadlocks and locks that were not available; a server that is read-only, because
# another one of its cluster has taken over.
AWAY_STATES = ("08", "57P", "53300", "40001", "40P01", "55P03", "25006")
FULL_STATE = "53100"
CONNECT_SECONDS = 5  # seconds to reach the server
UNSENT_MILLISECONDS = 10_000  # for which the server may leave what was sent unacknowledged
POOL_SECONDS = 10  # seconds to wait for a free connection

SQLITE_AWAY = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    }
)
"""Locked by others for too long; the disk does not answer, or the folder is gone."""
POSTGRESQL_OPTIONS = {"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": UNSENT_MILLISECONDS}
"""libpq's bounds on waiting for a server that is out of reach."""


def is_away(error: BaseException) -> bool:
    """Whether the database does not answer now. An error of SQLAlchemy or of sqlite3."""
    if isinstance(error, NoFreeConnection):
        return True
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    original = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(original, sqlite3.Error):
        return getattr(original, "sqlite_errorcode", 0) & 0xFF in SQLITE_AWAY
    state = getattr(original, "sqlstate", None)
    if state is None:
        return isinstance(error, OperationalError)  # the driver itself could not connect, or the connection broke
    return str(state).startswith(AWAY_STATES)


def is_full(error: BaseException | None) -> bool:
    """Whether the disk of the database is full. An error of a driver."""
    if getattr(error, "sqlstate", None) is not None:
        return getattr(error, "sqlstate", None) == FULL_STATE
    return isinstance(error, sqlite3.Error) and "full" in str(error)
