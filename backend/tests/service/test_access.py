"""The one gate."""

from __future__ import annotations

import pytest

from wavescope.access.principal import user_principal
from wavescope.errors import Forbidden, SignInRequired, UnknownSlide
from wavescope.service.access.gate import LOCAL_USER, Action, Principal, may, require

STRANGER = Principal("stranger")


def only_look(principal: Principal, action: Action, slide: str | None) -> bool:
    return action == "view slide"


def test_the_local_user_may_do_all_and_nobody_else_anything() -> None:
    assert may(LOCAL_USER, "delete slide", "s1")
    assert not may(STRANGER, "list slides", None)


def test_what_is_not_seen_does_not_exist_ac9() -> None:
    with pytest.raises(UnknownSlide, match="there is no slide 's1'"):
        require(may, STRANGER, "delete slide", "s1")


def test_a_refusal_names_the_action_and_the_slide_to_a_user_who_sees_it_ac12() -> None:
    with pytest.raises(Forbidden, match="delete slide 's1'"):
        require(only_look, user_principal("u", "U", "viewer"), "delete slide", "s1")


def test_an_anonymous_principal_is_asked_to_sign_in_where_an_account_is_needed_ac12() -> None:
    with pytest.raises(SignInRequired):
        require(only_look, STRANGER, "delete slide", "s1")
    with pytest.raises(SignInRequired):
        require(may, STRANGER, "upload")
    with pytest.raises(Forbidden):
        require(may, STRANGER, "list slides")
