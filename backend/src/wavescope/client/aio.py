"""The client for an event loop: the names of ``wavescope.client``, awaitable."""

from __future__ import annotations

import os
from typing import Any

from wavescope.client.annotations import AsyncAnnotations as Annotations
from wavescope.client.async_service import AsyncService
from wavescope.client.async_slide import AsyncSlide as Slide
from wavescope.client.locations import Options, location_of
from wavescope.client.uploads import AsyncUpload as Upload

__all__ = ["Annotations", "Service", "Slide", "Upload", "open_slide"]


async def open_slide(url_or_path: str | os.PathLike[str], options: Options | None = None, **given: Any) -> Slide:
    """See ``wavescope.client.open_slide``."""
    return await Slide.open(location_of(url_or_path), options or Options(**given))


class Service(AsyncService):
    """See ``wavescope.client.Service``."""

    def __init__(self, url: str, options: Options | None = None, **given: Any) -> None:
        super().__init__(url, options or Options(**given))
