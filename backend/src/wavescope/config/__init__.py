"""Every setting and limit of a service, declared once: environment, configuration file and reference page follow from
the declarations in ``service``, ``limits`` and ``rates``."""

from wavescope.config.limits import Limits
from wavescope.config.rates import Rates
from wavescope.config.service import MODES, Config, Resolved, all_settings
from wavescope.config.setting import Found, Setting, UnknownSetting

__all__ = ["MODES", "Config", "Found", "Limits", "Rates", "Resolved", "Setting", "UnknownSetting", "all_settings"]
