/** The tools in the order of their buttons. */
import {
  IconAngle,
  IconArrowUpRight,
  IconBrush,
  IconCircle,
  IconLetterT,
  IconMapPin,
  IconPolygon,
  IconRectangle,
  IconRuler2,
  IconScribble,
  IconWand,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { Kind } from "@wavescope/core/geometry/shape";
import { MEASURING } from "@wavescope/viewer/annotate/store/localObjects";
import { KIND_NAMES } from "@wavescope/viewer/annotate/draw/labels";
import { t } from "@wavescope/core/i18n/i18n";

export interface Tool {
  readonly kind: Kind | "brush" | "wand";
  readonly title: string;
  /** What a command calls it. */
  readonly action: string;
  readonly hint: string;
  readonly key: string;
  readonly icon: ComponentType<{ size?: number | string }>;
}

/** The tools offered without the right to annotate, and what they measure. */
const MEASURES: Readonly<Partial<Record<Tool["kind"], string>>> = {
  line: t("annotate.length"),
  angle: t("annotate.angle"),
  polygon: t("annotate.area"),
};

const TITLES = { ...KIND_NAMES, brush: t("annotate.brush"), wand: t("annotate.wand") };

const tool = (kind: Tool["kind"], key: string, icon: Tool["icon"], action: string, hint: string): Tool => ({
  kind,
  title: TITLES[kind],
  action,
  key,
  icon,
  hint,
});

export const tools: readonly Tool[] = [
  tool("point", "x", IconMapPin, t("annotate.drawPoint"), t("annotate.pointHint")),
  tool("line", "m", IconRuler2, t("annotate.measureLength"), t("annotate.lineHint")),
  tool("angle", "k", IconAngle, t("annotate.measureAngle"), t("annotate.angleHint")),
  tool("rectangle", "q", IconRectangle, t("annotate.drawRectangle"), t("annotate.rectangleHint")),
  tool("ellipse", "e", IconCircle, t("annotate.drawEllipse"), t("annotate.ellipseHint")),
  tool("polygon", "d", IconPolygon, t("annotate.drawPolygon"), t("annotate.polygonHint")),
  tool("freehand", "s", IconScribble, t("annotate.drawFreehand"), t("annotate.freehandHint")),
  tool("brush", "Shift+x", IconBrush, t("annotate.paintArea"), t("annotate.brushHint")),
  tool("wand", "Shift+w", IconWand, t("annotate.findArea"), t("annotate.wandHint")),
  tool("arrow", "w", IconArrowUpRight, t("annotate.drawArrow"), t("annotate.arrowHint")),
  tool("text", "y", IconLetterT, t("annotate.addText"), t("annotate.textHint")),
];

/** The tools that who sits here may use: those that measure are left to everybody (AN23). */
export function offeredTools(editable: boolean): readonly Tool[] {
  if (editable) return tools;
  return tools
    .filter(({ kind }) => isMeasuring(kind))
    .map((tool) => ({ ...tool, title: MEASURES[tool.kind] ?? tool.title }));
}

export const isMeasuring = (kind: Tool["kind"]): boolean =>
  kind !== "brush" && kind !== "wand" && MEASURING.includes(kind);
