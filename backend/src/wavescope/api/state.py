"""What a route can reach: the service, its metrics, and who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from wavescope.api.credentials import credentials_of
from wavescope.api.metrics import Metrics
from wavescope.service.access.gate import Principal
from wavescope.service.service import Service

PRINCIPAL = "wavescope.principal"  # where a request's scope keeps who asks


@dataclass(frozen=True)
class ApiState:
    """Set once by create_app."""

    service: Service
    metrics: Metrics


def state_of(request: Request) -> ApiState:
    """The application's state."""
    state: ApiState = request.scope["app"].state.api
    return state


def service_of(request: Request) -> Service:
    """The service behind this application."""
    return state_of(request).service


def principal_of(request: Request) -> Principal:
    """Who asks. Raises CredentialsExpired."""
    found: Principal | None = request.scope.get(PRINCIPAL)
    if found is None:
        found = request.scope[PRINCIPAL] = service_of(request).identity.of(credentials_of(request))
    return found


ServiceParameter = Annotated[Service, Depends(service_of)]
PrincipalParameter = Annotated[Principal, Depends(principal_of)]
