"""Errors of sign-in, accounts and rights."""

from __future__ import annotations

from wavescope.errors.base import WavescopeError


class Forbidden(WavescopeError):
    """The principal may not do this."""

    def __init__(self, action: str) -> None:
        super().__init__(f"not allowed: {action}")
        self.action = action


class SignInRequired(WavescopeError):
    """Only a signed-in user may do this, and the request carries no sign-in."""

    def __init__(self, action: str) -> None:
        super().__init__(f"sign-in required: {action}")
        self.action = action


class WrongCredentials(WavescopeError):
    """A name and password that do not belong together, or of a disabled account."""

    def __init__(self) -> None:
        super().__init__("the name or the password is wrong")


class ProviderRefused(WavescopeError):
    """The OpenID Connect provider refused the sign-in, or its answer cannot be trusted.

    ``cause`` names what was wrong for the log, in words of the program alone (AC38).
    """

    def __init__(self, reason: str, cause: str = "") -> None:
        super().__init__(f"the single sign-on failed: {reason}")
        self.reason, self.cause = reason, cause


class PasswordChangeRequired(WavescopeError):
    """The right password of an account that must get another one before anything else."""

    def __init__(self) -> None:
        super().__init__("this password was given for the first sign-in: choose a new one")


class SecondFactorRequired(WavescopeError):
    """The right password of an account with a second factor, without a code of it."""

    def __init__(self) -> None:
        super().__init__("enter the code that your authenticator app shows")


class SecondFactorSetupRequired(WavescopeError):
    """The right password of an account that must set up a second factor before anything else."""

    def __init__(self) -> None:
        super().__init__("this account needs a second factor: set it up to sign in")


class NoSecondFactor(WavescopeError):
    """The account has no second factor."""

    def __init__(self) -> None:
        super().__init__("this account has no second factor")


class WrongCode(WavescopeError):
    """A code of a second factor that is wrong, expired or used already."""

    def __init__(self) -> None:
        super().__init__("the code is wrong, has expired or was used already")


class CredentialsExpired(WavescopeError):
    """A token that is unknown, has expired or was revoked."""

    def __init__(self) -> None:
        super().__init__("the sign-in or token is not valid any more")


class NotByToken(WavescopeError):
    """What only a sign-in may do, requested with a personal token."""

    def __init__(self, action: str) -> None:
        super().__init__(f"this needs a sign-in, not a personal token: {action}")
        self.action = action


class LinkOver(WavescopeError):
    """A share link that has expired or was revoked."""

    def __init__(self) -> None:
        super().__init__("this link has expired or was revoked; ask the sender for a new link")


class UnknownUser(WavescopeError):
    """No account has this id."""

    def __init__(self, user_id: str) -> None:
        super().__init__(f"there is no user {user_id!r}")
        self.user_id = user_id


class UnknownGroup(WavescopeError):
    """No group has this id."""

    def __init__(self, group_id: str) -> None:
        super().__init__(f"there is no group {group_id!r}")
        self.group_id = group_id


class UnknownToken(WavescopeError):
    """No such token."""

    def __init__(self) -> None:
        super().__init__("there is no such token")


class UnknownLink(WavescopeError):
    """No such share link."""

    def __init__(self) -> None:
        super().__init__("there is no such link")


class AccountExists(WavescopeError):
    """The name is already used by another account or group."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name!r} is already in use")
        self.name = name


class LastAdmin(WavescopeError):
    """A change that would leave nobody to manage the accounts."""

    def __init__(self) -> None:
        super().__init__("at least one admin must remain")


class LaunchRefused(WavescopeError):
    """A launch from a learning platform, or its answer, that cannot be trusted (LT10).

    ``cause`` names what was wrong for the log, in words of the program alone.
    """

    def __init__(self, reason: str, cause: str = "") -> None:
        super().__init__(f"the launch from the learning platform failed: {reason}")
        self.reason, self.cause = reason, cause


class UnknownPlatform(WavescopeError):
    """No learning platform is registered so."""

    def __init__(self, platform: str) -> None:
        super().__init__(f"there is no learning platform {platform!r}")
        self.platform = platform


class PlatformExists(WavescopeError):
    """A learning platform is registered with this issuer and client id."""

    def __init__(self, issuer: str, client_id: str) -> None:
        super().__init__(f"{issuer} is registered with the client id {client_id!r}")
        self.issuer, self.client_id = issuer, client_id


class UnknownLaunch(WavescopeError):
    """No launch of this user has this id and waits for an answer."""

    def __init__(self, launch_id: str) -> None:
        super().__init__(f"there is no launch {launch_id!r} that waits for a choice")
        self.launch_id = launch_id
