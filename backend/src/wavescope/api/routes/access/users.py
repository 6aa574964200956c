"""Users and groups: found by those who share, managed by admins (AC36, AC37)."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from wavescope.access.principal import Role
from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_detail
from wavescope.api.parameters import AccountsParameter
from wavescope.api.routes.access.account import EndedView
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.catalog.records import AccountChange, GroupRecord, UserRecord

router = new_router("people", "reads")

Password = Annotated[str, Field(max_length=1000)]
Title = Annotated[str, Field(max_length=200)]


FACTS = ("id", "name", "title", "role", "disabled", "external", "must_change", "second_factor")


class PersonView(BaseModel):
    """A user or a group to share with."""

    id: str
    title: str
    name: str


class PeopleList(BaseModel):
    """The users and groups that were found."""

    users: list[PersonView]
    groups: list[PersonView]


class UserView(BaseModel):
    """An account as admins see it. ``external``: signs in at the provider; ``must_change``: the password, at the next
    sign-in.
    """

    id: str
    name: str
    title: str
    role: Role
    disabled: bool
    external: bool
    must_change: bool
    second_factor: bool
    groups: list[str]


class UserList(BaseModel):
    """Every account, by name."""

    users: list[UserView]


class NewUser(BaseModel):
    """An account to create."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=64)
    title: Title = ""
    role: Role = "viewer"
    password: Password
    must_change: bool = Field(default=False, description="whether the user chooses a new one at the first sign-in")


class UserChange(BaseModel):
    """The fields of an account that can be changed."""

    model_config = ConfigDict(extra="forbid")
    name: str | None = Field(default=None, min_length=1, max_length=64, description="to sign in with")
    title: Title | None = None
    role: Role | None = None
    disabled: bool | None = None
    password: Password | None = None
    must_change: bool | None = Field(
        default=None, description="whether the user chooses a new password at the next sign-in (AC60)"
    )
    keep_tokens: bool = Field(default=False, description="whether personal tokens stay valid after a new password")


class ChangedUser(UserView):
    """An account as it is now; ``ended``: the sign-ins and tokens that a new password has ended."""

    ended: EndedView | None = None


class GroupView(BaseModel):
    """A group; ``members`` are ids of users."""

    id: str
    name: str
    members: list[str]


class GroupList(BaseModel):
    """Every group, by name."""

    groups: list[GroupView]


class NewGroup(BaseModel):
    """A group to create."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)


class GroupChange(BaseModel):
    """The fields of a group that can be changed."""

    model_config = ConfigDict(extra="forbid")
    name: str | None = Field(default=None, min_length=1, max_length=100)
    members: list[Annotated[str, Field(max_length=32)]] | None = Field(default=None, max_length=5000)


@router.get("/people")
async def find_people(
    accounts: AccountsParameter, principal: PrincipalParameter, search: Annotated[str, Query(max_length=100)] = ""
) -> PeopleList:
    """Finds users and groups to share with (AC36)."""
    users, groups = await accounts.find_users_and_groups(principal, search)
    return PeopleList(
        users=[PersonView(id=user.id, title=user.title, name=user.name) for user in users],
        groups=[PersonView(id=group.id, title=group.name, name=group.name) for group in groups],
    )


@router.get("/users")
async def list_users(accounts: AccountsParameter, principal: PrincipalParameter) -> UserList:
    """Every account (AC37)."""
    return UserList(users=[_user(record) for record in await accounts.users(principal)])


@router.post("/users", status_code=201, openapi_extra=json_body(NewUser))
async def create_user(request: Request, accounts: AccountsParameter, principal: PrincipalParameter) -> UserView:
    """A new account (AC37)."""
    new = await read_model(request, NewUser)
    audit_detail(request, user=new.name, role=new.role)
    adding = accounts.add_user(principal, new.name, new.title, new.role, new.password, must_change=new.must_change)
    return _user(await adding)


@router.patch("/users/{user_id}", openapi_extra=json_body(UserChange))
async def change_user(
    user_id: str, request: Request, accounts: AccountsParameter, principal: PrincipalParameter
) -> ChangedUser:
    """Changes names, role or the password of another user, or disables the account (AC37, AC49, AC62)."""
    new = await read_model(request, UserChange)
    audit_detail(request, sign_in_name=new.name, called=new.title, role=new.role, disabled=new.disabled)
    audit_detail(request, password="new" if new.password else None, must_change=new.must_change)
    ended = None
    if new.password is not None:
        reset = partial(accounts.reset_password, principal, user_id, new.password, keep_tokens=new.keep_tokens)
        ended = await reset(must_change=bool(new.must_change))
        audit_detail(request, sign_ins=ended.sign_ins, tokens=ended.tokens)
    change = AccountChange(new.name, new.title, new.role, new.disabled, new.must_change)
    user = _user(await accounts.change_user(principal, user_id, change))
    return ChangedUser(**user.model_dump(), ended=None if ended is None else EndedView(**ended._asdict()))


@router.get("/groups")
async def list_groups(accounts: AccountsParameter, principal: PrincipalParameter) -> GroupList:
    """Every group (AC37)."""
    return GroupList(groups=[_group(record) for record in await accounts.groups(principal)])


@router.post("/groups", status_code=201, openapi_extra=json_body(NewGroup))
async def create_group(request: Request, accounts: AccountsParameter, principal: PrincipalParameter) -> GroupView:
    """A new group (AC37)."""
    new = await read_model(request, NewGroup)
    audit_detail(request, group=new.name)
    return _group(await accounts.add_group(principal, new.name))


@router.patch("/groups/{group_id}", openapi_extra=json_body(GroupChange))
async def change_group(
    group_id: str, request: Request, accounts: AccountsParameter, principal: PrincipalParameter
) -> GroupView:
    """Changes the name or the members (AC37)."""
    new = await read_model(request, GroupChange, limits_of(request).case_body)
    return _group(await accounts.change_group(principal, group_id, new.name, new.members))


@router.delete("/groups/{group_id}", status_code=204)
async def delete_group(
    group_id: str, request: Request, accounts: AccountsParameter, principal: PrincipalParameter
) -> None:
    """Deletes a group and its rights (AC37)."""
    audit_detail(request, group=await accounts.delete_group(principal, group_id))


def _user(record: UserRecord) -> UserView:
    facts = {name: getattr(record, name) for name in FACTS}
    return UserView(**facts, groups=sorted(record.groups))


def _group(record: GroupRecord) -> GroupView:
    return GroupView(id=record.id, name=record.name, members=list(record.members))
