"""Whether a database exists and is intact; renaming a damaged one."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect, text
from sqlalchemy.engine import make_url

from wavescope.catalog.database import check_tables, engine_of, translated
from wavescope.errors import CatalogDamaged
from wavescope.store.durable import sync_directory

SIDES = ("", "-wal", "-shm")
"""Endings of the files that one SQLite database consists of."""


POSTGRESQL = (
    "SHOW server_version",
    "SHOW server_encoding",
    "SHOW max_connections",
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'",
)
"""Statements for what ``server_state`` says."""


def has_tables(url: str) -> bool:
    """Whether the database exists and has any table. Raises InvalidParameter, CatalogDamaged, Unavailable."""
    file = file_of(url)
    if file is not None and not file.exists():
        return False
    engine = engine_of(url)
    try:
        with translated(engine), engine.connect() as connection:
            return bool(inspect(connection).get_table_names())
    finally:
        engine.dispose()


def check_integrity(url: str) -> None:
    """Reads all of an SQLite database that is there; others look after themselves. Raises CatalogDamaged."""
    file = file_of(url)
    if file is None or not file.exists():
        return
    engine = engine_of(url)
    try:
        with translated(engine), engine.connect() as connection:
            found = str(connection.execute(text("PRAGMA quick_check(1)")).scalar())
            check_tables(connection)
        if found != "ok":
            raise CatalogDamaged(file, " ".join(found.split()))
    finally:
        engine.dispose()


def server_state(url: str) -> str:
    """What a database server is, in words; empty for SQLite. Raises InvalidParameter, Unavailable, and CatalogDamaged
    for one that cannot store every text.
    """
    if file_of(url) is not None or make_url(url).get_backend_name() != "postgresql":
        return ""
    engine = engine_of(url)
    try:
        with translated(engine), engine.connect() as connection:
            version, encoding, most, used = (str(connection.execute(text(one)).scalar()) for one in POSTGRESQL)
    finally:
        engine.dispose()
    if encoding.upper() != "UTF8":
        raise CatalogDamaged(make_url(url).database or "", f"its encoding is {encoding}, UTF8 is needed")
    return f"PostgreSQL {version.split()[0]}, {encoding}, {used} of {most} connections in use"


def set_aside(url: str) -> Path | None:
    """Renames the files of an SQLite database, so that they stay; returns the first of them."""
    file = file_of(url)
    if file is None:
        return None
    number, aside = 1, file.with_name(f"{file.name}.damaged")
    while aside.exists():
        number += 1
        aside = file.with_name(f"{file.name}.damaged-{number}")
    for side in reversed(SIDES):
        one = file.with_name(file.name + side)
        if one.exists():
            one.rename(aside.with_name(aside.name + side))
    sync_directory(file.parent)
    return aside


def file_of(url: str) -> Path | None:
    """The file of an SQLite database; None for others."""
    parsed = make_url(url)
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None
