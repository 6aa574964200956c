"""QM11, QM12."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quality_maps.planted import planted
from wavescope.catalog.catalog import Catalog
from wavescope.catalog.findings import note_findings
from wavescope.catalog.labels import count_facets
from wavescope.catalog.overlays import OverlayTable
from wavescope.cli.app import main
from wavescope.config import Config
from wavescope.quality_maps.findings import Findings
from wavescope.service.opening import open_catalog
from wavescope.service.quality_maps.scanning import scan

SHARP = Findings(tissue=0.5, judged=0.9, blurred=0.0, pen=0.0, bubbles=0.0)


@pytest.mark.parametrize(
    ("findings", "focus", "covered", "warning"),
    [
        (SHARP, "sharp", None, ""),
        (Findings(0.5, 0.9, 0.07, 0, 0), "partly", None, "Of the tissue, 7% is out of focus"),
        (Findings(0.5, 0.9, 0.4, 0.02, 0), "blurred", "ink", "Of the tissue, 40% is out of focus, 2% lies under ink"),
        (
            Findings(0.5, 0.9, 0, 0.03, 0.05),
            "sharp",
            "both",
            "Of the tissue, 3% lies under ink, 5% lies under air bubbles",
        ),
        (Findings(0.5, 0.9, 0.019, 0.009, 0.01), "sharp", "bubbles", "Of the tissue, 1% lies under air bubbles"),
    ],
)
def test_qm11_what_is_worth_a_word(findings: Findings, focus: str, covered: str | None, warning: str) -> None:
    assert (findings.focus, findings.covered, findings.warning) == (focus, covered, warning)
    assert Findings.from_json(findings.to_json()) == findings


@pytest.mark.slow
def test_qm11_an_import_warns_keeps_what_it_found_and_lays_a_hidden_map_over_the_slide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = planted(4096, 5, blur=True, ink=True).write(tmp_path / "spoilt.tif")
    base = ["--store", str(tmp_path / "store")]
    assert main(["ingest", str(file), "--id", "spoilt", *base, "--json"]) == 0
    assert "is out of focus" in capsys.readouterr().err
    catalog = open_catalog(config := Config(store=tmp_path / "store"))
    try:
        findings = catalog.get("spoilt").findings
        assert findings is not None
        assert findings.blurred > 0.02
        assert findings.pen > 0.01
        (overlay,) = OverlayTable(catalog).of("spoilt")
        assert (overlay.file.name, overlay.hidden) == ("Scan quality", True)
        assert [one["name"] for one in overlay.manifest["classes"]][:3] == ["Sharp", "Soft", "Out of focus"]
        assert values_of(catalog, "focus") == {findings.focus: 1}
        assert values_of(catalog, "covered") == {findings.covered: 1}
        OverlayTable(catalog).remove("spoilt", overlay.id)
        scan(config, catalog, "spoilt")
        assert OverlayTable(catalog).of("spoilt") == ()  # what was deleted does not come back
    finally:
        catalog.close()


@pytest.mark.slow
def test_qm12_findings_belong_to_the_source_and_are_searched_by_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = ["--store", str(tmp_path / "store"), "--json"]
    assert main(["ingest", "specimen:600x500?seed=1", "--id", "small", *base]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "small"
    catalog = open_catalog(Config(store=tmp_path / "store"))
    try:
        slide = catalog.get("small")
        assert slide.findings is None  # too small to be judged
        assert values_of(catalog, "focus") == {}
        note_findings(catalog, "small", "another file", SHARP)
        assert catalog.get("small").findings is None
        note_findings(catalog, "small", slide.manifest["source"]["fingerprint"], SHARP)
        assert catalog.get("small").findings == SHARP
        assert values_of(catalog, "focus") == {"sharp": 1}
        other = {**slide.manifest, "source": {**slide.manifest["source"], "fingerprint": "0" * 64}}
        catalog.publish("small", "", slide.digest, slide.manifest)
        assert catalog.get("small").findings == SHARP  # encoded again
        catalog.publish("small", "", slide.digest, other)
        assert catalog.get("small").findings is None
        assert values_of(catalog, "focus") == {}
    finally:
        catalog.close()


def values_of(catalog: Catalog, name: str) -> dict[str | None, int]:
    with catalog.reading() as session:
        found = {facet.name: facet for facet in count_facets(session, "", ())}
    return {one.value: one.count for one in found[name].values} if name in found else {}
