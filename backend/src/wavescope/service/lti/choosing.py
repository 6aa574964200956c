"""Deep links: what a teacher chooses, as an answer that this service has signed (LT20 to LT22)."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.courses import course_key
from wavescope.catalog.lti.platforms import Platforms, WaitingChoice
from wavescope.catalog.records import DocumentRecord, Share, SlideRecord
from wavescope.catalog.words import words_of
from wavescope.errors import Forbidden, UnknownCase, UnknownSlide
from wavescope.lti.claims import Kind, Target
from wavescope.lti.messages import deep_link_answer, link_item
from wavescope.service.access.gate import Principal
from wavescope.service.access.sharing import ShareTarget, SharingService
from wavescope.service.lti.keys import ToolKeys
from wavescope.service.lti.launches import course_names
from wavescope.service.slides.cases import CaseService
from wavescope.service.slides.quizzes import QuizService
from wavescope.service.slides.slides import SlideService
from wavescope.service.slides.tours import TourService

CHOOSE_SECONDS = 3600.0  # in which a teacher chooses
OFFERED = 48  # of one page of the list


class Offer(NamedTuple):
    """What a teacher may choose; ``slide``: that of a slide, for its thumbnail."""

    target: Target
    title: str
    slide: SlideRecord | None = None


class Offers(NamedTuple):
    """One page of what may be chosen, of ``pages``."""

    offers: Sequence[Offer]
    pages: int


class SignedChoice(NamedTuple):
    """What the browser sends to the platform."""

    return_url: str
    token: str


class Chosen(NamedTuple):
    """What a link will lead to; ``points``: the maximum of a quiz; ``shared``: what its viewers must see."""

    title: str
    points: float | None
    shared: Sequence[ShareTarget]


class Choosable(NamedTuple):
    """The services of what a link can lead to."""

    slides: SlideService
    tours: TourService
    cases: CaseService
    quizzes: QuizService


class ChoosingService:
    """Only the teacher of a launch answers it, once, with what it sees."""

    def __init__(self, catalog: Catalog, choosable: Choosable, sharing: SharingService, keys: ToolKeys) -> None:
        self._platforms, self._accounts = Platforms(catalog), Accounts(catalog)
        self._choosable, self._sharing, self._keys = choosable, sharing, keys

    async def waiting(self, principal: Principal, launch_id: str) -> WaitingChoice:
        """Raises UnknownLaunch."""
        since = time.time() - CHOOSE_SECONDS
        return await asyncio.to_thread(self._platforms.waiting, launch_id, principal.id, since)

    async def offered(self, principal: Principal, launch_id: str, kind: Kind, search: str, page: int) -> Offers:
        """What of a kind the teacher may choose, by words of its title: quizzes are its own. ``page`` from 1.

        Raises UnknownLaunch.
        """
        await self.waiting(principal, launch_id)
        if kind == "slides":
            found = await self._choosable.slides.list(principal, search, page, OFFERED)
            return Offers([Offer(Target(kind, one.id), one.title, one) for one in found.slides], found.pages)
        titled = [one for one in await self._titled(principal, kind) if _is_found(search, one[1])]
        shown = titled[(page - 1) * OFFERED : page * OFFERED]
        if kind == "quizzes":
            seen = await self._choosable.quizzes.are_seen(principal, [one for one, _ in shown])
            shown = [one for one, is_seen in zip(shown, seen, strict=True) if is_seen]
        offers = [Offer(Target(kind, one), title) for one, title in shown]
        return Offers(offers, max(1, -(-len(titled) // OFFERED)))

    async def _titled(self, principal: Principal, kind: Kind) -> Sequence[tuple[str, str]]:
        """Ids and titles of all that the teacher may choose, whatever slides the questions of quizzes are about."""
        if kind == "cases":
            return [(one.id, one.title) for one in await self._choosable.cases.list(principal, "")]
        of_kind = self._choosable.tours.titles if kind == "tours" else self._choosable.quizzes.own_titles
        return [(one.id, one.title) for one in await of_kind(principal)]

    async def choose(self, principal: Principal, launch_id: str, target: Target, own_page: str) -> SignedChoice:
        """The answer for the platform. What the teacher owns of it is shared with the people of the course.

        Raises UnknownLaunch, UnknownSlide, UnknownTour, UnknownCase, UnknownQuiz, Forbidden for a quiz of others.
        """
        await self.waiting(principal, launch_id)
        chosen = await self._chosen(principal, target)
        since = time.time() - CHOOSE_SECONDS
        launch = await asyncio.to_thread(self._platforms.chosen, launch_id, principal.id, since)
        if launch.course:
            key, names = course_key(launch.platform.id, launch.course), course_names(launch.platform, launch.course)
            group = await asyncio.to_thread(self._accounts.join_course, principal.id, key, names)
            for one in chosen.shared:
                await self._share(principal, one, group.id)
        item = link_item(chosen.title, own_page.rstrip("/") + target.path, chosen.points)
        facts = launch.platform.facts
        named = {"issuer": facts.issuer, "client_id": facts.client_id, "deployment": launch.deployment}
        claims = deep_link_answer(named, launch.choice, [item], time.time(), secrets.token_urlsafe(32))
        return SignedChoice(launch.choice.return_url, await asyncio.to_thread(self._keys.sign, claims))

    async def _chosen(self, principal: Principal, target: Target) -> Chosen:
        match target.kind:
            case "slides":
                slide = await self._choosable.slides.get(principal, target.id)
                return Chosen(slide.title, None, [ShareTarget("slide", target.id)])
            case "cases":
                case = await self._choosable.cases.get(principal, target.id)
                return Chosen(case.title, None, [ShareTarget("case", target.id)])
            case "tours":
                tour = await self._choosable.tours.get(principal, target.id)
                return Chosen(tour.title, None, _shared(tour, "waypoints"))
            case "quizzes":
                quiz = await self._choosable.quizzes.get(principal, target.id)
                points = sum(question["points"] for question in quiz.document["questions"])
                return Chosen(quiz.title, points, _shared(quiz, "questions"))

    async def _share(self, principal: Principal, target: ShareTarget, group_id: str) -> None:
        with suppress(Forbidden, UnknownSlide, UnknownCase):  # whose owner decides who sees it
            found = await self._sharing.get(principal, target)
            if all(one.subject != group_id for one in found.shares):
                shares = [*found.shares, Share("group", group_id, "view")]
                await self._sharing.put(principal, target, found.public, shares)


def _is_found(search: str, title: str) -> bool:
    """Whether words of the title begin with all words of the search, as slides are found (WI6)."""
    words = words_of([title])
    return all(any(word.startswith(wanted) for word in words) for wanted in words_of([search]))


def _shared(record: DocumentRecord, parts: str) -> Sequence[ShareTarget]:
    slides = {one["slide"] for one in record.document[parts] if one.get("slide")}
    slides |= {record.slide_id} if record.slide_id else set()
    cases = [ShareTarget("case", record.case_id)] if record.case_id else []
    return [*cases, *(ShareTarget("slide", one) for one in sorted(slides))]
