"""Many accounts from a file, and passwords that hold for the first sign-in alone (AC51, AC52)."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from api.accounts import API, PASSWORD, QUICK, Clinic
from api.asking import problem
from service.world import running_service
from wavescope.api.app import build_app
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.catalog import Catalog
from wavescope.cli import main

FILE = """name,title,role,groups,password
Ada,Ada Lovelace,instructor,residents;teachers,
bob,Bob,,residents,a password of bob
"""


def write(tmp_path: Path, text: str) -> tuple[str, ...]:
    """The arguments of an import of this file."""
    (tmp_path / "people.csv").write_text(text)
    names = (str(tmp_path / name) for name in ("people.csv", "store", "passwords.csv"))
    file, store, passwords = names
    return ("user", "import", file, "--store", store, "--passwords", passwords)


async def test_imported_accounts_choose_a_new_password_at_the_first_sign_in_ac51_ac52(tmp_path: Path) -> None:
    assert main(write(tmp_path, FILE)) == 0
    passwords = tmp_path / "passwords.csv"
    assert passwords.stat().st_mode & 0o777 == 0o600
    (row,) = csv.DictReader(passwords.read_text().splitlines())
    assert row["name"] == "ada"
    async with running_service(tmp_path / "store", access="accounts") as service:
        groups = {group.name: len(group.members) for group in Accounts(service.catalog).groups()}
        assert groups == {"residents": 2, "teachers": 1}
        client = Clinic(service, build_app(service), {}).client()
        given = {"name": "ada", "password": row["password"]}
        for again in ({}, {"new_password": row["password"]}):
            answer = await client.post(f"{API}/sign-in", json=given | again)
            assert problem(answer) == (403, "password-change-required")
            assert not client.cookies
        short = await client.post(f"{API}/sign-in", json=given | {"new_password": "short"})
        assert problem(short) == (422, "invalid-parameter")
        chosen = await client.post(f"{API}/sign-in", json=given | {"new_password": "my own long password"})
        assert (chosen.status_code, chosen.json()["role"]) == (200, "instructor")
        assert problem(await client.post(f"{API}/sign-in", json=given)) == (401, "wrong-credentials")
        own = {"name": "ada", "password": "my own long password"}
        assert (await client.post(f"{API}/sign-in", json=own)).status_code == 200


def test_a_file_of_a_spreadsheet_in_windows_1252_is_read_ac52(tmp_path: Path) -> None:
    file = tmp_path / "users.csv"
    file.write_bytes("name;title;groups\r\nmuller;J\u00f6rg M\u00fcller;residents, teachers\r\n".encode("cp1252"))
    options = ["--passwords", str(tmp_path / "passwords.csv"), "--store", str(tmp_path / "store")]
    assert main(["user", "import", str(file), *options]) == 0
    accounts = Accounts(Catalog.open(tmp_path / "store"))
    (user,) = accounts.list()
    assert (user.title, len(accounts.groups())) == ("J\u00f6rg M\u00fcller", 2)


async def test_a_wrong_password_does_not_reveal_that_a_new_one_is_due_ac51(tmp_path: Path) -> None:
    async with running_service(tmp_path / "store", access="accounts") as service:
        accounts = Accounts(service.catalog)
        vera = accounts.add("vera", "", "viewer", QUICK)
        accounts.set_password(vera.id, QUICK, keep_tokens=True, must_change=True)
        client = Clinic(service, build_app(service), {}).client()
        body = {"name": "vera", "password": "wrong password", "new_password": "my own long password"}
        assert problem(await client.post(f"{API}/sign-in", json=body)) == (401, "wrong-credentials")
        answer = await client.post(f"{API}/sign-in", json=body | {"password": PASSWORD})
        assert answer.status_code == 200


REFUSED = {
    "no header": "ada,Ada\n",
    "an unknown column": "name,mail\nada,a@b\n",
    "a bad role": "name,role\nada,viewer\nbob,boss\n",
    "a name twice": "name\nada\nADA\n",
    "a bad name": "name\nada\n/bob\n",
    "a short password": "name,password\nada,\nbob,short\n",
    "a name that exists": "name\nbob\nzoe\n",
}


@pytest.mark.parametrize("case", REFUSED)
def test_all_accounts_are_created_or_none_ac52(tmp_path: Path, case: str, capsys: pytest.CaptureFixture[str]) -> None:
    catalog = Catalog.open(tmp_path / "store")
    Accounts(catalog).add("zoe", "", "viewer", None)
    catalog.close()
    assert main(write(tmp_path, REFUSED[case])) == 2
    assert "short" not in capsys.readouterr().err.replace("a short password", "")
    assert not (tmp_path / "passwords.csv").exists()
    catalog = Catalog.open(tmp_path / "store")
    assert [user.name for user in Accounts(catalog).list()] == ["zoe"]
    catalog.close()
