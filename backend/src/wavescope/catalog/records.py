"""What the catalog answers with: plain values, no rows of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from wavescope.access.principal import Role, TokenScope
from wavescope.catalog.scale import Calibration, mpp_of
from wavescope.quality_maps.findings import Findings

Scope = Literal["slide", "case"]
JobState = Literal["held", "queued", "running", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class SlideRecord:
    """A slide as the catalog knows it. ``manifest`` is the stored manifest of the current version."""

    id: str
    title: str
    digest: str
    manifest: Mapping[str, Any]
    created: float
    updated: float
    tags: Mapping[str, str] = field(default_factory=dict)
    trashed: float | None = None
    owner: str = ""
    public: bool = False
    calibration: Calibration | None = None
    findings: Findings | None = None

    @property
    def mpp(self) -> Mapping[str, float] | None:
        """``{x, y}`` in micrometres per level-0 pixel, as the file states or a person entered it; None: not known."""
        return mpp_of(self.manifest, self.calibration)


@dataclass(frozen=True)
class Facet:
    """A kind of label and how many slides carry each of its values, the most frequent first."""

    name: str
    values: tuple[FacetValue, ...]


@dataclass(frozen=True)
class FacetValue:
    """``title`` is what to show for ``value``."""

    value: str
    title: str
    count: int


@dataclass(frozen=True)
class CaseRecord:
    """A case or collection; ``description`` is Markdown. ``slides`` are those that are not in the trash, in their
    order; ``numbers`` their places in it; ``shared`` those that its owner may share with it (AC15). ``parent``: the
    collection that it lies in; empty: in none.
    """

    id: str
    title: str
    kind: str
    description: str
    revision: int
    created: float
    updated: float
    slides: tuple[SlideRecord, ...]
    numbers: Mapping[str, int]
    shared: frozenset[str]
    owner: str = ""
    parent: str = ""


@dataclass(frozen=True)
class CaseChange:
    """What of a case becomes another; None: it stays. ``parent``: the collection that it lies in; empty: in none."""

    title: str | None = None
    kind: str | None = None
    description: str | None = None
    parent: str | None = None


@dataclass(frozen=True)
class ListedCase:
    """A case in a list. ``slides``: how many are seen in it, ``below``: in it and all that lies in it; ``first``: the
    first of them. ``parent``: empty also where the collection that it lies in is not seen.
    """

    id: str
    title: str
    kind: str
    revision: int
    created: float
    updated: float
    parent: str
    slides: int
    below: int
    first: SlideRecord | None


@dataclass(frozen=True)
class DocumentRecord:
    """A tour or a quiz of a slide or a case. ``document``: what tours.md and quizzes.md call so, the keys included."""

    id: str
    slide_id: str | None
    case_id: str | None
    title: str
    revision: int
    document: Mapping[str, Any]
    created: float
    updated: float


class DocumentTitle(NamedTuple):
    """Which tour or quiz there is, and whose, without the document."""

    id: str
    slide_id: str | None
    case_id: str | None
    title: str


@dataclass(frozen=True)
class SlidePage:
    """One page of a listing; ``page`` counts from 1."""

    slides: tuple[SlideRecord, ...]
    total: int
    page: int
    page_size: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // self.page_size))


@dataclass(frozen=True)
class JobRecord:
    """An ingest job. ``options`` of the ingest; ``error`` is {type, title, detail}; ``notices``: messages
    for the user about the files of a finished job. Of a cluster: ``node`` runs it or ran it last, ``lease`` counts how
    often a node took it, ``attempts`` how many of those were lost; ``wish``: the command of a client to that node.
    """

    id: str
    state: JobState
    filename: str
    options: Mapping[str, Any]
    slide_id: str | None
    done: int
    total: int
    error: Mapping[str, str] | None
    created: float
    updated: float
    notices: tuple[str, ...] = ()
    node: str | None = None
    lease: int = 0
    attempts: int = 0
    change: int = field(default=0, compare=False)
    wish: str | None = None
    rate: float | None = None


@dataclass(frozen=True)
class UserRecord:
    """An account. ``password`` is a hash, None without one; ``external``: signs in at the OIDC provider."""

    id: str
    name: str
    title: str
    role: Role
    disabled: bool
    groups: frozenset[str]
    password: str | None = field(repr=False)
    external: bool
    created: float
    must_change: bool = False  # the password, at the next sign-in
    second_factor: bool = False


@dataclass(frozen=True)
class SecondFactorRecord:
    """The second factor of an account. ``secret``, ``pending``: encrypted, in use and not confirmed yet;
    ``confirmed``: seconds since 1970; ``recovery_codes``: how many are left.
    """

    secret: str | None = field(repr=False)
    pending: str | None = field(repr=False)
    confirmed: float | None
    recovery_codes: int


@dataclass(frozen=True)
class NewAccount:
    """An account to create; ``password``: a hash; ``groups``: names of groups, which are created if they are new."""

    name: str
    title: str
    role: Role
    password: str = field(repr=False)
    groups: tuple[str, ...] = ()


@dataclass(frozen=True)
class AccountChange:
    """What is changed of an account; None: nothing. ``name``: to sign in with."""

    name: str | None = None
    title: str | None = None
    role: Role | None = None
    disabled: bool | None = None
    must_change: bool | None = None


@dataclass(frozen=True)
class GroupRecord:
    """A group; ``members`` are ids of users."""

    id: str
    name: str
    members: tuple[str, ...]


class Ended(NamedTuple):
    """How many sign-ins and personal tokens a new password has ended."""

    sign_ins: int
    tokens: int


@dataclass(frozen=True)
class TokenRecord:
    """A token without its secret. Times are seconds since 1970."""

    id: str
    kind: str
    user_id: str
    title: str
    created: float
    expires: float | None
    used: float | None
    scopes: frozenset[TokenScope]


@dataclass(frozen=True)
class Share:
    """The right of a user or a group."""

    kind: Literal["user", "group"]
    subject: str
    right: Literal["view", "annotate"]


@dataclass(frozen=True)
class LinkRecord:
    """A share link without its token."""

    id: str
    scope: Scope
    target: str
    right: Literal["view", "annotate"]
    title: str
    maker: str
    created: float
    expires: float | None
    revoked: float | None
    used: float | None

    def over(self, now: float) -> bool:
        """Whether it was revoked or has expired."""
        return self.revoked is not None or (self.expires is not None and self.expires <= now)


class Versions(NamedTuple):
    """The versions of one slide: the current one, and all that are still served."""

    current: str
    served: frozenset[str]
