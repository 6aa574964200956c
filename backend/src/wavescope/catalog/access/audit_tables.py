"""The table of the audit log."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, BigInteger, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from wavescope.catalog.tables import Base


class AuditRow(Base):
    """What a principal did. Rows are added, never changed; ``hash`` covers the row and the previous ``hash``."""

    __tablename__ = "audit"
    sequence: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    time: Mapped[int] = mapped_column(BigInteger)  # milliseconds since 1970
    kind: Mapped[str] = mapped_column(String(16))  # of principal
    principal: Mapped[str] = mapped_column(String(128))  # its id; empty for the local user and for nobody
    name: Mapped[str] = mapped_column(Text)
    address: Mapped[str] = mapped_column(String(64))
    action: Mapped[str] = mapped_column(String(40))
    slide_id: Mapped[str | None] = mapped_column(String(128))
    detail: Mapped[dict[str, Any]] = mapped_column(JSON)
    previous: Mapped[str] = mapped_column(String(64))
    hash: Mapped[str] = mapped_column(String(64))

    __table_args__ = (
        Index("ix_audit_time", "time"),
        Index("ix_audit_slide_id", "slide_id"),
        Index("ix_audit_name", "name"),
        Index("ix_audit_action", "action"),
    )
