"""What rooms ask the rest of the service: slides, tours, annotations."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from wavescope.access.principal import LOCAL_USER, Principal
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.changes import Query
from wavescope.errors import Forbidden, SignInRequired, UnknownSlide, UnknownTour
from wavescope.service.access.gate import Gate, require
from wavescope.service.slides.annotations import AnnotationService, record_json
from wavescope.service.slides.tours import TourService

PAGE = 5000


class ServiceAnswers:
    """See surroundings.Answers."""

    def __init__(self, catalog: Catalog, gate: Gate, tours: TourService, annotations: AnnotationService) -> None:
        self._catalog, self._gate, self._tours, self._annotations = catalog, gate, tours, annotations

    async def presentable(self, principal: Principal, slides: Sequence[str]) -> Mapping[str, str]:
        return await asyncio.to_thread(self._presentable, principal, slides)

    def _presentable(self, principal: Principal, slides: Sequence[str]) -> dict[str, str]:
        titles = {}
        for slide in slides:
            try:
                require(self._gate, principal, "host session", slide)
                titles[slide] = self._catalog.get(slide).title
            except (Forbidden, SignInRequired, UnknownSlide):
                continue
        return titles

    async def tour_seen(self, principal: Principal, tour_id: str) -> bool:
        try:
            await self._tours.get(principal, tour_id)
        except (Forbidden, SignInRequired, UnknownSlide, UnknownTour):
            return False
        return True

    async def annotations(self, slide_id: str, since: int | None) -> tuple[Sequence[Mapping[str, Any]], int]:
        found: list[Mapping[str, Any]] = []
        query, more, sequence = Query(since, PAGE), True, 0
        while more:
            page = await self._annotations.page(LOCAL_USER, slide_id, query)
            found += [record_json(record) for record in page.records]
            sequence, more = page.sequence, page.more
            query = Query(sequence, PAGE)
        return found, sequence
