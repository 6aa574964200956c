"""The whole catalog as rows, copied from one database to another of any kind (PR50, PR52)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, Table, delete, func, insert, select

from wavescope.catalog.database import mark_rights, migrate_to, open_engine, translated
from wavescope.catalog.tables import REVISION
from wavescope.errors import InvalidParameter

OWN_TABLES = frozenset(
    {"alembic_version", "rights_mark", "nodes", "session_leases"}
)  # of the database itself, not of its content
BATCH = 500
BYTES = "$base64"

Row = Mapping[str, Any]
Rows = Callable[[str], Iterator[Row]]


class Snapshot:
    """One moment of a catalog, however much is written meanwhile."""

    def __init__(self, connection: Connection, tables: Mapping[str, Table]) -> None:
        self._connection, self._tables = connection, tables
        self.revision = REVISION

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of all tables, sorted."""
        return tuple(sorted(self._tables))

    def rows(self, table: str) -> Iterator[Row]:
        """All rows of a table in the order of its key, as JSON values."""
        found = self._tables[table]
        query = select(found).order_by(*found.primary_key.columns)
        for row in self._connection.execute(query.execution_options(yield_per=BATCH)).mappings():
            yield {name: _json_value(value) for name, value in row.items()}


@contextmanager
def snapshot(engine: Engine) -> Iterator[Snapshot]:
    """Reads everything in one transaction. Raises Unavailable."""
    level = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with translated(engine), engine.connect().execution_options(**level) as connection, connection.begin():
        yield Snapshot(connection, _reflected(connection))


def fill(url: str, revision: str, tables: tuple[str, ...], rows: Rows, *, replace: bool) -> None:
    """Writes rows into the database, in one transaction; older ones are brought to the newest tables there.

    Raises InvalidParameter if the rows are of a newer program, or if the database is not empty and ``replace`` is
    false.
    """
    if revision > REVISION:
        raise InvalidParameter("FILE", f"at revision {revision}", f"at most {REVISION}: a newer program made it")
    engine = open_engine(url)
    try:
        with translated(engine), engine.connect().execution_options(writing=True) as connection, connection.begin():
            _empty(connection, replace)
            if revision != REVISION:
                migrate_to(connection, revision)
            there = _reflected(connection)
            unknown = set(tables) - there.keys()
            if unknown:
                raise InvalidParameter("FILE", ", ".join(sorted(unknown)), "tables that this program knows")
            for name in tables:
                _insert(connection, there[name], rows(name))
            if revision != REVISION:
                migrate_to(connection, "head")
            mark_rights(connection)
    finally:
        engine.dispose()


def _empty(connection: Connection, replace: bool) -> None:
    for name, table in _reflected(connection).items():
        count = connection.scalar(select(func.count()).select_from(table)) or 0
        if count and not replace:
            raise InvalidParameter("catalog", f"{count} rows in {name}", "an empty one, or --replace")
        if count:
            connection.execute(delete(table))


def _insert(connection: Connection, table: Table, rows: Iterator[Row]) -> None:
    batch: list[Row] = []
    for row in rows:
        batch.append({name: _meant(value) for name, value in row.items()})
        if len(batch) == BATCH:
            connection.execute(insert(table), batch)
            batch = []
    if batch:
        connection.execute(insert(table), batch)


def _reflected(connection: Connection) -> dict[str, Table]:
    """The tables as the database has them."""
    metadata = MetaData()
    metadata.reflect(connection)
    return {name: table for name, table in metadata.tables.items() if name not in OWN_TABLES}


def _json_value(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return {BYTES: base64.b64encode(bytes(value)).decode()}
    return value


def _meant(value: Any) -> Any:
    return base64.b64decode(value[BYTES]) if isinstance(value, dict) and value.keys() == {BYTES} else value
