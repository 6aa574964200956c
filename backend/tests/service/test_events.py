"""Announcements between parts of the service that do not know each other."""

from __future__ import annotations

from wavescope.service.events import Event, Events


def test_every_listener_receives_every_announcement_in_order() -> None:
    event: Event[[str, int]] = Event()
    received: list[tuple[str, str, int]] = []
    event.announce("too early", 0)
    event.subscribe(lambda slide, sequence: received.append(("first", slide, sequence)))
    event.subscribe(lambda slide, sequence: received.append(("second", slide, sequence)))
    event.announce("a", 1)
    event.announce("b", 2)
    assert received == [("first", "a", 1), ("second", "a", 1), ("first", "b", 2), ("second", "b", 2)]


def test_the_events_of_two_services_are_apart() -> None:
    one, other = Events(), Events()
    received: list[str] = []
    one.version_removed.subscribe(received.append)
    other.version_removed.announce("of the other")
    one.version_removed.announce("of the one")
    assert received == ["of the one"]
