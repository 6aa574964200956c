"""Learning platforms, launches from them and scores that go back (LT1)."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "platforms",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("issuer", sa.String(255), nullable=False),
        sa.Column("client_id", sa.String(255), nullable=False),
        sa.Column("deployments", sa.JSON, nullable=False),
        sa.Column("frames", sa.JSON, nullable=False),
        sa.Column("authorize_url", sa.Text, nullable=False),
        sa.Column("token_url", sa.Text, nullable=False),
        sa.Column("keys_url", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_platforms_client", "platforms", ["issuer", "client_id"], unique=True)
    op.create_table(
        "platform_secrets",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("platform_id", sa.String(32)),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("browser", sa.String(64), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )
    op.create_index("ix_platform_secrets_expires", "platform_secrets", ["expires"])
    op.create_table(
        "launches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("platform_id", sa.String(32), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("deployment", sa.String(255), nullable=False),
        sa.Column("course", sa.String(255), nullable=False),
        sa.Column("quiz_id", sa.String(32)),
        sa.Column("line_item", sa.Text),
        sa.Column("return_url", sa.Text),
        sa.Column("data", sa.Text),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_launches_quiz", "launches", ["quiz_id", "user_id"])
    op.create_index("ix_launches_platform_id", "launches", ["platform_id"])
    op.create_table(
        "scores",
        sa.Column("attempt_id", sa.String(32), primary_key=True),
        sa.Column("launch_id", sa.String(32), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("next", sa.Float, nullable=False),
        sa.Column("fault", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_index("ix_scores_next", "scores", ["state", "next"])


def downgrade() -> None:
    for table in ("scores", "launches", "platform_secrets", "platforms"):
        op.drop_table(table)
