"""Errors of live sessions and their recordings."""

from __future__ import annotations

from wavescope.errors.base import WavescopeError


class UnknownSession(WavescopeError):
    """No live session has this code or id, or none that the requesting principal may open."""

    def __init__(self) -> None:
        super().__init__("there is no such session, or it has ended")


class UnknownRecording(WavescopeError):
    """No recording has this id, or none that the requesting principal may open."""

    def __init__(self, recording_id: str) -> None:
        super().__init__(f"there is no recording {recording_id!r}")
        self.recording_id = recording_id


class WrongPasscode(WavescopeError):
    """The session has a passcode, and this is not it."""

    def __init__(self) -> None:
        super().__init__("the passcode is missing or wrong")


class SessionLocked(WavescopeError):
    """The owner lets nobody new in."""

    def __init__(self) -> None:
        super().__init__("the session is locked: nobody new can join")


class SessionFull(WavescopeError):
    """As many as a session can have are in it."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the session has its {limit} members")
        self.limit = limit


class TooManySessions(WavescopeError):
    """One owner has as many open sessions as may be."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"you have {limit} sessions that have not ended: end one first")
        self.limit = limit
