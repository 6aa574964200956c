"""What the scans of slides were found to have, and overlays that are hidden at first (QM11, QM12)."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("slides", sa.Column("findings", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("overlays", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("overlays", "hidden")
    op.drop_column("slides", "findings")
