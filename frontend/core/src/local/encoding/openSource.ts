/** Opens a file of this computer to be encoded here. */
import { SlideFileError } from "../../wire/files/errors";
import type { LocalSource } from "./encodeLocal";
import { isPng, openPng } from "./pngPicture";

/** Throws SlideFileError; OfflineError for a file that cannot be read. */
export async function openSource(file: File): Promise<LocalSource> {
  if (await isPng(file)) return openPng(file);
  throw new SlideFileError("unsupported", `${file.name}: only the service reads it`);
}
