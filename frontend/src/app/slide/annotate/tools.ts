/** The tools in the order of their buttons. */
import {
  IconAngle,
  IconArrowUpRight,
  IconCircle,
  IconLetterT,
  IconMapPin,
  IconPolygon,
  IconRectangle,
  IconRuler2,
  IconScribble,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Kind } from "../../../geometry/shape";
import { MEASURING } from "../../../viewer/annotate/store/localObjects";
import { KIND_NAMES } from "../../../viewer/annotate/draw/labels";

export interface Tool {
  readonly kind: Kind;
  readonly title: string;
  readonly hint: string;
  readonly key: string;
  readonly icon: ComponentType<{ size?: number | string }>;
}

/** What who may not annotate is offered, and what it measures. */
const MEASURES: Readonly<Partial<Record<Kind, string>>> = { line: "Length", angle: "Angle", polygon: "Area" };

const tool = (kind: Kind, key: string, icon: Tool["icon"], hint: string): Tool => ({
  kind,
  title: KIND_NAMES[kind],
  key,
  icon,
  hint,
});

export const tools: readonly Tool[] = [
  tool("point", "x", IconMapPin, "Click a place"),
  tool("line", "m", IconRuler2, "Drag from end to end"),
  tool("angle", "k", IconAngle, "Click three places: the angle is at the second"),
  tool("rectangle", "q", IconRectangle, "Drag from corner to corner; Shift: a square"),
  tool("ellipse", "e", IconCircle, "Drag from corner to corner; Shift: a circle"),
  tool("polygon", "d", IconPolygon, "Click the corners; the first corner, a double click or Enter closes it"),
  tool("freehand", "s", IconScribble, "Drag around it"),
  tool("arrow", "w", IconArrowUpRight, "Drag from tail to tip"),
  tool("text", "y", IconLetterT, "Click where the words begin"),
];

/** The tools that who sits here may use: those that measure are left to everybody (AN23). */
export function offeredTools(editable: boolean): readonly Tool[] {
  if (editable) return tools;
  return tools
    .filter(({ kind }) => MEASURING.includes(kind))
    .map((one) => ({ ...one, title: MEASURES[one.kind] ?? one.title }));
}
