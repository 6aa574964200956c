"""Opening the catalog's database: engine, SQLite settings, migrations, and noticing that rights were changed."""

from __future__ import annotations

import sqlite3
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from wavescope.catalog.outages import POOL_SECONDS, POSTGRESQL_OPTIONS, is_away, is_full
from wavescope.catalog.tables import REVISION, Base
from wavescope.errors import CatalogAway, CatalogDamaged, InvalidParameter, StoreFull, Unavailable
from wavescope.logs.loggers import get_logger
from wavescope.store.private import close, make_file

log = get_logger(__name__)

BUSY_SECONDS = 30
DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
MARK = text("INSERT INTO rights_mark (id, mark) VALUES (1, :mark) ON CONFLICT (id) DO UPDATE SET mark = excluded.mark")
SYNCHRONOUS = "FULL"  # what is acknowledged survives a power failure, however SQLite was built


def open_engine(url: str) -> Engine:
    """An engine on a database that has the newest tables. Raises InvalidParameter, CatalogDamaged, Unavailable."""
    engine = engine_of(url)
    if engine.dialect.name == "sqlite":
        _close_files(engine.url.database)
    try:
        with translated(engine):
            _migrate(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def engine_of(url: str) -> Engine:
    """An engine on a database as it is. Raises InvalidParameter."""
    try:
        parsed = make_url(url)
        engine = create_engine(parsed, hide_parameters=True, **_options(parsed))  # values of rows stay out of errors
    except (ArgumentError, ModuleNotFoundError) as cause:
        raise InvalidParameter("catalog", url.split("@")[-1], "a database URL with its driver installed") from cause
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _settle_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def close_engine(engine: Engine) -> None:
    """Closes all connections; those that threads still use, when they give them back."""
    event.listen(engine.pool, "checkin", lambda _connection, record: record.invalidate())
    engine.dispose()


def _options(url: URL) -> dict[str, Any]:
    """How to connect; bounds on waiting that the URL sets itself stay."""
    if url.get_backend_name() == "sqlite":
        return {}
    options: dict[str, Any] = {"pool_pre_ping": True, "pool_timeout": POOL_SECONDS}
    if url.get_backend_name() == "postgresql":
        options["connect_args"] = {name: value for name, value in POSTGRESQL_OPTIONS.items() if name not in url.query}
    return options


@contextmanager
def translated(engine: Engine) -> Iterator[None]:
    """The database's own failures as ours. Raises CatalogAway, StoreFull, CatalogDamaged, Unavailable."""
    try:
        yield
    except (DatabaseError, InterfaceError, NoFreeConnection, sqlite3.DatabaseError) as cause:
        place = engine.url.database or "catalog"
        original = cause.orig if isinstance(cause, DatabaseError | InterfaceError) else cause
        if engine.dialect.name == "sqlite" and _is_damage(original):
            raise CatalogDamaged(place, str(original)) from cause
        if isinstance(cause, NoFreeConnection):
            raise CatalogAway(str(cause), "all connections of this service to its database are in use") from cause
        if is_full(original):
            raise StoreFull(place) from cause
        if is_away(cause):
            raise CatalogAway(str(original)) from cause
        if not isinstance(cause, OperationalError | sqlite3.DatabaseError):
            raise
        state = getattr(original, "sqlstate", None)  # its text may name hosts and accounts
        raise Unavailable("the catalog", str(original) if state is None else f"SQLSTATE {state}") from cause


def _is_damage(error: BaseException | None) -> bool:
    """Whether SQLite finds no database there, a malformed one, or one whose tables are not those it was made with."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return (
        code in DAMAGE or str(error).startswith(("no such table", "no such column")) or "already exists" in str(error)
    )


def _close_files(database: str | None) -> None:
    """Only the owner may access the database, before anything is in it; SQLite gives its log the same mode (PR45)."""
    if database in (None, "", ":memory:"):
        return
    path = Path(str(database))
    with suppress(OSError):  # SQLite itself reports what is wrong with the path
        make_file(path)
        for suffix in ("-wal", "-shm"):
            close(path.with_name(path.name + suffix))


def _settle_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # this module says BEGIN itself, so that DDL is in the transaction too
    connection.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")  # first: the others may have to wait
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute(f"PRAGMA synchronous={SYNCHRONOUS}")
    connection.execute("PRAGMA fullfsync=ON")  # macOS: through the disk's own cache too
    connection.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten: secrets, names


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _migrate(engine: Engine) -> None:
    with engine.connect() as connection:
        check_tables(connection)
        if _revision(connection) == REVISION:
            return
    with engine.connect().execution_options(writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(7823461)"))
        found = _revision(connection)
        if found == REVISION:  # another process was quicker
            return
        if found is not None and found > REVISION:
            _check_newer(connection, found)
            return
        migrate_to(connection, "head")


def _check_newer(connection: Connection, found: str) -> None:
    """Returns if this program may use tables of a newer one: those that nodes share, which were only added to (CL16).

    A migration that takes something away notes in the table ``oldest_program`` which revision still works.
    """
    oldest = found
    if connection.engine.dialect.name == "postgresql":
        contracted = inspect(connection).has_table("oldest_program")
        oldest = connection.execute(text("SELECT revision FROM oldest_program")).scalar_one() if contracted else ""
    if oldest > REVISION:
        raise InvalidParameter("catalog", f"at revision {found}", f"at most {REVISION}: it was made by a newer program")
    log.warning("the catalog was made by a newer program: update this one soon", revision=found)


def check_tables(connection: Connection) -> None:
    """CatalogDamaged if a database that was made here lacks one of its tables."""
    place, there = connection.engine.url.database or "catalog", set(inspect(connection).get_table_names())
    if "slides" in there and "alembic_version" not in there:
        raise CatalogDamaged(place, "its revision is missing")
    lost = Base.metadata.tables.keys() - there
    if lost and _revision(connection) == REVISION:
        raise CatalogDamaged(place, f"missing tables: {', '.join(sorted(lost))}")


def migrate_to(connection: Connection, revision: str) -> None:
    """Brings the tables to a revision, upwards or (to an older one by number) downwards, in the open transaction."""
    from alembic import command  # here: most processes find the newest tables, and it takes a while to import
    from alembic.config import Config as AlembicConfig

    config = AlembicConfig()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    found = _revision(connection)
    step = command.downgrade if revision != "head" and found is not None and revision < found else command.upgrade
    step(config, revision)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def mark_rights(connection: Connection) -> None:
    """Notifies every process, when the open transaction is committed, that rights or versions have changed.

    Done last in a transaction: writers wait for each other from here on.
    """
    connection.execute(MARK, {"mark": uuid.uuid4().hex})


class WriterTurn:
    """Lets the threads of this process write to an SQLite database one after another. SQLite itself lets a writer that
    finds another one sleep and try again, each time longer, up to 100 ms, while later ones get in before it. Other
    databases need no turns. Raises Unavailable after the time that SQLite waits.
    """

    def __init__(self, engine: Engine) -> None:
        self._lock = threading.Lock() if engine.dialect.name == "sqlite" else None

    def __enter__(self) -> None:
        if self._lock is not None and not self._lock.acquire(timeout=BUSY_SECONDS):
            raise Unavailable("the catalog", "others have been writing to it for too long")

    def __exit__(self, *_exception: object) -> None:
        if self._lock is not None:
            self._lock.release()


class ChangeWatch:
    """Whether rights or versions were changed by any process since the last call.

    SQLite counts commits of other connections in ``data_version``, which costs microseconds to read; only when there
    were any is the mark looked at. Other databases are queried for the mark each time.
    """

    def __init__(self, engine: Engine) -> None:
        self._lock = threading.Lock()
        self._engine = engine
        self._connection: sqlite3.Connection | None = None
        self._commits = -1
        self._mark: str | None = None
        if engine.dialect.name == "sqlite" and engine.url.database not in (None, "", ":memory:"):
            self._connection = sqlite3.connect(str(engine.url.database), check_same_thread=False)

    def changed(self) -> bool:
        """True at the first call, and after a change. Raises Unavailable."""
        with self._lock:
            if self._connection is not None:
                with translated(self._engine):
                    commits = int(self._connection.execute("PRAGMA data_version").fetchone()[0])
                if commits == self._commits:
                    return False
            mark = self._read()
            if self._connection is not None:
                self._commits = commits
            changed, self._mark = mark != self._mark, mark
            return changed

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _read(self) -> str:
        """The mark; empty before the first change."""
        with translated(self._engine), self._engine.connect() as connection:
            return str(connection.execute(text("SELECT mark FROM rights_mark")).scalar() or "")
