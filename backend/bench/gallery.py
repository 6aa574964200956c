"""The gallery of 20,000 slides on SQLite and PostgreSQL: the service's time for what the page asks, its JSON included.
Each slide is in a case, the cases are in collections, eight in each other at most. It fails where the first page takes
more than 500 ms, or a filter more than 100 ms.

An instructor who owns half of the slides asks, beside an admin, who sees all. Annotations, network and page are not
part of it. The first argument is another number of slides.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from setting import ROOT, table
from sqlalchemy import insert, text

from wavescope.access.principal import Principal
from wavescope.api.routes.slides.cases import case_list
from wavescope.api.schemas.slides import facet_list, slide_list
from wavescope.catalog.cases import Cases
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.labels import count_facets, labels_of, searched
from wavescope.catalog.tables import CaseRow, CaseSlideRow, LabelRow, SlideRow, VersionRow, WordRow
from wavescope.catalog.visible import visible_to
from wavescope.catalog.words import words_of

sys.path.insert(0, str(ROOT / "backend" / "tests"))
from catalog.databases import postgresql

SLIDES = 20_000
REPEATS = 15
PAGE = 60
TISSUES = ("colon", "liver", "skin", "kidney", "breast", "lung", "prostate", "lymph node", "thyroid", "brain")
STAINS = ("HE", "PAS", "Ki-67", "CD3", "CD20", "HER2", "trichrome")
DIAGNOSES = (
    "adenocarcinoma",
    "melanoma",
    "normal",
    "adenoma",
    "carcinoma in situ",
    "lymphoma",
    "hepatitis",
    "fibrosis",
)
FORMATS = (("aperio", "SVS", 20.0), ("hamamatsu", "NDPI", 40.0), ("3dhistech", "MRXS", 20.0), (None, "TIFF", None))
ADMIN = Principal("admin", "user", "1" * 32, "admin")
OWNER = Principal("owner", "user", "2" * 32, "instructor")
RUNS = [[1 + 37 * number % 400 for number in range(80)] for _ in range(10)]  # of the occupancy map
PER_CASE = 50  # slides
DEPTH = 7  # of the collections around a case
BRANCHES = 3
LIMITS = {"first page": 500.0, "filter": 100.0}  # milliseconds
FILTER = (("tag.stain", "Ki-67"), ("tag.organ", "colon"))


def manifest(draw: random.Random) -> dict[str, Any]:
    """One of about 5 kB, as an import of a large slide stores it."""
    vendor, form, power = draw.choice(FORMATS)
    levels = 10
    return {
        "format": "wavescope", "width": draw.randint(20_000, 120_000), "height": draw.randint(20_000, 90_000),
        "levels": levels, "planes": 1, "channels": 3, "layers": 4, "profile": draw.choice(("visual", "lossless")),
        "mpp": {"x": 0.25, "y": 0.25} if power else None, "objective_power": power, "vendor": vendor,
        "bytes": [[draw.randint(0, 1 << 27) for _ in range(4)] for _ in range(levels)],
        "source": {"format": form, "fingerprint": f"{draw.getrandbits(256):064x}", "name": "slide", "bytes": 1 << 30},
        "empty": {"plane": 0, "runs": RUNS},
    }  # fmt: skip


def fill(catalog: Catalog, slides: int) -> None:
    """The same slides in each database, with the words and labels that the catalog derives of them."""
    draw = random.Random(29)
    for begin in range(0, slides, 1000):
        rows = [_slide(draw, number) for number in range(begin, min(begin + 1000, slides))]
        labels = [
            {"slide_id": row.id, "name": name, "value": value, "owner": row.owner, "public": row.public}
            for row in rows
            for name, value in labels_of(row.manifest, row.tags).items()
        ]
        words = [
            {"slide_id": row.id, "part": "slide", "word": word}
            for row in rows
            for word in words_of(searched(row, labels_of(row.manifest, row.tags)))
        ]
        versions = [{"slide_id": row.id, "digest": row.digest, "created": row.created} for row in rows]
        with catalog.writing() as session:
            session.add_all(rows)
            session.flush()
            session.execute(insert(WordRow), words)
            session.execute(insert(LabelRow), labels)
            session.execute(insert(VersionRow), versions)


def nest(catalog: Catalog, slides: int) -> list[str]:
    """Puts all slides into cases, and these into collections of several depths; the way to one of the deepest."""
    collections = [_case("0", "", "collection")]
    for number in range(1, BRANCHES * DEPTH):
        above = number - BRANCHES if number >= BRANCHES else 0
        collections.append(_case(str(number), collections[above].id, "collection"))
    cases = [
        _case(f"case {number}", collections[number % len(collections)].id, "case")
        for number in range(-(-slides // PER_CASE))
    ]
    members = [
        {"case_id": cases[number // PER_CASE].id, "slide_id": f"slide-{number:05d}", "position": number % PER_CASE}
        for number in range(slides)
    ]
    with catalog.writing() as session:
        session.add_all([*collections, *cases])
        session.flush()
        session.execute(insert(CaseSlideRow), members)
    return [one.id for one in collections]


def _case(title: str, parent: str, kind: str) -> CaseRow:
    return CaseRow(
        id=f"{kind}-{title}".replace(" ", "-"), title=title, kind=kind, description="", revision=1, created=1.7e9,
        updated=1.7e9, owner=OWNER.id, public=False, parent=parent,
    )  # fmt: skip


def _slide(draw: random.Random, number: int) -> SlideRow:
    tags = {"organ": draw.choice(TISSUES), "stain": draw.choice(STAINS), "diagnosis": draw.choice(DIAGNOSES)}
    tags["block"] = f"{draw.choice('ABCD')}{draw.randint(1, 9)}"
    title = f"S{26 - number % 7}-{number:05d} {tags['organ']} {tags['block']}"
    return SlideRow(
        id=f"slide-{number:05d}", title=title, digest=f"{draw.getrandbits(128):032x}", manifest=manifest(draw),
        tags=tags, search="", created=1.7e9 + draw.random() * 1e8, updated=1.8e9, public=False,
        owner=OWNER.id if number % 2 else "",
    )  # fmt: skip


def questions(
    catalog: Catalog, principal: Principal, slides: int, collections: list[str]
) -> dict[str, Callable[[], Any]]:
    """What the page asks of the service, by what a user does."""

    def listed(search: str = "", where: Any = (), page: int = 1, sort: Any = "newest") -> str:
        found = catalog.list(search, page, PAGE, where, visible_to(principal), sort)
        return slide_list(found, principal).model_dump_json()

    def facets(search: str = "", where: Any = ()) -> str:
        with catalog.reading() as session:
            return facet_list(count_facets(session, search, where, visible_to(principal))).model_dump_json()

    def cases() -> str:
        return case_list(Cases(catalog).list(visible=visible_to(principal))).model_dump_json()

    everything, deepest = ((("within", one),) for one in (collections[0], collections[-1]))
    last = slides // 2 // PAGE
    return {
        "first page": listed,
        "last page": lambda: listed(page=last),
        "first page by title": lambda: listed(sort="title"),
        "first page by stain": lambda: listed(sort="tag.stain"),
        "filter: 2 facets": lambda: listed(where=FILTER),
        "filter: a collection and all below": lambda: listed(where=deepest),
        "first page of all in a collection": lambda: listed(where=everything),
        "cases with their counts": cases,
        "facets in a collection": lambda: facets(where=deepest),
        "search: 2 words": lambda: listed("melanoma colon"),
        "search: all begin so": lambda: listed("slide"),
        "search: nothing found": lambda: listed("unheard"),
        "facets of all": facets,
        "facets of a filter": lambda: facets(where=FILTER),
        "facets of a search": lambda: facets("melanoma colon"),
        "facets of half": lambda: facets(where=(("profile", "lossless"),)),
        "facets: all begin so": lambda: facets("slide"),
    }


def milliseconds(work: Callable[[], Any]) -> float:
    """The median, after one run that warms the caches."""
    work()
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        work()
        times.append(1e3 * (time.perf_counter() - begun))
    return statistics.median(times)


@contextmanager
def catalogs() -> Iterator[dict[str, Catalog]]:
    """Empty ones on both databases."""
    with TemporaryDirectory() as folder, postgresql() as server:
        opened = {"SQLite": Catalog.open(Path(folder)), "PostgreSQL": Catalog.open(f"{server}/postgres")}
        try:
            yield opened
        finally:
            for one in opened.values():
                one.close()


def main() -> None:
    slides = int(sys.argv[1]) if len(sys.argv) > 1 else SLIDES
    slow: list[str] = []
    with catalogs() as opened:
        for name, catalog in opened.items():
            fill(catalog, slides)
            collections = nest(catalog, slides)
            if name == "PostgreSQL":
                with catalog.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.execute(text("ANALYZE"))  # as its own housekeeping does within a minute
            rows: list[list[object]] = []
            for principal in (ADMIN, OWNER):
                asked = questions(catalog, principal, slides, collections)
                times = {question: milliseconds(work) for question, work in asked.items()}
                first = times["first page"]
                slow += [
                    f"{name}, {principal.name}: {question}: {taken:.0f} ms"
                    for question, taken in times.items()
                    for begin, limit in LIMITS.items()
                    if question.startswith(begin) and taken > limit
                ]
                rows += [[f"{principal.name}: {question}", taken, taken / first] for question, taken in times.items()]
            table(f"{name}, {slides} slides", ["what", "ms", "of the first page"], rows)
    if slow:
        raise SystemExit("too slow: " + "; ".join(slow))


if __name__ == "__main__":
    main()
