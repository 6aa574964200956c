"""``wavescope user`` as an admin types it; everything done stands in the audit log."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from cli.test_cli import Capture, refused, run, run_json
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.tokens import Tokens
from wavescope.catalog.catalog import Catalog
from wavescope.errors import UnknownToken
from wavescope.service.access.passwords import verified

PASSWORD = "correct horse battery"


@pytest.fixture
def type_in(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Gives the next command its standard input."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.fixture
def store(tmp_path: Path, capsys: Capture, type_in: Any) -> Path:
    """A new store with an admin, Adam, and a viewer, Vera."""
    for name, role in (("adam", "admin"), ("vera", "viewer")):
        type_in(f"{PASSWORD}\n")
        assert run(capsys, "user", "add", name, "--role", role, "--store", tmp_path) == (0, f"{name}: {role}\n", "")
    return tmp_path


def acts(capsys: Capture, store: Path) -> list[tuple[str, dict[str, Any]]]:
    """Actions and details of the log, the oldest first, without who typed."""
    entries = run_json(capsys, "audit", "list", "--store", store)
    assert {one["detail"].pop("by") for one in entries} <= {"command line"}
    return [(one["action"], one["detail"]) for one in reversed(entries)]


def test_accounts_are_made_listed_and_changed_and_each_is_recorded_ac37_pr30(
    store: Path, capsys: Capture, type_in: Any
) -> None:
    at = ("--store", store)
    assert run(capsys, "user", "role", "vera", "annotator", *at)[1] == "vera: annotator\n"
    assert run(capsys, "user", "disable", "vera", *at)[1] == "vera: disabled\n"
    listed = run_json(capsys, "user", "list", *at)
    assert [(one["name"], one["role"], one["disabled"]) for one in listed] == [
        ("adam", "admin", False), ("vera", "annotator", True),
    ]  # fmt: skip
    assert "disabled" in run(capsys, "user", "list", *at)[1].splitlines()[1]
    assert run(capsys, "user", "enable", "vera", *at)[1] == "vera: enabled\n"
    type_in("another good password\n")
    assert run(capsys, "user", "passwd", "vera", *at)[0] == 0
    recorded = acts(capsys, store)
    assert recorded == [
        ("user made", {"user": "adam", "role": "admin"}),
        ("user made", {"user": "vera", "role": "viewer"}),
        ("user changed", {"user": "vera", "role": "annotator"}),
        ("user changed", {"user": "vera", "disabled": True}),
        ("user changed", {"user": "vera", "disabled": False}),
        ("password changed", {"user": "vera", "sign_ins": 0, "tokens": 0}),
    ]
    assert "password" not in str([detail for _, detail in recorded])
    assert run(capsys, "audit", "verify", *at)[0] == 0


def test_a_token_is_made_for_chosen_scopes_and_recorded_without_its_secret_ac65(store: Path, capsys: Capture) -> None:
    code, out, err = run(
        capsys, "user", "token", "adam", "--title", "Prometheus", "--scope", "metrics", "--store", store
    )
    assert (code, "metrics" in err, "read" in err) == (0, True, False)
    tokens = Tokens(Catalog.open(store))
    made = tokens.holder(out.strip())
    assert made is not None
    assert (made.title, made.scopes, made.expires) == ("Prometheus", {"metrics"}, None)
    assert acts(capsys, store)[-1] == ("token made", {"user": "adam", "scopes": "metrics"})
    code, out, _ = run(capsys, "user", "token", "adam", "--title", "script", "--days", "1", "--store", store)
    assert tokens.holder(out.strip()).scopes == {"read", "annotate", "slides"}  # type: ignore[union-attr]
    with pytest.raises(SystemExit):
        run(capsys, "user", "token", "adam", "--title", "x", "--scope", "everything", "--store", store)


def test_a_new_password_ends_tokens_too_unless_asked_otherwise_ac49(store: Path, capsys: Capture, type_in: Any) -> None:
    catalog = Catalog.open(store)
    vera = Accounts(catalog).named("vera")
    assert vera is not None
    secret, _ = Tokens(catalog).personal(vera.id, "script", None)
    Tokens(catalog).sign_in(vera.id, 60, 60)
    type_in("another good password\n")
    with_tokens = run(capsys, "user", "passwd", "vera", "--keep-tokens", "--store", store)
    assert with_tokens[1] == "vera: the password was changed; ended: sign-ins 1, tokens 0\n"
    assert Tokens(catalog).holder(secret) is not None
    type_in("a third good password\n")
    ended = run(capsys, "user", "passwd", "vera", "--store", store)
    assert ended[1] == "vera: the password was changed; ended: sign-ins 0, tokens 1\n"
    assert Tokens(catalog).holder(secret) is None
    catalog.close()


def test_a_new_password_ends_every_sign_in_ac34(store: Path, capsys: Capture, type_in: Any) -> None:
    catalog = Catalog.open(store)
    vera = Accounts(catalog).named("vera")
    assert vera is not None
    made = Tokens(catalog).sign_in(vera.id, 60, 60)
    type_in("another good password\n")
    assert run(capsys, "user", "passwd", "vera", "--store", store)[0] == 0
    with pytest.raises(UnknownToken):
        Tokens(catalog).renew(made.renew, 60, 60)
    changed = Accounts(catalog).named("vera")
    assert changed is not None
    assert changed.password is not None
    assert verified(changed.password, "another good password")
    assert not verified(changed.password, PASSWORD)
    catalog.close()


def test_what_may_not_be_is_refused_and_not_recorded(store: Path, capsys: Capture, type_in: Any) -> None:
    at, before = ("--store", store), acts(capsys, store)
    assert "nina" in refused(capsys, "user", "role", "nina", "viewer", *at)
    assert "admin" in refused(capsys, "user", "disable", "adam", *at)
    assert "admin" in refused(capsys, "user", "role", "adam", "viewer", *at)
    type_in("short\n")
    assert "short" not in refused(capsys, "user", "add", "nina", *at)
    type_in(f"{PASSWORD}\n")
    assert "vera" in refused(capsys, "user", "add", "vera", *at)
    assert acts(capsys, store) == before


def test_everything_an_account_owns_is_written_and_recorded_pr54(store: Path, capsys: Capture) -> None:
    file = store / "vera.zip"
    assert run(capsys, "user", "export", "vera", file, "--store", store)[0] == 0
    with zipfile.ZipFile(file) as archive:
        assert "account.json" in archive.namelist()
    assert acts(capsys, store)[-1] == ("account exported", {"user": "vera"})
