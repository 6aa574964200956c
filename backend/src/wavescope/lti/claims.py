"""What a launch states: a pure function of its checked claims (LT10, LT12, LT14)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from wavescope.errors import LaunchRefused

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/"
ENDPOINT = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
SCORE_SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
MEMBERSHIPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
MEMBERS_SCOPE = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
VERSION = "1.3.0"
RESOURCE, CHOOSE = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
TEACHING = frozenset({"Instructor", "ContentDeveloper", "Administrator"})
LEARNING = frozenset({"Learner"})
KINDS = ("slides", "tours", "cases", "quizzes")
PAGE = re.compile(rf"/(?P<kind>{'|'.join(KINDS)})/(?P<id>[A-Za-z0-9._~-]{{1,128}})")
MAX_TEXT = 2000  # characters of an address or of a text that goes back

Claims = Mapping[str, Any]
Kind = Literal["slides", "tours", "cases", "quizzes"]


@dataclass(frozen=True)
class Target:
    """What a link names: a slide, tour, case or quiz."""

    kind: Kind
    id: str

    @property
    def path(self) -> str:
        """Its page."""
        return f"/{self.kind}/{self.id}"


@dataclass(frozen=True)
class Choice:
    """Where the answer of a deep link goes, and what must go back with it."""

    return_url: str
    data: str | None


@dataclass(frozen=True)
class Launch:
    """What a launch states. ``target`` None: the gallery; ``line_item``: where a score may be sent; ``memberships``:
    where the people of the course may be read; ``choice``: of a request to choose what a link leads to.
    """

    subject: str
    name: str
    teaches: bool
    deployment: str
    course: str
    course_title: str
    target: Target | None
    line_item: str | None
    memberships: str | None
    choice: Choice | None


def read_launch(claims: Claims, deployments: Collection[str], own_page: str) -> Launch:
    """``deployments``: those that are known, empty: any; ``own_page``: the address of this service's first page.

    Raises LaunchRefused.
    """
    if claims.get(f"{CLAIM}version") != VERSION:
        raise LaunchRefused("it is not of LTI 1.3", "version")
    kind = claims.get(f"{CLAIM}message_type")
    if kind not in (RESOURCE, CHOOSE):
        raise LaunchRefused("its kind of message is not supported", "message type")
    deployment = claims.get(f"{CLAIM}deployment_id")
    if not _text(deployment) or (deployments and deployment not in deployments):
        raise LaunchRefused("its deployment is not registered here", "deployment")
    if not _text(claims.get("sub"), 255):
        raise LaunchRefused("it names no person", "subject")
    roles = claims.get(f"{CLAIM}roles")
    teaches, graded = _has_role(roles, TEACHING), kind == RESOURCE and _has_role(roles, LEARNING)
    context = _part(claims.get(f"{CLAIM}context"))
    return Launch(
        subject=claims["sub"],
        name=_name(claims),
        teaches=teaches,
        deployment=str(deployment),
        course=str(context.get("id") or "")[:255],
        course_title=printable(context.get("title") or context.get("label")),
        target=target_of(claims.get(f"{CLAIM}target_link_uri"), own_page) if kind == RESOURCE else None,
        line_item=_line_item(_part(claims.get(ENDPOINT))) if graded else None,
        memberships=_memberships(_part(claims.get(MEMBERSHIPS))) if kind == RESOURCE else None,
        choice=_choice(_part(claims.get(f"{DEEP}deep_linking_settings")), teaches) if kind == CHOOSE else None,
    )


def target_of(address: object, own_page: str) -> Target | None:
    """What an address of this service names; None: another address, or the gallery."""
    if not isinstance(address, str) or not address.startswith(own_page):
        return None
    found = PAGE.fullmatch("/" + address.removeprefix(own_page))
    return None if found is None else Target(found["kind"], found["id"])  # type: ignore[arg-type]


def web_address(found: object) -> bool:
    """Whether it is an address by which something can be sent: https, or http on this machine."""
    if not _text(found, MAX_TEXT) or re.search(r"[\s\"'<>\\]", str(found)):
        return False
    return bool(re.match(r"https://[^/@]+(/|$)|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(/|$)", str(found)))


def _has_role(roles: object, wanted: Collection[str]) -> bool:
    """Whether a person has one of these roles in the course itself, not only in the institution or another course."""
    found = [one for one in roles if isinstance(one, str)] if isinstance(roles, list) else []
    return any(one.removeprefix(ROLE) in wanted for one in found if one.startswith(ROLE))


def _name(claims: Claims) -> str:
    given = claims.get("name") or " ".join(str(claims.get(part) or "") for part in ("given_name", "family_name"))
    return printable(given) or "Participant"


def printable(found: object) -> str:
    """What a platform calls someone or something, as one line; empty: nothing."""
    text = found if isinstance(found, str) else ""
    return "".join(char for char in text if char.isprintable()).strip()[:200]


def _line_item(endpoint: Claims) -> str | None:
    scopes, address = endpoint.get("scope"), endpoint.get("lineitem")
    allowed = isinstance(scopes, list) and SCORE_SCOPE in scopes
    return str(address) if allowed and web_address(address) else None


def _memberships(service: Claims) -> str | None:
    versions, address = service.get("service_versions"), service.get("context_memberships_url")
    allowed = isinstance(versions, list) and "2.0" in versions
    return str(address) if allowed and web_address(address) else None


def _choice(settings: Claims, teaches: bool) -> Choice:
    if not teaches:
        raise LaunchRefused("only a teacher chooses what a link leads to", "role")
    accepted = settings.get("accept_types")
    if not isinstance(accepted, list) or "ltiResourceLink" not in accepted:
        raise LaunchRefused("it accepts no links to this tool", "accepted types")
    if not web_address(settings.get("deep_link_return_url")):
        raise LaunchRefused("it names no address for the answer", "return address")
    data = settings.get("data")
    return Choice(str(settings["deep_link_return_url"]), data if isinstance(data, str) else None)


def _part(found: object) -> Claims:
    return found if isinstance(found, dict) else {}


def _text(found: object, longest: int = 255) -> bool:
    return isinstance(found, str) and 0 < len(found) <= longest
