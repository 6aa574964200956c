"""The parts that answer below ``v/{digest}``: those of a service on a store, or of an edge in front of services."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from wavescope.blocks.base import BlockSource
from wavescope.config import Config
from wavescope.pixels.colour import ColourService
from wavescope.pixels.renderer import PixelRenderer
from wavescope.service.access.authenticator import Credentials
from wavescope.service.access.gate import Principal
from wavescope.service.push.service import PushService
from wavescope.service.version_opener import VersionOpener


class PrincipalReader(Protocol):
    """From the credentials of a request to its principal. Raises CredentialsExpired."""

    def of(self, credentials: Credentials) -> Principal: ...


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
