"""The gate asks the catalog, remembers, and notices what others write; SQL and rules say the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from wavescope.access.principal import ANONYMOUS, LOCAL_USER, Capability, Principal, user_principal
from wavescope.access.rules import right_of
from wavescope.catalog.accounts import Accounts
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import Share
from wavescope.catalog.seen import seen_by
from wavescope.catalog.sharing import SharingTable
from wavescope.service.gate import SharingGate


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
    somebody = people(catalog)
    anonymous, one, two, admin = somebody
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
    for principal in [*somebody, *(anonymous.holding(link) for link in links), two.holding(links[1])]:
        listed = {record.id for record in catalog.list(page_size=200, seen=seen_by(principal)).slides}
        assert listed == {one_id for one_id in made if right_of(principal, one_id, table.slide(one_id))}
        seen = {record.id for record in cases.list(seen=seen_by(principal))}
        assert seen == {record.id for record in every if right_of(principal, "", table.case(record.id))}


def test_changes_of_another_process_are_seen_ac42(catalog: Catalog, tmp_path: Path) -> None:
    publish(catalog, "s")
    _, one, _, _ = people(catalog)
    gate = SharingGate(catalog)
    assert not gate(one, "view slide", "s")
    other = Catalog.open(tmp_path)
    SharingTable(other).share("slide", "s", False, [Share("user", one.id, "view")])
    other.close()
    while not gate(one, "view slide", "s"):  # ends, or the test's own time does
        pass
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
    holder = ANONYMOUS.holding(Capability("link", "l", "view", frozenset({"s"}), expires=1e10))
    assert gate(holder, "view slide", "s")
    monkeypatch.setattr("time.time", lambda: 1e10)
    assert not gate(holder, "view slide", "s")


def test_the_local_user_needs_no_catalog() -> None:
    assert SharingGate(None)(LOCAL_USER, "delete slide", "s")  # type: ignore[arg-type]
