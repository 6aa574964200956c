"""The migrations make exactly the tables that the code declares."""

from __future__ import annotations

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import wavescope.catalog
import wavescope.catalog.audit_tables
import wavescope.catalog.session_tables
from wavescope.catalog.database import open_engine
from wavescope.catalog.tables import REVISION, Base


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
