"""Launches: from a platform's request to a signed-in person at the page that the link names (LT6 to LT15)."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from wavescope.access.principal import ANONYMOUS, ROLES, Role, user_principal
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.tokens import SignedIn, digest
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.courses import account_subject, course_key
from wavescope.catalog.lti.platforms import PlatformRecord, Platforms
from wavescope.catalog.records import UserRecord
from wavescope.errors import LaunchRefused
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.lti.claims import Launch, read_launch
from wavescope.service.access.accounts import AccountService
from wavescope.service.access.audit import AuditService
from wavescope.service.lti.platform_keys import PlatformKeys

log = get_logger(__name__)

BEGUN_SECONDS = 600.0  # in which the platform must sign a launch


class LaunchRequest(NamedTuple):
    """How a platform asks for a launch (OpenID Connect, third-party initiated login)."""

    issuer: str
    client_id: str | None
    login_hint: str
    message_hint: str


class BegunLogin(NamedTuple):
    """Where to send the browser, and the secret that it is to store."""

    url: str
    browser: str


class Launched(NamedTuple):
    """A launch that was let in; ``page``: where it leads."""

    signed_in: SignedIn
    page: str


@dataclass(frozen=True)
class LaunchAnswer:
    """What comes back from the platform, by the browser."""

    state: str
    id_token: str
    browser: str
    error: str = ""


class LaunchService:
    """Each launch that comes back is recorded in the audit log."""

    def __init__(
        self, catalog: Catalog, accounts: AccountService, audit: AuditService, clock: Callable[[], float] = time.time
    ) -> None:
        self._platforms, self._people = Platforms(catalog), Accounts(catalog)
        self._accounts, self._audit, self._clock = accounts, audit, clock
        self._keys = PlatformKeys()

    async def begin(self, request: LaunchRequest, callback: str) -> BegunLogin:
        """Raises UnknownPlatform."""
        platform = await asyncio.to_thread(self._platforms.find, request.issuer, request.client_id)
        state, nonce, browser = (secrets.token_urlsafe(32) for _ in range(3))
        expires = self._clock() + BEGUN_SECONDS
        await asyncio.to_thread(self._platforms.begin, platform, state, nonce, browser, expires)
        query = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.facts.client_id,
            "redirect_uri": callback,
            "login_hint": request.login_hint,
            "state": state,
            "nonce": nonce,
        }
        if request.message_hint:
            query["lti_message_hint"] = request.message_hint
        address = platform.facts.authorize_url
        return BegunLogin(f"{address}{'&' if '?' in address else '?'}{urlencode(query)}", browser)

    async def finish(self, answer: LaunchAnswer, own_page: str) -> Launched:
        """The new sign-in and where the launch leads. ``own_page``: the address of the first page.

        Raises LaunchRefused, also for a disabled account.
        """
        try:
            platform, launch = await self._checked(answer, own_page)
            user = await asyncio.to_thread(self._account, platform, launch)
            if user.disabled:
                raise LaunchRefused("the account is disabled", "account")
        except LaunchRefused as refused:
            fault(log, "launch failed", "account", f"lti {refused.cause}")
            self._audit.record(ANONYMOUS, "sign-in failed", provider="learning platform")
            raise
        page = await asyncio.to_thread(self._page, platform, user, launch)
        self._audit.record(user_principal(user.id, user.title, user.role), "signed in", provider=platform.facts.issuer)
        return Launched(await self._accounts.let_in(user.id), page)

    async def _checked(self, answer: LaunchAnswer, own_page: str) -> tuple[PlatformRecord, Launch]:
        begun = await asyncio.to_thread(self._platforms.begun, answer.state, self._clock())
        if begun is None:
            raise LaunchRefused("it was not begun here, has expired or was used already", "state")
        if not secrets.compare_digest(digest(answer.browser), begun.browser):
            raise LaunchRefused("it was begun in another browser, or this one blocks cookies", "browser")
        if answer.error:
            raise LaunchRefused("the platform refused", "platform")
        claims = await self._keys.claims(begun.platform, answer.id_token, self._clock())
        if digest(str(claims["nonce"])) != begun.nonce:
            raise LaunchRefused("it belongs to another launch", "nonce")
        return begun.platform, read_launch(claims, begun.platform.facts.deployments, own_page)

    def _account(self, platform: PlatformRecord, launch: Launch) -> UserRecord:
        """A role is raised by a launch, never lowered (LT12)."""
        subject = account_subject(platform, launch.subject)
        given: Role = "instructor" if launch.teaches else "viewer"
        user = self._people.from_provider(subject, launch.name, launch.name, None, given)
        if not user.disabled and ROLES.index(user.role) < ROLES.index(given):
            user = self._people.change(user.id, role=given)
        if not user.disabled and launch.course:
            names = course_names(platform, launch.course, launch.course_title)
            self._people.join_course(user.id, course_key(platform.id, launch.course), names)
        return user

    def _page(self, platform: PlatformRecord, user: UserRecord, launch: Launch) -> str:
        """Stores the launch where something goes back."""
        self._platforms.note_launch(platform.id, self._clock())
        if launch.choice is not None or launch.line_item is not None or launch.memberships is not None:
            stored = self._platforms.launched(platform, user.id, launch, self._clock())
            if launch.choice is not None:
                return f"/api/v1/lti/launches/{stored}/choices"
        return "/" if launch.target is None else launch.target.path


def course_names(platform: PlatformRecord, course: str, title: str = "") -> list[str]:
    """Names for the group, the best one first: the title of the course where the platform states one."""
    named = platform.facts.title[:40]
    titled = [title[:100].strip(), f"{title[:56].strip()} ({named})"] if title else []
    return [*titled, f"{named} course {course_key(platform.id, course)[:12]}"]
