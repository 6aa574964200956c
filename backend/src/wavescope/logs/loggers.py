"""Loggers. Each event has a constant text; what varies is in its fields, so that events can be counted and searched."""

from __future__ import annotations

import structlog
from structlog.stdlib import BoundLogger

structlog.configure(
    processors=[structlog.stdlib.filter_by_level, structlog.stdlib.render_to_log_kwargs],
    wrapper_class=BoundLogger,
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)


def get_logger(name: str) -> BoundLogger:
    """The logger of a module, on the logger of the same name of the standard library.

    Fields are named like no attribute of ``logging.LogRecord``. Their values are numbers, names that the program gives,
    and identifiers made by ``safe.py``: never a text of a user or of a file (OP52).
    """
    return structlog.stdlib.get_logger(name)
