"""The lines of the log about damaged blocks and parts of stored versions, each once (OP54)."""

from __future__ import annotations

from wavescope.caches import BoundedCache
from wavescope.errors import CodecError, CorruptBlock, CorruptStore
from wavescope.logs import faults
from wavescope.logs.loggers import get_logger

NOTED = 65536  # damaged parts that have their line

log = get_logger(__name__)


class DamageLog:
    """Notes errors of reads; ignores errors that say nothing about damage."""

    def __init__(self) -> None:
        self._noted: BoundedCache[tuple[str, str, tuple[int, ...]], bool] = BoundedCache(NOTED)

    def note(self, slide: str, error: Exception) -> None:
        """``slide``: the digest of a version whose read raised ``error``."""
        if not isinstance(error, CorruptBlock | CorruptStore | CodecError):
            return
        faults.count("damage", type(error).__name__)
        address = tuple(error.address) if isinstance(error, CorruptBlock) else ()
        reason = str(error) if isinstance(error, CodecError) else error.reason
        part = error.part if isinstance(error, CorruptStore) else "block"
        if self._noted.find((slide, part, address)) is None:
            self._noted.put((slide, part, address), True)
            log.error("damaged block", digest=slide, part=part, address=list(address), reason=reason)
