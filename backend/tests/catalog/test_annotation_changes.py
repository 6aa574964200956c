"""What becomes of changes and locks, by vectors that the page's tests read too (AN5 to AN7, AN45)."""

from __future__ import annotations

import json
from pathlib import Path

from annotations.shapes import VECTORS
from wavescope.catalog.annotations import AnnotationTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Change


def test_changes_and_locks_have_the_outcomes_of_the_vectors_an5_an6_an7_an45(tmp_path: Path) -> None:
    catalog = Catalog.open(tmp_path)
    catalog.publish("s", "S", "0" * 32, {})
    table = AnnotationTable(catalog.engine, max_objects=10, max_classes=10)
    for step in json.loads((VECTORS / "changes.json").read_text())["steps"]:
        if "lock" in step:
            annotation_id, locked = step["lock"]
            record, _ = table.lock("s", annotation_id, "Ada" if locked else "")
        else:
            annotation_id, base, content = step["change"]
            change = Change(annotation_id, base, None if content is None else f'{{"name": "{content}"}}')
            ((status, record),), _ = table.apply("s", [change], "Ada")
            assert status == step["status"], step
        assert (None if record is None else record.revision) == step["revision"], step
    catalog.close()
