"""The courses whose learners are launched to a quiz, and who of them has begun (LT30)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import select

from wavescope.catalog.access.tokens import digest
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.lti.platforms import PlatformRecord, platform_record
from wavescope.catalog.lti.tables import LaunchRow, PlatformRow
from wavescope.catalog.tables import AttemptRow, GroupRow, UserRow

MAX_COURSES = 20  # of one quiz


@dataclass(frozen=True)
class CourseRecord:
    """A course in which a quiz is taken. ``memberships``: where its people may be read, as the newest launch says."""

    platform: PlatformRecord
    title: str
    memberships: str


class Courses:
    """The courses of a catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def of(self, quiz_id: str, groups: Collection[str]) -> tuple[CourseRecord, ...]:
        """Those from which the quiz was opened and whose groups are among these, by title."""
        query = (
            select(LaunchRow.course, LaunchRow.memberships, PlatformRow)
            .join(PlatformRow, PlatformRow.id == LaunchRow.platform_id)
            .where(LaunchRow.quiz_id == quiz_id, LaunchRow.memberships.is_not(None), LaunchRow.course != "")
            .order_by(LaunchRow.created)
        )
        found: dict[str, CourseRecord] = {}
        with self._catalog.reading() as session:
            own = session.execute(select(GroupRow.course, GroupRow.name).where(GroupRow.id.in_(groups)))
            titles = {course: name for course, name in own if course is not None}
            for course, memberships, platform in session.execute(query):
                key = course_key(platform.id, course)
                if key in titles and memberships is not None:
                    found[key] = CourseRecord(platform_record(platform), titles[key], memberships)
        return tuple(sorted(found.values(), key=lambda one: one.title))[:MAX_COURSES]

    def begun(self, quiz_id: str) -> frozenset[str]:
        """The subjects of the accounts that have begun a quiz."""
        query = select(UserRow.subject).join(AttemptRow, AttemptRow.user_id == UserRow.id)
        with self._catalog.reading() as session:
            found = session.scalars(query.where(AttemptRow.quiz_id == quiz_id).distinct())
            return frozenset(one for one in found if one is not None)


def course_key(platform_id: str, course: str) -> str:
    """What tells the group of a course's people from others (LT13)."""
    return digest(f"{platform_id} {course}")


def account_subject(platform: PlatformRecord, subject: str) -> str:
    """What the account of a platform's person is found by (LT12)."""
    return f"lti {platform.facts.issuer} {platform.facts.client_id} {subject}"
