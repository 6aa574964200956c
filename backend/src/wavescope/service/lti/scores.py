"""Scores of quizzes go back to the platform, from an outbox that outlives the process (LT24 to LT28)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.scores import DueScore, Scores
from wavescope.deferred import deferred
from wavescope.logs.loggers import get_logger
from wavescope.lti.claims import SCORE_SCOPE
from wavescope.lti.messages import GIVE_UP_SECONDS, score, scores_address, wait_seconds
from wavescope.service.lti.access_tokens import access_token
from wavescope.service.lti.keys import ToolKeys
from wavescope.service.lti.platform_keys import ANSWER_SECONDS, MALFORMED
from wavescope.service.slides.quiz_results import AttemptResult, result_of

if TYPE_CHECKING:
    import httpx2
else:
    httpx2 = deferred("httpx2")

log = get_logger(__name__)

CLAIM_SECONDS = 120.0  # for which a score that is being sent is no other service's
MARKING_SECONDS = 60.0  # after which it is asked again whether a person has marked all answers
KNOWN = 409  # the platform has this score already, or a later one
MEDIA_TYPE = "application/vnd.ims.lis.v1.score+json"


class ScoreService:
    """Computes each score itself, from the stored answers and the newest key, when it is sent."""

    def __init__(self, catalog: Catalog, keys: ToolKeys, clock: Callable[[], float] = time.time) -> None:
        self._scores, self._keys, self._clock = Scores(catalog), keys, clock

    async def send_due(self) -> None:
        """Sends the scores of attempts that are over; what a platform does not accept is sent again later."""
        await asyncio.to_thread(self._scores.note_ended, self._clock())
        due = await asyncio.to_thread(self._scores.due, self._clock(), CLAIM_SECONDS)
        if not due:
            return
        tokens: dict[str, str] = {}
        async with httpx2.AsyncClient(timeout=ANSWER_SECONDS) as client:
            for one in due:
                result = result_of(one.questions, one.attempt, "", self._clock())
                if result.complete:
                    await self._settle(one, await self._fault(client, one, result, tokens))
                else:
                    await asyncio.to_thread(self._scores.put_off, one.attempt.id, self._clock() + MARKING_SECONDS)

    async def _fault(
        self, client: httpx2.AsyncClient, due: DueScore, result: AttemptResult, tokens: dict[str, str]
    ) -> str:
        """Sends a score; what was wrong, or empty. ``tokens``: those of this round, by platform."""
        try:
            if due.platform.id not in tokens:
                tokens[due.platform.id] = await access_token(
                    client, due.platform.facts, self._keys, SCORE_SCOPE, self._clock()
                )
            maximum = sum(question["points"] for question in due.questions)
            answer = await client.post(
                scores_address(due.line_item),
                json=score(due.subject, result.points, maximum, due.known),
                headers={"content-type": MEDIA_TYPE, "authorization": f"Bearer {tokens[due.platform.id]}"},
            )
            known = answer.is_success or answer.status_code == KNOWN
            return "" if known else f"the platform answered {answer.status_code}"
        except httpx2.HTTPError as cause:
            return type(cause).__name__
        except MALFORMED as cause:
            return f"token: {type(cause).__name__}"

    async def _settle(self, due: DueScore, fault: str) -> None:
        now, state = self._clock(), "sent"
        if fault:
            state = "lost" if now - due.known > GIVE_UP_SECONDS else "waiting"
            log.warning("score not sent", state=state, tries=due.tries + 1, fault=fault)
        later = now + wait_seconds(due.tries + 1)
        await asyncio.to_thread(self._scores.settle, due, state, fault, later)
