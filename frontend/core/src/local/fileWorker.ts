/** Reads and decodes one slide file, off the main thread (LI7). */
import { SlideFileError } from "../wire/files/errors";
import { bitmapFile } from "./bitmap";
import { loadedCodecs } from "./codecs/loading";
import { openFile } from "./openFile";
import type { FromWorker, ToWorker, WorkerFault } from "./protocol";
import { TileMaker, type TilePlace } from "./tileMaker";

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
};

/** Longest side of the thumbnail, at least, in pixels: as the service's. */
const SIDE = 576;
/** Pixels of the coarsest level of a file: all of them are decoded for the view of the whole slide. */
const MAX_COARSEST = 1 << 26;

const codecs = loadedCodecs();
codecs.prepare();

let maker: TileMaker | null = null;

scope.onmessage = ({ data }) => void (data.type === "open" ? open(data.file) : tile(data.id, data.place));

async function open(file: File): Promise<void> {
  try {
    const picture = await openFile(file, codecs);
    const { width, height, levels, facts } = picture;
    const coarsest = levels.at(-1)!;
    if (coarsest.width * coarsest.height > MAX_COARSEST)
      throw new SlideFileError("too-large", `${file.name}: no reduced picture`);
    maker = new TileMaker(picture);
    const thumbnail = await thumbnailOf(maker);
    scope.postMessage({ type: "opened", description: { width, height, levels, facts }, thumbnail }, [thumbnail]);
  } catch (error) {
    scope.postMessage({ type: "refused", error: faultOf(error) });
  }
}

/** The coarsest level that is not smaller than a thumbnail. */
async function thumbnailOf(tiles: TileMaker): Promise<ArrayBuffer> {
  const { pyramid } = tiles;
  const isSmaller = (level: number): boolean => {
    const { width, height } = pyramid.levelSize(level);
    return Math.max(width, height) < SIDE;
  };
  let level = pyramid.top;
  while (level > 0 && isSmaller(level)) level -= 1;
  return bitmapFile(await tiles.level(level), pyramid.levelSize(level));
}

async function tile(id: number, place: TilePlace): Promise<void> {
  try {
    const tiles = maker!;
    const picture = bitmapFile(await tiles.tile(place), tiles.pyramid.tileSize(place.level, place.x, place.y));
    scope.postMessage({ type: "tile", id, picture }, [picture]);
  } catch (error) {
    scope.postMessage({ type: "failed", id, error: faultOf(error) });
  }
}

function faultOf(error: unknown): WorkerFault {
  const fault = error instanceof SlideFileError ? error.fault : null;
  return { fault, message: error instanceof Error ? error.message : String(error) };
}
