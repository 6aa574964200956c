"""The routes of comments on annotations (annotations.md, section 10)."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request

from wavescope.api.http.body import json_body, read_model
from wavescope.api.parameters import CommentsParameter
from wavescope.api.routing import new_router
from wavescope.api.schemas.numbers import Count, ParameterInteger
from wavescope.api.state import PrincipalParameter
from wavescope.catalog.comments import Comment
from wavescope.service.slides.annotations import iso_time

router = new_router("annotations", "reads")

COMMENTS = "/slides/{slide_id}/comments"
BODY = 64 * 1024  # bytes
NO_STORE = {"cache-control": "no-store"}


class CommentView(BaseModel):
    """A comment on an annotation (AN46)."""

    id: str
    annotation: str
    reply_to: str | None = Field(description="the comment that it answers")
    sequence: Count
    author: str
    text: str = Field(description="empty when it is deleted")
    deleted: bool
    created: str
    edited: str | None = Field(description="when its author changed the text")
    mentions: list[str] = Field(description="names of accounts, as they are written after @")
    own: bool = Field(description="whether the user may change its text")


class CommentList(BaseModel):
    """Comments in the order of their last change (AN47)."""

    comments: list[CommentView]
    sequence: Count = Field(description="the next request uses since=sequence")
    more: bool = Field(description="whether more changes can be read now")
    read: dict[str, int] = Field(description="by annotation, up to which sequence the account has read")


class CommentChange(BaseModel):
    """A new comment, or another text of it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    annotation: str
    reply_to: str | None = None
    text: str


class CommentsRead(BaseModel):
    """The user has read the comments on an annotation up to a sequence (AN49)."""

    model_config = ConfigDict(extra="forbid", strict=True)
    annotation: str
    sequence: int = Field(ge=0, le=2**53)


class SlidePeople(BaseModel):
    """Names of people whom a comment on the slide may mention (AN48)."""

    names: list[str]


class MentionView(BaseModel):
    """A comment that names the user, or answers one of the user's."""

    slide: str
    title: str = Field(description="of the slide")
    comment: CommentView


class MentionList(BaseModel):
    """Unread comments that name the user or answer the user's, the newest first (AN49, AN55)."""

    mentions: list[MentionView]


@router.get(COMMENTS)
async def list_comments(
    slide_id: str,
    comments: CommentsParameter,
    principal: PrincipalParameter,
    response: Response,
    since: ParameterInteger | None = None,
    limit: ParameterInteger = 1000,
) -> CommentList:
    """The comments of a slide, or those changed after ``since`` (AN47)."""
    page = await comments.page(principal, slide_id, since, limit)
    response.headers.update(NO_STORE)
    views = [_view(one, principal) for one in page.comments]
    return CommentList(comments=views, sequence=page.sequence, more=page.more, read=dict(page.read))


@router.put(COMMENTS + "/{comment_id}", openapi_extra=json_body(CommentChange))
async def save_comment(
    slide_id: str, comment_id: str, request: Request, comments: CommentsParameter, principal: PrincipalParameter
) -> CommentView:
    """Adds a comment, or changes the text of an own one; sending it again changes nothing (AN46)."""
    change = await read_model(request, CommentChange, BODY)
    saved = await comments.save(principal, slide_id, comment_id, change.annotation, change.reply_to, change.text)
    return _view(saved, principal)


@router.delete(COMMENTS + "/{comment_id}", status_code=204)
async def delete_comment(
    slide_id: str, comment_id: str, comments: CommentsParameter, principal: PrincipalParameter
) -> None:
    """Deletes the text of a comment: its author, or who owns the slide (AN46)."""
    await comments.delete(principal, slide_id, comment_id)


@router.post(COMMENTS + ":read", status_code=204, openapi_extra=json_body(CommentsRead))
async def read_comments(
    slide_id: str, request: Request, comments: CommentsParameter, principal: PrincipalParameter
) -> None:
    """The user has read the comments on an annotation (AN49)."""
    body = await read_model(request, CommentsRead, BODY)
    await comments.read(principal, slide_id, body.annotation, body.sequence)


@router.get("/slides/{slide_id}/people")
async def find_slide_people(
    slide_id: str,
    comments: CommentsParameter,
    principal: PrincipalParameter,
    response: Response,
    search: Annotated[str, Query(max_length=100)] = "",
) -> SlidePeople:
    """People who see the slide and whom a comment may mention (AN48)."""
    response.headers.update(NO_STORE)
    return SlidePeople(names=list(await comments.people(principal, slide_id, search)))


@router.get("/me/mentions")
async def list_mentions(comments: CommentsParameter, principal: PrincipalParameter, response: Response) -> MentionList:
    """Unread comments on all slides that name the user, or answer the user's (AN49, AN55)."""
    response.headers.update(NO_STORE)
    found = await comments.mentions(principal)
    views = [
        MentionView(slide=one.slide_id, title=one.slide_title, comment=_view(one.comment, principal)) for one in found
    ]
    return MentionList(mentions=views)


def _view(comment: Comment, principal: Any) -> CommentView:
    return CommentView(
        id=comment.id,
        annotation=comment.annotation_id,
        reply_to=comment.reply_to,
        sequence=comment.sequence,
        author=comment.author,
        text=comment.text,
        deleted=comment.deleted,
        created=iso_time(comment.created),
        edited=None if comment.edited is None else iso_time(comment.edited),
        mentions=list(comment.mentions),
        own=principal.local or (principal.id != "" and principal.id == comment.author_id),
    )
