"""Locks of annotations, comments on them with mentions, and how far users have read (AN45 to AN49)."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("annotations", sa.Column("locked", sa.Text, nullable=False, server_default=""))
    op.add_column("annotation_slides", sa.Column("comments", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "comments",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("annotation_id", sa.String(64), nullable=False),
        sa.Column("reply_to", sa.String(64)),
        sa.Column("sequence", sa.BigInteger, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("author_id", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("edited", sa.Float),
    )
    op.create_index("ix_comments_sequence", "comments", ["slide_id", "sequence"])
    op.create_index("ix_comments_author_id", "comments", ["author_id"])
    op.create_table(
        "mentions",
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("comment_id", sa.String(64), primary_key=True),
        sa.Column("user_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_index("ix_mentions_user_id", "mentions", ["user_id"])
    op.create_table(
        "comments_read",
        sa.Column("user_id", sa.String(32), primary_key=True),
        sa.Column("slide_id", sa.String(128), primary_key=True),
        sa.Column("annotation_id", sa.String(64), primary_key=True),
        sa.Column("sequence", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_comments_read_slide_id", "comments_read", ["slide_id"])


def downgrade() -> None:
    for table in ("comments_read", "mentions", "comments"):
        op.drop_table(table)
    op.drop_column("annotation_slides", "comments")
    op.drop_column("annotations", "locked")
