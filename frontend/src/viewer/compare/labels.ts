/** A link in words: pure. */
import { type Extent, type Link, mapPoint, startLink } from "./registration";
import { t } from "../../i18n/i18n";

/** How the right slide lies against centre upon centre. */
export function offsetWords({ registration, zoom }: Link, left: Extent, right: Extent): string {
  const start = startLink(left, right).registration;
  const middle = mapPoint(registration, { l0_x: left.width / 2, l0_y: left.height / 2 });
  const shift = Math.hypot(middle.l0_x - right.width / 2, middle.l0_y - right.height / 2);
  const turn = ((registration.rotation + 180) % 360) - 180;
  const planes = registration.planeShift - start.planeShift;
  const size = registration.scale / start.scale;
  const words = [
    shift >= 0.5 ? t("compare.shiftedByShift", { shift: lengthWords(shift, right) }) : "",
    Math.abs(turn) >= 0.05
      ? t("compare.turnedByValueTurn", { value: turn < 0 ? "−" : "", turn: Number(Math.abs(turn).toFixed(1)) })
      : "",
    registration.mirrored ? "mirrored" : "",
    Math.abs(size - 1) >= 0.0005 ? `scaled ${Number(size.toFixed(3))}×` : "",
    planes !== 0 ? `${signed(planes)} ${Math.abs(planes) === 1 ? "plane" : "planes"}` : "",
    Math.abs(zoom - 1) >= 0.005 ? t("compare.magnifiedZoom", { zoom: Number(zoom.toPrecision(3)) }) : "",
  ].filter(Boolean);
  if (words.length === 0) return left.id === right.id ? t("compare.theSameSpot") : t("compare.centreUponCentre");
  return `B ${words.join(", ")}`;
}

function lengthWords(pixels: number, { mpp }: Extent): string {
  if (!mpp) return `${Math.round(pixels)} px`;
  const um = pixels * mpp.x;
  return um >= 1000
    ? t("compare.umMm", { um: Number((um / 1000).toPrecision(3)) })
    : t("compare.umM", { um: Number(um.toPrecision(3)) });
}

function signed(value: number): string {
  return `${value > 0 ? "+" : "−"}${Number(Math.abs(value).toFixed(1))}`;
}
