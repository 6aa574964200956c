"""pydicom, which is an extra."""

from __future__ import annotations

import importlib
from typing import Any

from wavescope.errors import MissingPackage


def require_pydicom(what: str) -> Any:
    """The library; its first import takes longer than a request. Raises MissingPackage: ``what`` needs it."""
    try:
        return importlib.import_module("pydicom")
    except ImportError as error:
        raise MissingPackage("pydicom", what, "dicom") from error
