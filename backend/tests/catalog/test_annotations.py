"""The annotations' table: concurrent writers, survival of new versions, the end with the slide."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from wavescope.annotations.geometry import Box
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Change, Query
from wavescope.catalog.trash import Trash
from wavescope.errors import UnknownSlide

HERE = Box(0, 0, 1, 1)


def open_table(catalog: Catalog) -> AnnotationTable:
    return AnnotationTable(catalog.engine, max_objects=1000, max_classes=10)


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    made = Catalog.open(tmp_path)
    made.publish("s", "S", "0" * 32, {})
    return made


def test_writers_at_once_lose_nothing_and_share_one_order_an8(catalog: Catalog) -> None:
    table = open_table(catalog)

    def write(writer: int) -> list[str]:
        changes = [Change(f"w{writer}-{number}", 0, "{}", HERE) for number in range(20)]
        outcomes = [
            table.apply("s", [change, Change("shared", 0, f'{{"name":"{writer}"}}', HERE)], "me") for change in changes
        ]
        return [outcome.status for pair, _ in outcomes for outcome in pair]

    with ThreadPoolExecutor(4) as pool:
        statuses = list(pool.map(write, range(4)))
    page = table.page("s", Query(limit=1000))
    assert (page.objects, len(page.records), page.sequence) == (81, 81, 81)
    assert sorted(record.sequence for record in page.records) == list(range(1, 82))
    assert sum(status.count("conflict") for status in statuses) == 60


def test_annotations_survive_a_new_version_of_the_slide_an1_an21(catalog: Catalog) -> None:
    table = open_table(catalog)
    table.apply("s", [Change("a", 0, "{}", HERE)], "me")
    catalog.publish("s", "", "1" * 32, {})
    assert [record.id for record in table.page("s", Query()).records] == ["a"]


def test_a_new_slide_of_a_deleted_ones_id_begins_without_annotations_an21(catalog: Catalog) -> None:
    table = open_table(catalog)
    table.apply("s", [Change("a", 0, "{}", HERE)], "me")
    table.set_classes("s", {"Tumor": (1, 2, 3)})
    trash = Trash(catalog)
    trash.put("s")
    with pytest.raises(UnknownSlide):
        table.page("s", Query())
    trash.restore("s")
    assert table.page("s", Query()).objects == 1
    trash.put("s")
    trash.purge("s")
    with pytest.raises(UnknownSlide):
        table.page("s", Query())
    catalog.publish("s", "S", "2" * 32, {})
    page = table.page("s", Query())
    assert (page.records, page.sequence, page.objects, page.classes) == ((), 0, 0, {})


def test_a_slide_is_found_by_its_annotations_until_none_has_the_word_wi6(catalog: Catalog) -> None:
    table = open_table(catalog)
    named = '{"class":"Tumour bed","kind":"point","name":"Mitosis","text":"Look mitosis"}'
    table.apply("s", [Change("a", 0, named, HERE), Change("b", 0, '{"text":"mitosis"}', HERE)], "me")
    assert [catalog.list(word).total for word in ("mito", "tumour look", "point")] == [1, 1, 0]
    table.apply("s", [Change("a", 1, '{"text":"Apoptosis"}', HERE), Change("b", 7, None)], "me")
    assert [catalog.list(word).total for word in ("mitosis", "tumour", "apoptosis")] == [1, 0, 1]
    table.apply("s", [Change("b", 1, None)], "me")
    assert [catalog.list(word).total for word in ("mitosis", "apoptosis")] == [0, 1]


def test_a_slide_is_found_by_so_many_words_of_its_annotations_at_most_wi6(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wavescope.catalog.words.WORDS", 3)
    table = open_table(catalog)
    table.apply("s", [Change("a", 0, '{"text":"one two"}', HERE), Change("b", 0, '{"text":"three four"}', HERE)], "me")
    assert [catalog.list(word).total for word in ("one", "two", "three", "four")] == [1, 1, 1, 0]
    table.apply("s", [Change("b", 1, None)], "me")
    assert catalog.list("three").total == 0
