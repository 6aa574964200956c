/** The colours of annotations: of the object, of its class, or the one of those without a class. Pure. */
import type { Color, Content } from "@wavescope/core/wire/annotations/annotations";
import type { AnnotationState } from "../store/annotationState";
import { authorColor } from "../store/classColors";

export const PLAIN: Color = [255, 214, 10];

/** Visible on haematoxylin and eosin, and distinguishable with the common kinds of colour blindness. */
export const PALETTE: readonly Color[] = [
  [213, 40, 40],
  [0, 114, 178],
  [0, 158, 115],
  [230, 159, 0],
  [86, 180, 233],
  [204, 121, 167],
  [120, 60, 190],
  [90, 90, 90],
];

export function colorOf(content: Pick<Content, "color" | "class">, classes: ReadonlyMap<string, Color>): Color {
  return content.color ?? classes.get(content.class) ?? PLAIN;
}

/** As the annotation is shown: in the colour of its class, or of its author (annotations.md, AN50). */
export function shownColor(
  content: Pick<Content, "color" | "class">,
  author: string,
  { colorBy, classes }: Pick<AnnotationState, "colorBy" | "classes">,
): Color {
  return colorBy === "author" && author !== "" ? authorColor(author) : colorOf(content, classes);
}

/** 0xAABBGGRR, as it lies in memory; `opacity` is above 0, at most 1. */
export function packed([red, green, blue]: Color, opacity = 1): number {
  return ((Math.round(255 * opacity) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

export function cssOf([red, green, blue]: Color): string {
  return `rgb(${red} ${green} ${blue})`;
}

export function hexOf(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

export function fromHex(hex: string): Color | null {
  const found = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(hex);
  return found && [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)];
}
