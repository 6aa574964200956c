"""Scopes of personal tokens (AC65). Those that exist keep all."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tokens", sa.Column("scopes", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("tokens", "scopes")
