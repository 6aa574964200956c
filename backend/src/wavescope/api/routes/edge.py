"""What an edge says of itself; a service that is none says so."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from wavescope.api.parameters import HealthParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.edge import EdgeStatusView
from wavescope.api.state import PrincipalParameter
from wavescope.errors import NotAnEdge

router = new_router("operation", "reads")


@router.get("/edge/status")
async def edge_status(
    health: HealthParameter, principal: PrincipalParameter, since: Annotated[int, Query(ge=0)] = 0
) -> EdgeStatusView:
    """The state of an edge, for admins of its origin (ED32). A service that is no edge is `not-an-edge`."""
    health.check_metrics(principal)
    raise NotAnEdge
