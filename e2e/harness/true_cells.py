"""The cells that a specimen shows, as QuPath's GeoJSON.

usage: true_cells.py SPECIMEN        such as specimen:9216x7168x2?seed=5
"""

from __future__ import annotations

import json
import sys

from wavescope.source.specimen.spec import parse_spec
from wavescope.source.specimen.truth import CLASSES, outlines

features = []
for part in outlines(parse_spec(sys.argv[1])):
    for ring, of, score in zip(
        part.corners.round(2).tolist(), part.classes.tolist(), part.scores.tolist(), strict=True
    ):
        features.append(
            {
                "type": "Feature",
                "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]]]},
                "properties": {
                    "objectType": "detection",
                    "classification": {"name": CLASSES[of]},
                    "measurements": {"Probability": score},
                },
            }
        )
json.dump({"type": "FeatureCollection", "features": features}, sys.stdout, separators=(",", ":"))
