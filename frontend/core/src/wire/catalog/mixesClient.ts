/** The saved mixes of a slide's channels (CM9). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type SavedMix = Fixed<Wire.SavedMix>;

export interface SavedMixes {
  readonly revision: number;
  /** In their order. */
  readonly mixes: readonly SavedMix[];
}

export async function readMixes(slide: string, signal?: AbortSignal): Promise<SavedMixes> {
  return call("GET /slides/{slide_id}/mixes", { path: { slide_id: slide }, signal });
}

/** Replaces all. Refused (`stale-revision`) if they were changed since `revision`. */
export async function saveMixes(slide: string, mixes: readonly SavedMix[], revision: number): Promise<SavedMixes> {
  return call("PUT /slides/{slide_id}/mixes", { path: { slide_id: slide }, body: { mixes }, revision });
}
