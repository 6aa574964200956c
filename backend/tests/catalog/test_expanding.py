"""Nodes of two releases live with one catalog: migrations only add (CL16)."""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from sqlalchemy import create_engine, text

import wavescope.catalog.migrations.versions as versions
from catalog.databases import Server, new_database, postgresql_server
from wavescope.catalog import database as database_module
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.tables import REVISION
from wavescope.errors import InvalidParameter

EXPANDING_SINCE = "0012"  # the first schema of a cluster: older programs are never nodes
ADDING = {"create_table", "create_index", "add_column", "execute", "get_bind", "bulk_insert", "batch_alter_table"}


def faults_of(source: str) -> list[str]:
    """What a migration does that nodes of the release before do not survive."""
    tree = ast.parse(source)
    upgrade = next(one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "upgrade")
    found = []
    for call in (one for one in ast.walk(upgrade) if isinstance(one, ast.Call)):
        if not isinstance(call.func, ast.Attribute):
            continue
        owner, name = ast.unparse(call.func.value), call.func.attr
        if (owner == "op" or "batch" in owner) and name not in ADDING:
            found.append(f"{name} is no addition")
        if name == "add_column" and not _may_be_left_out(call):
            found.append(f"{ast.unparse(call)}: neither nullable nor with a default of the database")
        if name == "execute" and any(word in ast.unparse(call).upper() for word in ("DROP ", "RENAME ", "ALTER ")):
            found.append("execute changes tables")
    return found


def _may_be_left_out(call: ast.Call) -> bool:
    column = next(one for one in call.args if isinstance(one, ast.Call))
    given = {one.arg: ast.unparse(one.value) for one in column.keywords}
    return given.get("nullable") != "False" or "server_default" in given


def migrations() -> Iterator[Any]:
    for path in sorted(Path(versions.__path__[0]).glob("v*.py")):
        if path.stem[1:5] > EXPANDING_SINCE:
            yield pytest.param(path, id=path.stem)


@pytest.mark.parametrize("path", list(migrations()))
def test_a_migration_only_adds_what_older_nodes_may_leave_out_cl16(path: Path) -> None:
    assert faults_of(path.read_text()) == []


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("op.add_column('a', sa.Column('b', sa.Text))", 0),
        ("op.add_column('a', sa.Column('b', sa.Text, nullable=False, server_default=''))", 0),
        ("op.add_column('a', sa.Column('b', sa.Text, nullable=False))", 1),
        ("op.drop_column('a', 'b')", 1),
        ("op.rename_table('a', 'b')", 1),
        ("op.alter_column('a', 'b', nullable=True)", 1),
        ("op.execute('ALTER TABLE a DROP COLUMN b')", 1),
        ("op.create_table('a', sa.Column('b', sa.Text, nullable=False))", 0),
    ],
)
def test_a_migration_that_older_nodes_do_not_survive_is_found_cl16(line: str, faults: int) -> None:
    assert len(faults_of(f"def upgrade() -> None:\n    {line}\n")) == faults


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgresql_server() as running:
        yield running


@pytest.mark.slow
def test_nodes_that_start_together_migrate_once_cl16(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    url, together, done = new_database(server.url, "together"), Barrier(4), []
    migrate_to = database_module.migrate_to

    def counted(connection: Any, revision: str) -> None:
        done.append(revision)
        migrate_to(connection, revision)

    monkeypatch.setattr(database_module, "migrate_to", counted)

    def start(_: int) -> None:
        together.wait(10)
        Catalog.open(url).close()

    with ThreadPoolExecutor(4) as nodes:
        list(nodes.map(start, range(4)))
    assert done == ["head"]


def newer(url: str) -> None:
    """What a node of a later release makes of the tables: columns and tables that this program does not know."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for table in ("slides", "users", "cases", "jobs", "annotations", "audit"):
            connection.execute(text(f"ALTER TABLE {table} ADD COLUMN later TEXT"))
            connection.execute(text(f"ALTER TABLE {table} ADD COLUMN later_too INTEGER NOT NULL DEFAULT 0"))
        connection.execute(text("CREATE TABLE of_later (id INTEGER PRIMARY KEY)"))
        connection.execute(text("UPDATE alembic_version SET version_num = '9000'"))
    engine.dispose()


def work(catalog: Catalog) -> None:
    """Reads and writes of a node."""
    user = Accounts(catalog).add("ada", "Ada", "admin", "hash")
    assert Accounts(catalog).get(user.id).name == "ada"
    catalog.publish("s", "A slide", "0" * 32, {"mpp": None})
    assert [one.id for one in catalog.list().slides] == ["s"]
    assert Cases(catalog) is not None


def test_an_older_node_goes_on_and_starts_again_beside_newer_tables_cl16(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    url = new_database(server.url, "newer")
    running = Catalog.open(url)
    newer(url)
    work(running)
    running.close()
    with caplog.at_level(logging.WARNING):
        again = Catalog.open(url)
    assert [one.id for one in again.list().slides] == ["s"]
    again.change("s", "Another title")
    again.close()
    assert any("newer program" in message for message in caplog.messages)


def test_tables_that_were_contracted_refuse_programs_that_are_too_old_cl16(server: Server) -> None:
    url = new_database(server.url, "contracted")
    Catalog.open(url).close()
    newer(url)
    engine = create_engine(url)
    for oldest, allowed in ((REVISION, True), ("8999", False)):
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE IF NOT EXISTS oldest_program (revision VARCHAR(32))"))
            connection.execute(text("DELETE FROM oldest_program"))
            connection.execute(text("INSERT INTO oldest_program VALUES (:oldest)"), {"oldest": oldest})
        if allowed:
            Catalog.open(url).close()
        else:
            with pytest.raises(InvalidParameter):
                Catalog.open(url)
    engine.dispose()
