"""What goes back to a platform: the answer of a deep link, a score, the description of this tool (LT20, LT24, LT30)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from wavescope.lti.claims import (
    CHOOSE,
    CLAIM,
    DEEP,
    MEMBERS_SCOPE,
    RESOURCE,
    ROLE,
    SCORE_SCOPE,
    VERSION,
    Choice,
    printable,
)

ANSWER = "LtiDeepLinkingResponse"
ANSWER_SECONDS = 300  # that the answer of a deep link is valid
GIVE_UP_SECONDS = 7 * 86400.0  # after which a score that was never accepted is not sent any more
FIRST_WAIT, LONGEST_WAIT = 30.0, 6 * 3600.0  # seconds between two attempts to send
MEMBERS_PAGE = 100  # people of a course that are asked for at a time
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"

Members = dict[str, Any]


def link_item(title: str, address: str, points: float | None) -> Members:
    """A link to choose; ``points``: the maximum of a quiz, for which the platform makes a line item."""
    item: Members = {"type": "ltiResourceLink", "title": title, "url": address}
    if points is not None:
        item["lineItem"] = {"scoreMaximum": points, "label": title}
    return item


def deep_link_answer(
    platform: Mapping[str, str], choice: Choice, items: Sequence[Members], now: float, nonce: str
) -> Members:
    """The claims of the answer; ``platform``: issuer, client_id, deployment."""
    claims: Members = {
        "iss": platform["client_id"],
        "aud": platform["issuer"],
        "iat": int(now),
        "exp": int(now) + ANSWER_SECONDS,
        "nonce": nonce,
        f"{CLAIM}deployment_id": platform["deployment"],
        f"{CLAIM}message_type": ANSWER,
        f"{CLAIM}version": VERSION,
        f"{DEEP}content_items": list(items),
    }
    return claims if choice.data is None else {**claims, f"{DEEP}data": choice.data}


def score(subject: str, given: float, maximum: float, when: float) -> Members:
    """A score for a line item; ``when``: seconds since 1970."""
    return {
        "userId": subject,
        "scoreGiven": given,
        "scoreMaximum": maximum,
        "timestamp": datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
    }


def scores_address(line_item: str) -> str:
    """Where the scores of a line item are sent: before its query."""
    path, mark, query = line_item.partition("?")
    return f"{path.rstrip('/')}/scores{mark}{query}"


def members_address(memberships: str) -> str:
    """Where the learners of a course are read, so many at a time."""
    query = urlencode({"role": f"{ROLE}Learner", "limit": MEMBERS_PAGE})
    return f"{memberships}{'&' if '?' in memberships else '?'}{query}"


def learners_of(page: Mapping[str, Any]) -> dict[str, str]:
    """The learners that a page of the members of a course lists, by subject; those who have left are left out. A
    platform that may not tell names lists subjects alone (LT30).

    Raises ValueError for what is no such page.
    """
    members = page.get("members")
    if not isinstance(members, list) or not all(isinstance(one, dict) for one in members):
        raise ValueError("members")
    learners = [one for one in members if _learns(one.get("roles")) and one.get("status", "Active") == "Active"]
    named = [(one.get("user_id"), printable(one.get("name"))) for one in learners]
    return {subject: name for subject, name in named if isinstance(subject, str) and 0 < len(subject) <= 255}


def _learns(roles: object) -> bool:
    found = roles if isinstance(roles, list) else []
    return any(one in ("Learner", f"{ROLE}Learner") for one in found)


def wait_seconds(tries: int) -> float:
    """Until the next attempt, after so many that failed."""
    return min(FIRST_WAIT * 2.0 ** max(0, tries - 1), LONGEST_WAIT)


def tool_description(base: str, host: str) -> Members:
    """What a platform learns of this tool at its dynamic registration; ``base``: the address of the service's API."""
    messages = [
        {"type": RESOURCE},
        {"type": CHOOSE, "target_link_uri": f"{base}/lti/launch", "label": "Wavescope"},
    ]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["implicit", "client_credentials"],
        "initiate_login_uri": f"{base}/lti/login",
        "redirect_uris": [f"{base}/lti/launch"],
        "client_name": "Wavescope",
        "jwks_uri": f"{base}/lti/keys",
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": f"{SCORE_SCOPE} {MEMBERS_SCOPE}",
        TOOL: {
            "domain": host,
            "target_link_uri": base.removesuffix("/api/v1") + "/",
            "description": "Slides, cases, tours and quizzes in a virtual microscope",
            "claims": ["iss", "sub", "name", "given_name", "family_name"],
            "messages": messages,
        },
    }
