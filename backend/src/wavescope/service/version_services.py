"""The parts that answer below ``v/{digest}``: those of a service on a store, or of an edge in front of services."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from wavescope.blocks.base import BlockSource
from wavescope.config import Config
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.authenticator import Credentials
from wavescope.service.access.gate import Principal
from wavescope.service.push.service import PushService
from wavescope.store.version import SlideVersion


class PrincipalReader(Protocol):
    """From the credentials of a request to its principal. Raises CredentialsExpired."""

    def of(self, credentials: Credentials) -> Principal: ...


class VersionOpener(Protocol):
    """Opens a version for those who may see its slide. Raises UnknownSlide, StaleVersion, CorruptStore, Unavailable."""

    def open(
        self, principal: Callable[[], Principal], slide_id: str, digest: str, note_public: Callable[[bool], None]
    ) -> Coroutine[Any, Any, SlideVersion]:
        """``note_public`` is called with whether any cache may store answers about the slide."""
        ...

    def open_now(
        self, principal: Callable[[], Principal], slide_id: str, digest: str
    ) -> tuple[SlideVersion, bool] | None:
        """The version, and whether any cache may store answers about the slide, if both are known without waiting; None
        where ``open`` has to decide. Raises what ``open`` raises.
        """
        ...


class Visibility(Protocol):
    """Whether any cache may store the answers about a slide."""

    def is_public(self, slide_id: str) -> bool: ...


@dataclass(frozen=True)
class VersionServices:
    """See the module."""

    config: Config
    blocks: BlockSource
    authenticator: PrincipalReader
    versions: VersionOpener
    push: PushService
    visibility: Visibility
    pixels: PixelRenderer
    colours: ColourService
