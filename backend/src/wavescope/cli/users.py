"""``wavescope user`` and ``grant-keys``: accounts, and the keys that nodes trust."""

from __future__ import annotations

import argparse
import getpass
import sys
import time
from contextlib import AbstractContextManager

from wavescope.access.principal import DEFAULT_SCOPES, SCOPES, Role, user_principal
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.keys import SigningKeys
from wavescope.catalog.access.second_factors import SecondFactors
from wavescope.catalog.access.tokens import Tokens
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import UserRecord
from wavescope.cli.configured import config_of
from wavescope.cli.output import OK, print_line, print_stderr, result
from wavescope.cli.recorded import record as record_act
from wavescope.cli.store import opened_catalog
from wavescope.errors import UnknownUser
from wavescope.service.access.passwords import hash_password
from wavescope.service.access.sharing_gate import SharingGate
from wavescope.service.data_export import DataExportService
from wavescope.service.events import Events
from wavescope.service.slides.annotations import AnnotationService
from wavescope.store.private import open_new


def add(arguments: argparse.Namespace) -> int:
    """Create an account; in a new store the first one should be an admin."""
    hashed = hash_password(_password())
    with _catalog(arguments, create=True) as catalog:
        made = Accounts(catalog).add(
            arguments.name, arguments.title, arguments.role, hashed, must_change=arguments.must_change
        )
        record_act(catalog, "user made", user=made.name, role=made.role)
    print_line(f"{made.name}: {made.role}")
    return OK


def list(arguments: argparse.Namespace) -> int:
    """Every account."""
    with _catalog(arguments) as catalog:
        records = Accounts(catalog).list()
    if arguments.json:
        fields = ("id", "name", "title", "role", "disabled", "external", "must_change", "second_factor")
        result([{name: getattr(record, name) for name in fields} for record in records])
        return OK
    for record in records:
        facts = {"disabled": record.disabled, "first password": record.must_change, "2nd factor": record.second_factor}
        remarks = ", ".join(name for name, holds in facts.items() if holds)
        print_line(f"{record.name:30} {record.role:10} {remarks:9} {record.title}")
    if not records:
        print_stderr("no accounts yet; create the first one with: wavescope user add NAME --role admin")
    return OK


def token(arguments: argparse.Namespace) -> int:
    """Makes a personal token of an account, which is printed this once; an account has all scopes that are chosen, but
    its role decides what they are worth (AC65).
    """
    expires = None if arguments.days is None else time.time() + arguments.days * 86400
    with _catalog(arguments) as catalog:
        user = _named(Accounts(catalog), arguments.name)
        secret, made = Tokens(catalog).personal(user.id, arguments.title, expires, arguments.scope or DEFAULT_SCOPES)
        scopes = ", ".join(one for one in SCOPES if one in made.scopes)
        record_act(catalog, "token made", user=user.name, scopes=scopes)
    print_stderr(f"a token of {user.name} for {scopes}; it is shown this once")
    print_line(secret)
    return OK


def passwd(arguments: argparse.Namespace) -> int:
    """Changes the password; ends every sign-in of the account, and its tokens unless ``--keep-tokens`` (AC49)."""
    with _catalog(arguments) as catalog:
        user = _named(Accounts(catalog), arguments.name)
        hashed = hash_password(_password())
        ended = Accounts(catalog).set_password(
            user.id, hashed, keep_tokens=arguments.keep_tokens, must_change=arguments.must_change
        )
        record_act(catalog, "password changed", user=user.name, **ended._asdict())
    print_line(f"{user.name}: the password was changed; ended: sign-ins {ended.sign_ins}, tokens {ended.tokens}")
    return OK


def role(arguments: argparse.Namespace) -> int:
    """Another role."""
    given: Role = arguments.role
    with _catalog(arguments) as catalog:
        user = Accounts(catalog).change(_named(Accounts(catalog), arguments.name).id, role=given)
        record_act(catalog, "user changed", user=user.name, role=user.role)
    print_line(f"{user.name}: {user.role}")
    return OK


def disable(arguments: argparse.Namespace) -> int:
    """Signed out, and not let in any more."""
    return _switch(arguments, True)


def enable(arguments: argparse.Namespace) -> int:
    """Let in again."""
    return _switch(arguments, False)


def reset_second_factor(arguments: argparse.Namespace) -> int:
    """Removes the second factor of an account (AC58)."""
    with _catalog(arguments) as catalog:
        user = _named(Accounts(catalog), arguments.name)
        there = SecondFactors(catalog).remove(user.id)
        if there:
            record_act(catalog, "second factor reset", user=user.name)
    print_line(f"{user.name}: {'the second factor was removed' if there else 'there was no second factor'}")
    return OK


def export(arguments: argparse.Namespace) -> int:
    """Everything that an account owns, as a ZIP."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        user = _named(Accounts(catalog), arguments.name)
        gate = SharingGate(catalog)
        principal = user_principal(user.id, user.title, user.role, frozenset(user.groups))
        with open_new(arguments.file) as out:
            annotations = AnnotationService(catalog, gate, config.limits, Events())
            DataExportService(catalog, annotations, gate).write(principal, out)
        record_act(catalog, "account exported", user=user.name)
    print_line(f"{arguments.file}: all data of {user.name}")
    return OK


def grant_keys(arguments: argparse.Namespace) -> int:
    """The public keys, a JSON Web Key Set on stdout."""
    config = config_of(arguments)
    with opened_catalog(config) as catalog:
        keys = SigningKeys(catalog, config.store)
        if arguments.rotate:
            keys.rotate()
        result(keys.public())
    return OK


def _switch(arguments: argparse.Namespace, disabled: bool) -> int:
    with _catalog(arguments) as catalog:
        user = Accounts(catalog).change(_named(Accounts(catalog), arguments.name).id, disabled=disabled)
        record_act(catalog, "user changed", user=user.name, disabled=disabled)
    print_line(f"{user.name}: {'disabled' if disabled else 'enabled'}")
    return OK


def _catalog(arguments: argparse.Namespace, *, create: bool = False) -> AbstractContextManager[Catalog]:
    return opened_catalog(config_of(arguments), create=create)


def _named(accounts: Accounts, name: str) -> UserRecord:
    user = accounts.named(name)
    if user is None:
        raise UnknownUser(name)
    return user


def _password() -> str:
    """The password, typed without an echo, or the first line of standard input."""
    if sys.stdin.isatty():
        return getpass.getpass("password: ")
    return sys.stdin.readline().rstrip("\r\n")
