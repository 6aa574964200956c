"""Learning platforms, what is good for once, and launches (LT1, LT6, LT11)."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from wavescope.catalog.access.tokens import digest
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.tables import LaunchRow, PlatformRow, PlatformSecretRow, ScoreRow
from wavescope.catalog.slide_rows import check_title
from wavescope.errors import InvalidParameter, PlatformExists, UnknownLaunch, UnknownPlatform
from wavescope.lti.claims import Choice, Launch, web_address

MAX_DEPLOYMENTS = 100
LAUNCH_SECONDS = 400 * 86400.0  # that a launch is stored


@dataclass(frozen=True)
class PlatformFacts:
    """What an administrator states of a platform. ``deployments`` empty: any of its deployments may launch; ``frames``:
    addresses of its pages that may show ours in a frame, beside the issuer and the page that signs.
    """

    title: str
    issuer: str
    client_id: str
    authorize_url: str
    token_url: str
    keys_url: str
    deployments: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlatformRecord:
    """A registered platform; ``created`` and ``launched``, the last launch: seconds since 1970."""

    id: str
    facts: PlatformFacts
    created: float
    launched: float | None


@dataclass(frozen=True)
class BegunLaunch:
    """A launch that the platform has been asked to sign; ``browser``: the hash of what the browser stores."""

    platform: PlatformRecord
    nonce: str
    browser: str


@dataclass(frozen=True)
class WaitingChoice:
    """A launch that waits for what a teacher chooses."""

    platform: PlatformRecord
    deployment: str
    course: str
    choice: Choice


class Platforms:
    """The platforms of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def list(self) -> tuple[PlatformRecord, ...]:
        """Every platform, by title."""
        with self._catalog.reading() as session:
            return tuple(
                platform_record(row) for row in session.scalars(select(PlatformRow).order_by(PlatformRow.title))
            )

    def add(self, facts: PlatformFacts) -> PlatformRecord:
        """Raises InvalidParameter, PlatformExists."""
        _check(facts)
        with self._catalog.writing(rights=False) as session:
            if _known(session, facts.issuer, facts.client_id):
                raise PlatformExists(facts.issuer, facts.client_id)
            row = PlatformRow(
                id=uuid.uuid4().hex, title=check_title(facts.title), issuer=facts.issuer, client_id=facts.client_id,
                deployments=list(facts.deployments), frames=list(facts.frames), authorize_url=facts.authorize_url,
                token_url=facts.token_url, keys_url=facts.keys_url, created=time.time(),
            )  # fmt: skip
            session.add(row)
            session.flush()
            return platform_record(row)

    def remove(self, platform_id: str) -> PlatformRecord:
        """With its launches and their scores; accounts stay. Raises UnknownPlatform."""
        with self._catalog.writing(rights=False) as session:
            row = session.get(PlatformRow, platform_id)
            if row is None:
                raise UnknownPlatform(platform_id)
            found = platform_record(row)
            launches = select(LaunchRow.id).where(LaunchRow.platform_id == platform_id)
            session.execute(delete(ScoreRow).where(ScoreRow.launch_id.in_(launches)))
            session.execute(delete(LaunchRow).where(LaunchRow.platform_id == platform_id))
            session.execute(delete(PlatformSecretRow).where(PlatformSecretRow.platform_id == platform_id))
            session.delete(row)
            return found

    def find(self, issuer: str, client_id: str | None) -> PlatformRecord:
        """The platform; without a client id the only one of the issuer. Raises UnknownPlatform."""
        with self._catalog.reading() as session:
            found = _known(session, issuer, client_id)
            if len(found) != 1:
                raise UnknownPlatform(issuer[:200])
            return platform_record(found[0])

    # -- what is good for once

    def invite(self, secret: str, expires: float) -> None:
        """Lets a platform register itself with this secret, once."""
        with self._catalog.writing(rights=False) as session:
            _forget_expired(session)
            session.add(_secret("register", secret, None, "", "", expires))

    def invited(self, secret: str, now: float) -> bool:
        """Whether a platform may register itself with this secret; not after this answer."""
        return self._used("register", secret, now) is not None

    def begin(self, platform: PlatformRecord, state: str, nonce: str, browser: str, expires: float) -> None:
        """Stores a launch that the platform is asked to sign; of the secrets only hashes."""
        with self._catalog.writing(rights=False) as session:
            _forget_expired(session)
            session.add(_secret("login", state, platform.id, digest(nonce), digest(browser), expires))

    def begun(self, state: str, now: float) -> BegunLaunch | None:
        """The launch of this state; None: there is none, or its time is over. It is never found again."""
        row = self._used("login", state, now)
        if row is None:
            return None
        with self._catalog.reading() as session:
            platform = session.get(PlatformRow, row.platform_id)
            return None if platform is None else BegunLaunch(platform_record(platform), row.nonce, row.browser)

    def _used(self, kind: str, secret: str, now: float) -> PlatformSecretRow | None:
        with self._catalog.writing(rights=False) as session:
            wanted = (PlatformSecretRow.hash == digest(secret), PlatformSecretRow.kind == kind)
            row = session.scalar(select(PlatformSecretRow).where(*wanted).with_for_update())
            if row is None:
                return None
            session.expunge(row)
            session.execute(delete(PlatformSecretRow).where(PlatformSecretRow.hash == row.hash))
            return row if row.expires > now else None

    # -- launches

    def note_launch(self, platform_id: str, now: float) -> None:
        """Notes that the platform has launched."""
        with self._catalog.writing(rights=False) as session:
            session.execute(update(PlatformRow).where(PlatformRow.id == platform_id).values(launched=now))

    def launched(self, platform: PlatformRecord, user_id: str, launch: Launch, now: float) -> str:
        """Stores a launch whose quiz may have a score, or that waits for a choice; its id."""
        quiz = launch.target.id if launch.target is not None and launch.target.kind == "quizzes" else None
        with self._catalog.writing(rights=False) as session:
            session.execute(delete(LaunchRow).where(LaunchRow.created < now - LAUNCH_SECONDS))
            row = LaunchRow(
                id=uuid.uuid4().hex, platform_id=platform.id, user_id=user_id, subject=launch.subject,
                deployment=launch.deployment, course=launch.course, quiz_id=quiz,
                line_item=launch.line_item if quiz else None, memberships=launch.memberships if quiz else None,
                return_url=launch.choice and launch.choice.return_url,
                data=launch.choice and launch.choice.data, created=now,
            )  # fmt: skip
            session.add(row)
            return row.id

    def waiting(self, launch_id: str, user_id: str, since: float) -> WaitingChoice:
        """A launch of the user, begun after ``since``, that waits for a choice. Raises UnknownLaunch."""
        with self._catalog.reading() as session:
            return _waiting(session, launch_id, user_id, since)

    def chosen(self, launch_id: str, user_id: str, since: float) -> WaitingChoice:
        """As ``waiting``; it waits no longer."""
        with self._catalog.writing(rights=False) as session:
            found = _waiting(session, launch_id, user_id, since)
            session.execute(delete(LaunchRow).where(LaunchRow.id == launch_id))
            return found


def _waiting(session: Session, launch_id: str, user_id: str, since: float) -> WaitingChoice:
    row = session.get(LaunchRow, launch_id)
    platform = None if row is None else session.get(PlatformRow, row.platform_id)
    if row is None or platform is None or row.return_url is None or row.user_id != user_id or row.created < since:
        raise UnknownLaunch(launch_id[:40])
    return WaitingChoice(platform_record(platform), row.deployment, row.course, Choice(row.return_url, row.data))


def _known(session: Session, issuer: str, client_id: str | None) -> Sequence[PlatformRow]:
    query = select(PlatformRow).where(PlatformRow.issuer == issuer)
    return session.scalars(query if client_id is None else query.where(PlatformRow.client_id == client_id)).all()


def _forget_expired(session: Session) -> None:
    session.execute(delete(PlatformSecretRow).where(PlatformSecretRow.expires < time.time()))


def _secret(
    kind: str, secret: str, platform_id: str | None, nonce: str, browser: str, expires: float
) -> PlatformSecretRow:
    return PlatformSecretRow(
        hash=digest(secret), kind=kind, platform_id=platform_id, nonce=nonce, browser=browser, expires=expires
    )


def _check(facts: PlatformFacts) -> None:
    named = [(name, getattr(facts, name)) for name in ("issuer", "authorize_url", "token_url", "keys_url")]
    for name, address in (*named, *(("frames", one) for one in facts.frames)):
        if not web_address(address):
            raise InvalidParameter(name, address[:200], "an address with https, or http on this machine")
    for text in (facts.client_id, *facts.deployments):
        if not 1 <= len(text) <= 255 or not text.isprintable():
            raise InvalidParameter("client_id or deployments", text[:80], "1 to 255 printable characters")
    if len(facts.issuer) > 255 or len(facts.deployments) > MAX_DEPLOYMENTS:
        raise InvalidParameter("deployments", len(facts.deployments), f"at most {MAX_DEPLOYMENTS}")


def platform_record(row: PlatformRow) -> PlatformRecord:
    facts = PlatformFacts(
        row.title, row.issuer, row.client_id, row.authorize_url, row.token_url, row.keys_url,
        tuple(row.deployments), tuple(row.frames),
    )  # fmt: skip
    return PlatformRecord(row.id, facts, row.created, row.launched)
