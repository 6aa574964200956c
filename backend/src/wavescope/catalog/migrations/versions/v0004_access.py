"""Accounts, groups, tokens, sharing, share links, keys of grants."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("slides", "cases"):
        op.add_column(table, sa.Column("owner", sa.String(32), nullable=False, server_default=""))
        op.add_column(table, sa.Column("public", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_index("ix_slides_owner", "slides", ["owner"])
    op.create_table(
        "users",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("disabled", sa.Boolean, nullable=False),
        sa.Column("subject", sa.String(400), unique=True),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_table(
        "groups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(100), nullable=False, unique=True),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.String(32), primary_key=True),
        sa.Column("user_id", sa.String(32), primary_key=True),
        sa.Column("external", sa.Boolean, nullable=False),
    )
    op.create_index("ix_group_members_user_id", "group_members", ["user_id"])
    _tokens_and_links()
    op.create_table(
        "shares",
        sa.Column("scope", sa.String(8), primary_key=True),
        sa.Column("target", sa.String(128), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("subject", sa.String(32), primary_key=True),
        sa.Column("right", sa.String(16), nullable=False),
    )
    op.create_index("ix_shares_subject", "shares", ["kind", "subject"])
    op.create_table(
        "signing_keys",
        sa.Column("kid", sa.String(64), primary_key=True),
        sa.Column("private", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )


def _tokens_and_links() -> None:
    op.create_table(
        "tokens",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("family", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("expires", sa.Float),
        sa.Column("used", sa.Float),
    )
    op.create_index("ix_tokens_family", "tokens", ["family"])
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"])
    op.create_table(
        "links",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("scope", sa.String(8), nullable=False),
        sa.Column("target", sa.String(128), nullable=False),
        sa.Column("right", sa.String(16), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("maker", sa.String(32), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("expires", sa.Float),
        sa.Column("revoked", sa.Float),
        sa.Column("used", sa.Float),
    )
    op.create_index("ix_links_target", "links", ["scope", "target"])


def downgrade() -> None:
    for table in ("signing_keys", "shares", "links", "tokens", "group_members", "groups", "users"):
        op.drop_table(table)
    op.drop_index("ix_slides_owner", "slides")
    for table in ("slides", "cases"):
        with op.batch_alter_table(table) as changed:
            changed.drop_column("public")
            changed.drop_column("owner")
