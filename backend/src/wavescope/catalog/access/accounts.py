"""Accounts and groups."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from wavescope.access.principal import Role
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.records import Ended, GroupRecord, NewAccount, UserRecord
from wavescope.catalog.slide_rows import check_title
from wavescope.catalog.tables import GroupRow, MemberRow, SecondFactorRow, ShareRow, TokenRow, UserRow
from wavescope.errors import AccountExists, InvalidParameter, LastAdmin, UnknownGroup, UnknownUser

NAME = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}")


class Accounts:
    """The users and groups of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    # -- users

    def list(self) -> tuple[UserRecord, ...]:
        """Every account, by name."""
        with self._catalog.reading() as session:
            return tuple(_user(session, row) for row in session.scalars(select(UserRow).order_by(UserRow.name)))

    def get(self, user_id: str) -> UserRecord:
        """Raises UnknownUser."""
        with self._catalog.reading() as session:
            return _user(session, _existing(session, user_id))

    def some(self, ids: Collection[str]) -> tuple[UserRecord, ...]:
        """Those of the accounts that there are."""
        with self._catalog.reading() as session:
            rows = session.scalars(select(UserRow).where(UserRow.id.in_(ids)))
            return tuple(_user(session, row) for row in rows)

    def titles(self) -> dict[str, str]:
        """The title of every account, by its id."""
        with self._catalog.reading() as session:
            return {row.id: row.title for row in session.execute(select(UserRow.id, UserRow.title))}

    def named(self, name: str) -> UserRecord | None:
        """The account that signs in by this name."""
        with self._catalog.reading() as session:
            row = session.scalar(select(UserRow).where(UserRow.name == name.strip().casefold()))
            return None if row is None else _user(session, row)

    def add(self, name: str, title: str, role: Role, password: str | None, *, must_change: bool = False) -> UserRecord:
        """A new account; ``password`` is a hash; ``must_change``: at the first sign-in (AC51).

        Raises InvalidParameter, AccountExists.
        """
        with self._catalog.writing() as session:
            row = _new(session, name, title, role, password)
            row.must_change = must_change
            session.flush()
            return _user(session, row)

    def add_all(self, accounts: Sequence[NewAccount]) -> tuple[UserRecord, ...]:
        """New accounts whose passwords must be changed at the first sign-in; all of them or none.

        Raises InvalidParameter, AccountExists.
        """
        with self._catalog.writing() as session:
            return tuple(_user(session, _imported(session, one)) for one in accounts)

    def from_provider(self, subject: str, name: str, title: str, role: Role | None, default: Role) -> UserRecord:
        """The account of the user whom an OIDC provider calls ``subject``, created if new; ``role`` None leaves it.

        A name that another account has gets a number: a provider's statement alone never takes over an account.
        """
        with self._catalog.writing() as session:
            row = session.scalar(select(UserRow).where(UserRow.subject == subject))
            if row is None:
                free = _free_name(session, name)
                row = _new(session, free, title, role or default, None)
                row.subject = subject
            elif not row.disabled:
                row.role, row.updated = role or row.role, time.time()
            session.flush()
            return _user(session, row)

    def change(
        self,
        user_id: str,
        *,
        name: str | None = None,
        title: str | None = None,
        role: Role | None = None,
        disabled: bool | None = None,
        must_change: bool | None = None,
    ) -> UserRecord:
        """Changes what is not None. Being disabled ends what the user was signed in with, and all tokens.

        Raises UnknownUser, InvalidParameter, AccountExists, LastAdmin.
        """
        with self._catalog.writing() as session:
            row = _existing(session, user_id)
            was_admin = row.role == "admin" and not row.disabled
            if name is not None and (checked := check_name(name)) != row.name:
                _check_free(session, UserRow, checked)
                row.name = checked
            row.title = check_title(title) if title is not None else row.title
            row.role = role or row.role
            row.disabled = row.disabled if disabled is None else disabled
            if must_change and row.password is None:
                raise InvalidParameter("must_change", must_change, "an account with a password")
            row.must_change = row.must_change if must_change is None else must_change
            row.updated = time.time()
            session.flush()
            if was_admin and not _admins(session):
                raise LastAdmin
            if disabled:
                session.execute(delete(TokenRow).where(TokenRow.user_id == user_id))
            return _user(session, row)

    def set_password(self, user_id: str, password: str, *, keep_tokens: bool, must_change: bool = False) -> Ended:
        """Another password (a hash); ends every sign-in, and the personal tokens unless ``keep_tokens`` (AC49).

        Raises UnknownUser.
        """
        with self._catalog.writing() as session:
            row = _existing(session, user_id)
            row.password, row.must_change, row.updated = password, must_change, time.time()
            mine = [TokenRow.user_id == user_id]
            if keep_tokens:
                mine.append(TokenRow.kind != "personal")
            live = or_(TokenRow.expires.is_(None), TokenRow.expires > time.time())
            found = session.execute(select(TokenRow.kind, TokenRow.family).where(*mine, live))
            ended = {(kind, family) for kind, family in found}
            session.execute(delete(TokenRow).where(*mine))
        personal = sum(kind == "personal" for kind, _ in ended)
        return Ended(len({family for kind, family in ended if kind != "personal"}), personal)

    def find(self, text: str, limit: int) -> tuple[UserRecord, ...]:
        """Enabled accounts whose name or title contains the text."""
        word = text.strip().casefold()
        like = or_(
            UserRow.name.contains(word, autoescape=True), func.lower(UserRow.title).contains(word, autoescape=True)
        )
        with self._catalog.reading() as session:
            rows = session.scalars(
                select(UserRow).where(UserRow.disabled.is_(False), like).order_by(UserRow.name).limit(limit)
            )
            return tuple(_user(session, row) for row in rows)

    # -- groups

    def groups(self) -> tuple[GroupRecord, ...]:
        """Every group, by name."""
        with self._catalog.reading() as session:
            return tuple(_group(session, row) for row in session.scalars(select(GroupRow).order_by(GroupRow.name)))

    def add_group(self, name: str) -> GroupRecord:
        """Raises InvalidParameter, AccountExists."""
        with self._catalog.writing() as session:
            return _group(session, _new_group(session, name))

    def change_group(self, group_id: str, name: str | None, members: Sequence[str] | None) -> GroupRecord:
        """Another name, other members; those whom a provider put there stay. Raises UnknownGroup, UnknownUser."""
        with self._catalog.writing() as session:
            row = _existing_group(session, group_id)
            if name is not None and check_group(name) != row.name:
                _check_free(session, GroupRow, check_group(name))
                row.name = check_group(name)
            if members is not None:
                external = _member_ids(session, group_id, external=True)
                own = (MemberRow.group_id == group_id, MemberRow.external.is_(False))
                session.execute(delete(MemberRow).where(*own))
                for user_id in sorted({_existing(session, user_id).id for user_id in members} - set(external)):
                    session.add(MemberRow(group_id=group_id, user_id=user_id, external=False))
            session.flush()
            return _group(session, row)

    def delete_group(self, group_id: str) -> str:
        """With what was shared with it; returns its name. Raises UnknownGroup."""
        with self._catalog.writing() as session:
            row = _existing_group(session, group_id)
            name = row.name
            session.delete(row)
            session.execute(delete(MemberRow).where(MemberRow.group_id == group_id))
            session.execute(delete(ShareRow).where(ShareRow.kind == "group", ShareRow.subject == group_id))
        return name

    def provider_groups(self, user_id: str, names: Collection[str]) -> None:
        """Sets the groups in which the provider puts the user; creates unknown groups."""
        with self._catalog.writing() as session:
            session.execute(delete(MemberRow).where(MemberRow.user_id == user_id, MemberRow.external.is_(True)))
            for name in sorted(set(names)):
                row = session.scalar(select(GroupRow).where(GroupRow.name == name)) or _new_group(session, name)
                if session.get(MemberRow, (row.id, user_id)) is None:
                    session.add(MemberRow(group_id=row.id, user_id=user_id, external=True))

    def join_course(self, user_id: str, course: str, names: Sequence[str]) -> GroupRecord:
        """Adds the user to the group of a course of a learning platform, created if new. ``course``: its hash;
        ``names``: of those the first that no other group has is its name. The last one is its alone: a group that has
        it takes a better one.
        """
        with self._catalog.writing() as session:
            row = session.scalar(select(GroupRow).where(or_(GroupRow.course == course, GroupRow.name == names[-1])))
            if row is None or row.name == names[-1]:
                there = set(session.scalars(select(GroupRow.name).where(GroupRow.name.in_(names[:-1]))))
                name = next(one for one in names if one not in there)
                row = row or _new_group(session, name)
                row.name, row.course = name, course
            if session.get(MemberRow, (row.id, user_id)) is None:
                session.add(MemberRow(group_id=row.id, user_id=user_id, external=True))
                session.flush()
            return _group(session, row)


def check_name(name: str) -> str:
    """The name to sign in with, casefolded. Raises InvalidParameter."""
    checked = name.strip().casefold()
    if not NAME.fullmatch(checked):
        raise InvalidParameter("name", name[:80], "1 to 64 letters a to z, digits, '.', '_', '@', '+' and '-'")
    return checked


def check_group(name: str) -> str:
    """A group's name. Raises InvalidParameter."""
    checked = name.strip()
    if not 1 <= len(checked) <= 100 or not checked.isprintable():
        raise InvalidParameter("name", name[:120], "1 to 100 printable characters")
    return checked


def _new(session: Session, name: str, title: str, role: Role, password: str | None) -> UserRow:
    name = check_name(name)
    _check_free(session, UserRow, name)
    now = time.time()
    row = UserRow(
        id=uuid.uuid4().hex, name=name, title=check_title(title or name), password=password, role=role,
        disabled=False, subject=None, created=now, updated=now,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row


def _imported(session: Session, account: NewAccount) -> UserRow:
    row = _new(session, account.name, account.title, account.role, account.password)
    row.must_change = True
    for name in dict.fromkeys(check_group(group) for group in account.groups):
        group_id = session.scalar(select(GroupRow.id).where(GroupRow.name == name)) or _new_group(session, name).id
        session.add(MemberRow(group_id=group_id, user_id=row.id, external=False))
    session.flush()
    return row


def _new_group(session: Session, name: str) -> GroupRow:
    name = check_group(name)
    _check_free(session, GroupRow, name)
    row = GroupRow(id=uuid.uuid4().hex, name=name, created=time.time())
    session.add(row)
    session.flush()
    return row


def _check_free(session: Session, table: type[UserRow] | type[GroupRow], name: str) -> None:
    if session.scalar(select(table.id).where(table.name == name)) is not None:
        raise AccountExists(name)


def _free_name(session: Session, wanted: str) -> str:
    base = re.sub(r"[^a-z0-9._@+-]+", "-", wanted.casefold()).strip("-._@+")[:56] or "user"
    name, number = base, 1
    while session.scalar(select(UserRow.id).where(UserRow.name == name)) is not None:
        number += 1
        name = f"{base}-{number}"
    return name


def _admins(session: Session) -> int:
    admins = select(func.count()).select_from(UserRow).where(UserRow.role == "admin", UserRow.disabled.is_(False))
    return session.scalar(admins) or 0


def _existing(session: Session, user_id: str) -> UserRow:
    row = session.get(UserRow, user_id)
    if row is None:
        raise UnknownUser(user_id)
    return row


def _existing_group(session: Session, group_id: str) -> GroupRow:
    row = session.get(GroupRow, group_id)
    if row is None:
        raise UnknownGroup(group_id)
    return row


def _member_ids(session: Session, group_id: str, *, external: bool | None = None) -> tuple[str, ...]:
    query = select(MemberRow.user_id).where(MemberRow.group_id == group_id).order_by(MemberRow.user_id)
    return tuple(session.scalars(query if external is None else query.where(MemberRow.external.is_(external))))


def _group(session: Session, row: GroupRow) -> GroupRecord:
    return GroupRecord(row.id, row.name, _member_ids(session, row.id))


def _user(session: Session, row: UserRow) -> UserRecord:
    groups = frozenset(session.scalars(select(MemberRow.group_id).where(MemberRow.user_id == row.id)))
    role: Role = row.role  # type: ignore[assignment]
    return UserRecord(
        row.id,
        row.name,
        row.title,
        role,
        row.disabled,
        groups,
        row.password,
        row.subject is not None,
        row.created,
        row.must_change,
        (factor := session.get(SecondFactorRow, row.id)) is not None and factor.secret is not None,
    )
