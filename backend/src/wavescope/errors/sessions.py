"""Errors of live sessions and their recordings."""

from __future__ import annotations

from wavescope.errors.base import Unavailable, WavescopeError


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
    """The passcode of the session is missing or wrong."""

    def __init__(self) -> None:
        super().__init__("the passcode is missing or wrong")


class SessionLocked(WavescopeError):
    """The owner has locked the session: no new members."""

    def __init__(self) -> None:
        super().__init__("the session is locked: no new members can join")


class SessionFull(WavescopeError):
    """The session has the maximum number of members."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the session is full: {limit} members")
        self.limit = limit


class NameTaken(WavescopeError):
    """An account has the name that another person asks for, or one that looks like it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name!r} is that of an account: choose another name")
        self.name = name


class TooManySessions(WavescopeError):
    """An owner has the maximum number of open sessions."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"you have {limit} open sessions: end one of them first")
        self.limit = limit


class LeaseLost(Unavailable):
    """Another node owns the session now: this one must not write to it any more."""

    def __init__(self, session_id: str) -> None:
        super().__init__("the session", "another node has it now")
        self.session_id = session_id


class SessionOnOtherNode(Unavailable):
    """Another node owns the session. ``instance``: that run of the node."""

    def __init__(self, session_id: str, node: str, instance: str) -> None:
        super().__init__("the session", "another node has it")
        self.session_id, self.node, self.instance = session_id, node, instance
