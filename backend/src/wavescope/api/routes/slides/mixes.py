"""Saved mixes of the channels of slides (shared/spec/channels.md)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator
from starlette.requests import Request

from wavescope.api.http.body import json_body, read_model
from wavescope.api.http.revisions import required_revision, revision_tag
from wavescope.api.parameters import MixesParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.numbers import Revision
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.mixes import SavedMixes

router = new_router("mixes", "reads")

MIXES = 100  # of one slide
SAMPLE = 1 << 16  # beyond every stored sample


def _printable(name: str) -> str:
    stripped = name.strip()
    if not stripped or not stripped.isprintable():
        raise ValueError("a line of printable characters, not empty")
    return stripped


def _entry(entry: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    colour, low, high, gamma = entry
    if not (0 <= colour <= 0xFFFFFF and -SAMPLE <= low < high <= SAMPLE and 10 <= gamma <= 1000):
        raise ValueError("a colour of 0 to FFFFFF, a window low < high, a gamma of 10 to 1000")
    return entry


Entry = Annotated[tuple[int, int, int, int], AfterValidator(_entry)]
ChannelName = Annotated[str, Field(pattern=r"^c(\d|[1-5]\d|6[0-3])$")]


class SavedMix(BaseModel):
    """A mix with a name, as the adjustments of a view have it (CM8, CM9)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    name: Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_printable)]
    channels: dict[ChannelName, Entry] = Field(min_length=1, max_length=64)


class MixesChange(BaseModel):
    """All saved mixes of a slide, in their order (CM9)."""

    model_config = ConfigDict(extra="forbid")
    mixes: list[SavedMix] = Field(max_length=MIXES)

    @field_validator("mixes")
    @classmethod
    def _check_names_differ(cls, mixes: list[SavedMix]) -> list[SavedMix]:
        if len({mix.name for mix in mixes}) < len(mixes):
            raise ValueError("two mixes have the same name")
        return mixes


class MixesBody(BaseModel):
    """The saved mixes of a slide (CM9)."""

    revision: Revision
    mixes: list[SavedMix]


@router.get("/slides/{slide_id}/mixes")
async def get_mixes(
    slide_id: str, response: Response, mixes: MixesParameter, principal: PrincipalParameter
) -> MixesBody:
    """The saved mixes of a slide, in their order (CM9)."""
    return _body(response, await mixes.get(principal, slide_id))


@router.put("/slides/{slide_id}/mixes", openapi_extra=json_body(MixesChange))
async def save_mixes(
    slide_id: str, request: Request, response: Response, mixes: MixesParameter, principal: PrincipalParameter
) -> MixesBody:
    """Replaces all saved mixes of a slide, unless they were changed since (CM9)."""
    revision = required_revision(request)
    change = await read_model(request, MixesChange)
    saved = await mixes.save(principal, slide_id, [mix.model_dump(mode="json") for mix in change.mixes], revision)
    return _body(response, saved)


def _body(response: Response, saved: SavedMixes) -> MixesBody:
    response.headers.update({"etag": revision_tag(saved.revision), "cache-control": "no-cache"})
    mixes = [SavedMix.model_validate(mix, strict=False) for mix in saved.mixes]
    return MixesBody(revision=saved.revision, mixes=mixes)
