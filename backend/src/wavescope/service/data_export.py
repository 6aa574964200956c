"""What an account owns in one archive: slides, annotations, comments, tours, quizzes, cases, launches (PR54)."""

from __future__ import annotations

import json
import time
import zipfile
from typing import IO, Any

from wavescope.annotations.qupath import write_qupath
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.comments import export_comments
from wavescope.catalog.coverage import export_seen
from wavescope.catalog.data_export import OwnedRecords
from wavescope.catalog.lti.scores import export_launches
from wavescope.catalog.quizzes import export_attempts
from wavescope.catalog.sessions.export import export_ballots, export_visits
from wavescope.errors import UnknownSlide
from wavescope.service.access.gate import Gate, Principal, require
from wavescope.service.slides.annotations import AnnotationService


class DataExportService:
    """Exports what an account owns."""

    def __init__(self, catalog: Catalog, annotations: AnnotationService, gate: Gate) -> None:
        self._catalog, self._annotations, self._gate = catalog, annotations, gate

    def write(self, principal: Principal, out: IO[bytes]) -> None:
        """Writes a ZIP of everything the principal owns, and of what it annotated on slides of others that it sees.

        Raises Forbidden, SignInRequired.
        """
        require(self._gate, principal, "own account")
        owner = None if principal.local else principal.id  # the one user of a machine owns everything
        now = time.time()
        facts = {"id": principal.id, "name": principal.name, "role": principal.role, "exported": now}
        own = OwnedRecords(self._catalog, owner)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            _json(archive, "account.json", facts)
            slides = own.slides()
            _records(archive, own, slides)
            _json(archive, "coverage.json", export_seen(self._catalog, owner))
            _json(archive, "comments.json", export_comments(self._catalog.engine, owner))
            _json(archive, "attempts.json", export_attempts(self._catalog, owner, now))
            _json(archive, "session-visits.json", export_visits(self._catalog, owner))
            _json(archive, "session-answers.json", export_ballots(self._catalog, owner))
            _json(archive, "launches.json", export_launches(self._catalog, owner))
            mine = {slide["id"] for slide in slides}
            for slide_id in sorted(mine | set(own.annotated(principal.name))):
                if slide_id in mine or self._gate(principal, "view slide", slide_id):
                    author = None if slide_id in mine else principal.name
                    _annotations(archive, self._annotations, slide_id, author)


def _records(archive: zipfile.ZipFile, own: OwnedRecords, slides: list[dict[str, Any]]) -> None:
    """Everything but annotations."""
    recordings = own.recordings()
    lists = {"slides": slides, "cases": own.cases(), "sessions": own.sessions(), "recordings": recordings}
    for name, records in lists.items():
        _json(archive, f"{name}.json", records)
    for tour in own.tours():
        _json(archive, f"tours/{tour['id']}.json", tour)
    for quiz in own.quizzes():
        _json(archive, f"quizzes/{quiz['id']}.json", quiz)
    for recording in recordings:
        with archive.open(f"recordings/{recording['id']}.jsonl", "w") as member:
            for chunk in own.entries(recording["id"]):
                member.write(chunk)


def _annotations(archive: zipfile.ZipFile, annotations: AnnotationService, slide_id: str, author: str | None) -> None:
    """The objects of a slide, by all or by one author; no file if there are none, or the slide is in the trash."""
    try:
        objects, classes = annotations.current_objects(slide_id, author)
    except UnknownSlide:
        return
    if objects:
        _json(archive, f"annotations/{slide_id}.geojson", write_qupath(objects, classes))


def _json(archive: zipfile.ZipFile, name: str, value: Any) -> None:
    archive.writestr(name, json.dumps(value, indent=1, ensure_ascii=False))
