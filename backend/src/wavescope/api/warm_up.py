"""What the first requests after a start would wait for, done before the socket listens (QZ30)."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from wavescope.access.principal import user_principal
from wavescope.api.routes.slides import quizzes
from wavescope.api.routing import LateRoute
from wavescope.errors import WavescopeError
from wavescope.service.access.authenticator import Credentials
from wavescope.service.composition import Services

NOBODY = "-"  # the id of nothing in the catalog


async def warm_up(services: Services) -> None:
    """Prepares the routes of those who take a quiz, and asks for what does not exist, as they do: the statements are
    compiled, nothing is changed. Who asks is found in Starlette's threads, whose first use imports them.
    """
    for route in quizzes.router.routes:
        if isinstance(route, LateRoute):
            route.analyse()
    await run_in_threadpool(lambda: None)
    student, taken = user_principal(NOBODY, "", "viewer"), services.quizzes
    for asked in (
        asyncio.to_thread(services.authenticator.of, Credentials(sign_in=NOBODY)),
        asyncio.to_thread(services.visibility.is_public, NOBODY),
        taken.begin(student, NOBODY),
        taken.answer(student, NOBODY, NOBODY, {}),
    ):
        with suppress(WavescopeError):
            await asked
