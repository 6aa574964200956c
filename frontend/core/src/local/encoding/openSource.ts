/** Opens a file of this computer to be encoded here: the picture, and what the manifest says of the file. */
import { localFile } from "../../wire/files/localFile";
import { type Codecs } from "../codecs/codecs";
import { loadedCodecs } from "../codecs/loading";
import type { LocalPicture } from "../localPicture";
import { openFile } from "../openFile";
import { isPng } from "../pngPicture";
import { MAX_TILES, TAG, readDirectories } from "../tiff/directories";
import { kindOf, pagesOf } from "../tiff/pages";
import { type Compression, LOSSLESS, compressionOf } from "./compression";

export interface LocalSource {
  readonly picture: LocalPicture;
  /** As the service names it. */
  readonly format: string;
  /** Of its own tiles of all levels, in bytes; null: it has none. */
  readonly tileBytes: number | null;
  readonly compression: Compression;
}

/** Throws SlideFileError; OfflineError for a file that cannot be read. */
export async function openSource(file: File, codecs: Codecs = loadedCodecs()): Promise<LocalSource> {
  const picture = await openFile(file, codecs);
  if (await isPng(file)) return { picture, format: "png", tileBytes: null, compression: LOSSLESS };
  const ranges = localFile(file);
  const directories = await readDirectories(ranges);
  const first = directories[0]!;
  const kind = await kindOf(first);
  const pages = await pagesOf(directories, kind);
  const compression = await compressionOf(directories);
  if (kind === "generic" && !pages[0]!.directory.has(TAG.tileWidth))
    return { picture, format: await formatOf(first), tileBytes: null, compression };
  let tileBytes = 0;
  for (const { directory } of pages)
    for (const tag of [TAG.tileCounts, TAG.stripCounts])
      for (const count of await directory.integers(tag, MAX_TILES)) tileBytes += count;
  return { picture, format: kind === "aperio" ? kind : await formatOf(first), tileBytes, compression };
}

/** Of a TIFF that no scanner's rules apply to: OME describes it in the first directory. */
async function formatOf(first: Awaited<ReturnType<typeof readDirectories>>[number]): Promise<string> {
  return /OME>\s*$/.test(await first.text(TAG.description)) ? "ome-tiff" : "tiff";
}
