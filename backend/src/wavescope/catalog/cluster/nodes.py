"""The nodes of a cluster in PostgreSQL: their rows, and the connection on which a node gives signs of life and hears
announcements.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Engine, inspect, text

from wavescope.catalog.database import engine_of, translated
from wavescope.errors import CatalogAway, InvalidParameter

if TYPE_CHECKING:
    from psycopg import AsyncConnection

CHANNEL = "wavescope_nodes"
MAX_PAYLOAD = 7999  # bytes: PostgreSQL's limit
OPTIONS = {"connect_timeout": 2, "tcp_user_timeout": 3000}  # seconds, milliseconds
SILENT_SECONDS = 2.5  # after which a node does not run
FORGET_SECONDS = 3600  # after which the row of a dead node is deleted

NOW = "extract(epoch FROM clock_timestamp())"
REGISTER = f"""
    INSERT INTO nodes AS n (name, url, instance, started, seen, backend)
    VALUES (%(name)s, %(url)s, %(instance)s, {NOW}, {NOW}, pg_backend_pid())
    ON CONFLICT (name) DO UPDATE SET url = excluded.url, instance = excluded.instance, started = excluded.started,
        seen = excluded.seen, backend = excluded.backend
    WHERE n.instance = excluded.instance OR n.seen < {NOW} - %(silent)s
    RETURNING instance
"""
HEARTBEAT = f"""
    WITH beat AS (
        UPDATE nodes SET seen = {NOW}, backend = pg_backend_pid() WHERE instance = %(instance)s RETURNING instance
    )
    SELECT n.name, n.url, n.instance, n.started,
        CASE WHEN b.instance IS NULL THEN n.seen ELSE {NOW} END,
        CASE WHEN b.instance IS NULL THEN {NOW} - n.seen ELSE 0 END,
        b.instance IS NOT NULL OR EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.pid = n.backend)
    FROM nodes n LEFT JOIN beat b ON b.instance = n.instance
    ORDER BY n.name
"""


class NodeRecord(NamedTuple):
    """A node: ``url`` where others reach it; ``instance``: this run of it; ``started``, ``seen`` in seconds since 1970
    and ``silent`` in seconds, by the database's clock; ``connected``: whether its connection to the database is open.
    """

    name: str
    url: str
    instance: str
    started: float
    seen: float
    silent: float
    connected: bool


class NodeTable:
    """The nodes of a catalog in PostgreSQL. Raises InvalidParameter for another database, which nodes cannot share."""

    def __init__(self, engine: Engine) -> None:
        if engine.dialect.name != "postgresql":
            raise InvalidParameter("node_name", "set", "empty, unless `catalog` is a PostgreSQL database (CL1)")
        self._engine = engine

    async def connect(self) -> NodeConnection:
        """A connection that receives announcements from now on. Raises CatalogAway."""
        from psycopg import AsyncConnection

        _, options = self._engine.dialect.create_connect_args(self._engine.url)
        async with _translated():
            connection = await AsyncConnection.connect(**{**options, **OPTIONS}, autocommit=True)
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
            except BaseException:
                await connection.close()
                raise
            return NodeConnection(connection)

    def publish(self, payload: str) -> None:
        """Sends a payload to the connections of all nodes; waits for SQL. Raises CatalogAway, StoreFull."""
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": CHANNEL, "payload": payload})


class NodeConnection:
    """A connection of a node's own. Methods raise CatalogAway; then the connection is of no use any more."""

    def __init__(self, connection: AsyncConnection[Any]) -> None:
        self._connection = connection

    async def register(self, name: str, url: str, instance: str, silent: float) -> bool:
        """Adds the node or renews its row; False: another instance has the name and was seen ``silent`` seconds ago
        or less.
        """
        values = {"name": name, "url": url, "instance": instance, "silent": silent}
        async with _translated():
            await self._connection.execute(f"DELETE FROM nodes WHERE seen < {NOW} - {FORGET_SECONDS}")
            return await (await self._connection.execute(REGISTER, values)).fetchone() is not None

    async def beat(self, instance: str) -> tuple[NodeRecord, ...]:
        """Notes that this instance is alive, if it is registered. All nodes, by name."""
        async with _translated():
            rows = await (await self._connection.execute(HEARTBEAT, {"instance": instance})).fetchall()
        return tuple(NodeRecord._make((*row[:3], *map(float, row[3:6]), row[6])) for row in rows)

    async def remove(self, instance: str) -> None:
        """Removes the node."""
        async with _translated():
            await self._connection.execute("DELETE FROM nodes WHERE instance = %s", [instance])

    async def received(self, seconds: float) -> list[str]:
        """The payloads that came; waits so long for the first one."""
        async with _translated():
            return [one.payload async for one in self._connection.notifies(timeout=seconds, stop_after=1)]

    async def close(self) -> None:
        with contextlib.suppress(Exception):  # it is of no use any more
            await self._connection.close()


def living_nodes(url: str) -> tuple[str, ...]:
    """The names of nodes that gave a sign of life in the last SILENT_SECONDS; none of a catalog that is not there.

    Raises InvalidParameter, CatalogAway, Unavailable.
    """
    engine = engine_of(url)
    try:
        if engine.dialect.name != "postgresql":
            return ()
        with translated(engine), engine.connect() as connection:
            if not inspect(connection).has_table("nodes"):
                return ()
            query = text(f"SELECT name FROM nodes WHERE seen > {NOW} - {SILENT_SECONDS} ORDER BY name")
            return tuple(connection.scalars(query))
    finally:
        engine.dispose()


@contextlib.asynccontextmanager
async def _translated() -> AsyncIterator[None]:
    """Failures of the connection as ours."""
    from psycopg import Error, ProgrammingError

    try:
        yield
    except ProgrammingError:
        raise
    except (Error, OSError) as cause:
        raise CatalogAway(str(cause)) from cause
