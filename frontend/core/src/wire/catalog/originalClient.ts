/** The original file of a slide (wire/catalog.md, WI130 to WI134). The service records who downloads it. */
import { API, call, part } from "../http/api";

export const originalFile = (id: string): string => `${API}/slides/${part(id)}/original`;

/** Deletes the file permanently; the slide stays. */
export async function deleteOriginal(id: string): Promise<void> {
  await call("DELETE /slides/{slide_id}/original", { path: { slide_id: id } });
}
