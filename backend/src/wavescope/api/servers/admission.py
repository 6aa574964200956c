"""What a service notes of requests for blocks: their rate (PR12), and once an hour that a slide was opened (PR30)."""

from __future__ import annotations

from wavescope.access.principal import Principal
from wavescope.api.middleware.rate_limits import Counter, Rate, client_key
from wavescope.service.access.audit import AuditService


class ServiceAdmission:
    """See Admission. ``counter`` with the ``rate`` of blocks: None where requests are not counted."""

    def __init__(self, audit: AuditService, counter: Counter | None, rate: Rate | None) -> None:
        self._audit, self._counter = audit, counter
        self._counted = counter is not None and rate is not None and rate.requests is not None

    def admits(self, principal: Principal, slide_id: str, client: str) -> bool:
        if not self._audit.has_opened(principal, slide_id):
            return False
        return not self._counted or (self._counter is not None and self._counter.has_lease(client_key(client)))

    def count(self, client: str) -> None:
        if self._counted and self._counter is not None:
            self._counter.use_lease(client_key(client))
