/** What is in view, read from the microscope. */
import { boxOf } from "@wavescope/core/geometry/shape";
import { channelsOf, defaultMix, mixOfEntries } from "@wavescope/core/tiles/channels/mix";
import type { Fidelity } from "@wavescope/core/tiles/state";
import { t } from "@wavescope/core/i18n/i18n";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { openAnnotations } from "@wavescope/viewer/annotate/annotations";
import { annotationName } from "@wavescope/viewer/annotate/draw/labels";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { directionBack, transform, turnMatrix } from "@wavescope/viewer/core/rotation";
import { turned } from "@wavescope/viewer/core/viewLink";
import { readLight } from "@wavescope/viewer/light/light";
import { showsWhole } from "@wavescope/viewer/navigation/coverage";
import { freeField } from "@wavescope/viewer/navigation/freePart";
import { shownLabel } from "@wavescope/viewer/navigation/scale";
import { tissueOf } from "@wavescope/viewer/navigation/tissue";
import { type TurnedField, viewParts } from "@wavescope/viewer/navigation/viewParts";
import { drawnOverlays } from "@wavescope/viewer/overlays/shown";
import { planeLabel } from "../focus/focusing";
import { type AnnotationsInView, type Counts, MAX_NEAREST, type ViewFacts } from "./sentences";

/** What no panel covers of the view that is shown, or being moved to. */
function fieldOf(microscope: Microscope): TurnedField & { readonly scale: number } {
  const { region, scale } = microscope.reading(false);
  const { viewport } = microscope.viewer;
  const rotation = turned(viewport.getRotation(false));
  return { region: freeField(microscope, region, rotation), rotation, flip: viewport.getFlip(), scale };
}

export async function readFacts(microscope: Microscope): Promise<ViewFacts> {
  const { manifest, pyramid } = microscope;
  const field = fieldOf(microscope);
  const { region, rotation, flip, scale } = field;
  const mask = await tissueOf(microscope).catch(() => null); // its thumbnail cannot be read
  return {
    magnification: shownLabel(scale, manifest),
    slide: pyramid,
    mpp: manifest.mpp,
    l0_x: region.l0_x + region.l0_width / 2,
    l0_y: region.l0_y + region.l0_height / 2,
    l0_width: region.l0_width,
    l0_height: region.l0_height,
    whole: showsWhole(pyramid, region, rotation),
    parts: viewParts(pyramid, field, mask),
    rotation,
    flip,
    focus: focusOf(microscope),
    channels: channelsShown(microscope),
    annotations: annotationsShown(microscope),
    overlays: await overlaysShown(microscope, field),
    fidelity: sharpness(microscope.state.getState().fidelity),
  };
}

export function sharpness(fidelity: Fidelity): ViewFacts["fidelity"] {
  if (fidelity === "damaged") return "damaged";
  return fidelity === "sharp" || fidelity === "exact" ? "sharp" : "coarse";
}

function focusOf(microscope: Microscope): string | null {
  if (microscope.manifest.planes < 2) return null;
  if (readLight(microscope).extended) return t("focus.extendedComputed");
  return planeLabel(microscope.plane, microscope.manifest);
}

function channelsShown(microscope: Microscope): readonly string[] | null {
  const channels = channelsOf(microscope.manifest);
  if (channels.length === 0) return null;
  const { mix } = readLight(microscope);
  return (mix ? mixOfEntries(mix) : defaultMix(channels)).flatMap(({ c }) => channels[c]?.name ?? []);
}

export interface AnnotationInView {
  readonly id: string;
  readonly content: Content;
  /** From the middle of the view, along the screen, in level-0 pixels. */
  readonly across: number;
  readonly down: number;
}

/** The nearest to the middle first; null where the page has no annotations. In a slanted view it counts those around its corners. */
export function annotationsInView(microscope: Microscope): readonly AnnotationInView[] | null {
  const annotations = openAnnotations(microscope);
  if (!annotations) return null;
  const { store, layer } = annotations;
  const field = fieldOf(microscope);
  const { l0_x, l0_y, l0_width, l0_height } = field.region;
  const screen = turnMatrix(0, 0, field.rotation, field.flip);
  const found = store.index
    .within(boxOf({ parts: [cornersOf(field)] }))
    .filter(({ id, content }) => layer.isSeen(content, id));
  return found
    .map(({ id, content }) => {
      const { minX, minY, maxX, maxY } = boxOf(content.shape);
      const [x, y] = [(minX + maxX) / 2 - l0_x - l0_width / 2, (minY + maxY) / 2 - l0_y - l0_height / 2];
      const [across, down] = transform(screen, x, y);
      return { id, content, across, down };
    })
    .sort((a, b) => Math.hypot(a.across, a.down) - Math.hypot(b.across, b.down));
}

function annotationsShown(microscope: Microscope): AnnotationsInView | null {
  const found = annotationsInView(microscope);
  if (!found) return null;
  const counts = new Map<string, number>();
  for (const { content } of found) counts.set(content.class, (counts.get(content.class) ?? 0) + 1);
  return {
    classes: [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count),
    nearest: found.slice(0, MAX_NEAREST).map(({ content }) => annotationName(content)),
  };
}

async function overlaysShown(microscope: Microscope, field: TurnedField): Promise<Counts> {
  const found = (await drawnOverlays(microscope)?.sums(cornersOf(field))) ?? [];
  return found.map(({ info, sums }) => ({
    name: info.name,
    count: sums.classes.reduce((all, { shapes }) => all + shapes, 0),
  }));
}

/** The corners of the field on the upright slide. */
function cornersOf({ region: { l0_x, l0_y, l0_width, l0_height }, rotation, flip }: TurnedField): number[] {
  const halves = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ] as const;
  return halves.flatMap(([across, down]) => {
    const [x, y] = directionBack(rotation, flip, across * l0_width, down * l0_height);
    return [l0_x + l0_width / 2 + x, l0_y + l0_height / 2 + y];
  });
}
