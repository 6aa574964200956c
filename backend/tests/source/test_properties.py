import pytest

from wavescope.source.properties import positive_number, publishable

PRIVATE = {
    "aperio.Filename": "DOE^JANE",
    "aperio.User": "jane",
    "aperio.Date": "12/29/09",
    "aperio.Title": "biopsy of Jane Doe",
    "openslide.comment": "User = jane",
    "openslide.barcode": "GO-1",
    "tiff.ImageDescription": "User = jane",
    "tiff.DateTime": "2009",
    "tiff.Artist": "jane",
    "tiff.HostComputer": "ward-3",
    "dicom.PatientName": "Doe^Jane",
    "dicom.PatientBirthDate": "19550101",
    "dicom.AccessionNumber": "1",
    "dicom.ContainerIdentifier": "1",
    "dicom.StudyDescription": "consult",
    "dicom.SpecimenDescriptionSequence[0].SpecimenIdentifier": "1",
    "dicom.DeviceSerialNumber": "1",
    "hamamatsu.Created": "2009",
    "mirax.GENERAL.SLIDE_NAME": "Jane",
    "philips.DICOM_DEVICE_SERIAL_NUMBER": "1",
    "something.new": "who knows",
}


def test_nothing_about_a_patient_is_published_pr40() -> None:
    assert publishable(PRIVATE) == {}


def test_allowed_properties_are_trimmed_and_come_in_the_order_of_their_names() -> None:
    found = publishable({"tiff.Make": " Scanner ", "aperio.AppMag": "20", **PRIVATE})
    assert list(found.items()) == [("aperio.AppMag", "20"), ("tiff.Make", "Scanner")]


@pytest.mark.parametrize("value", ["", "   ", "x" * 201, "two\nlines", "bell\x07"])
def test_empty_overlong_and_unprintable_values_are_dropped(value: str) -> None:
    assert publishable({"tiff.Make": value}) == {}


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.25", 0.25), (None, None), ("", None), ("-1", None), ("0", None), ("nan", None), ("inf", None), ("20x", None)],
)
def test_only_positive_finite_numbers_count(text: str | None, number: float | None) -> None:
    assert positive_number(text) == number
