/** The trash (wire/catalog.md, WI36-WI38). */
import { getJson, part, sendJson } from "../http/api";
import { type SlideSummary, parseSummary } from "../slides/manifest";
import { asArray, asObject, text } from "../http/shape";

export interface TrashedSlide extends SlideSummary {
  readonly trashed: string;
  readonly purgedAfter: string;
}

export async function listTrash(signal?: AbortSignal): Promise<TrashedSlide[]> {
  return asArray(asObject(await getJson("/trash", signal), "trash").slides, "slides").map((value) => {
    const from = asObject(value, "slide");
    return { ...parseSummary(value), trashed: text(from, "trashed"), purgedAfter: text(from, "purged_after") };
  });
}

export async function restoreSlide(id: string): Promise<void> {
  await sendJson("POST", `/trash/${part(id)}/restore`);
}

export async function purgeSlide(id: string): Promise<void> {
  await sendJson("DELETE", `/trash/${part(id)}`);
}

export async function emptyTrash(): Promise<void> {
  await sendJson("DELETE", "/trash");
}
