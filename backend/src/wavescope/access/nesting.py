"""With whom what lies in a collection is shared: as the collection, or with fewer (AC15). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from wavescope.access.principal import RIGHTS, Right


class CaseSharing(NamedTuple):
    """Whether everyone may view it; rights of users and groups, by (kind, id)."""

    public: bool
    rights: Mapping[tuple[Literal["user", "group"], str], Right]


def is_no_wider(inner: CaseSharing, outer: CaseSharing) -> bool:
    """Whether nobody gets more by the inner one than by the outer one."""
    return narrowed(inner, outer) == inner


def narrowed(inner: CaseSharing, outer: CaseSharing) -> CaseSharing:
    """What of the inner one's rights the outer one gives too."""
    common: dict[tuple[Literal["user", "group"], str], Right] = {}
    for subject, right in inner.rights.items():
        given = outer.rights.get(subject, "view" if outer.public else None)
        if given is not None:
            common[subject] = min(right, given, key=RIGHTS.index)
    return CaseSharing(inner.public and outer.public, common)
