/** What the user chooses of stain views: from choices to the entries of a view (SN7), and the reference of this browser. */
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import type { Adjustments, Rgb, StainEntries } from "@wavescope/viewer/light/adjustments";
import { type StainEstimate, estimateStains, ratioOf } from "@wavescope/viewer/light/stainEstimate";
import { stainViewOf } from "@wavescope/viewer/light/stains";
import { levelWithin, pixelsOfLevel } from "@wavescope/viewer/light/slidePixels";
import type { Microscope } from "@wavescope/viewer/core/microscope";

export interface StainReference extends StainEstimate {
  readonly title: string;
}

/** Whether the slide is one picture of red, green and blue. */
export function hasStains({ channels, groups }: Pick<Manifest, "channels" | "groups">): boolean {
  return channels === 3 && !groups;
}

/** The vectors of the entries, if they have some of their own. */
export function ownVectors({ stain }: Adjustments): StainEstimate["vectors"] | null {
  const view = stain && stainViewOf(stain);
  return view && !view.standard ? [view.vectors[0], view.vectors[1]] : null;
}

/** One stain alone, 1 to 3. */
export function aloneWith(stain: number, vectors: StainEstimate["vectors"] | null): StainEntries {
  return vectors ? { stain, stain1: vectors[0], stain2: vectors[1] } : { stain };
}

/** The slide as if it had been stained as the reference. */
export function normalisedTo(reference: StainEstimate, own: StainEstimate): StainEntries {
  const target = [0, 1].map((s) => [...reference.vectors[s]!, ratioOf(reference.most[s]!, own.most[s]!)]);
  return { ...aloneWith(0, own.vectors), stainTo1: target[0], stainTo2: target[1] };
}

const MOST_PIXELS = 2 ** 20;

/** SN8, of the slide that is open. */
export async function estimateOf(microscope: Microscope, white: Rgb | null): Promise<StainEstimate | null> {
  return estimateStains(await pixelsOfLevel(microscope, levelWithin(microscope.pyramid, MOST_PIXELS)), white);
}

const REFERENCE = "wavescope.stainReference";

export function storedReference(): StainReference | null {
  try {
    const stored = JSON.parse(localStorage.getItem(REFERENCE) ?? "null") as Partial<StainReference> | null;
    const { title, vectors, most } = stored ?? {};
    const valid = stainViewOf({ stain: 1, stain1: vectors?.[0], stain2: vectors?.[1] });
    if (typeof title !== "string" || !vectors || !valid || !most?.every(Number.isFinite)) return null;
    return { title, vectors, most };
  } catch {
    return null; // a browser may forbid storage
  }
}

export function storeReference(reference: StainReference): void {
  try {
    localStorage.setItem(REFERENCE, JSON.stringify(reference));
  } catch {
    return; // it lasts as long as the panel
  }
}
