"""Writes a raster as TIFF or PNG: FILE heat|labels|classes WIDTH HEIGHT. The same numbers are in rastering.ts."""

import sys

import numpy as np
import tifffile
from PIL import Image

path, kind, width, height = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
y, x = np.mgrid[:height, :width]
if kind == "heat":
    made = (0.5 + 0.5 * np.sin(x / 91) * np.cos(y / 67)).astype(np.float32)
    made[(x < 100) & (y < 100)] = np.nan
elif kind == "labels":
    made = (1 + x // 24 + 60 * (y // 24)).astype(np.uint16)
else:
    made = (((x // 96) + (y // 96)) % 4).astype(np.uint8)
if path.endswith(".png"):
    Image.fromarray(made).save(path)
else:
    tifffile.imwrite(path, made, compression="zlib")
