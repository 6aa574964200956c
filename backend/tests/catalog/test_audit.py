"""The audit log: a chain that shows what was changed or taken away (PR30 to PR34)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from wavescope.catalog.access.audit import AuditEntry, AuditLog, AuditQuery
from wavescope.catalog.database import open_engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path / 'c.sqlite'}")
    yield engine
    engine.dispose()


def entry(time: int, action: str = "opened", slide: str | None = "a", name: str = "Ada") -> AuditEntry:
    return AuditEntry(time, "user", "u1", name, "127.0.0.1", action, slide, {"file": "ü.tif", "size": time})


def filled(engine: Engine, count: int = 5) -> AuditLog:
    log = AuditLog(engine)
    log.append(*(entry(1000 * n) for n in range(1, count + 1)))
    return log


def test_what_was_recorded_is_read_back_the_newest_first_pr30(engine: Engine) -> None:
    log = filled(engine)
    records = log.list(AuditQuery(), None, 2)
    assert [record.sequence for record in records] == [5, 4]
    assert records[0].entry == entry(5000)
    assert [record.sequence for record in log.list(AuditQuery(), 4, 9)] == [3, 2, 1]
    assert [record.sequence for record in log.all()] == [1, 2, 3, 4, 5]


def test_entries_are_found_by_action_slide_name_and_time_pr35(engine: Engine) -> None:
    log = AuditLog(engine)
    log.append(entry(1, "opened", "a", "Ada_L"), entry(2, "exported", "b", "Bob"), entry(3, "opened", "b", "Ada_L"))
    found = {
        AuditQuery(action="opened"): [3, 1],
        AuditQuery(slide_id="b"): [3, 2],
        AuditQuery(name="ada_"): [3, 1],
        AuditQuery(name="A%"): [],
        AuditQuery(since=2): [3, 2],
        AuditQuery(until=3): [2, 1],
        AuditQuery(action="opened", slide_id="b"): [3],
    }
    for query, numbers in found.items():
        assert [record.sequence for record in log.list(query, None, 10)] == numbers


def test_an_entry_is_not_repeated_within_its_time_whichever_process_adds_it_pr36(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: AuditLog(engine).append_unless_repeated(entry(1000 + n), 100), range(8)))
    log = AuditLog(engine)
    assert len(log.list(AuditQuery(), None, 10)) == 1
    log.append_unless_repeated(entry(1050, slide="b"), 100)
    log.append_unless_repeated(entry(1050, name="Bob"), 100)
    log.append_unless_repeated(entry(1050, "exported"), 100)
    log.append_unless_repeated(entry(1200), 100)
    assert len(log.list(AuditQuery(), None, 10)) == 5
    assert log.verify().fault is None


def test_writers_at_once_make_one_chain_pr31(engine: Engine) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: AuditLog(engine).append(entry(n)), range(40)))
    check = AuditLog(engine).verify()
    assert (check.entries, check.last, check.fault) == (40, 40, None)


TAMPERING = {
    "UPDATE audit SET name = 'Eve' WHERE sequence = 3": "entry 3 was changed",
    "UPDATE audit SET detail = '{}' WHERE sequence = 5": "entry 5 was changed",
    "UPDATE audit SET slide_id = NULL WHERE sequence = 1": "entry 1 was changed",
    "DELETE FROM audit WHERE sequence = 2": "entry 2 is missing",
    "DELETE FROM audit WHERE sequence <= 2": "the entries before 3 are missing",
    "UPDATE audit SET hash = '00' WHERE sequence = 4": "entry 4 was changed",
    "UPDATE audit SET previous = '00' WHERE sequence = 4": "entry 4 does not follow entry 3",
}


@pytest.mark.parametrize(("statement", "fault"), TAMPERING.items())
def test_tampering_is_noticed_pr32(engine: Engine, statement: str, fault: str) -> None:
    log = filled(engine)
    assert log.verify().fault is None
    with engine.begin() as connection:
        connection.execute(text(statement))
    assert log.verify().fault == fault


@pytest.mark.parametrize("keep", [lambda n: n > 2, lambda n: False], ids=["some", "none"])
def test_old_entries_go_and_the_rest_stays_whole_pr33(engine: Engine, keep: Callable[[int], bool]) -> None:
    log = filled(engine)
    before = next((1000 * n for n in range(1, 6) if keep(n)), 10_000)
    removed = log.prune(before)
    assert removed == sum(not keep(n) for n in range(1, 6))
    assert log.prune(before) in (0, 1)  # the note of the removal is old in its turn, if all are
    check = log.verify()
    assert check.fault is None
    assert log.list(AuditQuery(action="log pruned"), None, 1)[0].entry.kind == "service"
    log.append(entry(20_000))
    assert log.verify().fault is None


def test_an_empty_log_is_whole(engine: Engine) -> None:
    assert AuditLog(engine).verify().entries == 0
    assert AuditLog(engine).prune(1 << 60) == 0
