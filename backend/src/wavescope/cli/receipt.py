"""``wavescope prove --check``"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import parse_qs, urlsplit

from wavescope.cli.configured import config_of
from wavescope.cli.output import DAMAGED, OK, print_line, result
from wavescope.client.slide import Slide, open_slide
from wavescope.errors import InvalidParameter, StaleVersion, UnknownSlide
from wavescope.proof.checking import UNSIGNED, checked, layout, opening, sentences
from wavescope.proof.receipt import AnyReceipt, ComparisonReceipt, Receipt, Shown, read_receipt
from wavescope.proof.stored import Stored, StoredFile, StoredSlide
from wavescope.store.exported.reading import is_export, opened_export
from wavescope.store.exported.sinks import FolderSink
from wavescope.store.exported.version import write_version

LETTERS = "ABCD"
"""Of panes, in the order of an address."""


def check(arguments: argparse.Namespace) -> int:
    """Compare a receipt with its slides, and say what holds."""
    receipt = read_receipt(arguments.check)
    answers, said, blended = {}, [opening(receipt)], False
    if isinstance(receipt, ComparisonReceipt):
        said.append(layout(receipt))
        blended = receipt.swipe is not None and receipt.swipe.blends
    for name, (shown, place) in _places(receipt, arguments.slide).items():
        with _stored(arguments, shown, place) as stored:
            found = checked(shown, stored, blended)
        answers[name] = {**asdict(found), "holds": found.holds}
        said += [f"{name}: {one}" if name else one for one in sentences(shown, found, blended)]
    holds = all(one["holds"] for one in answers.values())
    if arguments.json:
        result(answers.get("") or {"panes": answers, "holds": holds})
    else:
        for sentence in [*said, UNSIGNED]:
            print_line(sentence)
    return OK if holds else DAMAGED


def _places(receipt: AnyReceipt, given: Sequence[str]) -> dict[str, tuple[Shown, str]]:
    """What was shown, by the letters of its panes, and where its slide is: as given, else in the store by its id.

    Raises InvalidParameter.
    """
    panes: dict[str, Shown] = (
        {"": receipt} if isinstance(receipt, Receipt) else {one.pane: one for one in receipt.panes}
    )
    places: dict[str, str | None] = {name: one.slide.id for name, one in panes.items()}
    if len(given) == 1 and (compared := _compared(given[0])):
        places = dict(zip(LETTERS, compared, strict=False))
    elif given:
        places = dict(zip(panes, given, strict=False))
    found = {name: (one, place) for name, one in panes.items() if (place := places.get(name)) is not None}
    if len(found) < len(panes) or len(given) > len(panes):
        raise InvalidParameter(
            "SLIDE", " ".join(given), f"what the receipt shows, {len(panes)} in the order of the page"
        )
    return found


def _compared(place: str) -> list[str]:
    """The addresses of the slides in the address of a comparison; none in another one."""
    parts = urlsplit(place)
    base, page, rest = place.partition("/compare?")
    return [f"{base}/slides/{one}" for one in parse_qs(parts.query).get("slide", [])] if page and rest else []


@contextmanager
def _stored(arguments: argparse.Namespace, shown: Shown, place: str) -> Iterator[Stored]:
    """What the receipt is compared with. Raises UnknownSlide, InvalidParameter, SourceError kinds."""
    path = Path(place)
    if shown.slide.file is not None:
        if not path.is_file():
            raise InvalidParameter("SLIDE", place, "the file that the receipt is of")
        with closing(StoredFile(path)) as file:
            yield file
    elif "://" not in place and is_export(path) and path.exists():
        with _exported(path) as slide:
            yield StoredSlide(slide)
    else:
        with _version(arguments, shown, place) as slide:
            yield StoredSlide(slide)


@contextmanager
def _exported(path: Path) -> Iterator[Slide]:
    """An exported slide, compared with the sums of its files."""
    with TemporaryDirectory() as folder, opened_export(path) as export:
        store = Path(folder)
        write_version(export.files, export.digest, FolderSink(store / "slides" / export.digest))
        with open_slide(store / export.digest) as slide:
            yield slide


def _version(arguments: argparse.Namespace, shown: Shown, place: str) -> Slide:
    """The slide in the version that was shown if it is still there, else as it is now."""
    digest = shown.slide.digest or ""
    if "://" in place:
        former = f"{place.partition('#')[0].rstrip('/')}/v/{digest}"
    else:
        store = config_of(arguments).store
        place, former = str(store / place), str(store / digest)
    slide = open_slide(place)
    if slide.version.digest != digest and place.endswith(f"/{shown.slide.id}"):
        with suppress(StaleVersion, UnknownSlide):
            opened = open_slide(former)
            slide.close()
            return opened
    return slide
