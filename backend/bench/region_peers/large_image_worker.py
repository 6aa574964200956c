"""Runs with the Python of another environment: ``SLIDE SIDE``; a line of places in, a line of milliseconds out."""

import json
import sys
import time

import large_image  # type: ignore[import-not-found]

slide, side = sys.argv[1], int(sys.argv[2])
source = large_image.open(slide)
print(json.dumps(type(source).__name__), flush=True)
for line in sys.stdin:
    begun = time.process_time()
    for left, top in json.loads(line):
        region = {"left": left, "top": top, "width": side, "height": side, "units": "base_pixels"}
        source.getRegion(region=region, encoding="JPEG", jpegQuality=90, jpegSubsampling=0)
    print(json.dumps(1000 * (time.process_time() - begun)), flush=True)
