"""The contract of other machines that help with an ingest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from wavescope.ingest.opened import SourceKey
from wavescope.ingest.strip import Encoded
from wavescope.ingest.work import WorkDirectory
from wavescope.kernel.codec import Codec


class RemoteEncoder(Protocol):
    """Makes some of what is missing in a work directory, before the rest is made here."""

    def __call__(
        self,
        key: SourceKey,
        work: WorkDirectory,
        codecs: tuple[Codec, ...],
        encoded: Callable[[Encoded], None],
        cancelled: Callable[[], bool],
    ) -> None: ...
