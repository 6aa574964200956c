"""Quizzes, attempts at them and answers (QZ1)."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "quizzes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("slide_id", sa.String(128)),
        sa.Column("case_id", sa.String(32)),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    op.create_index("ix_quizzes_slide_id", "quizzes", ["slide_id"])
    op.create_index("ix_quizzes_case_id", "quizzes", ["case_id"])
    op.create_table(
        "attempts",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("quiz_id", sa.String(32), nullable=False),
        sa.Column("user_id", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("begun", sa.Float, nullable=False),
        sa.Column("ends", sa.Float),
        sa.Column("ended", sa.Float),
    )
    op.create_index("ix_attempts_one", "attempts", ["quiz_id", "user_id", "number"], unique=True)
    op.create_index("ix_attempts_user_id", "attempts", ["user_id"])
    op.create_table(
        "answers",
        sa.Column("attempt_id", sa.String(32), primary_key=True),
        sa.Column("question_id", sa.String(64), primary_key=True),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("saved", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in ("answers", "attempts", "quizzes"):
        op.drop_table(table)
