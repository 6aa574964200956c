"""The catalog on PostgreSQL: the same tables, migrations in both directions, writers at once, and a move to it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from threading import Barrier

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

import wavescope.catalog.access.audit_tables
import wavescope.catalog.sessions.tables  # noqa: F401
from catalog.databases import new_database, postgresql
from wavescope.catalog.access.audit import AuditEntry, AuditLog
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.database import migrate_to, open_engine
from wavescope.catalog.quizzes import Quizzes
from wavescope.catalog.records import CaseChange
from wavescope.catalog.tables import Base
from wavescope.catalog.trash import Trash
from wavescope.errors import InvalidNesting, UnknownSlide
from wavescope.service.backup import make_backup, restore_backup

pytestmark = pytest.mark.slow

A, B = "a" * 32, "b" * 32
NUMBERS = count()


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgresql() as url:
        yield url


@pytest.fixture
def url(server: str) -> str:
    return new_database(server, f"w{os.getpid()}_{next(NUMBERS)}")


@pytest.fixture
def catalog(url: str) -> Iterator[Catalog]:
    opened = Catalog.open(url, trust_seconds=0.0)
    yield opened
    opened.close()


def test_the_migrated_database_equals_the_declared_tables(url: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_the_migrations_go_down_and_up_again(url: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection, connection.begin():
        before = sorted(inspect(connection).get_table_names())
        migrate_to(connection, "0001")
        assert "audit" not in inspect(connection).get_table_names()
        migrate_to(connection, "head")
        assert sorted(inspect(connection).get_table_names()) == before
    engine.dispose()


def test_slides_are_published_found_trashed_and_purged(catalog: Catalog) -> None:
    catalog.publish("s1", "Leber, größer", A, {"width": 1, "source": {"format": "SVS"}})
    catalog.publish("s1", "", B, {"width": 2, "source": {"format": "SVS"}})
    assert catalog.resolve("s1") == B
    assert [one.id for one in catalog.list("größer").slides] == ["s1"]
    catalog.change("s1", None, {"stain": "H&E"})
    assert catalog.list(where=[("tag.stain", "H&E")]).total == 1
    Cases(catalog).create("Case", slides=["s1"])
    Trash(catalog).put("s1")
    with pytest.raises(UnknownSlide):
        catalog.resolve("s1")
    Trash(catalog).purge("s1")
    removed: list[str] = []
    catalog.collect(1e12, removed.append)
    assert removed == [A, B]


def test_collections_lie_in_each_other_and_are_searched_with_all_below(catalog: Catalog) -> None:
    catalog.publish("s1", "", A, {"width": 1, "source": {}})
    cases = Cases(catalog)
    outer = cases.create("Outer", "collection")
    inner = cases.create("Inner", slides=["s1"], parent=outer.id)
    assert [(one.title, one.parent, one.below) for one in cases.list()] == [("Inner", outer.id, 1), ("Outer", "", 1)]
    assert catalog.list(where=[("within", outer.id)]).total == 1
    assert catalog.list(where=[("case", outer.id)]).total == 0
    with pytest.raises(InvalidNesting):
        cases.change(outer.id, CaseChange(parent=inner.id))
    cases.delete(outer.id)
    assert cases.get(inner.id).parent == ""


def test_many_publish_at_once_and_the_log_is_one_chain(catalog: Catalog) -> None:
    def work(number: int) -> None:
        catalog.publish(f"s{number}", "", A, {"width": number, "source": {}})
        AuditLog(catalog.engine).append(AuditEntry(number, "user", "u", "Ada", "", "uploaded", f"s{number}"))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(24)))
    assert catalog.list().total == 24
    check = AuditLog(catalog.engine).verify()
    assert (check.entries, check.fault) == (24, None)


def test_a_backup_of_sqlite_becomes_a_catalog_on_postgresql_and_back_pr52(tmp_path: Path, url: str) -> None:
    first = Catalog.open(tmp_path / "first")
    first.publish("s1", "One", A, {"width": 1, "source": {}, "mpp": {"x": 0.25, "y": 0.25}})
    AuditLog(first.engine).append(AuditEntry(5, "user", "u", "Ada", "", "opened", "s1", {"n": 1}))
    first.close()
    moves: list[tuple[Path | str, Path | str]] = [(tmp_path / "first", url), (url, tmp_path / "second")]
    for number, (source, target) in enumerate(moves):
        catalog = Catalog.open(source)
        file = tmp_path / f"{number}.zip"
        make_backup(catalog, tmp_path / "first", file, pixels=False, replace=False)
        catalog.close()
        where = target if isinstance(target, str) else f"sqlite:///{target / 'catalog.sqlite'}"
        restore_backup(file, tmp_path / "second", where, replace=False)
    again = Catalog.open(tmp_path / "second")
    record = again.get("s1")
    assert (record.title, record.digest, record.manifest["mpp"]) == ("One", A, {"x": 0.25, "y": 0.25})
    assert AuditLog(again.engine).verify().fault is None
    again.close()


def test_a_connection_that_a_thread_uses_while_the_catalog_is_closed_is_closed_after_it(url: str) -> None:
    catalog = Catalog.open(url)
    with catalog.engine.connect() as used:
        connection = used.connection.dbapi_connection
        catalog.close()
    assert connection is not None
    assert connection.closed


def test_an_attempt_begun_at_the_same_moment_by_several_is_one_attempt_qz15(catalog: Catalog) -> None:
    quizzes = Quizzes(catalog)
    catalog.publish("s1", "", A, {"width": 1, "source": {"format": "SVS"}})
    document: dict[str, object] = {"title": "t", "seconds": None, "attempts": 1, "questions": []}
    quiz = quizzes.create(document, "s1", None).id
    together = Barrier(8)

    def begun(user: str) -> str:
        together.wait()
        return quizzes.begin(quiz, user, 1.0).id

    with ThreadPoolExecutor(8) as pool:
        for user in (f"user{number}" for number in range(10)):
            assert len(set(pool.map(begun, [user] * 8))) == 1
    assert len(quizzes.attempts(quiz)) == 10
