"""The rule table: action -> least role and right to the slide (AC10 to AC14), and the one function that reads it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from wavescope.access.principal import RIGHTS, Principal, Right, Role, TokenScope

Action = Literal[
    "list slides",
    "view slide",
    "rename slide",
    "calibrate slide",
    "delete slide",
    "share slide",
    "view label",
    "view shared coverage",
    "download original",
    "view trash",
    "view cases",
    "edit cases",
    "view tours",
    "edit tours",
    "view quizzes",
    "take quiz",
    "edit quizzes",
    "edit mixes",
    "view overlays",
    "edit overlays",
    "view annotations",
    "edit annotations",
    "export",
    "upload",
    "view jobs",
    "cancel job",
    "join session",
    "host session",
    "own account",
    "find people",
    "simulate",
    "manage users",
    "read audit",
    "read metrics",
]


class Rule(NamedTuple):
    """``role``: the least role of an account, None: nobody needs one. ``right``: to the slide the action concerns.
    ``capability``: the holder of one with that right needs no role.
    """

    role: Role | None
    right: Right | None = None
    capability: bool = False


RULES: Mapping[Action, Rule] = {
    "list slides": Rule(None),
    "view slide": Rule(None, "view"),
    "rename slide": Rule("instructor", "own"),
    "calibrate slide": Rule("instructor", "own"),
    "delete slide": Rule("instructor", "own"),
    "share slide": Rule("instructor", "own"),
    "view label": Rule("instructor", "own"),
    "view shared coverage": Rule("instructor", "own"),
    "download original": Rule("instructor", "own"),
    "view trash": Rule("instructor"),
    "view cases": Rule(None),
    "edit cases": Rule("instructor"),
    "view tours": Rule(None, "view"),
    "edit tours": Rule("annotator", "annotate"),
    "view quizzes": Rule(None, "view"),
    "take quiz": Rule("viewer", "view"),
    "edit quizzes": Rule("annotator", "annotate"),
    "edit mixes": Rule("annotator", "annotate"),
    "view overlays": Rule(None, "view"),
    "edit overlays": Rule("annotator", "annotate"),
    "view annotations": Rule(None, "view"),
    "edit annotations": Rule("annotator", "annotate", capability=True),
    "export": Rule("viewer", "view"),
    "upload": Rule("instructor"),
    "view jobs": Rule("annotator"),
    "cancel job": Rule("annotator"),
    "join session": Rule(None),
    "host session": Rule("instructor", "view"),
    "own account": Rule("viewer"),
    "find people": Rule("instructor"),
    "simulate": Rule("instructor"),
    "manage users": Rule("admin"),
    "read audit": Rule("admin"),
    "read metrics": Rule("admin"),
}


SCOPE_OF: Mapping[Action, TokenScope] = {
    "list slides": "read",
    "view slide": "read",
    "rename slide": "slides",
    "calibrate slide": "slides",
    "delete slide": "slides",
    "share slide": "share",
    "view label": "originals",
    "view shared coverage": "read",
    "download original": "originals",
    "view trash": "slides",
    "view cases": "read",
    "edit cases": "slides",
    "view tours": "read",
    "edit tours": "annotate",
    "view quizzes": "read",
    "take quiz": "annotate",
    "edit quizzes": "annotate",
    "edit mixes": "annotate",
    "view overlays": "read",
    "edit overlays": "annotate",
    "view annotations": "read",
    "edit annotations": "annotate",
    "export": "read",
    "upload": "slides",
    "view jobs": "read",
    "cancel job": "slides",
    "join session": "slides",
    "host session": "slides",
    "own account": "accounts",
    "find people": "share",
    "simulate": "read",
    "manage users": "accounts",
    "read audit": "accounts",
    "read metrics": "metrics",
}
"""What a personal token needs in addition to its user's role and right (AC65)."""


@dataclass(frozen=True)
class Sharing:
    """Who has what right to a slide (AC6). ``users``, ``groups``: ids to rights; ``cases``: those that contain it."""

    owner: str = ""
    public: bool = False
    users: Mapping[str, Right] = field(default_factory=dict)
    groups: Mapping[str, Right] = field(default_factory=dict)
    cases: frozenset[str] = frozenset()


UNOWNED = Sharing()


def right_of(principal: Principal, slide_id: str, sharing: Sharing, now: float | None = None) -> Right | None:
    """The best right of the principal to a slide; None: it does not exist for the principal (AC7, AC8)."""
    if principal.has_role("admin"):
        return "own"
    found = [_capability_right(principal, slide_id, sharing, time.time() if now is None else now)]
    if sharing.public:
        found.append("view")
    if principal.user:
        owner = sharing.owner != "" and sharing.owner == principal.id
        found.append("own" if owner else sharing.users.get(principal.id))
        found.extend(sharing.groups.get(group) for group in principal.groups)
    return max(filter(None, found), key=RIGHTS.index, default=None)


def _capability_right(principal: Principal, slide_id: str, sharing: Sharing, now: float) -> Right | None:
    """The best right to the slide from the principal's valid capabilities."""
    found: Right | None = None
    for one in principal.capabilities:
        if one.expires is not None and one.expires <= now:
            continue
        in_case = one.case in sharing.cases and one.grantor in ("", sharing.owner)
        if slide_id in one.slides or (one.case is not None and in_case):
            found = "annotate" if "annotate" in (one.right, found) else "view"
    return found


def may(
    principal: Principal,
    action: Action,
    slide_id: str | None = None,
    sharing: Sharing = UNOWNED,
    now: float | None = None,
) -> bool:
    """Whether the table lets the principal do it. ``slide_id`` None: the action concerns no single slide.

    Raises KeyError for an action that has no row.
    """
    rule = RULES[action]
    if principal.local:
        return True
    if SCOPE_OF[action] not in principal.scopes:
        return False
    allowed = rule.role is None or principal.has_role(rule.role)
    if slide_id is None or rule.right is None:
        return allowed
    right = right_of(principal, slide_id, sharing, now)
    if right is None or RIGHTS.index(right) < RIGHTS.index(rule.right):
        return False
    if allowed or not rule.capability:
        return allowed
    held = _capability_right(principal, slide_id, sharing, time.time() if now is None else now)
    return held is not None and RIGHTS.index(held) >= RIGHTS.index(rule.right)
