"""Alembic's entry: runs the migrations on the connection that ``catalog.database`` hands over."""

from alembic import context

from wavescope.catalog.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    transactional_ddl=True,
    transaction_per_migration=False,
)
context.run_migrations()
