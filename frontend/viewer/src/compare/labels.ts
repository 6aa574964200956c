/** Links in words: pure. */
import { decimal, withUnit } from "@wavescope/core/geometry/figures";
import { paneName } from "./address";
import type { Links } from "./links";
import { type Extent, type Link, mapPoint, startLink } from "./registration";
import { t } from "@wavescope/core/i18n/i18n";

/** How the slides are linked: how the position of each differs from a link to the first one at the centres. */
export function linksLabel(links: Links, slides: readonly Extent[]): string {
  const [first, ...others] = slides as [Extent, ...Extent[]];
  const offsets = others.flatMap((slide, i) => {
    const offset = offsetLabel(links[i + 1]!, first, slide);
    return offset ? [t("compare.offsetOf", { pane: paneName(i + 1), offset })] : [];
  });
  if (offsets.length > 0) return t("compare.linkedWith", { offsets: offsets.join("; ") });
  return others.every(({ id }) => id === first.id) ? t("compare.sameView") : t("compare.linkedAtCentre");
}

function offsetLabel({ registration, zoom }: Link, left: Extent, right: Extent): string {
  const start = startLink(left, right).registration;
  const middle = mapPoint(registration, { l0_x: left.width / 2, l0_y: left.height / 2 });
  const shift = Math.hypot(middle.l0_x - right.width / 2, middle.l0_y - right.height / 2);
  const turn = ((registration.rotation + 180) % 360) - 180;
  const planes = registration.planeShift - start.planeShift;
  const size = registration.scale / start.scale;
  const parts = [
    shift >= 0.5 ? t("compare.shiftedBy", { shift: lengthWords(shift, right) }) : "",
    Math.abs(turn) >= 0.05
      ? t("compare.rotatedBy", { degrees: `${turn < 0 ? "−" : ""}${decimal(Number(Math.abs(turn).toFixed(1)))}` })
      : "",
    registration.mirrored ? t("compare.mirrored") : "",
    Math.abs(size - 1) >= 0.0005 ? t("compare.scaledBy", { scale: Number(size.toFixed(3)) }) : "",
    planes !== 0 ? t("compare.planes", { count: Math.abs(planes), planes: signed(planes) }) : "",
    Math.abs(zoom - 1) >= 0.005 ? t("compare.magnified", { zoom: Number(zoom.toPrecision(3)) }) : "",
  ];
  return parts.filter(Boolean).join(", ");
}

function lengthWords(pixels: number, { mpp }: Extent): string {
  if (!mpp) return withUnit(Math.round(pixels), "px");
  const um = pixels * mpp.x;
  return um >= 1000
    ? t("common.lengthMm", { length: Number((um / 1000).toPrecision(3)) })
    : t("common.lengthUm", { length: Number(um.toPrecision(3)) });
}

function signed(value: number): string {
  return `${value > 0 ? "+" : "−"}${decimal(Number(Math.abs(value).toFixed(1)))}`;
}
