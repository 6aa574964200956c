"""pydicom, which an extra installs: imported when it is first used, because that takes longer than a request."""

from __future__ import annotations

import importlib

from wavescope.errors import MissingPackage


def require_pydicom(what: str) -> None:
    """Returns if pydicom can be imported. ``what`` needs it. Raises MissingPackage."""
    try:
        importlib.import_module("pydicom")
    except ImportError as error:
        raise MissingPackage("pydicom", what, "dicom") from error
