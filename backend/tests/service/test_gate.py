"""The gate asks the catalog, remembers, and notices what others write; SQL and rules say the same."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from wavescope.access.principal import ANONYMOUS, LOCAL_USER, Capability, Principal, user_principal
from wavescope.access.rules import right_of
from wavescope.annotations.geometry import Box
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.audit import AuditEntry, AuditLog
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.access.tokens import Tokens
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Change
from wavescope.catalog.records import Share
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import RecordingRecord, SessionRecord, SessionUpdate, StoredEvent, StoredMember
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.catalog.visible import visible_to
from wavescope.errors import UnknownSlide
from wavescope.service.access.authenticator import Authenticator, Credentials
from wavescope.service.access.gate import require
from wavescope.service.access.sharing_gate import SharingGate
from wavescope.service.access.usage import UsageTracker


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path, trust_seconds=0.001)
    yield opened
    opened.close()


def publish(catalog: Catalog, slide_id: str, owner: str = "") -> None:
    catalog.publish(slide_id, slide_id, "d" * 32, {}, owner=owner)


def people(catalog: Catalog) -> list[Principal]:
    """Two users, an admin, and holders of links."""
    accounts = Accounts(catalog)
    one, two = (accounts.add(name, "", "instructor", None) for name in ("one", "two"))
    admin = accounts.add("adam", "", "admin", None)
    group = accounts.add_group("group")
    accounts.change_group(group.id, None, [two.id])
    users = [user_principal(u.id, u.title, u.role, u.groups) for u in map(accounts.get, (one.id, two.id, admin.id))]
    return [ANONYMOUS, *users]


def test_a_list_shows_exactly_what_the_rules_let_each_see_ac8(catalog: Catalog) -> None:
    principals = people(catalog)
    anonymous, one, two, admin = principals
    (group,) = Accounts(catalog).groups()
    table, cases = SharingTable(catalog), Cases(catalog)
    ways: list[tuple[bool, list[Share]]] = [
        (False, []),
        (True, []),
        (False, [Share("user", two.id, "view")]),
        (False, [Share("group", group.id, "annotate")]),
    ]
    made = []
    for number, (owner, (public, shares)) in enumerate(itertools.product(("", one.id, two.id), ways)):
        publish(catalog, f"s{number}", owner)
        table.share("slide", f"s{number}", public, shares)
        made.append(f"s{number}")
    for owner in ("", one.id, admin.id):
        for public, shares in ways:
            case = cases.create("case", slides=made[::2], owner=owner)
            table.share("case", case.id, public, shares)
    every = cases.list()
    links = [Capability("link", "l", "view", frozenset({"s1", "s4"}), case.id, grantor)
             for case in every[:4] for grantor in ("", one.id)]  # fmt: skip
    for principal in [
        *principals,
        *(anonymous.with_capabilities(link) for link in links),
        two.with_capabilities(links[1]),
    ]:
        listed = {record.id for record in catalog.list(page_size=200, visible=visible_to(principal)).slides}
        assert listed == {one_id for one_id in made if right_of(principal, one_id, table.slide(one_id))}
        seen = {record.id for record in cases.list(visible=visible_to(principal))}
        assert seen == {record.id for record in every if right_of(principal, "", table.case(record.id))}


def test_changes_of_another_process_are_seen_ac42(catalog: Catalog, tmp_path: Path) -> None:
    publish(catalog, "s")
    _, one, _, _ = people(catalog)
    gate = SharingGate(catalog)
    assert not gate(one, "view slide", "s")
    other = Catalog.open(tmp_path)
    SharingTable(other).share("slide", "s", False, [Share("user", one.id, "view")])
    other.close()
    end = time.monotonic() + 10
    while not gate(one, "view slide", "s"):
        assert time.monotonic() < end
    SharingTable(catalog).share("slide", "s", False, [])
    assert not gate(one, "view slide", "s")


def test_a_decision_is_remembered(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(catalog, "s")
    _, one, _, _ = people(catalog)
    gate = SharingGate(catalog)
    asked = 0
    look = SharingTable.slide

    def counted(table: SharingTable, slide_id: str) -> object:
        nonlocal asked
        asked += 1
        return look(table, slide_id)

    monkeypatch.setattr(SharingTable, "slide", counted)
    assert not any(gate(one, "view slide", slide) for slide in ["s", "nothing"] * 50)
    assert asked <= 4  # also an id that nobody has


def test_a_capability_ends_with_its_time_though_the_decision_was_remembered_ac4(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(catalog, "s")
    gate = SharingGate(catalog)
    holder = ANONYMOUS.with_capabilities(Capability("link", "l", "view", frozenset({"s"}), expires=1e10))
    assert gate(holder, "view slide", "s")
    monkeypatch.setattr("time.time", lambda: 1e10)
    assert not gate(holder, "view slide", "s")


def test_the_local_user_needs_no_catalog() -> None:
    assert SharingGate(None)(LOCAL_USER, "delete slide", "s")  # type: ignore[arg-type]


class Asked:
    """Counts what is looked up in SQL of rights."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        for owner, name in ((SharingTable, "slide"), (Tokens, "holder"), (Catalog, "_look_up")):
            monkeypatch.setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, look: Any) -> Any:
        def counted(*arguments: Any) -> Any:
            self.count += 1
            return look(*arguments)

        return counted


def session_on(catalog: Catalog, slide: str, owner: str) -> SessionTable:
    """A live session, called ``s``."""
    table = SessionTable(catalog)
    record = SessionRecord("s", "AAAA2222", owner, "t", None, True, False, [slide], 1.0, 1.0, None)
    table.create(record, "{}", "[]", StoredMember("m1", owner, "Ada"))
    return table


def test_what_a_session_writes_every_second_does_not_clear_the_cache(
    catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(catalog, "slide")
    _, one, two, _ = people(catalog)
    SharingTable(catalog).share("slide", "slide", False, [Share("user", one.id, "view")])
    mine = Credentials(sign_in=Tokens(catalog).sign_in(one.id, 1e6, 1e6).token)
    gate, other = SharingGate(catalog), Catalog.open(tmp_path)
    authenticator = Authenticator(catalog, "accounts", UsageTracker(catalog))
    table, recordings, log = (
        session_on(catalog, "slide", f"user:{two.id}"),
        RecordingTable(other),
        AuditLog(catalog.engine),
    )
    annotations = AnnotationTable(other.engine, max_objects=9, max_classes=9)
    recordings.create(RecordingRecord("r", "s", "user:x", "r", [], 1.0, 0, 0, 0, done=False, shared=False))

    def ask() -> bool:
        time.sleep(0.002)  # longer than the catalog trusts what it knows
        catalog.resolve("slide")
        return gate(authenticator.of(mine), "view slide", "slide")

    assert ask()
    asked = Asked(monkeypatch)
    for number in range(1, 4):
        table.update("s", SessionUpdate(events=[StoredEvent(number, 1, None, None, None, "{}")]))
        SessionTable(other).update("s", SessionUpdate(fields={"views": "[]", "touched": float(number)}))
        table.update("s", SessionUpdate(fields={"sequence": number, "state": "{}", "refs": {}}))
        table.trim("s", number - 1)
        recordings.append("r", number, b"x", {"chunks": number})
        annotations.apply("slide", [Change("a", number - 1, "{}", Box(0, 0, 1, 1))], "Ada")
        log.append(AuditEntry(1, "user", "u", "Ada", "", "opened", "slide"))
        Tokens(other).sign_in(two.id, 60, 60)
        Tokens(other).note_uses({"nothing": 1.0})
        assert ask()
    assert asked.count == 0
    SharingTable(other).share("slide", "slide", False, [])
    while ask():  # ends, or the test's own time does
        pass
    assert asked.count > 0
    other.close()


@pytest.mark.parametrize(
    "changes",
    [
        SessionUpdate(members=[StoredMember("m1", "user:x", "Ada", "removed")]),
        SessionUpdate(fields={"ended": 1.0}),
        SessionUpdate(fields={"slides": []}),
        SessionUpdate(fields={"annotating": True}),
    ],
)
def test_delegated_slides_are_checked_again_when_the_session_changes_se8(
    catalog: Catalog, changes: SessionUpdate
) -> None:
    table = session_on(catalog, "slide", "user:x")
    before = catalog.generation()
    table.update("s", SessionUpdate(fields={"views": "[]"}))
    assert catalog.generation() == before
    table.update("s", changes)
    assert catalog.generation() != before


def test_what_was_looked_up_while_it_changed_is_not_remembered(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(catalog, "s")
    _, one, _, _ = people(catalog)
    table, gate, look = SharingTable(catalog), SharingGate(catalog), SharingTable.slide
    table.share("slide", "s", False, [Share("user", one.id, "view")])

    def overtaken(of: SharingTable, slide_id: str) -> object:
        found = look(of, slide_id)
        monkeypatch.setattr(SharingTable, "slide", look)
        table.share("slide", "s", False, [])
        gate(one, "view slide", "another")  # as another thread may: it hears of the change
        return found

    monkeypatch.setattr(SharingTable, "slide", overtaken)
    assert gate(one, "view slide", "s")
    assert not gate(one, "view slide", "s")


def test_a_private_slide_is_asked_for_with_the_statements_of_an_unknown_one_ac9(catalog: Catalog) -> None:
    publish(catalog, "private", "someone")
    anonymous, one, *_ = people(catalog)
    said: list[str] = []
    event.listen(catalog.engine, "before_cursor_execute", lambda *event: said.append(event[2]))
    catalog.generation()  # has seen what was written before
    for principal in (anonymous, one, one.with_capabilities(Capability("link", "l", "view", frozenset({"another"})))):
        gate, statements = SharingGate(catalog), []
        for slide in ("private", "unknown"):
            said.clear()
            with pytest.raises(UnknownSlide):
                require(gate, principal, "view slide", slide)
            statements.append(list(said))
        assert statements[0] == statements[1]
        assert len(statements[0]) > 0
