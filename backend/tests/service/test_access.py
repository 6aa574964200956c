"""The one gate."""

from __future__ import annotations

import pytest

from wavescope.errors import Forbidden
from wavescope.service.access import LOCAL_USER, Principal, may, require


def test_the_local_user_may_do_all_and_nobody_else_anything() -> None:
    assert may(LOCAL_USER, "delete slide", "s1")
    assert not may(Principal("stranger"), "list slides", None)


def test_a_refusal_names_the_action_and_the_slide() -> None:
    with pytest.raises(Forbidden, match="view slide 's1'"):
        require(may, Principal("stranger"), "view slide", "s1")
