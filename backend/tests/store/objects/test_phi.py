"""Identifying data in an object store (CL14, PR41)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from object_stores import BUCKET, Server, served
from wavescope.errors import CorruptStore
from wavescope.store.layout import StorePaths
from wavescope.store.objects.backend import ObjectBackend
from wavescope.store.objects.client import Objects
from wavescope.store.objects.phi import phi_of
from wavescope.store.phi import Phi

DIGEST = "0" * 32


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("s3")) as running:
        yield running


@pytest.fixture(params=["folder", "objects"])
def phi(request: pytest.FixtureRequest, server: Server, tmp_path: Path) -> Phi:
    place = ObjectBackend(Objects.at(f"s3://{BUCKET}/{tmp_path.name}")) if request.param == "objects" else None
    return phi_of(StorePaths(tmp_path), place)


def test_what_was_written_is_read_replaced_and_dropped_cl14(phi: Phi) -> None:
    assert (phi.images(DIGEST), phi.texts(DIGEST), phi.image(DIGEST, "label")) == ((), {}, None)
    assert phi.write(DIGEST, {"patient": "Jürgen"}, {"label": b"one", "../../Macro": b"two"}) == ("label", "macro")
    assert phi.texts(DIGEST) == {"patient": "Jürgen"}
    assert (phi.image(DIGEST, "label"), phi.image(DIGEST, "macro")) == (b"one", b"two")
    assert phi.image(DIGEST, "../macro") is None
    phi.write(DIGEST, {"patient": "other"}, {"label": b"three"})
    assert (phi.images(DIGEST), phi.texts(DIGEST)) == (("label",), {"patient": "other"})
    assert phi.image(DIGEST, "label") == b"three"
    assert phi.drop(DIGEST)
    assert not phi.drop(DIGEST)
    assert (phi.images(DIGEST), phi.texts(DIGEST), phi.image(DIGEST, "label")) == ((), {}, None)


def test_a_replaced_picture_leaves_no_object_and_none_is_below_the_slides_cl14(server: Server) -> None:
    objects = Objects.at(f"s3://{BUCKET}/left")
    phi = phi_of(StorePaths(Path("nowhere")), ObjectBackend(objects))
    phi.write(DIGEST, {}, {"label": b"one"})
    phi.write(DIGEST, {}, {"label": b"two"})
    assert len(list(objects.under(f"identity/{DIGEST}"))) == 2
    assert list(objects.under("slides")) == []
    phi.drop(DIGEST)
    assert list(objects.under("identity")) == []


def test_damage_is_found_cl14(server: Server) -> None:
    objects = Objects.at(f"s3://{BUCKET}/damaged")
    phi = phi_of(StorePaths(Path("nowhere")), ObjectBackend(objects))
    phi.write(DIGEST, {}, {"label": b"one"})
    picture = next(path for path, _ in objects.under(f"identity/{DIGEST}") if path.endswith(".png"))
    objects.put(picture, [b"another"])
    with pytest.raises(CorruptStore):
        phi.image(DIGEST, "label")
    objects.put(f"identity/{DIGEST}/index.json", [b"[]"])
    with pytest.raises(CorruptStore):
        phi.texts(DIGEST)
