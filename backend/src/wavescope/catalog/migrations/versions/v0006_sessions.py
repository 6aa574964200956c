"""Live sessions: members, events, guests, recordings."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _made(*names: tuple[str, Any]) -> list[sa.Column[Any]]:
    return [sa.Column(name, kind, nullable=False) for name, kind in names]


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("code", sa.String(16)),
        *_made(("owner", sa.String(80)), ("title", sa.Text)),
        sa.Column("passcode", sa.Text),
        *_made(("guests", sa.Boolean), ("annotating", sa.Boolean), ("slides", sa.JSON), ("sequence", sa.BigInteger)),
        *_made(("state", sa.Text), ("views", sa.Text), ("refs", sa.JSON), ("created", sa.Float), ("touched", sa.Float)),
        sa.Column("ended", sa.Float),
    )
    op.create_index("ix_sessions_code", "sessions", ["code"], unique=True)
    op.create_index("ix_sessions_owner", "sessions", ["owner"])
    op.create_index("ix_sessions_ended", "sessions", ["ended"])
    op.create_table(
        "session_members",
        sa.Column("session_id", sa.String(32), primary_key=True),
        sa.Column("member", sa.String(16), primary_key=True),
        *_made(("identity", sa.String(80)), ("name", sa.Text)),
        sa.Column("gone", sa.String(16)),
    )
    op.create_index("ix_session_members_identity", "session_members", ["identity"])
    op.create_table(
        "session_events",
        sa.Column("session_id", sa.String(32), primary_key=True),
        sa.Column("sequence", sa.BigInteger, primary_key=True),
        *_made(("time", sa.BigInteger)),
        sa.Column("by", sa.String(16)),
        sa.Column("client", sa.String(96)),
        sa.Column("ref", sa.BigInteger),
        *_made(("event", sa.Text)),
    )
    op.create_table(
        "session_guests",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        *_made(("id", sa.String(32)), ("expires", sa.Float)),
    )
    op.create_index("ix_session_guests_expires", "session_guests", ["expires"])
    op.create_table(
        "recordings",
        sa.Column("id", sa.String(32), primary_key=True),
        *_made(("session_id", sa.String(32)), ("owner", sa.String(80)), ("title", sa.Text), ("slides", sa.JSON)),
        *_made(("created", sa.Float), ("duration", sa.BigInteger), ("bytes", sa.BigInteger), ("chunks", sa.Integer)),
        *_made(("done", sa.Boolean), ("shared", sa.Boolean)),
    )
    op.create_index("ix_recordings_owner", "recordings", ["owner"])
    op.create_index("ix_recordings_session_id", "recordings", ["session_id"])
    op.create_table(
        "recording_chunks",
        sa.Column("recording_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        *_made(("body", sa.LargeBinary)),
    )


def downgrade() -> None:
    for table in ("recording_chunks", "recordings", "session_guests", "session_events", "session_members", "sessions"):
        op.drop_table(table)
