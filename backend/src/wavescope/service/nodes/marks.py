"""Ids of what lies on one node: they name it, so that the other nodes pass requests on (CL10)."""

from __future__ import annotations

import hashlib
import uuid

from wavescope.errors import Unavailable
from wavescope.service.nodes.node import Node


class Marks:
    """Of one kind, such as "the upload". ``node``: this one; None: the service is no node, and its ids name none."""

    def __init__(self, what: str, node: Node | None = None) -> None:
        self._what, self._node = what, node

    def new_id(self) -> str:
        """32 hexadecimal digits; on a node, a hyphen and 12 that stand for it follow."""
        made = uuid.uuid4().hex
        return made if self._node is None else f"{made}-{_mark_of(self._node.name)}"

    def elsewhere(self, one: str) -> str | None:
        """The URL of the other node that has what this id names; None: it is here, or nowhere any more.

        Raises Unavailable if that node does not answer now.
        """
        mark = one.partition("-")[2]
        if self._node is None or mark in ("", _mark_of(self._node.name)):
            return None
        found = next((one for one in self._node.alive() if _mark_of(one.name) == mark), None)
        if found is None and any(_mark_of(one.name) == mark for one in self._node.all()):
            raise Unavailable(self._what, "the node that has it does not answer")
        return None if found is None else found.url


def _mark_of(node: str) -> str:
    return hashlib.sha256(node.encode()).hexdigest()[:12]
