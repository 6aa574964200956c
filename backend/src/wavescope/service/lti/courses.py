"""Who of a course has not begun a quiz, for its authors (LT30, LT31): names and roles of the platform."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from wavescope.caches import BoundedCache
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.courses import CourseRecord, Courses, account_subject
from wavescope.deferred import deferred
from wavescope.logs.loggers import get_logger
from wavescope.lti.claims import MEMBERS_SCOPE, web_address
from wavescope.lti.messages import learners_of, members_address
from wavescope.service.access.gate import Principal
from wavescope.service.lti.access_tokens import access_token
from wavescope.service.lti.keys import ToolKeys
from wavescope.service.lti.platform_keys import ANSWER_SECONDS, MALFORMED
from wavescope.service.lti.registration import origin_of
from wavescope.service.slides.quizzes import QuizService

if TYPE_CHECKING:
    import httpx2
else:
    httpx2 = deferred("httpx2")

log = get_logger(__name__)

CACHED_SECONDS = 300.0  # in memory alone
CACHED_COURSES = 64
MAX_PAGES = 50
MAX_PAGE_BYTES = 1_000_000
MEDIA_TYPE = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"

Learners = Mapping[str, str]


class CourseLearners(NamedTuple):
    """The learners of a course: how many, and the names of those who have not begun, empty where the platform tells
    none. ``people`` None: the platform did not list them.
    """

    title: str
    people: int | None
    not_begun: Sequence[str]


class CourseService:
    """Reads the learners of a course while an author looks, and forgets them: nothing is stored."""

    def __init__(
        self, catalog: Catalog, quizzes: QuizService, keys: ToolKeys, clock: Callable[[], float] = time.time
    ) -> None:
        self._courses, self._quizzes, self._keys, self._clock = Courses(catalog), quizzes, keys, clock
        self._cached: BoundedCache[str, tuple[Learners, float]] = BoundedCache(CACHED_COURSES)

    async def of(self, principal: Principal, quiz_id: str) -> Sequence[CourseLearners]:
        """Of the courses from which the quiz was opened and to which the author belongs.

        Raises Forbidden, SignInRequired, UnknownQuiz.
        """
        await self._quizzes.get(principal, quiz_id)
        courses = await asyncio.to_thread(self._courses.of, quiz_id, principal.groups)
        begun = await asyncio.to_thread(self._courses.begun, quiz_id) if courses else frozenset()
        return [_not_begun(one, await self._learners(one), begun) for one in courses]

    async def _learners(self, course: CourseRecord) -> Learners | None:
        now, key = self._clock(), f"{course.platform.id} {course.memberships}"
        learners, until = self._cached.find(key) or ({}, 0.0)
        if now < until:
            return learners
        try:
            learners = await self._read(course)
        except (httpx2.HTTPError, *MALFORMED) as cause:
            log.warning("the people of a course cannot be read", fault=type(cause).__name__)
            return None
        self._cached.put(key, (learners, now + CACHED_SECONDS))
        return learners

    async def _read(self, course: CourseRecord) -> Learners:
        """Page after page, as the platform links them at its own place. Raises httpx2.HTTPError, MALFORMED."""
        found: dict[str, str] = {}
        address = members_address(course.memberships)
        async with httpx2.AsyncClient(timeout=ANSWER_SECONDS) as client:
            token = await access_token(client, course.platform.facts, self._keys, MEMBERS_SCOPE, self._clock())
            headers = {"accept": MEDIA_TYPE, "authorization": f"Bearer {token}"}
            for _ in range(MAX_PAGES):
                async with client.stream("GET", address, headers=headers) as answer:
                    answer.raise_for_status()
                    found |= learners_of(json.loads(await _bounded(answer)))
                    address = answer.links.get("next", {}).get("url", "")
                if not address:
                    return found
                if not web_address(address) or origin_of(address) != origin_of(course.memberships):
                    raise ValueError("the next page is at another place")
        raise ValueError("too many pages")


async def _bounded(answer: httpx2.Response) -> bytes:
    body = b""
    async for piece in answer.aiter_bytes():
        body += piece
        if len(body) > MAX_PAGE_BYTES:
            raise ValueError("the page is too long")
    return body


def _not_begun(course: CourseRecord, learners: Learners | None, begun: frozenset[str]) -> CourseLearners:
    if learners is None:
        return CourseLearners(course.title, None, ())
    waiting = [name for one, name in learners.items() if account_subject(course.platform, one) not in begun]
    return CourseLearners(course.title, len(learners), sorted(waiting, key=str.casefold))
