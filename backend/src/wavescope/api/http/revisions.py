"""Revisions as entity tags: ``ETag: "rN"`` out, ``If-Match: "rN"`` in."""

from __future__ import annotations

import re

from starlette.requests import Request

from wavescope.api.http.immutable import header
from wavescope.api.problems import RevisionRequired
from wavescope.errors import InvalidParameter

TAG = re.compile(rb'"r([1-9][0-9]{0,17})"')


def revision_tag(revision: int) -> str:
    """The entity tag of a revision."""
    return f'"r{revision}"'


def given_revision(request: Request) -> int | None:
    """The revision that If-Match names; None without one. Raises InvalidParameter."""
    condition = header(request, b"if-match")
    if condition is None:
        return None
    match = TAG.fullmatch(condition.strip())
    if match is None:
        raise InvalidParameter("If-Match", condition.decode("latin-1")[:80], 'one tag of the form "rN"')
    return int(match[1])


def required_revision(request: Request) -> int:
    """The revision that If-Match names. Raises RevisionRequired, InvalidParameter."""
    revision = given_revision(request)
    if revision is None:
        raise RevisionRequired
    return revision
