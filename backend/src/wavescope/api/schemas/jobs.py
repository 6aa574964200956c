"""Ingest jobs on the wire, as types."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field

from wavescope.api.problems import job_problem
from wavescope.api.schemas.numbers import Count
from wavescope.api.schemas.slides import time_of
from wavescope.ingest.quality.presets import DEFAULT
from wavescope.service.jobs.views import JobView


class JobProblem(BaseModel):
    """Why a job failed."""

    type: str
    title: str
    detail: str


class JobBody(BaseModel):
    """An ingest job (WI26)."""

    id: str
    state: Literal["held", "queued", "running", "done", "failed", "cancelled"]
    filename: str
    slide_id: str | None
    done: Count = Field(description="tiles")
    total: Count = Field(description="tiles; 0 while unknown")
    rate: float | None = Field(description="tiles a second")
    seconds_left: float | None
    quality: str = Field(description="as requested: a preset's name, or a PSNR such as 40dB (WI25)")
    channel_quality: str = Field(default="", description="the same, if the file has channels")
    time: Count = Field(default=1, description="the time point of the file, from 1")
    reencodes: str | None = Field(description="the slide that gets a new version from its stored pixels (WI74)")
    overlay_of: str | None = Field(
        default=None, description="the slide that gets an overlay, with the id of the job (OV25)"
    )
    stored_as: list[str] = Field(description="existing slides of the same file, of which the uploader has to decide")
    notices: list[str] = Field(description="what to know of the files of a job that is done")
    error: JobProblem | None = Field(description="why it failed, waits, or is held until it is started again (WI135)")
    created: datetime
    updated: datetime


class JobList(BaseModel):
    """All jobs, the newest first."""

    jobs: list[JobBody]


def job_body(view: JobView) -> JobBody:
    """A job as served."""
    record = view.record
    quality = record.options.get("quality") or DEFAULT
    return JobBody(
        id=record.id,
        state=record.state,
        filename=record.filename,
        slide_id=record.slide_id,
        done=record.done,
        total=record.total,
        rate=view.rate,
        seconds_left=view.seconds_left,
        quality=quality,
        channel_quality=record.options.get("channel_quality") or quality,
        time=record.options.get("time", 0) + 1,
        reencodes=view.reencodes,
        overlay_of=view.overlay_of,
        stored_as=list(record.options.get("stored_as", ())),
        notices=list(record.notices),
        error=JobProblem.model_validate(problem) if (problem := job_problem(record.error)) else None,
        created=time_of(record.created),
        updated=time_of(record.updated),
    )
