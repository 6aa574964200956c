"""Queries of searches as plain values (DW13, DW14)."""

from __future__ import annotations

import pytest
from pydicom.dataset import Dataset

from wavescope.errors import InvalidParameter
from wavescope.service.protocols.dicom.query import MAX_LIMIT, MAX_VALUES, Match, matches_all, parse_query
from wavescope.service.protocols.dicom.uids import UidKind, uid_of

FIRST, SECOND = "1" * 32, "2" * 32


def described() -> Dataset:
    found = Dataset()
    found.PatientName, found.StudyDate, found.Modality = "", "20240305", "SM"
    found.StudyDescription, found.Rows, found.PixelSpacing = "Liver [a]", 256, [0.5, 0.25]
    found.ImageType = ["DERIVED", "PRIMARY"]
    return found


@pytest.mark.parametrize(
    ("keyword", "value", "expected"),
    [
        ("Modality", "SM", True), ("Modality", "sm", True), ("Modality", "S?", True), ("Modality", "S", False),
        ("StudyDescription", "liv*", True), ("StudyDescription", "*[a]", True), ("StudyDescription", "*[b]", False),
        ("PatientName", "Doe", False), ("AccessionNumber", "1", False), ("ModalitiesInStudy", "SM", True),
        ("StudyDate", "20240305", True), ("StudyDate", "20240301-20240305", True), ("StudyDate", "-2024", True),
        ("StudyDate", "20240306-", False), ("StudyDate", "-20240304", False),
        ("Rows", "256", True), ("Rows", "256.0", True), ("Rows", "25*", False), ("PixelSpacing", "0.25", True),
        ("ImageType", "primary", True), ("ImageType", "ORIGINAL", False),
    ],
)  # fmt: skip
def test_what_a_value_matches_dw13(keyword: str, value: str, expected: bool) -> None:
    assert matches_all(described(), [Match(keyword, value)]) is expected


def test_uids_name_the_slides_to_look_at_dw13() -> None:
    studies = ",".join(uid_of(one, UidKind.STUDY) for one in (FIRST, SECOND))
    query = parse_query([("StudyInstanceUID", studies), ("00080018", uid_of(SECOND, UidKind.INSTANCE, 3))])
    assert query.prefixes == [SECOND[:28]]
    assert parse_query([("StudyInstanceUID", uid_of(FIRST, UidKind.SERIES))]).prefixes == []
    assert parse_query([("Modality", "SM"), ("PatientID", "*")]).prefixes is None


def test_paging_and_fields_dw13_dw14() -> None:
    query = parse_query(
        [("limit", "5000"), ("offset", "7"), ("includefield", "00280010,PatientName"), ("includefield", "SOPClassUID")]
    )
    assert (query.limit, query.offset, query.include) == (MAX_LIMIT, 7, {"Rows", "PatientName", "SOPClassUID"})
    assert parse_query([("includefield", "all")]).include is None
    assert parse_query([("fuzzymatching", "true")]).notices
    assert not parse_query([("fuzzymatching", "false")]).notices


@pytest.mark.parametrize(
    "pairs",
    [
        [("limit", "-1")], [("offset", "1e3")], [("limit", "9" * 30)], [("Nothing", "1")], [("0040A730.00080100", "1")],
        [("FFFFFFFF", "1")], [("includefield", "nothing")], [("Modality", "SM")] * (MAX_VALUES + 1),
    ],
)  # fmt: skip
def test_what_is_no_query_is_refused_dw14(pairs: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidParameter):
        parse_query(pairs)
