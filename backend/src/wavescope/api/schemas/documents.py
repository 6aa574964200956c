"""What tours and quizzes have in common: places, texts, views, and the facts of a stored one."""

from __future__ import annotations

import json
from typing import Annotated, Any

from pydantic import Field

from wavescope.api.schemas.slides import time_of
from wavescope.catalog.records import DocumentRecord
from wavescope.errors import InvalidParameter

VIEW_BYTES = 8 * 1024
Text = Annotated[str, Field(max_length=20_000)]
Level0 = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]


def check_view(view: dict[str, Any]) -> dict[str, Any]:
    """A view of bounded size (TO5). Raises ValueError."""
    if len(json.dumps(view)) > VIEW_BYTES:
        raise ValueError(f"a view is at most {VIEW_BYTES} bytes of JSON")
    return view


def check_place(slide: str | None, case: str | None) -> None:
    """A document belongs to a slide or to a case. Raises InvalidParameter."""
    if (slide is None) == (case is None):
        raise InvalidParameter("slide, case", f"{slide}, {case}", "one of the two")


def facts_of(record: DocumentRecord) -> dict[str, Any]:
    """The members that every description of a stored document has."""
    return {
        "id": record.id,
        "slide_id": record.slide_id,
        "case_id": record.case_id,
        "revision": record.revision,
        "created": time_of(record.created),
        "updated": time_of(record.updated),
    }


def file_body(record: DocumentRecord) -> str:
    """The document as a file that people can read."""
    return json.dumps(record.document, ensure_ascii=False, indent=1) + "\n"
