"""The migrations make exactly the tables that the code declares."""

from __future__ import annotations

import json
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

import wavescope.catalog
import wavescope.catalog.access.audit_tables
import wavescope.catalog.lti.tables
import wavescope.catalog.originals.rows
import wavescope.catalog.sessions.tables
from wavescope.annotations.geometry import Box
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Change
from wavescope.catalog.database import migrate_to, open_engine
from wavescope.catalog.tables import REVISION, Base
from wavescope.catalog.tours import Tours


def test_the_migrated_database_equals_the_declared_tables(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'c.sqlite'}")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def test_the_named_revision_is_the_newest() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(wavescope.catalog.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    assert ScriptDirectory.from_config(config).get_current_head() == REVISION


def test_slides_of_before_are_found_by_what_their_pixels_are_equivalent_to(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'c.sqlite'}")
    manifests = {"a": {"mpp": {"x": 1.3, "y": 1.3}}, "b": {"mpp": None}, "c": {"mpp": None, "objective_power": 20.0}}
    with engine.connect() as connection, connection.begin():
        migrate_to(connection, "0007")
        for slide_id, manifest in manifests.items():
            row = {"id": slide_id, "manifest": json.dumps(manifest)}
            connection.execute(
                text(
                    "INSERT INTO slides (id, title, digest, manifest, search, tags, created, updated) "
                    "VALUES (:id, '', '', :manifest, '', '{}', 0, 0)"
                ),
                row,
            )
        migrate_to(connection, "head")
        labels = connection.execute(text("SELECT slide_id, value FROM labels WHERE name = 'objective'")).all()
    engine.dispose()
    assert sorted(map(tuple, labels)) == [("a", "10x equivalent"), ("b", "no scale")]


def test_slides_of_before_are_found_by_the_nearest_objective(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'c.sqlite'}")
    slides = {
        "a": ({"objective_power": 19.96}, None, "19.96x"),
        "b": ({"mpp": {"x": 0.37, "y": 0.37}}, None, "27x equivalent"),
        "c": ({"mpp": None}, {"um_per_pixel": 0.26}, "38x equivalent"),
        "d": ({"mpp": None}, None, "no scale"),
    }
    with engine.connect() as connection, connection.begin():
        migrate_to(connection, "0014")
        for slide_id, (manifest, calibration, label) in slides.items():
            row = {"id": slide_id, "manifest": json.dumps(manifest), "calibration": json.dumps(calibration)}
            connection.execute(
                text(
                    "INSERT INTO slides (id, title, digest, manifest, calibration, search, tags, created, updated) "
                    "VALUES (:id, '', '', :manifest, :calibration, '', '{}', 0, 0)"
                ),
                row,
            )
            found = {"id": slide_id, "label": label}
            connection.execute(text("INSERT INTO labels VALUES (:id, 'objective', :label)"), found)
        migrate_to(connection, "head")
        labels = connection.execute(text("SELECT slide_id, value FROM labels WHERE name = 'objective'")).all()
    engine.dispose()
    expected = [("a", "20x"), ("b", "20x equivalent"), ("c", "40x equivalent"), ("d", "no scale")]
    assert sorted(map(tuple, labels)) == expected


def test_slides_of_before_are_found_by_their_words_and_counted_for_their_owners(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    catalog.publish("s", "Liver", "0" * 32, {"vendor": "aperio"}, owner="1" * 32)
    Tours(catalog).create({"title": "Round", "waypoints": [{"title": "Portal"}]}, "s", None)
    notes = [Change(name, 0, f'{{"name":"Mitosis {name}"}}', Box(0, 0, 1, 1)) for name in "ab"]
    AnnotationTable(catalog.engine, max_objects=9, max_classes=9).apply("s", notes, "me")
    written = text("SELECT part, word, uses FROM words ORDER BY part, word")
    copied = text("SELECT name, owner, public, trashed FROM labels ORDER BY name")
    with catalog.engine.connect() as connection:
        before = [connection.execute(query).all() for query in (written, copied)]
    with catalog.engine.connect().execution_options(writing=True) as connection, connection.begin():
        migrate_to(connection, "0018")
        migrate_to(connection, "head")
        after = [connection.execute(query).all() for query in (written, copied)]
    catalog.close()
    assert after == before
    assert ("notes", "mitosis", 2) in [tuple(row) for row in before[0]]
