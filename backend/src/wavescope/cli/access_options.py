"""The options of ``wavescope user``, ``wavescope lti`` and ``wavescope audit``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from wavescope.access.principal import DEFAULT_SCOPES, ROLES, SCOPES

IMPORT = (
    "Creates the accounts of a CSV file with the columns name, title, role (default: viewer), groups (separated by ;) "
    "and password (empty: generated). All or none are created. Each user chooses a new password at the first sign-in."
)


def audit_options(commands: Any, *parents: argparse.ArgumentParser) -> None:
    """Adds ``wavescope audit``."""
    text = "read the audit log: who did what to which slide, and when"
    verbs = commands.add_parser("audit", help=text, description=text).add_subparsers(metavar="VERB", required=True)
    for name, description in (
        ("list", "print the newest entries"),
        ("export", "print all entries, oldest first, one JSON value per line"),
        ("verify", "recompute every hash; exit code 1 if an entry was changed or removed"),
    ):
        verb = verbs.add_parser(name, help=description, description=description, parents=list(parents))
        verb.set_defaults(run=f"audit:{name}_entries")
        if name == "verify":
            verb.add_argument("--expect", metavar="N:HASH", help="an earlier entry that must still exist")
            continue
        for option in ("action", "slide", "name"):
            verb.add_argument(f"--{option}", default="", help=f"only entries of this {option}")
        for option in ("since", "until"):
            verb.add_argument(f"--{option}", metavar="TIME", help="as in 2026-01-31 or 2026-01-31T12:00")
        if name == "list":
            verb.add_argument("--limit", type=int, default=50)


def lti_options(commands: Any, common: argparse.ArgumentParser, json: argparse.ArgumentParser) -> None:
    """Adds ``wavescope lti``."""
    text = "learning platforms that open slides and quizzes here: add, list, remove"
    verbs = commands.add_parser("lti", help=text, description=text).add_subparsers(metavar="VERB", required=True)

    def verb(name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = verbs.add_parser(name, help=text, description=text, parents=[common, *parents])
        added.set_defaults(run=f"lti:{name}")
        return added

    verb("list", "list all platforms, with their last launch and the scores that they did not accept", json)
    add = verb("add", "register a platform, and print its id")
    for name, meaning in (
        ("title", "what people call it"),
        ("issuer", "its address, as its launches state it"),
        ("client-id", "the id that it has given to this service"),
        ("authorize-url", "where it signs launches"),
        ("token-url", "where it issues tokens"),
        ("keys-url", "where it publishes its keys"),
    ):
        add.add_argument(f"--{name}", required=True, help=meaning)
    add.add_argument(
        "--deployment",
        action="append",
        dest="deployments",
        metavar="ID",
        help="a deployment that may launch; may be given several times (default: any)",
    )
    add.add_argument(
        "--frame",
        action="append",
        dest="frames",
        metavar="ADDRESS",
        help="another page of the platform that frames this service; may be given several times",
    )
    verb("remove", "remove a platform, its launches and the scores that wait").add_argument("id", metavar="ID")


def user_options(
    parser: argparse.ArgumentParser, common: argparse.ArgumentParser, json: argparse.ArgumentParser
) -> None:
    """Adds the verbs of ``wavescope user``."""
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    def verb(name: str, text: str, *parents: argparse.ArgumentParser) -> argparse.ArgumentParser:
        added = verbs.add_parser(name, help=text, description=text, parents=[common, *parents])
        added.set_defaults(run=f"users:{name}")
        return added

    password = "prompts for the password, or reads it from standard input"
    add = verb("add", f"create an account; {password}")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--title", default="", help="the display name (default: NAME)")
    add.add_argument("--role", choices=ROLES, default="viewer")
    add.add_argument("--must-change", action="store_true", help="the user chooses a new password at the first sign-in")
    several = verbs.add_parser("import", help="create many accounts", description=IMPORT, parents=[common])
    several.set_defaults(run="user_import:run")
    several.add_argument("file", metavar="FILE", type=Path)
    several.add_argument(
        "--passwords", metavar="OUT", type=Path, required=True, help="where generated passwords are written (mode 0600)"
    )
    verb("list", "list all accounts", json)
    passwd = verb(
        "passwd", f"change the password of an account, which ends its sign-ins and revokes its tokens; {password}"
    )
    passwd.add_argument("name", metavar="NAME")
    passwd.add_argument("--must-change", action="store_true", help="the user chooses a new one at the next sign-in")
    passwd.add_argument("--keep-tokens", action="store_true", help="do not revoke personal tokens")
    token = verb("token", "make a personal token of an account, for scripts or Prometheus, and print it")
    token.add_argument("name", metavar="NAME")
    token.add_argument("--title", required=True, help="what it is for")
    token.add_argument(
        "--scope",
        action="append",
        choices=SCOPES,
        help=f"what it may be used for; may be given several times (default: {', '.join(DEFAULT_SCOPES)})",
    )
    token.add_argument("--days", type=int, help="how long it is valid (default: until it is revoked)")
    role = verb("role", "change the role of an account")
    role.add_argument("name", metavar="NAME")
    role.add_argument("role", choices=ROLES)
    export = verb("export", "write all data of an account to a ZIP file")
    export.add_argument("name", metavar="NAME")
    export.add_argument("file", metavar="FILE", type=Path)
    reset = verb("reset-second-factor", "remove the second factor of an account that has lost it")
    reset.add_argument("name", metavar="NAME")
    reset.set_defaults(run="users:reset_second_factor")
    verb("disable", "sign an account out and disable it").add_argument("name", metavar="NAME")
    verb("enable", "enable a disabled account").add_argument("name", metavar="NAME")
