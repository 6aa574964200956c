"""``wavescope user import``: many accounts from a CSV file (AC52)."""

from __future__ import annotations

import argparse
from pathlib import Path

from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.records import NewAccount
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line
from wavescope.cli.recorded import record as record_act
from wavescope.cli.store import opened_catalog
from wavescope.service.access.passwords import hash_password
from wavescope.service.access.user_import import ImportLine, decoded, generated_password, read_lines
from wavescope.store.private import open_new


def run(arguments: argparse.Namespace) -> int:
    """Create the accounts of a file. Raises InvalidParameter, AccountExists; then none is created."""
    lines = _checked(arguments.file)
    generated = {line.name: generated_password() for line in lines if not line.password}
    accounts = [_account(line, line.password or generated[line.name]) for line in lines]
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


def _checked(file: Path) -> tuple[ImportLine, ...]:
    """Raises InvalidParameter, which names the line and no password."""
    lines = read_lines(decoded(file.read_bytes()))
    for line in lines:
        if line.problem is not None:
            raise line.problem
    return lines


def _account(line: ImportLine, password: str) -> NewAccount:
    return NewAccount(line.name, line.title, line.known_role, hash_password(password), line.groups)
