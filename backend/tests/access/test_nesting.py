"""With whom what lies in a collection is shared."""

from __future__ import annotations

import pytest

from wavescope.access.nesting import CaseSharing, is_no_wider, narrowed
from wavescope.access.principal import Right


def sharing(public: bool = False, **rights: Right) -> CaseSharing:
    """``rights``: of users, by their names."""
    return CaseSharing(public, {("user", name): right for name, right in rights.items()})


@pytest.mark.parametrize(
    ("inner", "outer", "left"),
    [
        (sharing(), sharing(ada="view"), sharing()),
        (sharing(ada="view"), sharing(ada="annotate"), sharing(ada="view")),
        (sharing(ada="annotate"), sharing(ada="view"), sharing(ada="view")),
        (sharing(ada="annotate", bob="view"), sharing(bob="view"), sharing(bob="view")),
        (sharing(ada="annotate"), sharing(public=True), sharing(ada="view")),
        (sharing(public=True, ada="view"), sharing(ada="view"), sharing(ada="view")),
        (sharing(public=True), sharing(public=True, ada="view"), sharing(public=True)),
        (sharing(public=True), sharing(), sharing()),
    ],
)
def test_what_lies_in_a_collection_has_no_right_that_the_collection_lacks_ac15(
    inner: CaseSharing, outer: CaseSharing, left: CaseSharing
) -> None:
    assert narrowed(inner, outer) == left
    assert is_no_wider(inner, outer) == (inner == left)
    assert is_no_wider(left, outer)
