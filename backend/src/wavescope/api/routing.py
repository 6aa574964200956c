"""How every router of the api is made."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute

from wavescope.api.problems import PROBLEM_ANSWERS

API = "/api/v1"


def new_router(tag: str, prefix: str = API, **options: Any) -> APIRouter:
    """A router whose routes are named by their functions and describe their problems."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        responses=dict(PROBLEM_ANSWERS),
        generate_unique_id_function=route_name,
        **options,
    )


def route_name(route: APIRoute) -> str:
    """The operation's id."""
    return route.name
