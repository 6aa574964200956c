"""Old versions and abandoned ingests go; everything else stays."""

from __future__ import annotations

import os
from pathlib import Path

from service.world import World
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.trash import Trash
from wavescope.service.slides.removal import collect_versions, discard_ingests, sweep_ingests
from wavescope.store.durable import locked
from wavescope.store.layout import PUBLISHED

WEEK = 7 * 86400.0  # seconds


def test_a_superseded_version_leaves_the_disk_when_its_time_is_over(damaged: World) -> None:
    catalog = Catalog.open(damaged.store)
    old, new = damaged.digests["visual"], damaged.digests["lossless"]
    catalog.publish("visual", "", new, catalog.get("lossless").manifest)
    forgotten: list[str] = []
    assert collect_versions(catalog, damaged.store, 0.0, forgotten.append) == ()
    assert collect_versions(catalog, damaged.store, float("inf"), forgotten.append) == (old,)
    assert forgotten == [old]
    left = {path.name for path in (damaged.store / "slides").iterdir()}
    assert left == {new, damaged.digests["planes"]}
    assert not any(path.name.startswith("removed") for path in (damaged.store / "ingest").iterdir())
    catalog.close()


def test_a_version_whose_folder_is_gone_already_is_collected_too(damaged: World) -> None:
    catalog = Catalog.open(damaged.store)
    Trash(catalog).put("visual")
    Trash(catalog).purge("visual")
    (damaged.store / "slides" / damaged.digests["visual"]).rename(damaged.store / "elsewhere")
    assert collect_versions(catalog, damaged.store, 1.0, lambda _: None) == (damaged.digests["visual"],)
    catalog.close()


def test_only_old_ingests_that_nobody_works_on_are_swept(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    for name in ("old", "busy", "touched"):
        folder = tmp_path / "ingest" / name / "records"
        folder.mkdir(parents=True)
        (folder / "r").write_text("x")
        for path in (folder / "r", folder, folder.parent):
            os.utime(path, (1, 1))
    (tmp_path / "ingest" / "touched" / "records" / "new").write_text("x")
    with locked(tmp_path / "ingest" / "busy.lock", "busy"):
        assert sweep_ingests(catalog, tmp_path, WEEK) == ("old",)
    assert not (tmp_path / "ingest" / "old").exists()
    assert sweep_ingests(catalog, tmp_path, WEEK) == ("busy",)
    assert (tmp_path / "ingest" / "touched").exists()
    assert sweep_ingests(catalog, tmp_path / "nowhere", WEEK) == ()
    catalog.close()


def test_a_version_that_an_abandoned_ingest_moved_but_never_published_goes_with_its_work(damaged: World) -> None:
    catalog = Catalog.open(damaged.store)
    known = damaged.digests["visual"]
    for name, digest in (("orphan", "0123"), ("finished", known)):
        (damaged.store / "slides" / digest).mkdir(exist_ok=True)
        (damaged.store / "ingest" / name).mkdir(parents=True)
        (damaged.store / "ingest" / name / PUBLISHED).write_text(digest)
    assert set(sweep_ingests(catalog, damaged.store, -1.0)) == {"orphan", "finished"}
    assert not (damaged.store / "slides" / "0123").exists()
    assert (damaged.store / "slides" / known).exists()
    catalog.close()


def test_the_work_on_one_source_is_discarded_unless_a_process_works_on_it(tmp_path: Path) -> None:
    works = {"one": "aa", "two": "aa", "other": "bb", "broken": ""}
    for name, fingerprint in works.items():
        folder = tmp_path / "ingest" / name
        folder.mkdir(parents=True)
        (folder / "plan.json").write_text(f'{{"fingerprint": "{fingerprint}"}}' if fingerprint else "{")
    with locked(tmp_path / "ingest" / "two.lock", "two"):
        discard_ingests(tmp_path, "aa")
    assert {path.name for path in (tmp_path / "ingest").iterdir() if path.is_dir()} == {"two", "other", "broken"}
    discard_ingests(tmp_path / "nowhere", "aa")
