"""The tables. Changing one means a new file in ``migrations/versions``."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Boolean, Float, Index, Integer, String, Text, false
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

REVISION = "0035"  # the newest migration


WORD = String(64).with_variant(String(64, collation="C"), "postgresql")  # ordered by its code points


class Base(DeclarativeBase):
    """The tables of the catalog."""


class SlideRow(Base):
    """A slide: a permanent id that refers to the current version."""

    __tablename__ = "slides"
    id: Mapped[str] = mapped_column(String(128), primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64))
    manifest: Mapped[dict[str, Any]] = mapped_column(JSON)
    search: Mapped[str] = mapped_column(Text)  # as programs up to revision 0017 search it; now WordRow
    tags: Mapped[dict[str, str]] = mapped_column(JSON)  # key-value pairs that users have added: stain, organ ...
    created: Mapped[float] = mapped_column(Float)  # seconds since 1970
    updated: Mapped[float] = mapped_column(Float)
    trashed: Mapped[float | None] = mapped_column(Float)  # when it went to the trash; None: it is not there
    owner: Mapped[str] = mapped_column(String(32), server_default="")  # a user's id; empty: it belongs to the admins
    public: Mapped[bool] = mapped_column(Boolean, server_default=false())
    # a scale entered by a person, see scale.Calibration
    calibration: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # mixes of channels that users have saved, see mixes.SavedMixes
    mixes: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # what its scan was found to have, see quality_maps.Findings; None: it was not judged
    findings: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))

    __table_args__ = (
        Index("ix_slides_trashed", "trashed"),
        Index("ix_slides_owner", "owner"),
        # all that a listing decides on: it reads no other row than those of its page
        Index("ix_slides_listed", "trashed", "created", "id", "owner", "public"),
    )


class LabelRow(Base):
    """What a slide can be found by: its tags (``tag.KEY``) and facts from its manifest. Derived from SlideRow, whose
    owner, publicness and time of deletion stand here again: labels are counted by the index alone.
    """

    __tablename__ = "labels"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str] = mapped_column(String(200))
    owner: Mapped[str] = mapped_column(String(32), server_default="")
    public: Mapped[bool] = mapped_column(Boolean, server_default=false())
    trashed: Mapped[float | None] = mapped_column(Float)

    __table_args__ = (
        Index("ix_labels_name_value", "name", "value"),
        Index("ix_labels_counted", "name", "value", "trashed", "owner", "public", "slide_id"),
    )


class WordRow(Base):
    """A casefolded word that a slide is found by. ``part``: of the row itself (``slide``), its ``tours``, or its
    ``notes``: names, texts and classes of annotations. ``uses``: in how many of these it is. Derived.
    """

    __tablename__ = "words"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    part: Mapped[str] = mapped_column(String(8), primary_key=True)
    word: Mapped[str] = mapped_column(WORD, primary_key=True)
    uses: Mapped[int] = mapped_column(Integer, server_default="1")

    __table_args__ = (Index("ix_words_word", "word", "slide_id"),)


class CaseRow(Base):
    """A case or a collection: slides in an order. ``revision`` counts its changes."""

    __tablename__ = "cases"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(16))
    description: Mapped[str] = mapped_column(Text, server_default="")
    revision: Mapped[int] = mapped_column(Integer)
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)
    owner: Mapped[str] = mapped_column(String(32), server_default="")  # as of a slide
    public: Mapped[bool] = mapped_column(Boolean, server_default=false())
    parent: Mapped[str] = mapped_column(String(32), server_default="")  # the collection that it lies in; empty: in none

    __table_args__ = (Index("ix_cases_parent", "parent"),)


class CaseSlideRow(Base):
    """A slide's position in a case. Slides in the trash keep theirs."""

    __tablename__ = "case_slides"
    case_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    position: Mapped[int] = mapped_column(Integer)

    __table_args__ = (Index("ix_case_slides_slide_id", "slide_id"),)


class OverlayRow(Base):
    """An overlay of a slide: shapes in a file that never changes. The file is collected with its last row."""

    __tablename__ = "overlays"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)  # of the job that imported it
    slide_id: Mapped[str] = mapped_column(String(128))  # empty: no slide has it
    sha256: Mapped[str] = mapped_column(String(64))
    fingerprint: Mapped[str] = mapped_column(String(64))  # of the source of the slide version it was made for
    name: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    position: Mapped[int] = mapped_column(Integer)
    author: Mapped[str] = mapped_column(Text)
    manifest: Mapped[dict[str, Any]] = mapped_column(JSON)  # OV19
    transform: Mapped[list[float]] = mapped_column(JSON)  # that its import has applied
    hidden: Mapped[bool] = mapped_column(Boolean, server_default=false())  # until a person shows it
    created: Mapped[float] = mapped_column(Float)
    removed: Mapped[float | None] = mapped_column(Float)  # None: the slide has it

    __table_args__ = (
        Index("ix_overlays_slide_id", "slide_id"),
        Index("ix_overlays_sha256", "sha256"),
        Index("ix_overlays_removed", "removed"),
    )


class RegistrationRow(Base):
    """Where the tissue of one slide version lies on that of another. Derived: a row that is gone is made again."""

    __tablename__ = "registrations"
    left: Mapped[str] = mapped_column(String(64), primary_key=True)
    right: Mapped[str] = mapped_column(String(64), primary_key=True)
    made_by: Mapped[int] = mapped_column(Integer)  # the revision of the method
    result: Mapped[dict[str, Any]] = mapped_column(JSON)  # RE3, RE4; or {"differ": why}

    __table_args__ = (Index("ix_registrations_right", "right"),)


class DocumentRow(Base):
    """What belongs to a slide or to a case's slides as one document, with a revision."""

    __abstract__ = True
    noun: ClassVar[str]
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slide_id: Mapped[str | None] = mapped_column(String(128))
    case_id: Mapped[str | None] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(Text)
    revision: Mapped[int] = mapped_column(Integer)
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)

    @declared_attr.directive
    def __table_args__(cls) -> tuple[Index, ...]:  # noqa: N805
        return tuple(Index(f"ix_{cls.__tablename__}_{name}", name) for name in ("slide_id", "case_id"))


class TourRow(DocumentRow):
    """A guided tour."""

    __tablename__ = "tours"
    noun = "tour"


class QuizRow(DocumentRow):
    """A quiz, with its keys."""

    __tablename__ = "quizzes"
    noun = "quiz"


class AttemptRow(Base):
    """One person's ``number``-th attempt at a quiz (QZ15)."""

    __tablename__ = "attempts"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    quiz_id: Mapped[str] = mapped_column(String(32))
    user_id: Mapped[str] = mapped_column(String(32))
    number: Mapped[int] = mapped_column(Integer)
    seed: Mapped[int] = mapped_column(Integer)  # of its order
    begun: Mapped[float] = mapped_column(Float)
    ends: Mapped[float | None] = mapped_column(Float)  # None: no time limit
    ended: Mapped[float | None] = mapped_column(Float)  # by the person

    __table_args__ = (
        Index("ix_attempts_one", "quiz_id", "user_id", "number", unique=True),
        Index("ix_attempts_user_id", "user_id"),
    )


class AnswerRow(Base):
    """The answer to a question of an attempt."""

    __tablename__ = "answers"
    attempt_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    question_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    answer: Mapped[dict[str, Any]] = mapped_column(JSON)
    saved: Mapped[float] = mapped_column(Float)
    share: Mapped[float | None] = mapped_column(Float)  # given by a person (QZ25)
    comment: Mapped[str | None] = mapped_column(Text)


class SeenRow(Base):
    """What a user saw of a slide (CV8). ``shared``: without a name, with those who own the slide (CV12)."""

    __tablename__ = "coverage"
    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    seen: Mapped[dict[str, Any]] = mapped_column(JSON)
    changed: Mapped[float] = mapped_column(Float)
    shared: Mapped[bool] = mapped_column(Boolean, server_default=false())

    __table_args__ = (Index("ix_coverage_slide_id", "slide_id"),)


class VersionRow(Base):
    """A version that a slide has or had. It is served until it is collected."""

    __tablename__ = "versions"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    created: Mapped[float] = mapped_column(Float)
    retired: Mapped[float | None] = mapped_column(Float)  # None: current

    __table_args__ = (Index("ix_versions_digest", "digest"), Index("ix_versions_retired", "retired"))


class JobRow(Base):
    """An ingest job, so that it survives a restart."""

    __tablename__ = "jobs"
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    state: Mapped[str] = mapped_column(String(16))
    filename: Mapped[str] = mapped_column(Text)
    options: Mapped[dict[str, Any]] = mapped_column(JSON)
    slide_id: Mapped[str | None] = mapped_column(String(128))
    done: Mapped[int] = mapped_column(BigInteger)
    total: Mapped[int] = mapped_column(BigInteger)
    error: Mapped[dict[str, Any] | None] = mapped_column(JSON)
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)
    notices: Mapped[list[str] | None] = mapped_column(JSON)
    node: Mapped[str | None] = mapped_column(String(128))  # that runs it, or ran it last
    beat: Mapped[float | None] = mapped_column(Float)  # of that node, by the clock of the database
    lease: Mapped[int] = mapped_column(BigInteger, server_default="0")  # how often it was taken
    attempts: Mapped[int] = mapped_column(Integer, server_default="0")  # how many nodes were lost that ran it
    change: Mapped[int] = mapped_column(BigInteger, server_default="0")  # counts changes of the row
    wish: Mapped[str | None] = mapped_column(String(16))  # of a client, for the node that runs it: cancel, anew
    rate: Mapped[float | None] = mapped_column(Float)  # tiles a second


class AnnotationSlideRow(Base):
    """Counts per slide: its changes, and the objects that are not deleted. Locked by every write of annotations."""

    __tablename__ = "annotation_slides"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    sequence: Mapped[int] = mapped_column(BigInteger)
    objects: Mapped[int] = mapped_column(BigInteger)
    comments: Mapped[int] = mapped_column(BigInteger, server_default="0")  # counts changes of comments


class AnnotationRow(Base):
    """An annotation, or what is left of a deleted one: its id and revision."""

    __tablename__ = "annotations"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    revision: Mapped[int] = mapped_column(Integer)
    sequence: Mapped[int] = mapped_column(BigInteger)  # of its last change
    deleted: Mapped[bool] = mapped_column(Boolean)
    content: Mapped[str] = mapped_column(Text)  # canonical JSON; empty when deleted
    z: Mapped[int] = mapped_column(Integer)
    min_x: Mapped[float] = mapped_column(Float)
    min_y: Mapped[float] = mapped_column(Float)
    max_x: Mapped[float] = mapped_column(Float)
    max_y: Mapped[float] = mapped_column(Float)
    author: Mapped[str] = mapped_column(Text)
    editor: Mapped[str] = mapped_column(Text)  # of the last change
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)
    locked: Mapped[str] = mapped_column(Text, server_default="")  # the name of who locked it
    imported: Mapped[str] = mapped_column(Text, server_default="")  # the document that added it

    __table_args__ = (Index("ix_annotations_sequence", "slide_id", "sequence"),)


class AnnotationClassRow(Base):
    """The colour of a class of annotations."""

    __tablename__ = "annotation_classes"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    color: Mapped[int] = mapped_column(Integer)  # 0xRRGGBB


class CommentRow(Base):
    """A comment on an annotation, or what is left of a deleted one."""

    __tablename__ = "comments"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    annotation_id: Mapped[str] = mapped_column(String(64))
    reply_to: Mapped[str | None] = mapped_column(String(64))  # the comment that it answers
    sequence: Mapped[int] = mapped_column(BigInteger)  # of its last change
    author: Mapped[str] = mapped_column(Text)
    author_id: Mapped[str] = mapped_column(String(64))  # of the account or guest; empty: a link holder, the local user
    text: Mapped[str] = mapped_column(Text)  # empty when deleted
    deleted: Mapped[bool] = mapped_column(Boolean)
    created: Mapped[float] = mapped_column(Float)
    edited: Mapped[float | None] = mapped_column(Float)

    __table_args__ = (
        Index("ix_comments_sequence", "slide_id", "sequence"),
        Index("ix_comments_author_id", "author_id"),
    )


class MentionRow(Base):
    """An account that a comment names; ``name`` as it is written there."""

    __tablename__ = "mentions"
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    comment_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(Text)

    __table_args__ = (Index("ix_mentions_user_id", "user_id"),)


class CommentReadRow(Base):
    """How far a user has read the comments on an annotation."""

    __tablename__ = "comments_read"
    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    slide_id: Mapped[str] = mapped_column(String(128), primary_key=True)
    annotation_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    sequence: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_comments_read_slide_id", "slide_id"),)


class UserRow(Base):
    """An account. ``password`` is an argon2 hash; None: signs in elsewhere only."""

    __tablename__ = "users"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(64), unique=True)  # to sign in with, casefolded
    title: Mapped[str] = mapped_column(Text)  # for people
    password: Mapped[str | None] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(16))
    disabled: Mapped[bool] = mapped_column(Boolean)
    subject: Mapped[str | None] = mapped_column(String(400), unique=True)  # "issuer subject" of an OIDC provider
    must_change: Mapped[bool] = mapped_column(Boolean, server_default=false())  # the password, at the next sign-in
    created: Mapped[float] = mapped_column(Float)
    updated: Mapped[float] = mapped_column(Float)


class GroupRow(Base):
    """A set of users to share slides with."""

    __tablename__ = "groups"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    created: Mapped[float] = mapped_column(Float)
    course: Mapped[str | None] = mapped_column(String(64))  # the hash of a course of a learning platform (LT13)

    __table_args__ = (Index("ix_groups_course", "course", unique=True),)


class MemberRow(Base):
    """A user's membership of a group. ``external``: added, and also removed, by the OIDC provider."""

    __tablename__ = "group_members"
    group_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    external: Mapped[bool] = mapped_column(Boolean)

    __table_args__ = (Index("ix_group_members_user_id", "user_id"),)


class TokenRow(Base):
    """A secret that represents a user, stored as a hash. ``kind``: sign-in, renew, personal. ``family``: of one sign-
    in. ``scopes``: of a personal token, separated by spaces; empty: all.
    """

    __tablename__ = "tokens"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    family: Mapped[str] = mapped_column(String(32))
    kind: Mapped[str] = mapped_column(String(16))
    user_id: Mapped[str] = mapped_column(String(32))
    title: Mapped[str] = mapped_column(Text)
    created: Mapped[float] = mapped_column(Float)
    expires: Mapped[float | None] = mapped_column(Float)
    used: Mapped[float | None] = mapped_column(Float)
    scopes: Mapped[str] = mapped_column(Text, default="")

    __table_args__ = (Index("ix_tokens_family", "family"), Index("ix_tokens_user_id", "user_id"))


class SecondFactorRow(Base):
    """An account's TOTP secret, encrypted; ``pending``: not confirmed yet; ``last_step``: the latest used."""

    __tablename__ = "second_factors"
    user_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    secret: Mapped[str | None] = mapped_column(Text)
    pending: Mapped[str | None] = mapped_column(Text)
    last_step: Mapped[int] = mapped_column(BigInteger)
    confirmed: Mapped[float | None] = mapped_column(Float)


class RecoveryCodeRow(Base):
    """A code that replaces a code of the second factor once, stored as a hash."""

    __tablename__ = "recovery_codes"
    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[str] = mapped_column(String(32))

    __table_args__ = (Index("ix_recovery_codes_user_id", "user_id"),)


class ShareRow(Base):
    """A right to a slide or a case (``scope``), of a user or a group (``kind``)."""

    __tablename__ = "shares"
    scope: Mapped[str] = mapped_column(String(8), primary_key=True)
    target: Mapped[str] = mapped_column(String(128), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    subject: Mapped[str] = mapped_column(String(32), primary_key=True)
    right: Mapped[str] = mapped_column(String(16))

    __table_args__ = (Index("ix_shares_subject", "kind", "subject"),)


class LinkRow(Base):
    """A share link; its token is stored as a hash. ``maker``: a user's id, empty for the local user."""

    __tablename__ = "links"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    hash: Mapped[str] = mapped_column(String(64), unique=True)
    scope: Mapped[str] = mapped_column(String(8))
    target: Mapped[str] = mapped_column(String(128))
    right: Mapped[str] = mapped_column(String(16))
    title: Mapped[str] = mapped_column(Text)
    maker: Mapped[str] = mapped_column(String(32))
    created: Mapped[float] = mapped_column(Float)
    expires: Mapped[float | None] = mapped_column(Float)
    revoked: Mapped[float | None] = mapped_column(Float)
    used: Mapped[float | None] = mapped_column(Float)

    __table_args__ = (Index("ix_links_target", "scope", "target"),)


class RightsMarkRow(Base):
    """One row: a random mark, another one after each change that rights or served versions depend on."""

    __tablename__ = "rights_mark"
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    mark: Mapped[str] = mapped_column(String(32))


class KeyRow(Base):
    """A key that signs grants; ``private`` is a JWK."""

    __tablename__ = "signing_keys"
    kid: Mapped[str] = mapped_column(String(64), primary_key=True)
    private: Mapped[dict[str, Any]] = mapped_column(JSON)
    created: Mapped[float] = mapped_column(Float)


class NodeRow(Base):
    """A node of a cluster. Times by the database's clock; ``backend``: the process there that serves its connection."""

    __tablename__ = "nodes"
    name: Mapped[str] = mapped_column(String(128), primary_key=True)
    url: Mapped[str] = mapped_column(Text)
    instance: Mapped[str] = mapped_column(String(32), unique=True)  # another one after each start
    started: Mapped[float] = mapped_column(Float)
    seen: Mapped[float] = mapped_column(Float)
    backend: Mapped[int] = mapped_column(Integer)
