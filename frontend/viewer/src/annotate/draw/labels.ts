/** Annotations and their measures in words. Pure. */
import { decimal, groupedNumber, withUnit } from "@wavescope/core/geometry/figures";
import { type Mpp, measure } from "@wavescope/core/geometry/measure";
import type { Kind, Shape } from "@wavescope/core/geometry/shape";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { t } from "@wavescope/core/i18n/i18n";

export const KIND_NAMES: Readonly<Record<Kind, string>> = {
  point: t("annotate.point"),
  line: t("annotate.length"),
  arrow: t("annotate.arrow"),
  angle: t("annotate.angle"),
  rectangle: t("annotate.rectangle"),
  ellipse: t("annotate.ellipse"),
  polygon: t("annotate.polygon"),
  freehand: t("annotate.freehand"),
  text: t("annotate.text"),
};

/** An annotation in a list: its name, else the first line of its text, else what it is; with its class. */
export function annotationName({ name, text, shape, class: group }: Content): string {
  const own = name || (shape.kind === "text" && text.split("\n", 1)[0]) || KIND_NAMES[shape.kind];
  return group ? `${own} · ${group}` : own;
}

/** Each measure that a shape has, with its unit; micrometres turn to millimetres where they become many. */
export function measureLabels(shape: Shape, mpp: Mpp | null): string[] {
  const { length, area, angle } = measure(shape, mpp);
  const labels: string[] = [];
  if (area !== null) labels.push(areaLabel(area, mpp !== null));
  if (length !== null) labels.push(lengthLabel(length, mpp !== null));
  if (angle !== null) labels.push(`${decimal(angle.toFixed(1))}°`);
  return labels;
}

/** Characters of a text that are shown in the picture: no name runs across it (AN56). */
const LONGEST_NAME = 32;
const LONGEST_TEXT = 120;

/** The text as far as the picture shows it; what is cut ends in an ellipsis. */
export function shortened(text: string, kind: Kind): string {
  const most = kind === "text" ? LONGEST_TEXT : LONGEST_NAME;
  const characters = Array.from(text);
  return characters.length > most
    ? `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : text;
}

export function lengthLabel(length: number, metric: boolean): string {
  if (!metric) return withUnit(digits(length), "px");
  return length >= 1000
    ? t("common.lengthMm", { length: digits(length / 1000) })
    : t("common.lengthUm", { length: digits(length) });
}

export function areaLabel(area: number, metric: boolean): string {
  if (!metric) return withUnit(digits(area), "px²");
  return area >= 100_000
    ? t("annotate.areaMm", { area: digits(area / 1e6) })
    : t("annotate.areaUm", { area: digits(area) });
}

/** Four figures are more than a hand can draw. */
function digits(value: number): string {
  if (value >= 1000) return groupedNumber(Math.round(value));
  return decimal(Number(value.toPrecision(4)));
}
