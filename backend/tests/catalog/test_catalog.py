"""The catalog: publishing, resolving, searching, collecting, and other processes writing."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from wavescope.access.principal import Principal
from wavescope.catalog import database
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.labels import count_facets
from wavescope.catalog.records import Share
from wavescope.catalog.tables import UserRow
from wavescope.catalog.tours import Tours
from wavescope.catalog.trash import Trash
from wavescope.catalog.visible import visible_to
from wavescope.errors import InvalidParameter, SlideExists, StaleVersion, Unavailable, UnknownSlide

A, B, C = "a" * 32, "b" * 32, "c" * 32


def manifest(**fields: Any) -> dict[str, Any]:
    return {"width": 100, "height": 50, "vendor": "aperio", "source": {"format": "SVS"}, **fields}


def trash(catalog: Catalog, slide_id: str) -> None:
    """For good."""
    Trash(catalog).put(slide_id)
    Trash(catalog).purge(slide_id)


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    opened = Catalog.open(tmp_path, trust_seconds=0.0)
    yield opened
    opened.close()


def test_a_published_slide_resolves_to_its_digest_st77(catalog: Catalog) -> None:
    record = catalog.publish("s1", "First", A, manifest())
    assert (record.id, record.title, record.digest, record.manifest["width"]) == ("s1", "First", A, 100)
    assert catalog.resolve("s1") == A
    assert catalog.get("s1") == record


def test_a_new_version_replaces_the_current_one_and_the_old_one_is_still_served_st77(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    catalog.publish("s1", "", B, manifest())
    assert catalog.resolve("s1") == B
    assert catalog.get("s1").title == "First"
    catalog.check_version("s1", A)
    with pytest.raises(StaleVersion):
        catalog.check_version("s1", C)


def test_a_taken_id_is_refused_when_it_may_not_be_replaced(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    with pytest.raises(SlideExists):
        catalog.publish("s1", "Other", B, manifest(), replace=False)
    assert catalog.resolve("s1") == A


@pytest.mark.parametrize("slide_id", ["", "a/b", "..", "-a", "a b", "ä", "x" * 129, "\x00"])
def test_an_id_of_other_characters_is_refused_and_never_found_wi5(catalog: Catalog, slide_id: str) -> None:
    with pytest.raises(InvalidParameter):
        catalog.publish(slide_id, "t", A, manifest())
    for ask in (catalog.resolve, catalog.get, Trash(catalog).put, Trash(catalog).purge):
        with pytest.raises(UnknownSlide):
            ask(slide_id)


def test_another_process_publishing_and_deleting_is_noticed(catalog: Catalog, tmp_path: Path) -> None:
    other = Catalog.open(tmp_path)
    other.publish("s1", "First", A, manifest())
    assert catalog.resolve("s1") == A
    other.publish("s1", "", B, manifest())
    assert catalog.resolve("s1") == B
    Trash(other).put("s1")
    with pytest.raises(UnknownSlide):
        catalog.resolve("s1")
    other.close()


def test_a_version_published_elsewhere_is_found_at_once_even_while_the_memory_is_trusted(tmp_path: Path) -> None:
    catalog, other = Catalog.open(tmp_path, trust_seconds=3600), Catalog.open(tmp_path)
    other.publish("s1", "First", A, manifest())
    assert catalog.resolve("s1") == A
    other.publish("s1", "", B, manifest())
    assert catalog.resolve("s1") == A
    catalog.check_version("s1", B)
    catalog.close()
    other.close()


def test_resolving_again_asks_the_database_nothing(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path, trust_seconds=3600)
    catalog.publish("s1", "First", A, manifest())
    catalog.resolve("s1")
    statements: list[str] = []
    event.listen(catalog.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    for _ in range(100):
        catalog.check_version("s1", A)
    assert statements == []
    catalog.publish("s2", "Second", B, manifest())
    assert statements != []
    catalog.close()


def test_a_search_needs_the_beginning_of_every_word_and_ignores_case_wi6(catalog: Catalog) -> None:
    catalog.publish("one", "Colon ÄRZTE 100%", A, manifest())
    catalog.publish("two", "Colon", B, manifest(vendor="hamamatsu"))
    found = {
        text: [s.id for s in catalog.list(text).slides]
        for text in ("colon", "ärzt-COLON", "HAMA", "100%", "0", "_", "x")
    }
    both, none = ["two", "one"], list[str]()
    assert found == {
        "colon": both,
        "ärzt-COLON": ["one"],
        "HAMA": ["two"],
        "100%": ["one"],
        "0": none,
        "_": none,
        "x": none,
    }


def tour(text: str) -> dict[str, Any]:
    mark = {"kind": "text", "text": "Councilman"}
    return {"title": "Round", "text": text, "waypoints": [{"title": "Portal", "text": "Fibrosis", "marks": [mark]}]}


def test_a_slide_is_found_by_its_tours_as_they_are_and_by_none_of_a_case_wi6(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    made = Tours(catalog).create(tour("Steatosis"), "s1", None)
    assert [catalog.list(word).total for word in ("steato", "fibrosis first", "councilman", "hepatitis")] == [
        1,
        1,
        1,
        0,
    ]
    saved = Tours(catalog).save(made.id, tour("Hepatitis"), made.revision)
    assert [catalog.list(word).total for word in ("steato", "hepatitis")] == [0, 1]
    Tours(catalog).delete(saved.id, saved.revision)
    assert [catalog.list(word).total for word in ("hepatitis", "first")] == [0, 1]
    of_case = Cases(catalog).create("Case", "case", ["s1"])
    Tours(catalog).create(tour("Steatosis"), None, of_case.id)
    assert catalog.list("steatosis").total == 0


def test_a_listing_is_sorted_by_title_and_tag_both_ways_wi6(catalog: Catalog) -> None:
    for slide_id, title, stain in (("s1", "b", "PAS"), ("s2", "A", "he"), ("s3", "c", None)):
        catalog.publish(slide_id, title, A, manifest())
        catalog.change(slide_id, None, {"stain": stain} if stain else {})

    def ids(sort: str) -> list[str]:
        return [slide.id for slide in catalog.list(sort=sort).slides]

    assert (ids("title"), ids("-title")) == (["s2", "s1", "s3"], ["s3", "s1", "s2"])
    assert (ids("tag.stain"), ids("-tag.stain")) == (["s2", "s1", "s3"], ["s1", "s2", "s3"])
    for wrong in ("colour", "-newest", "tag.", "tag.a:b"):
        with pytest.raises(InvalidParameter):
            ids(wrong)


def test_a_listing_reads_whole_rows_of_its_page_only_wi6(catalog: Catalog) -> None:
    statements: list[tuple[str, Any]] = []
    catalog.publish("s1", "First", A, manifest())
    event.listen(catalog.engine, "before_cursor_execute", lambda *said: statements.append((said[2], said[3])))
    catalog.list("first")
    plans: list[str] = []
    with catalog.engine.connect() as connection:
        for statement, values in statements[:]:
            if statement.startswith("SELECT"):
                rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values).all()
                plans.append(" ".join(row[3] for row in rows))
    assert all("SCAN slides" not in plan for plan in plans), plans
    assert all("USING COVERING INDEX ix_words_word" in plan for plan in plans[:2]), plans


def test_facets_count_what_each_principal_may_see_wherever_that_changes_wi39(catalog: Catalog) -> None:
    sharing, trashed, cases = SharingTable(catalog), Trash(catalog), Cases(catalog)
    one, other = (Principal(name, "user", name * 32, "viewer") for name in "12")
    admin = Principal("3", "user", "3" * 32, "admin")
    with catalog.writing() as session:
        for who in (one, other):
            session.add(
                UserRow(id=who.id, name=who.name, title="", role="viewer", disabled=False, created=0, updated=0)
            )
    for number in range(4):
        catalog.publish(f"s{number}", f"Slide {number}", A, manifest(), owner=one.id)

    def seen() -> list[int]:
        counts = []
        for who in (admin, one, other):
            with catalog.reading() as session:
                facets = {facet.name: facet.values for facet in count_facets(session, "", (), visible_to(who))}
                found = count_facets(session, "slide", (("vendor", "aperio"),), visible_to(who))
            values = facets.get("vendor", ())
            counts.append(sum(value.count for value in values))
            assert counts[-1] == catalog.list(visible=visible_to(who)).total
            assert [facet.values for facet in found if facet.name == "vendor"] == ([values] if values else [])
        return counts

    assert seen() == [4, 4, 0]
    sharing.share("slide", "s0", True, [])
    assert seen() == [4, 4, 1]
    sharing.own("slide", "s1", other.id)
    assert seen() == [4, 3, 2]
    trashed.put("s0")
    assert seen() == [3, 2, 1]
    trashed.restore("s0")
    assert seen() == [4, 3, 2]
    case = cases.create("Case", "case", ["s1", "s2"], owner=one.id)
    sharing.share("case", case.id, True, [])
    assert seen() == [4, 3, 3]  # s2; s1 is not of the case's owner
    catalog.change("s0", None, {"stain": "HE"})
    sharing.share("slide", "s3", False, [Share("user", other.id, "view")], owner=one.id)
    assert seen() == [4, 3, 4]


def test_a_listing_is_paged_and_counts_all(catalog: Catalog) -> None:
    for number in range(5):
        catalog.publish(f"s{number}", "t", A, manifest())
    pages = [catalog.list("", page, 2) for page in (1, 2, 3, 4)]
    assert [[s.id for s in page.slides] for page in pages] == [["s4", "s3"], ["s2", "s1"], ["s0"], []]
    assert {(page.total, page.pages) for page in pages} == {(5, 3)}


@pytest.mark.parametrize("title", ["", "  ", "x" * 201, "a\nb", "\x00"])
def test_an_unprintable_empty_or_long_title_is_refused(catalog: Catalog, title: str) -> None:
    catalog.publish("s1", "First", A, manifest())
    with pytest.raises(InvalidParameter):
        catalog.change("s1", title)
    assert catalog.get("s1").title == "First"


def test_a_renamed_slide_is_found_by_its_new_title(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    assert catalog.change("s1", " Second ").title == "Second"
    assert catalog.list("second").total == 1
    assert catalog.list("first").total == 0


def test_a_superseded_version_is_collected_and_then_no_longer_served_wi9(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    catalog.publish("s1", "", B, manifest())
    removed: list[str] = []
    assert catalog.collect(0.0, removed.append) == ()
    assert catalog.collect(float("inf"), removed.append) == (A,)
    assert removed == [A]
    with pytest.raises(StaleVersion):
        catalog.check_version("s1", A)
    catalog.check_version("s1", B)


def test_a_version_that_another_slide_needs_is_not_collected(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    catalog.publish("s2", "Twin", A, manifest())
    trash(catalog, "s1")
    assert catalog.collect(float("inf"), lambda digest: pytest.fail(digest)) == ()
    trash(catalog, "s2")
    assert catalog.collect(float("inf"), lambda digest: None) == (A,)


def test_a_version_published_again_is_not_collected(catalog: Catalog) -> None:
    for digest in (A, B, A):
        catalog.publish("s1", "First", digest, manifest())
    assert catalog.collect(float("inf"), lambda digest: None) == (B,)
    assert catalog.resolve("s1") == A


def test_a_failed_removal_keeps_the_version_collectable(catalog: Catalog) -> None:
    catalog.publish("s1", "First", A, manifest())
    trash(catalog, "s1")

    def fail(digest: str) -> None:
        raise PermissionError(digest)

    with pytest.raises(PermissionError):
        catalog.collect(float("inf"), fail)
    assert catalog.collect(float("inf"), lambda digest: None) == (A,)


def test_a_free_id_is_made_of_a_file_name(catalog: Catalog) -> None:
    catalog.publish("cmu-1", "t", A, manifest())
    names = ["CMU 1", "CMU-2.svs", "..//", "Ärzte", "_x_%"]
    assert [catalog.free_id(n) for n in names] == ["cmu-1-2", "cmu-2.svs", "slide", "rzte", "x"]


def test_many_processes_may_open_a_new_catalog_at_once(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def publish(number: int) -> None:
        try:
            catalog = Catalog.open(tmp_path)
            catalog.publish(f"s{number}", "t", A, manifest())
            catalog.close()
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=publish, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    catalog = Catalog.open(tmp_path)
    assert catalog.list().total == 6
    catalog.close()


def test_a_catalog_of_a_newer_program_is_refused(tmp_path: Path) -> None:
    Catalog.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "catalog.sqlite") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(InvalidParameter, match="newer program"):
        Catalog.open(tmp_path)


@pytest.mark.parametrize("url", ["nonsense://x", "postgresql+nodriver://u:secret@h/d", "://"])
def test_a_database_url_that_means_nothing_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(InvalidParameter) as caught:
        Catalog.open(url)
    assert "secret" not in str(caught.value)


def test_threads_write_one_after_another_and_wait_no_longer_than_sqlite_would(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without turns a thread that waits sleeps in SQLite and later ones get in before it (QZ27)."""
    order: list[str] = []

    def write(name: str) -> None:
        with catalog.writing(rights=False):
            order.append(name)

    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with catalog.writing(rights=False), pytest.raises(Unavailable), catalog.writing(rights=False):
        pass
    monkeypatch.undo()
    with catalog.writing(rights=False):
        waiting = [threading.Thread(target=write, args=(name,)) for name in "abc"]
        for thread in waiting:
            thread.start()
        order.append("first")
    for thread in waiting:
        thread.join()
    assert order[0] == "first"
    assert sorted(order[1:]) == ["a", "b", "c"]
