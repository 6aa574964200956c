"""The rule table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from wavescope.access.principal import (
    ANONYMOUS,
    DEFAULT_SCOPES,
    LOCAL_USER,
    SCOPES,
    Capability,
    Principal,
    TokenScope,
    session_guest,
    user_principal,
)
from wavescope.access.rules import RULES, SCOPE_OF, Action, Sharing, may, right_of

SPEC = Path(__file__).resolve().parents[3] / "shared" / "spec" / "access.md"
OWNER = user_principal("u1", "Owner", "instructor")
OTHER = user_principal("u2", "Other", "annotator", frozenset({"g1"}))
ADMIN = user_principal("u3", "Admin", "admin")
PRIVATE = Sharing("u1")


def link(**fields: object) -> Principal:
    return ANONYMOUS.with_capabilities(Capability("link", "l1", **fields))  # type: ignore[arg-type]


def test_the_table_of_the_document_is_the_one_that_runs_ac10() -> None:
    rows = [line.strip("|\n").split("|") for line in SPEC.read_text().splitlines() if line.startswith("| ")]
    documented = {row[0].strip(): tuple(cell.strip() for cell in row[1:]) for row in rows if row[0].strip() != "action"}
    runs = {
        name: (r.role or "-", r.right or "", "yes" if r.capability else "", SCOPE_OF[name]) for name, r in RULES.items()
    }
    assert documented == runs


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_does_what_its_scopes_name_and_nothing_else_ac65(scope: TokenScope) -> None:
    token = replace(ADMIN, by_token=True, scopes=frozenset({scope}))
    assert {action for action in RULES if may(token, action, "s", PRIVATE)} == {
        action for action, needed in SCOPE_OF.items() if needed == scope
    }


def test_the_scopes_of_a_new_token_let_it_neither_share_nor_administer_ac65() -> None:
    token = replace(ADMIN, by_token=True, scopes=frozenset(DEFAULT_SCOPES))
    for action in ("share slide", "manage users", "read audit", "read metrics", "view label", "own account"):
        assert not may(token, action, "s", PRIVATE)


def test_the_local_user_may_do_all_ac14() -> None:
    assert all(may(LOCAL_USER, action, "s", PRIVATE) and may(LOCAL_USER, action) for action in RULES)


@pytest.mark.parametrize(
    ("principal", "sharing", "right"),
    [
        (ANONYMOUS, PRIVATE, None),
        (ANONYMOUS, Sharing("u1", public=True), "view"),
        (ANONYMOUS, Sharing(), None),
        (OWNER, PRIVATE, "own"),
        (OTHER, PRIVATE, None),
        (OTHER, Sharing("u1", users={"u2": "view"}), "view"),
        (OTHER, Sharing("u1", users={"u2": "view"}, groups={"g1": "annotate"}), "annotate"),
        (OTHER, Sharing("u1", groups={"g2": "annotate"}), None),
        (ADMIN, PRIVATE, "own"),
        (user_principal("", "No id", "viewer"), Sharing("u1"), None),
    ],
)
def test_the_best_right_counts_ac7(principal: Principal, sharing: Sharing, right: str | None) -> None:
    assert right_of(principal, "s", sharing) == right


def test_a_capability_gives_its_right_to_its_slides_until_it_expires_ac4() -> None:
    holder = link(slides=frozenset({"s"}), right="annotate", expires=100.0)
    assert right_of(holder, "s", PRIVATE, 99.9) == "annotate"
    assert right_of(holder, "s", PRIVATE, 100.0) is None
    assert right_of(holder, "t", PRIVATE, 1.0) is None
    assert may(holder, "edit annotations", "s", PRIVATE, 99.0)
    assert not may(holder, "edit tours", "s", PRIVATE, 99.0)
    assert not may(link(slides=frozenset({"s"})), "edit annotations", "s", PRIVATE)


def test_a_link_to_a_case_reaches_only_slides_that_its_grantor_may_share_ac4() -> None:
    lies_in = Sharing("u1", cases=frozenset({"c"}))
    assert right_of(link(case="c", grantor="u1"), "s", lies_in) == "view"
    assert right_of(link(case="c", grantor=""), "s", lies_in) == "view"
    assert right_of(link(case="c", grantor="u2"), "s", lies_in) is None
    assert right_of(link(case="d", grantor="u1"), "s", lies_in) is None
    assert right_of(link(grantor="u1"), "s", lies_in) is None


def test_a_viewer_does_not_annotate_even_what_it_owns_but_by_a_capability_it_does_ac10_ac11() -> None:
    viewer = user_principal("u1", "Viewer", "viewer")
    assert not may(viewer, "edit annotations", "s", PRIVATE)
    guest = viewer.with_capabilities(Capability("session", "x", "annotate", frozenset({"s"})))
    assert guest.user
    assert may(guest, "edit annotations", "s", PRIVATE)


def test_a_session_guest_sees_the_slides_of_its_session_ac4() -> None:
    guest = session_guest("g", "Ada", frozenset({"s"}))
    assert guest.name == "Ada (guest)"
    assert may(guest, "view slide", "s", PRIVATE)
    assert not may(guest, "view slide", "t", PRIVATE)
    assert not may(guest, "edit annotations", "s", PRIVATE)
    assert may(session_guest("g", "Ada", frozenset({"s"}), "annotate"), "edit annotations", "s", PRIVATE)


@pytest.mark.parametrize("action", [name for name, rule in RULES.items() if rule.role is not None])
def test_nobody_unknown_does_what_needs_an_account_ac12(action: Action) -> None:
    assert not may(ANONYMOUS, action, "s", Sharing("u1", public=True))
    assert not may(ANONYMOUS, action)
