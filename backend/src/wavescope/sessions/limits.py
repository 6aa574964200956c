"""All limits of a live session (SE12 to SE40). ``_MS``: milliseconds."""

from __future__ import annotations

MEMBERS = 500
CONNECTIONS = 4  # of one member
SLIDES = 50
PANES = 4
LANDMARKS = 60
NOTES = 200  # in the state
POLLS = 10  # in the state
POLL_OPTIONS = 10
POLL_QUESTION = 300  # characters
POLL_OPTION = 120  # characters
QUESTIONS = 100  # in the state
QUESTIONS_OF_ONE = 10  # member, also hidden ones
QUESTION = 300  # characters
GROUPS = 20
NAME = 40  # characters of a nickname
TITLE = 200  # characters
NOTE = 2000  # characters
REASON_BYTES = 120  # of UTF-8, why a member was removed: a close frame has room for 123
MESSAGE_BYTES = 16 * 1024
ADJUSTMENTS_BYTES = 4 * 1024  # a mix of 64 channels has room
RETAINED_EVENTS = 1000  # for clients that reconnect
QUEUED = 1000  # events and acks that wait in one connection
TICK_CURSORS = 32
TICK_MS = 33
GRACE_MS = 15_000  # how long the session waits for an absent presenter
STEERING_MS = 500  # how long a presenter that moved remains the presenter while everyone may steer
COORDINATE = 1e9  # level-0 pixels
PLANES = 100_000
LARGEST_REF = 2**53 - 1
