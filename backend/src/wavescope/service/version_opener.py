"""Opening a slide version for those who may see it: on a service, or on an edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from wavescope.service.access.authenticator import Credentials
from wavescope.service.access.gate import Principal
from wavescope.store.version import SlideVersion


@dataclass(frozen=True, slots=True)
class Opened:
    """A version, for ``principal``, who may see it. ``public``: any cache may store answers about it; ``holds``:
    whether all this is known to be so now. It never waits: where that is not known it is False.
    """

    principal: Principal
    version: SlideVersion
    public: bool
    holds: Callable[[], bool]


class VersionOpener(Protocol):
    """Opens a version for those who may see its slide. Raises UnknownSlide, StaleVersion, CorruptStore, Unavailable."""

    async def open(self, credentials: Credentials, slide_id: str, digest: str) -> Opened:
        """What was opened for the same credentials, as long as it holds: it is the same object then. Raises
        CredentialsExpired, too.
        """
        ...

    async def current(self, credentials: Credentials, slide_id: str) -> str:
        """The digest of the slide's current version. Raises CredentialsExpired, too."""
        ...
