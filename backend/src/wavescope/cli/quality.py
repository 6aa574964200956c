"""The image quality of stored slides in words and as fields: what was chosen, what was reached (ST60, ST66)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wavescope.store.manifest import Manifest


def stored_quality(manifest: Mapping[str, Any]) -> str:
    """The quality that was requested of a stored slide; of older ingests, the profile."""
    return str((manifest.get("chosen") or {}).get("quality") or manifest["profile"])


def short_quality(manifest: Mapping[str, Any]) -> str:
    """As in "visual, 39.4 dB", of channels "visual, 0.33 sigma"; of a lossless slide, and where nothing was measured,
    as requested.
    """
    reached = _reached(manifest)
    if reached is None or manifest["profile"] == "lossless":
        return stored_quality(manifest)
    error = _error(manifest)
    return f"{stored_quality(manifest)}, {f'{reached:.1f} dB' if error is None else f'{error:.2f} sigma'}"


def chosen_fields(manifest: Mapping[str, Any]) -> dict[str, Any] | None:
    """How the quality was chosen, and what was reached at level 0; None for slides of older ingests."""
    chosen = manifest.get("chosen")
    return None if chosen is None else {**chosen, "reached": _reached(manifest)}


def _reached(manifest: Mapping[str, Any]) -> float | None:
    measured = manifest.get("quality")
    return measured["psnr"][0][-1] if measured else None


def _error(manifest: Mapping[str, Any]) -> float | None:
    """Of channels, in standard deviations of their noise."""
    measured = manifest.get("quality")
    return measured["sigma"][0][-1] if measured and "sigma" in measured else None


def quality_words(manifest: Manifest) -> str:
    """As in "visual: 39.4 dB at level 0, SSIMULACRA 2 90", and of channels "visual: error of 0.33 sigma at level 0"."""
    chosen, reached = manifest.chosen, manifest.quality.psnr[0][-1] if manifest.quality else None
    if chosen is None or manifest.profile == "lossless" or reached is None:
        return manifest.profile
    if manifest.quality and manifest.quality.sigma:
        return f"{chosen.quality}: error of {manifest.quality.sigma[0][-1] or 0:.2f} sigma at level 0"
    return f"{chosen.quality}: {reached:.1f} dB at level 0, {chosen.measure} {chosen.score:.0f}"


def decision_words(manifest: Manifest) -> str:
    """What decided, and how often the slide was encoded again; empty for slides of older ingests."""
    chosen = manifest.chosen
    if chosen is None:
        return ""
    again = f", encoded again {len(chosen.reencoded)} time(s)" if chosen.reencoded else ""
    return f"decided by: {chosen.reason}{again}"
