"""Where the pixels of an ingest come from: a file or folder, a ``specimen:``, or a stored version."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

from wavescope.errors import InvalidParameter
from wavescope.ingest.publish import SourceIdentity
from wavescope.ingest.quality.presets import Quality, quality_of
from wavescope.ingest.stored_source import PREFIX, parse
from wavescope.source.open import SPECIMEN, fingerprint
from wavescope.source.phi import NOTHING, Identity, identity_of
from wavescope.store import manifest as stored
from wavescope.store.layout import StorePaths
from wavescope.store.manifest import EXACT_PSNR, Chosen, Manifest, load_manifest
from wavescope.store.phi import Phi

DEIDENTIFIED = "deidentified"
"""The name of a source whose name may identify a person."""
MIN_GAIN = 0.2
"""dB by which a PSNR must lie below that of a lossy version to be worth another version."""


@dataclass(frozen=True)
class IngestSource:
    """``spec``: how it is opened; ``fingerprint``: of what is read; ``source``: what the manifest says of the file.

    ``before``: the manifest of the stored version, if it is one; ``time``: the time point that is read, from 0.
    """

    spec: str
    fingerprint: str
    source: SourceIdentity
    phi: Identity
    before: Manifest | None = None
    time: int = 0

    @property
    def losses(self) -> float | None:
        """PSNR of level 0 of the stored version; None if nothing is lost so far, or it was not measured."""
        quality = self.before.quality if self.before else None
        psnr = quality.psnr[0][-1] if quality else None
        return None if psnr is None or psnr >= EXACT_PSNR else psnr

    def target(self, quality: Quality) -> Quality:
        """The quality to reach beside this origin, so that the requested one is reached beside the file (ST68).

        Raises InvalidParameter where another version would be no smaller, or no better.
        """
        if self.before is None:
            return quality
        lossy = self.before.profile != "lossless"
        if quality.name == "lossless" or (lossy and self.before.chosen and quality.name == self.before.chosen.quality):
            stored_as = "already lossless" if not lossy else "lossy: what is lost cannot be restored"
            raise InvalidParameter(
                "quality", quality.name, f"a lower quality than that of the slide, which is {stored_as}"
            )
        if quality.psnr is None or self.losses is None:
            return quality
        if quality.psnr > self.losses - MIN_GAIN:
            raise InvalidParameter("quality", quality.name, f"less than the {self.losses:.1f} dB of the stored version")
        left = 10 ** (-quality.psnr / 10) - 10 ** (-self.losses / 10)
        return replace(quality, psnr=-10 * math.log10(left))

    def beside_file(self, psnr: float) -> float:
        """The PSNR of level 0 beside the file, of one measured beside this origin."""
        return _added(psnr, self.losses) or psnr

    def total(self, measured: stored.Quality) -> stored.Quality:
        """What was measured beside this origin, with the losses of the version before: beside the file."""
        if self.losses is None or self.before is None or self.before.quality is None:
            return measured
        lost = [row[-1] for row in self.before.quality.psnr]
        rows = zip(measured.psnr, lost, strict=True)
        psnr = tuple(tuple(_added(value, before) for value in row) for row, before in rows)
        return replace(measured, psnr=psnr, sigma=self._total_sigma(measured.sigma))

    def _total_sigma(self, sigma: stored.Table) -> stored.Table:
        """Errors in deviations of the noise, beside the file: those of both versions."""
        lost = [row[-1] for row in self.before.quality.sigma] if self.before and self.before.quality else []
        if not lost:
            return sigma
        rows = zip(sigma, lost, strict=True)
        return tuple(tuple(_hypotenuse(value, before) for value in row) for row, before in rows)

    def provenance(self, chosen: Chosen) -> Chosen:
        """With the requested target, not that beside this origin, and the versions before."""
        before = self.before
        if before is None:
            return chosen
        earlier = before.chosen.reencoded if before.chosen else ()
        return replace(chosen, target=quality_of(chosen.quality).psnr, reencoded=(*earlier, before.digest))


def ingest_source_of(
    source: Path | str, stored_phi: Phi, deidentify: bool, known: str = "", time: int = 0
) -> IngestSource:
    """``stored_phi``: the identifying data of stored versions; ``known``: the fingerprint, if it was computed just now.
    Raises SourceError kinds; CorruptStore, StaleVersion of a stored version.
    """
    text = str(source)
    if text.startswith(PREFIX):
        return _stored(text, stored_phi)
    specimen = text.startswith(SPECIMEN)
    spec = text if specimen else str(Path(source).absolute())
    print_of_content = known or fingerprint(spec, time)
    name = spec if specimen else Path(spec).name.encode(errors="replace").decode()  # need not be text
    identity = SourceIdentity(DEIDENTIFIED if deidentify else name, print_of_content)
    return IngestSource(spec, print_of_content, identity, NOTHING if specimen else identity_of(spec), time=time)


def _stored(spec: str, phi: Phi) -> IngestSource:
    folder, digest = parse(spec)
    before = load_manifest(StorePaths(folder).slides, digest)
    images = {name: phi.image(digest, name) or b"" for name in phi.images(digest)}
    return stored_ingest_source(spec, before, Identity(phi.texts(digest), images))


def stored_ingest_source(spec: str, before: Manifest, phi: Identity) -> IngestSource:
    """That of a stored version."""
    identity = SourceIdentity(before.source.name, before.source.fingerprint)
    return IngestSource(spec, f"{PREFIX}{before.digest}", identity, phi, before)


def _hypotenuse(value: float | None, before: float | None) -> float | None:
    return value if value is None or before is None else round(math.hypot(value, before), 3)


def _added(value: float | None, before: float | None) -> float | None:
    """PSNR of two independent errors."""
    if value is None or before is None:
        return value
    return round(-10 * math.log10(10 ** (-value / 10) + 10 ** (-before / 10)), 2)
