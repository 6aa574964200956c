"""Slides for scripts, of a local store or of a service: pixels, arrays, coefficients (shared/spec/client.md)."""

from wavescope.client.annotations import Annotation
from wavescope.client.async_service import SlideSummary
from wavescope.client.locations import Options
from wavescope.client.patches import Patch
from wavescope.client.problems import BadAnswer, Refused
from wavescope.client.service import Service, Upload
from wavescope.client.slide import Slide, open_slide
from wavescope.client.uploads import IngestFailed, UploadProgress

__all__ = [
    "Annotation",
    "BadAnswer",
    "IngestFailed",
    "Options",
    "Patch",
    "Refused",
    "Service",
    "Slide",
    "SlideSummary",
    "Upload",
    "UploadProgress",
    "open_slide",
]
