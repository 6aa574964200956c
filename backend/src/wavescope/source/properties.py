"""Which free-text properties of a slide file are published: an allow-list, because anything else may name a patient.

Aperio's ``Filename``, ``User``, ``Date`` and ``Title``, DICOM's patient, study and specimen modules, barcodes, serial
numbers and the raw image description are among what is dropped by not standing here.
"""

from __future__ import annotations

from collections.abc import Mapping

ALLOWED = frozenset(
    {
        "aperio.AppMag",
        "aperio.Filtered",
        "aperio.MPP",
        "dicom.LossyImageCompression",
        "dicom.Manufacturer",
        "dicom.ManufacturerModelName",
        "dicom.OpticalPathSequence[0].IlluminationTypeCodeSequence[0].CodeMeaning",
        "dicom.OpticalPathSequence[0].ObjectiveLensNumericalAperture",
        "dicom.OpticalPathSequence[0].ObjectiveLensPower",
        "dicom.PhotometricInterpretation",
        "hamamatsu.Product",
        "hamamatsu.SourceLens",
        "leica.device-model",
        "leica.illumination-source",
        "leica.numerical-aperture",
        "leica.objective",
        "mirax.GENERAL.CAMERA_TYPE",
        "mirax.GENERAL.OBJECTIVE_MAGNIFICATION",
        "mirax.GENERAL.OBJECTIVE_NAME",
        "openslide.mpp-x",
        "openslide.mpp-y",
        "openslide.objective-power",
        "openslide.vendor",
        "philips.DICOM_MANUFACTURER",
        "philips.DICOM_MANUFACTURERS_MODEL_NAME",
        "tiff.Make",
        "tiff.Model",
        "tiff.Software",
        "trestle.Objective Power",
        "ventana.Magnification",
        "ventana.ScanRes",
        "ventana.ScannerModel",
    }
)
LONGEST = 200


def publishable(properties: Mapping[str, str]) -> dict[str, str]:
    """The allowed properties, trimmed, in the order of their names; empty and overlong values are dropped."""
    trimmed = {name: properties[name].strip() for name in sorted(ALLOWED & properties.keys())}
    return {name: value for name, value in trimmed.items() if value.isprintable() and 0 < len(value) <= LONGEST}


def positive_number(text: str | None) -> float | None:
    """The number a property spells, or None if it is absent, no number, not finite or not positive."""
    try:
        number = float(text) if text is not None else 0.0
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None
