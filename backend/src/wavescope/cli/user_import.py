"""``wavescope user import``: many accounts from a CSV file (AC52)."""

from __future__ import annotations

import argparse
import csv
import secrets
from pathlib import Path
from typing import get_args

from wavescope.access.principal import Role
from wavescope.catalog.access.accounts import Accounts, check_name
from wavescope.catalog.records import NewAccount
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line
from wavescope.cli.recorded import record as record_act
from wavescope.cli.store import opened_catalog
from wavescope.errors import InvalidParameter
from wavescope.service.access.accounts import hash_password
from wavescope.store.private import open_new

COLUMNS = ("name", "title", "role", "groups", "password")
GENERATED_BYTES = 12  # of a generated password


def run(arguments: argparse.Namespace) -> int:
    """Create the accounts of a file. Raises InvalidParameter, AccountExists; then none is created."""
    rows = read_rows(arguments.file)
    generated = {row["name"]: secrets.token_urlsafe(GENERATED_BYTES) for row in rows if not row["password"]}
    accounts = [_account(row, row["password"] or generated[row["name"]]) for row in rows]
    with opened_catalog(config_of(arguments), create=True) as catalog, open_new(arguments.passwords) as out:
        out.write(b"name,password\n")
        out.writelines(f"{name},{password}\n".encode() for name, password in generated.items())
        out.flush()
        try:
            made = Accounts(catalog).add_all(accounts)
        except BaseException:
            arguments.passwords.unlink()
            raise
        for user in made:
            record_act(catalog, "user made", user=user.name, role=user.role)
    print_line(f"{len(made)} accounts; {len(generated)} generated passwords are in {arguments.passwords}")
    return OK


def read_rows(file: Path) -> list[dict[str, str]]:
    """The rows with all COLUMNS, checked. Raises InvalidParameter, which names the line and no password."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        unknown = set(reader.fieldnames or ()) - set(COLUMNS)
        if unknown or "name" not in (reader.fieldnames or ()):
            raise InvalidParameter(
                "the first line", ",".join(reader.fieldnames or ()), f"columns of {', '.join(COLUMNS)}"
            )
        rows, names = [], set()
        for number, line in enumerate(reader, 2):
            row = {column: (line.get(column) or "").strip() for column in COLUMNS}
            row["name"], row["role"] = _name(row["name"], number), row["role"] or "viewer"
            if row["role"] not in get_args(Role):
                raise InvalidParameter(f"the role in line {number}", row["role"], ", ".join(get_args(Role)))
            if row["name"] in names:
                raise InvalidParameter(f"the name in line {number}", row["name"], "a name that no line before has")
            names.add(row["name"])
            rows.append(row)
    return rows


def _name(text: str, number: int) -> str:
    try:
        return check_name(text)
    except InvalidParameter as cause:
        raise InvalidParameter(f"the name in line {number}", text, cause.expected) from cause


def _account(row: dict[str, str], password: str) -> NewAccount:
    groups = tuple(name.strip() for name in row["groups"].split(";") if name.strip())
    role: Role = row["role"]  # type: ignore[assignment]
    return NewAccount(row["name"], row["title"], role, hash_password(password), groups)
