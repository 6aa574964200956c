"""This service as a tool of learning platforms: its parts together."""

from __future__ import annotations

from dataclasses import dataclass

from wavescope.service.lti.choosing import ChoosingService
from wavescope.service.lti.courses import CourseService
from wavescope.service.lti.keys import ToolKeys
from wavescope.service.lti.launches import LaunchService
from wavescope.service.lti.registration import PlatformService
from wavescope.service.lti.scores import ScoreService


@dataclass(frozen=True)
class LearningTool:
    """See shared/spec/lti.md."""

    keys: ToolKeys
    platforms: PlatformService
    launches: LaunchService
    choosing: ChoosingService
    scores: ScoreService
    courses: CourseService
