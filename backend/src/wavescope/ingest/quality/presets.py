"""The image qualities that an ingest can be given: names with consequences, or a PSNR."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from wavescope.errors import InvalidParameter
from wavescope.kernel.parameters import Steps

Preset = Literal["compact", "visual", "fine", "auto", "lossless"]
PRESETS: tuple[Preset, ...] = ("compact", "visual", "fine", "auto", "lossless")
DEFAULT: Preset = "visual"
MIN_PSNR, MAX_PSNR = 30.0, 50.0
MIN_SIGMA, MAX_SIGMA = 0.05, 5.0
OF_PICTURES = f"a PSNR of level 0 from {MIN_PSNR:g}dB to {MAX_PSNR:g}dB such as 40dB"
OF_CHANNELS = f"an error in units of noise from {MIN_SIGMA:g}sigma to {MAX_SIGMA:g}sigma such as 0.3sigma"
FORMS = f"{', '.join(PRESETS)}, {OF_PICTURES}, or of channels {OF_CHANNELS}"


@dataclass(frozen=True)
class Quality:
    """A checked quality: a preset's name, ``psnr`` of level 0 in dB, or the error of channels in ``sigma``: standard
    deviations of their noise.
    """

    name: str
    psnr: float | None = None
    sigma: float | None = None

    @property
    def profile(self) -> Literal["visual", "lossless"] | None:
        """The profile that it always means; None: ``auto``, which depends on the source."""
        return None if self.name == "auto" else "lossless" if self.name == "lossless" else "visual"

    @property
    def steps(self) -> Steps:
        """Those that serve it best: even for a PSNR, else perceptual."""
        return "perceptual" if self.psnr is None else "even"


def quality_of(text: str) -> Quality:
    """The quality of this name. Raises InvalidParameter with the accepted forms."""
    if text in PRESETS:
        return Quality(text)
    if found := re.fullmatch(r"([0-9](?:\.[0-9]{1,2})?) ?sigma", text, re.IGNORECASE):
        sigma = float(found[1])
        if MIN_SIGMA <= sigma <= MAX_SIGMA:
            return Quality(f"{sigma:g}sigma", sigma=sigma)
    found = re.fullmatch(r"([0-9]{2}(?:\.[0-9])?) ?dB", text, re.IGNORECASE)
    psnr = float(found[1]) if found else 0.0
    if not MIN_PSNR <= psnr <= MAX_PSNR:
        raise InvalidParameter("quality", text, FORMS)
    return Quality(f"{psnr:g}dB", psnr)
