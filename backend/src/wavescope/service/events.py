"""What one part of the service announces to others, without knowing them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, ParamSpec

P = ParamSpec("P")


class Event(Generic[P]):
    """One kind of announcement. Listeners are called in the order in which they subscribed, in the announcer's thread;
    they return at once and raise nothing.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[P, None]] = []
        self._relays: list[Callable[P, None]] = []

    def subscribe(self, listener: Callable[P, None]) -> None:
        """Calls the listener at every later announcement."""
        self._listeners.append(listener)

    def relay(self, listener: Callable[P, None]) -> None:
        """Calls the listener at every later announcement that is made here, after the others; see ``deliver``."""
        self._relays.append(listener)

    def announce(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls all listeners."""
        self.deliver(*args, **kwargs)
        for listener in self._relays:
            listener(*args, **kwargs)

    def deliver(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Announces what another service has announced: to the listeners, but not to relays."""
        for listener in self._listeners:
            listener(*args, **kwargs)


@dataclass(frozen=True)
class Events:
    """All announcements of one service.

    ``annotations_changed(slide_id, sequence)``: a slide's annotations have changed, up to this sequence; on the event
    loop. ``rights_revoked()``: a principal may do less than before; on the event loop. ``version_removed(digest)``: the
    files of a slide version are gone; in any thread.
    """

    annotations_changed: Event[[str, int]] = field(default_factory=Event)
    rights_revoked: Event[[]] = field(default_factory=Event)
    version_removed: Event[[str]] = field(default_factory=Event)
