"""Many accounts from a CSV file: looked at first, then created in one act (AC61)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from wavescope.api.http.body import json_body, read_model
from wavescope.api.middleware.audit_trail import audit_each
from wavescope.api.parameters import UserImportParameter
from wavescope.api.routing import new_router
from wavescope.api.state import PrincipalParameter, limits_of
from wavescope.service.access.user_import import ImportLine

router = new_router("people", "reads")


class AccountFile(BaseModel):
    """A CSV file with the columns name, title, role, groups (separated by ;) and password; all but name may be left
    out. Semicolons or tabs may separate the columns, too.
    """

    model_config = ConfigDict(extra="forbid")
    csv: str


class ImportLineView(BaseModel):
    """An account that a line of the file asks for."""

    line: int
    name: str
    title: str
    role: str
    groups: list[str]
    password: bool = Field(description="whether the file states one; else it is generated")
    problem: str | None = Field(description="why this account cannot be created")


class ImportPreview(BaseModel):
    """Every account of the file; `ok`: whether all can be created."""

    ok: bool
    lines: list[ImportLineView]


class FirstPassword(BaseModel):
    """A generated password for the first sign-in."""

    name: str
    password: str


class ImportedAccounts(BaseModel):
    """What was created; the generated passwords are answered only here."""

    created: int
    passwords: list[FirstPassword]


@router.post("/users/import/preview", openapi_extra=json_body(AccountFile))
async def preview_user_import(
    request: Request, imports: UserImportParameter, principal: PrincipalParameter
) -> ImportPreview:
    """What an import of this file would create, and what is wrong in which line (AC61)."""
    file = await read_model(request, AccountFile, limits_of(request).case_body)
    lines = await imports.preview(principal, file.csv)
    return ImportPreview(ok=all(line.problem is None for line in lines), lines=[_line(line) for line in lines])


@router.post("/users/import", status_code=201, openapi_extra=json_body(AccountFile), response_model=ImportedAccounts)
async def import_users(request: Request, imports: UserImportParameter, principal: PrincipalParameter) -> Response:
    """Creates all accounts of the file or none; their passwords are for the first sign-in (AC61)."""
    file = await read_model(request, AccountFile, limits_of(request).case_body)
    made, generated = await imports.create(principal, file.csv)
    audit_each(request, [{"user": user.name, "role": user.role, "by": "import"} for user in made])
    passwords = [{"name": name, "password": password} for name, password in generated.items()]
    content = {"created": len(made), "passwords": passwords}
    return JSONResponse(content, 201, headers={"cache-control": "no-store"})


def _line(line: ImportLine) -> ImportLineView:
    return ImportLineView(
        line=line.number,
        name=line.name,
        title=line.title,
        role=line.role,
        groups=list(line.groups),
        password=line.password != "",
        problem=None if line.problem is None else str(line.problem),
    )
