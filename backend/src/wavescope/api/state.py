"""What the application knows: the parts of its service, its metrics, and who sends a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from wavescope.api.credentials import credentials_of
from wavescope.api.metrics.registry import Metrics
from wavescope.config import Config, Limits
from wavescope.service.access.gate import Principal
from wavescope.service.composition import Services
from wavescope.service.version_services import VersionServices

PRINCIPAL = "wavescope.principal"  # the key of the principal in a request's scope


@dataclass(frozen=True)
class ApiState:
    """Set once by build_app. ``services``: Services of a service; an edge has no more than VersionServices."""

    services: VersionServices
    metrics: Metrics


def state_of(request: HTTPConnection) -> ApiState:
    """The application's state."""
    state: ApiState = request.scope["app"].state.api
    return state


def version_services_of(request: HTTPConnection) -> VersionServices:
    """The parts that a service and an edge both have. Other routes declare the parts that they use (``parameters``)."""
    return state_of(request).services


def services_of(request: HTTPConnection) -> Services:
    """The parts of the service behind this application, for routes that no edge answers itself."""
    services = state_of(request).services
    assert isinstance(services, Services)
    return services


def config_of(request: HTTPConnection) -> Config:
    """The settings of this application."""
    return version_services_of(request).config


def limits_of(request: HTTPConnection) -> Limits:
    """The limits of this application."""
    return config_of(request).limits


def principal_of(request: HTTPConnection) -> Principal:
    """Who sends the request; may wait for SQL. Raises CredentialsExpired."""
    found: Principal | None = request.scope.get(PRINCIPAL)
    if found is None:
        found = request.scope[PRINCIPAL] = version_services_of(request).authenticator.of(credentials_of(request))
    return found


async def principal_without_waiting(request: HTTPConnection) -> Principal:
    """As ``principal_of``, on the event loop, which does not wait for SQL. Raises CredentialsExpired, CatalogAway."""
    return await services_of(request).lookups.of(lambda: principal_of(request))


PrincipalParameter = Annotated[Principal, Depends(principal_of)]
