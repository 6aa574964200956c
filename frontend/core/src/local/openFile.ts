/** Opens a slide file of this computer, to be looked at or encoded. */
import { localFile } from "../wire/files/localFile";
import type { Codecs } from "./codecs/codecs";
import type { LocalPicture } from "./localPicture";
import { openLocalPicture } from "./openLocalPicture";
import { isPng, openPng } from "./pngPicture";

/** Throws SlideFileError; OfflineError for a file that cannot be read. */
export async function openFile(file: File, codecs: Codecs): Promise<LocalPicture> {
  return (await isPng(file)) ? openPng(file) : openLocalPicture(localFile(file), codecs);
}
