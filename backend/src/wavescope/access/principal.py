"""Who a request comes from: the local user, an account, a link holder, a session guest, or anonymous (AC1 to AC5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Role = Literal["viewer", "annotator", "instructor", "admin"]
Right = Literal["view", "annotate", "own"]
TokenScope = Literal["read", "annotate", "slides", "originals", "share", "accounts", "metrics"]
Kind = Literal["local", "user", "link", "guest", "anonymous"]

ROLES: tuple[Role, ...] = ("viewer", "annotator", "instructor", "admin")
RIGHTS: tuple[Right, ...] = ("view", "annotate", "own")
SCOPES: tuple[TokenScope, ...] = ("read", "annotate", "slides", "originals", "share", "accounts", "metrics")
DEFAULT_SCOPES: tuple[TokenScope, ...] = ("read", "annotate", "slides")  # of a new personal token (AC65)


@dataclass(frozen=True)
class Capability:
    """What a share link, a session or a grant lets any holder do (AC4).

    ``slides`` are named one by one; ``case`` adds those slides of a case that ``grantor`` may share (an account's id;
    empty: the grantor may share all). ``tours``: those that a session shows now (SE8).
    """

    kind: Literal["link", "session", "grant"]
    id: str
    right: Literal["view", "annotate"] = "view"
    slides: frozenset[str] = frozenset()
    case: str | None = None
    grantor: str = ""
    expires: float | None = None  # seconds since 1970
    tours: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Principal:
    """Who a request comes from. ``name`` is the author of annotations; ``id`` is an account's, never shown to others.

    A signed-in user may hold capabilities too.
    """

    name: str
    kind: Kind = "anonymous"
    id: str = ""
    role: Role | None = None
    groups: frozenset[str] = frozenset()
    capabilities: tuple[Capability, ...] = ()
    by_token: bool = False  # whether a personal token proves it, not a sign-in (AC48)
    scopes: frozenset[TokenScope] = frozenset(SCOPES)  # of that token (AC65)

    @property
    def local(self) -> bool:
        """The one user of this machine."""
        return self.kind == "local"

    @property
    def user(self) -> bool:
        """A user who is signed in."""
        return self.kind == "user"

    def has_role(self, minimum: Role) -> bool:
        """Whether the account's role is this one or one above it. The local user has every role."""
        return self.local or (self.role is not None and ROLES.index(self.role) >= ROLES.index(minimum))

    def with_capabilities(self, *capabilities: Capability) -> Principal:
        """The same, with these capabilities too; an anonymous principal becomes their holder."""
        kind, name = self.kind, self.name
        if kind == "anonymous" and capabilities:
            session = any(capability.kind == "session" for capability in capabilities)
            kind, name = ("guest", "guest") if session else ("link", "link holder")
        return replace(self, kind=kind, name=name, capabilities=(*self.capabilities, *capabilities))


LOCAL_USER = Principal("local user", "local")
ANONYMOUS = Principal("anonymous")


def user_principal(user_id: str, name: str, role: Role, groups: frozenset[str] = frozenset()) -> Principal:
    """A signed-in account; ``groups`` are their ids."""
    return Principal(name, "user", user_id, role, groups)


def guest_principal(nickname: str, guest_id: str) -> Principal:
    """A guest, whose name says so wherever it is stored (AC5)."""
    return Principal(f"{nickname} (guest)", "guest", guest_id)


def session_guest(
    guest_id: str, nickname: str, slides: frozenset[str], right: Literal["view", "annotate"] = "view"
) -> Principal:
    """A guest of a live session: sees the session's slides, and annotates if the session lets all."""
    return guest_principal(nickname, guest_id).with_capabilities(Capability("session", guest_id, right, slides))
