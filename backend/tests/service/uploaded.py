"""Jobs of files that are uploaded."""

from __future__ import annotations

from collections.abc import Awaitable

from wavescope.service.jobs.duplicates import StoredSlide
from wavescope.service.jobs.views import JobView


async def job_of(upload: Awaitable[JobView | StoredSlide]) -> JobView:
    """The job that an upload becomes."""
    made = await upload
    assert isinstance(made, JobView)
    return made
