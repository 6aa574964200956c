"""Comments on annotations for those who may see or change them: threads, mentions, what is unread (AN46 to AN49)."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Sequence

from wavescope.access.principal import user_principal
from wavescope.annotations.mentions import mentioned
from wavescope.catalog.access.accounts import Accounts
from wavescope.catalog.access.sharing import SharingTable
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.comments import Comment, CommentPage, CommentTable, Mention, NewComment, Writer
from wavescope.config import Limits
from wavescope.errors import Forbidden, InvalidParameter, SignInRequired, TooLarge
from wavescope.service.access.gate import Gate, Principal, require, require_in_thread
from wavescope.service.slides.annotations import check_annotation_id

TEXT = 4000  # characters of a comment
PAGE = 1000  # comments in one answer
NAMES = 20  # people in one answer
MENTIONS = 100  # in one answer


class CommentService:
    """The comments of all slides. All methods raise Forbidden, SignInRequired, UnknownSlide."""

    def __init__(self, catalog: Catalog, gate: Gate, limits: Limits) -> None:
        self._gate, self._sharing, self._accounts = gate, SharingTable(catalog), Accounts(catalog)
        self._table = CommentTable(catalog.engine, max_comments=limits.comments)

    async def page(self, principal: Principal, slide_id: str, since: int | None, limit: int) -> CommentPage:
        """Comments in the order of their changes, with how far an account has read. Raises InvalidParameter."""
        await require_in_thread(self._gate, principal, "view annotations", slide_id)
        if not 1 <= limit <= PAGE:
            raise InvalidParameter("limit", limit, f"1 to {PAGE}")
        if since is not None and since < 0:
            raise InvalidParameter("since", since, "a sequence, not negative")
        return await asyncio.to_thread(self._table.page, slide_id, since, limit, _account(principal))

    async def save(
        self, principal: Principal, slide_id: str, comment_id: str, annotation_id: str, reply_to: str | None, text: str
    ) -> Comment:
        """A new comment, or another text of the principal's own.

        Raises UnknownAnnotation, UnknownComment, InvalidParameter, TooLarge.
        """
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)
        for one in (comment_id, annotation_id, *([] if reply_to is None else [reply_to])):
            check_annotation_id(one)
        return await asyncio.to_thread(
            self._save, principal, slide_id, NewComment(comment_id, annotation_id, reply_to, _checked(text), {})
        )

    def _save(self, principal: Principal, slide_id: str, new: NewComment) -> Comment:
        before = self._table.find(slide_id, new.id)
        if before is not None and not before.deleted and before.text != new.text:
            self._require_author(principal, before)
        people = self._people(slide_id) if "@" in new.text and not principal.local else {}
        new = new._replace(mentions=mentioned(new.text, people))
        return self._table.save(slide_id, new, Writer(principal.name, principal.id))

    async def delete(self, principal: Principal, slide_id: str, comment_id: str) -> None:
        """Of the principal's own comments, or any for who owns the slide. Raises UnknownComment."""
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)

        def work() -> None:
            comment = self._table.get(slide_id, comment_id)
            if not self._gate(principal, "share slide", slide_id):
                self._require_author(principal, comment)
            self._table.delete(slide_id, comment_id)

        await asyncio.to_thread(work)

    async def read(self, principal: Principal, slide_id: str, annotation_id: str, sequence: int) -> None:
        """The principal has read the comments on an annotation. Raises UnknownAnnotation."""
        require(self._gate, principal, "own account")
        await require_in_thread(self._gate, principal, "view annotations", slide_id)
        check_annotation_id(annotation_id)
        await asyncio.to_thread(self._table.read, slide_id, annotation_id, principal.id, sequence)

    async def people(self, principal: Principal, slide_id: str, search: str) -> Sequence[str]:
        """Names of people whom a comment on the slide may mention, the first 20 that begin with the search, or have a
        word that does.
        """
        await require_in_thread(self._gate, principal, "edit annotations", slide_id)
        if principal.local:
            return ()
        if not principal.user:
            raise SignInRequired("find people")
        wanted = search.strip().casefold()
        names = sorted(set((await asyncio.to_thread(self._people, slide_id)).values()), key=str.casefold)
        found = [one for one in names if f" {one.casefold()}".find(f" {wanted}") >= 0 and one != principal.name]
        return found[:NAMES]

    async def mentions(self, principal: Principal) -> Sequence[Mention]:
        """Unread comments that name the principal, on slides that it sees, the newest first."""
        require(self._gate, principal, "own account")

        def work() -> Sequence[Mention]:
            found = self._table.unread_mentions(principal.id, MENTIONS)
            seen = {
                slide: self._gate(principal, "view annotations", slide) for slide in {one.slide_id for one in found}
            }
            return [one for one in found if seen[one.slide_id]]

        return [] if principal.local else await asyncio.to_thread(work)

    def _people(self, slide_id: str) -> dict[str, str]:
        """Accounts that may see the slide and are known on it: its owners, those it is shared with, who commented."""
        known = self._sharing.people(slide_id) | self._table.authors(slide_id)
        users = [user for user in self._accounts.some(known) if not user.disabled]
        principals = {user.id: user_principal(user.id, user.title, user.role, user.groups) for user in users}
        return {
            user_id: one.name for user_id, one in principals.items() if self._gate(one, "view annotations", slide_id)
        }

    def _require_author(self, principal: Principal, comment: Comment) -> None:
        if not principal.local and (not principal.id or principal.id != comment.author_id):
            raise Forbidden("change a comment of another author")


def _account(principal: Principal) -> str | None:
    """Whose unread marks are stored."""
    return principal.id if principal.user or principal.local else None


def _checked(text: str) -> str:
    """The text in Unicode's composed form, without space at its ends. Raises InvalidParameter, TooLarge."""
    found = unicodedata.normalize("NFC", text).strip()
    if len(found) > TEXT:
        raise TooLarge("the characters of a comment", len(found), TEXT)
    if not found or not all(one.isprintable() or one in "\n\t\u200d" for one in found):
        raise InvalidParameter("text", found[:80], "printable text that is not empty")
    return found
