"""The policies by the names of the configuration."""

from __future__ import annotations

from collections.abc import Callable

from wavescope.blocks.replicated.baselines import GREEDY, ROUND_ROBIN
from wavescope.blocks.replicated.flow import minimum_cost_flow
from wavescope.blocks.replicated.problem import Policy
from wavescope.errors import InvalidParameter

POLICIES: dict[str, Callable[[], Policy]] = {
    "flow": minimum_cost_flow,
    "greedy": lambda: GREEDY,
    "round-robin": lambda: ROUND_ROBIN,
}


def policy(name: str) -> Policy:
    """The policy of a name. Raises InvalidParameter, and MissingPackage for ``flow`` without OR-Tools."""
    if name not in POLICIES:
        raise InvalidParameter("the assignment", name, f"one of {', '.join(POLICIES)}")
    return POLICIES[name]()
