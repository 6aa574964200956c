/** Opens a slide file of this computer; it is read by ranges, never as a whole (LI1). */
import { ByteLru } from "../codec/byteLru";
import type { Size } from "../geometry/pyramid";
import { SlideFileError } from "../wire/files/errors";
import type { RangeFile } from "../wire/files/folder";
import type { Codecs } from "./codecs/codecs";
import type { LocalPicture } from "./localPicture";
import { type Directory, checkWhole, readDirectories } from "./tiff/directories";
import { factsOf } from "./tiff/facts";
import { kindOf, pagesOf } from "./tiff/pages";
import { TiffPlane } from "./tiff/plane";

/** Bytes of decoded tiles that an open picture caches. */
const CACHE_BYTES = 96 << 20;

/** Throws SlideFileError (truncated, malformed, too-large, unsupported), OfflineError (it cannot be read), the caller's abort. */
export async function openLocalPicture(
  file: RangeFile,
  codecs: Codecs,
  signal?: AbortSignal,
  cacheBytes = CACHE_BYTES,
): Promise<LocalPicture> {
  const directories = await readDirectories(file, signal);
  const first = directories[0]!;
  const kind = await kindOf(first, signal);
  for (const directory of directories) await checkWhole(directory, signal);
  const [base, ...reduced] = await pagesOf(directories, kind, signal);
  const planes = [await TiffPlane.open(base!.directory, codecs, signal)];
  for (const { directory } of reduced) {
    const plane = await levelPlane(directory, codecs, signal);
    if (plane) planes.push(plane);
  }
  if (kind === "aperio" && planes.some((plane) => plane.lacksTiles))
    throw new SlideFileError("unsupported", `${file.name}: tiles that are not stored`);
  const cache = new ByteLru<Promise<Uint8Array>>(cacheBytes);
  const levels = planes.map(({ layout: { width, height } }) => ({ width, height }));
  const { width, height } = levels[0]!;
  let closed = false;
  return {
    width,
    height,
    levels,
    facts: await factsOf(kind, first, base!.directory, signal),
    readRegion: async (level, x, y, regionWidth, regionHeight, regionSignal) => {
      const plane = planes[level];
      if (closed || !plane) throw new RangeError(closed ? "the picture is closed" : `level ${level}`);
      const size = { width: regionWidth, height: regionHeight };
      checkRegion(x, y, size, plane.layout);
      const clipped = {
        width: Math.min(regionWidth, plane.layout.width - x),
        height: Math.min(regionHeight, plane.layout.height - y),
      };
      return plane.read(cache, x, y, clipped, regionSignal);
    },
    close: () => {
      closed = true;
    },
  };
}

/** A reduced picture; null where it is coded in a way that is not read here: the levels around it do. */
async function levelPlane(directory: Directory, codecs: Codecs, signal?: AbortSignal): Promise<TiffPlane | null> {
  try {
    return await TiffPlane.open(directory, codecs, signal);
  } catch (error) {
    if (error instanceof SlideFileError && error.fault === "unsupported") return null;
    throw error;
  }
}

function checkRegion(x: number, y: number, { width, height }: Size, level: Size): void {
  const whole = [x, y, width, height].every((value) => Number.isSafeInteger(value) && value >= 0);
  if (!whole || width < 1 || height < 1 || x >= level.width || y >= level.height)
    throw new RangeError(`a region of ${width} x ${height} at ${x}, ${y}`);
}
