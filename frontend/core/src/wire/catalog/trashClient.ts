/** The trash (wire/catalog.md, WI36-WI38). */
import { call } from "../http/api";
import { type SlideSummary, summaryOf } from "../slides/manifest";

export interface TrashedSlide extends SlideSummary {
  readonly trashed: string;
  readonly purgedAfter: string;
}

export async function listTrash(signal?: AbortSignal): Promise<TrashedSlide[]> {
  const { slides } = await call("GET /trash", { signal });
  return slides.map((slide) => ({ ...summaryOf(slide), trashed: slide.trashed, purgedAfter: slide.purged_after }));
}

export async function restoreSlide(id: string): Promise<void> {
  await call("POST /trash/{slide_id}/restore", { path: { slide_id: id } });
}

export async function purgeSlide(id: string): Promise<void> {
  await call("DELETE /trash/{slide_id}", { path: { slide_id: id } });
}

export async function emptyTrash(): Promise<void> {
  await call("DELETE /trash");
}
