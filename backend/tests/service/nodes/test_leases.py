"""Leases of live sessions on a real PostgreSQL, and the fence around a former owner's writes (CL20 to CL28)."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator

import pytest
from sqlalchemy import text

from api.cluster_nodes import filled
from catalog.databases import new_database, postgresql
from service.nodes.opened import Opened
from service.world import World, make_world
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.sessions.leases import LeaseTable, fenced
from wavescope.catalog.sessions.recordings import RecordingTable
from wavescope.catalog.sessions.records import SessionUpdate, StoredEvent
from wavescope.catalog.sessions.sessions import SessionTable
from wavescope.errors import CatalogAway, LeaseLost
from wavescope.service.sessions.live_session import RETURN_MS
from wavescope.service.sessions.ownership import Claimed
from wavescope.sessions.ownership import NOBODY, Lease
from wavescope.sessions.recording import ENTRY, EventEntry, replayed

A, B = "a" * 32, "b" * 32


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def catalog(world: World) -> Iterator[Catalog]:
    with postgresql() as server:
        opened = Catalog.open(filled(new_database(server, "leases"), world))
        yield opened
        opened.close()


@pytest.fixture
def leases(catalog: Catalog) -> LeaseTable:
    with catalog.engine.begin() as connection:
        connection.execute(text("DELETE FROM session_leases"))
    return LeaseTable(catalog, 2.5)


@pytest.mark.slow
def test_the_first_node_that_asks_owns_a_session_and_terms_grow_cl20(leases: LeaseTable) -> None:
    first, before = leases.claim("s", "a", A, {A, B}, ())
    assert (first, before) == (Lease("s", "a", A, 1), None)
    assert leases.claim("s", "b", B, {A, B}, ())[0] == first
    assert leases.claim("s", "a", A, {A, B}, ())[0].term == 2
    taken, before = leases.claim("s", "b", B, {B}, {A})
    assert (taken.instance, taken.term) == (B, 3)
    assert before is not None
    assert before.instance == A
    assert leases.owned(A) == {}
    assert leases.owned(B) == {"s": 3}


def test_an_unknown_owner_that_was_just_seen_is_alive_cl24(leases: LeaseTable, catalog: Catalog) -> None:
    leases.claim("s", "a", A, {A}, ())
    with catalog.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO nodes VALUES ('a', '', :a, 0, extract(epoch FROM clock_timestamp()), 0)"), {"a": A}
        )
    assert leases.claim("s", "b", B, {B}, ())[0].instance == A
    with catalog.engine.begin() as connection:
        connection.execute(text("DELETE FROM nodes"))
    assert leases.claim("s", "b", B, {B}, ())[0].instance == B


def test_a_lease_that_was_given_back_is_free_and_one_that_was_lost_is_not_given_back_cl22(leases: LeaseTable) -> None:
    first, _ = leases.claim("s", "a", A, {A, B}, ())
    second, _ = leases.claim("s", "b", B, {B}, {A})
    leases.release([first])
    assert leases.find("s") == second
    leases.release([second])
    found = leases.find("s")
    assert found is not None
    assert found.instance == NOBODY
    assert leases.claim("s", "a", A, {A, B}, ())[0].term == 3


def test_many_nodes_that_claim_at_once_agree_on_one_owner_cl20(leases: LeaseTable) -> None:
    found: list[Lease] = []
    names = [character * 32 for character in "cdefgh"]

    def claim(instance: str) -> None:
        found.append(leases.claim("t", instance[0], instance, set(names), ())[0])

    threads = [threading.Thread(target=claim, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert found[0].term == 1


WRITES: dict[str, Callable[[Catalog, Lease], object]] = {
    "events": lambda catalog, lease: SessionTable(catalog, lease).update(
        "s", SessionUpdate(events=[StoredEvent(1, 0, None, None, None, "{}")])
    ),
    "state": lambda catalog, lease: SessionTable(catalog, lease).update("s", SessionUpdate(fields={"state": "{}"})),
    "old events": lambda catalog, lease: SessionTable(catalog, lease).trim("s", 9),
    "recording": lambda catalog, lease: RecordingTable(catalog, lease).append("r", 0, b"", {}),
    "end of recordings": lambda catalog, lease: RecordingTable(catalog, lease).finish("s", ""),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_former_owner_writes_nothing_cl23(
    leases: LeaseTable, catalog: Catalog, write: Callable[[Catalog, Lease], object]
) -> None:
    lease, _ = leases.claim("s", "a", A, {A, B}, ())
    with fenced(catalog, lease, rights=False):
        pass
    leases.claim("s", "b", B, {B}, {A})
    with pytest.raises(LeaseLost):
        write(catalog, lease)


@pytest.mark.slow
def test_an_owner_that_is_paused_in_a_transaction_keeps_nobody_waiting_cl23(
    leases: LeaseTable, catalog: Catalog
) -> None:
    lease, _ = leases.claim("s", "a", A, {A, B}, ())
    claimed = threading.Event()

    def claim() -> None:
        leases.claim("s", "b", B, {B}, {A})
        claimed.set()

    other = threading.Thread(target=claim)
    with pytest.raises(CatalogAway), fenced(catalog, lease, rights=False) as session:  # noqa: PT012
        other.start()
        assert claimed.wait(5)  # only because the database ends this transaction
        session.execute(text("SELECT 1"))
    other.join()


async def test_members_stay_for_a_moment_when_a_session_is_taken_over_cl25(
    leases: LeaseTable, catalog: Catalog
) -> None:
    opened = Opened(catalog)
    first = await opened.open(Claimed(leases.claim(await opened.create(), "a", A, {A}, ())[0], False))
    connection = opened.connect(first, await opened.owner())
    await first.settled()
    assert first.state.members[0].present
    await opened.act(first, connection, "hand", member="m1", raised=True)
    await opened.store_views(first)
    second = await opened.open(Claimed(leases.claim(opened.id, "b", B, {B}, {A})[0], True))
    member = second.state.members[0]
    assert (member.present, member.hand is not None, second.state.lost_until) == (True, True, None)
    opened.now += RETURN_MS / 1000 + 0.1
    await second.update()
    assert not second.state.members[0].present
    assert second.state.lost_until is not None
    await first.stop()
    await second.stop()


async def test_a_session_that_was_not_used_for_long_has_nobody_in_it_cl25(leases: LeaseTable, catalog: Catalog) -> None:
    opened = Opened(catalog)
    first = await opened.open(Claimed(leases.claim(await opened.create(), "a", A, {A}, ())[0], False))
    opened.connect(first, await opened.owner())
    await first.settled()
    opened.now += 61.0
    second = await opened.open(Claimed(leases.claim(opened.id, "b", B, {B}, {A})[0], True))
    assert not second.state.members[0].present
    await first.stop()
    await second.stop()


async def test_a_recording_gets_the_events_that_it_lacks_cl28(leases: LeaseTable, catalog: Catalog) -> None:
    opened = Opened(catalog)
    first = await opened.open(Claimed(leases.claim(await opened.create(), "a", A, {A}, ())[0], False))
    connection = opened.connect(first, await opened.owner())
    await opened.act(first, connection, "record", on=True)
    await first.update()  # what is recorded so far is written
    await opened.act(first, connection, "hand", member="m1", raised=True)  # acknowledged, but not in the recording
    assert first.state.recording is not None
    recording = first.state.recording.id
    second = await opened.open(Claimed(leases.claim(opened.id, "b", B, {B}, {A})[0], True))
    await second.update()
    table = RecordingTable(catalog)
    lines = [
        line
        for number in range(table.get(recording).chunks)
        for line in zlib.decompress(table.chunk(recording, number) or b"").decode().split("\n")
    ]
    entries = [ENTRY.validate_json(line) for line in lines]
    numbers = [entry.sequence for entry in entries if isinstance(entry, EventEntry)]
    assert numbers == sorted(set(numbers))
    assert second.state.sequence in (numbers[-1], numbers[-1] + 1)
    state = replayed(None, entries)
    assert state is not None
    assert state.members[0].hand is not None
    await first.stop()
    await second.stop()
