"""Under which id and title the slide of a job is published."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

from wavescope.catalog.catalog import Catalog
from wavescope.errors import SlideExists
from wavescope.ingest.pipeline import DEIDENTIFIED

ATTEMPTS = 5  # to find an id that no other process uses in the meantime

Result = TypeVar("Result")


class Named(NamedTuple):
    """A slide's id and title; ``replace``: whether there may be one of this id; ``owner``: of a new one."""

    slide_id: str
    title: str
    replace: bool
    owner: str


def named(
    catalog: Catalog, options: Mapping[str, Any], stem: str, fingerprint: str, work: Callable[[Named], Result]
) -> Result:
    """What ``work`` makes under the name that the options ask for, or that is made of the file's (``stem``).

    ``work`` raises SlideExists if the id was used since; then it is called with another one. Raises SlideInTrash,
    SlideExists.
    """
    wanted, owner = str(options.get("id") or ""), str(options.get("owner") or "")
    deidentify = bool(options.get("deidentify"))
    name = f"{DEIDENTIFIED}-{fingerprint[:8]}" if deidentify else stem
    base = name if deidentify else str(options.get("base") or name)
    title = str(options.get("title") or ("" if wanted else name))
    slide_id = wanted
    for _ in range(ATTEMPTS):
        if wanted:
            catalog.check_publishable(wanted)
        else:
            slide_id = catalog.free_id(base, readable=not owner)
        with contextlib.suppress(SlideExists):
            return work(Named(slide_id, title, bool(wanted), owner))
    raise SlideExists(slide_id)
