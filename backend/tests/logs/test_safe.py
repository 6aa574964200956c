"""What may stand in a line of the log."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import IntegrityError

from wavescope.errors import CatalogAway, CorruptBlock, InvalidParameter, UnreadableSource
from wavescope.geometry import Address
from wavescope.logs.safe import failure_of, file_name_of, name_of, without_paths

PATIENT = "Doe Jane 1950"


@pytest.mark.parametrize("made", ["", "0123456789abcdef" * 2, "a" * 64])
def test_ids_made_at_random_are_logged_as_they_are_op52(made: str) -> None:
    assert name_of(made) == made


@pytest.mark.parametrize("given", [PATIENT, "doe-jane", "195001011234", "cafe", "\udcff"])
def test_names_are_logged_as_hashes_op52(given: str) -> None:
    assert name_of(given).startswith("~")
    assert len(name_of(given)) == 13
    assert name_of(given) != name_of(given + "x")


def test_a_files_name_keeps_its_kind_op52() -> None:
    assert file_name_of(f"/in/{PATIENT}.SVS") == name_of(f"{PATIENT}.SVS") + ".svs"
    assert file_name_of(f"/in/x.{PATIENT}") == name_of(f"x.{PATIENT}")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("/var/lib/ws/uploads/1f/a.svs: it is text", "a.svs: it is text", id="first (OP60)"),
        pytest.param("cannot open '/my slides/b c.svs'", "cannot open 'b c.svs'", id="quoted, with blanks"),
        pytest.param("no space left on the disk of /store/", "no space left on the disk of the folder", id="folder"),
        pytest.param(r"C:\slides\a.svs is gone", "a.svs is gone", id="Windows"),
        pytest.param("about 1/2 of https://example.org/a/b", "about 1/2 of https://example.org/a/b", id="none"),
        pytest.param("2.dcm and/or 3.dcm", "2.dcm and/or 3.dcm", id="relative"),
    ],
)
def test_messages_lose_their_absolute_paths(text: str, shown: str) -> None:
    assert without_paths(text) == shown


def _raised(error: BaseException) -> BaseException:
    try:
        try:
            raise ValueError(PATIENT)
        except ValueError as cause:
            raise error from cause
    except BaseException as caught:
        return caught


@pytest.mark.parametrize(
    "error",
    [
        InvalidParameter("title", PATIENT, "something else"),
        UnreadableSource(f"/x/{PATIENT}.svs", PATIENT),
        FileNotFoundError(2, "No such file or directory", f"/x/{PATIENT}.svs"),
        IntegrityError("INSERT", {"title": PATIENT}, Exception(PATIENT)),
        ExceptionGroup(PATIENT, [KeyError(PATIENT)]),
    ],
)
def test_an_error_is_described_without_texts_of_users_and_files_op52(error: Exception) -> None:
    fields = failure_of(_raised(error))
    assert fields["error"] == type(error).__name__
    assert "test_safe.py" in fields["trace"]
    assert PATIENT not in repr(fields)


def test_what_the_program_alone_says_stays_op52() -> None:
    assert failure_of(CorruptBlock(Address(0, 0, 1, 2, 3), "checksum"))["reason"] == (
        "block (0, 0, 1, 2, 3) is corrupt: checksum"
    )
    assert failure_of(CatalogAway("connection to\nserver failed"))["reason"] == "connection to server failed"
    fields = failure_of(_raised(OSError(28, "No space left on device")))
    assert (fields["reason"], fields["caused_by"]) == ("No space left on device", "ValueError")
