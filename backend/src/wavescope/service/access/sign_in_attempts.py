"""Refused passwords per account, from all addresses together (OP15). The rate limits of the API count per client."""

from __future__ import annotations

from limits import RateLimitItem, parse

from wavescope.caches import BoundedCache
from wavescope.errors import TooManyRequests
from wavescope.logs.faults import fault
from wavescope.logs.loggers import get_logger
from wavescope.logs.safe import name_of
from wavescope.service.access.limiter import SharedLimiter

KNOWN = 65536  # pairs of account and address
PURPOSE = "refused passwords"  # the first part of each key

log = get_logger(__name__)


class SignInAttempts:
    """Limits the refused passwords of one account. An address from which the account was signed in to since this
    process started is counted by itself: nobody else can lock it out. ``rate`` empty: no limit.
    """

    def __init__(self, rate: str, limiter: SharedLimiter) -> None:
        self._rate: RateLimitItem | None = parse(rate) if rate else None
        self._limiter = limiter
        self._known: BoundedCache[tuple[str, str], bool] = BoundedCache(KNOWN)

    async def check(self, name: str, address: str) -> None:
        """Returns if a password may be tried. Raises TooManyRequests."""
        if self._rate is None:
            return
        key = self._key(name, address)
        if not await self._limiter.test(self._rate, *key):
            raise TooManyRequests("sign in to this account", await self._limiter.wait(self._rate, *key))

    async def rejected(self, name: str, address: str) -> None:
        """Counts a wrong password; also of a name that has no account, so that answers do not tell the difference."""
        if self._rate is None:
            return
        key = self._key(name, address)
        await self._limiter.hit(self._rate, *key)
        if not await self._limiter.test(self._rate, *key):
            account = name_of(name.casefold())
            fault(log, "account closed for a while", "account", "too-many-refused-passwords", account=account)

    def succeeded(self, name: str, address: str) -> None:
        """The account is signed in to from this address."""
        self._known.put((name.casefold(), address), True)

    def _key(self, name: str, address: str) -> tuple[str, ...]:
        account = name.casefold()
        known = self._known.find((account, address)) is not None
        return (PURPOSE, account, address) if known else (PURPOSE, account)
