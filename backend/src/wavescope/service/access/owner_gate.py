"""Rights to what belongs to a slide or to a case: tours and quizzes."""

from __future__ import annotations

from wavescope.access.principal import Right
from wavescope.errors import Forbidden, UnknownCase
from wavescope.service.access.gate import Action, Gate, Principal, require
from wavescope.service.access.sharing_gate import CaseGate


class OwnerGate:
    """Decides by the slide, or else by the case; what has lost its case is for admins. Waits for SQL."""

    def __init__(self, gate: Gate, case_gate: CaseGate) -> None:
        self._gate, self._case_gate = gate, case_gate

    def may_view(self, principal: Principal, action: Action, slide_id: str | None, case_id: str | None) -> bool:
        """Whether the principal sees the slide or the case."""
        if slide_id is not None:
            return self._gate(principal, action, slide_id)
        if case_id is None:
            return principal.has_role("admin")
        try:
            right: Right | None = self._case_gate.right(principal, case_id)
        except UnknownCase:
            return principal.has_role("admin")
        return right is not None

    def require_edit(self, principal: Principal, action: Action, slide_id: str | None, case_id: str | None) -> None:
        """Raises Forbidden, SignInRequired, UnknownSlide, UnknownCase."""
        require(self._gate, principal, action, slide_id)
        if slide_id is None and case_id is not None:
            self._case_gate.require(principal, case_id, "annotate")
        elif slide_id is None and not principal.has_role("admin"):
            raise Forbidden(f"{action} that belong to nothing")
