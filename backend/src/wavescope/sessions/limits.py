"""Every bound of a live session (SE12 to SE40). Times in milliseconds unless they say otherwise."""

from __future__ import annotations

MEMBERS = 500
CONNECTIONS = 4  # of one member
SLIDES = 50
NOTES = 200  # kept in the state
NAME = 40  # characters of a nickname
TITLE = 200
NOTE = 2000
MESSAGE_BYTES = 16 * 1024
ADJUSTMENTS_BYTES = 1024
RETAINED_EVENTS = 1000  # for those who resume
QUEUED = 1000  # events and acks waiting in one connection
TICK_CURSORS = 32
TICK_MS = 33
GRACE_MS = 15_000  # for which an absent presenter is waited for
STEERING_MS = 500  # for which a presenter that moved keeps the wheel while everyone may steer
COORDINATE = 1e9
PLANES = 100_000
LARGEST_REF = 2**53 - 1
