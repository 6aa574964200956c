"""Many accounts from a CSV file: its lines with what is wrong with each (AC52, AC61)."""

from __future__ import annotations

import csv
import io
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import cast

from wavescope.access.principal import ROLES, Role
from wavescope.catalog.access.accounts import check_group, check_name
from wavescope.catalog.slide_rows import check_title
from wavescope.errors import InvalidParameter
from wavescope.service.access.passwords import check_password

COLUMNS = ("name", "title", "role", "groups", "password")
GENERATED_BYTES = 12  # of a generated password


@dataclass(frozen=True)
class ImportLine:
    """An account that a line asks for. ``password``: empty if it is to be generated; ``problem``: why it cannot be."""

    number: int
    name: str
    title: str
    role: str
    groups: tuple[str, ...]
    password: str = field(repr=False)
    problem: InvalidParameter | None

    @property
    def known_role(self) -> Role:
        """The role of a line without a problem."""
        return cast("Role", self.role)


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8 or, as spreadsheets of Windows write it, in cp1252. Raises InvalidParameter."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise InvalidParameter("the file", "...", "a file in UTF-8 or Windows-1252")


def read_lines(text: str, taken: Collection[str] = ()) -> tuple[ImportLine, ...]:
    """The lines of a CSV file; the first line says whether commas, semicolons or tabs separate values. ``taken``: names
    of accounts that exist.

    Raises InvalidParameter for a first line that does not name the columns.
    """
    text = text.removeprefix("\ufeff")
    separator = _separator(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        columns = [name.strip().casefold() for name in next(reader, ())]
        if set(columns) - set(COLUMNS) or "name" not in columns:
            raise InvalidParameter("the first line", ",".join(columns)[:200], f"columns of {', '.join(COLUMNS)}")
        names, lines = set(taken), []
        for row in filter(None, reader):
            found = dict(zip(columns, row, strict=False))
            values = {column: found.get(column, "").strip() for column in COLUMNS}
            groups = re.split("[;,]" if separator == ";" else ";", values["groups"])
            lines.append(_line(reader.line_num, values, groups, names, too_long=len(row) > len(columns)))
            names.add(lines[-1].name)
    except csv.Error as cause:
        raise InvalidParameter("the file", "...", f"a CSV file: {cause}") from cause
    return tuple(lines)


def generated_password() -> str:
    """A password for the first sign-in."""
    return secrets.token_urlsafe(GENERATED_BYTES)


def _separator(text: str) -> str:
    """What the first line separates its columns by."""
    first = text.partition("\n")[0]
    return max(",;\t", key=first.count)


def _line(
    number: int, values: dict[str, str], named: Collection[str], names: set[str], *, too_long: bool
) -> ImportLine:
    groups = tuple(dict.fromkeys(name.strip() for name in named if name.strip()))
    role, name = values["role"] or "viewer", values["name"]
    problem = None
    try:
        if too_long:
            raise InvalidParameter("a value", "...", "as many values as there are columns")
        name = check_name(name)
        if name in names:
            raise InvalidParameter("name", name, "a name that no other account has")
        if role not in ROLES:
            raise InvalidParameter("role", role[:80], ", ".join(ROLES))
        check_title(values["title"] or name)
        for group in groups:
            check_group(group)
        if values["password"]:
            check_password(values["password"])
    except InvalidParameter as cause:
        problem = InvalidParameter(f"{cause.name} in line {number}", cause.value, cause.expected)
    return ImportLine(number, name, values["title"], role, groups, values["password"], problem)
