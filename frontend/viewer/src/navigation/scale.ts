/** Scale bar and magnification: pure. A level-0 pixel of 10 um is 1x: at 1:1 on the screen, 0.25 um/px looks like 40x. */

import { decimal, groupedNumber, withUnit } from "@wavescope/core/geometry/figures";
import { magnificationLabel, nominalOf } from "./objectives";
import { t } from "@wavescope/core/i18n/i18n";

export interface ScaleBar {
  readonly label: string;
  /** CSS pixels. */
  readonly width: number;
}

const STEPS = [1, 2, 5];

/** The longest round length that fits into `width` CSS pixels; in pixels of level 0 where the size of a pixel is not known. */
export function scaleBar(css_per_l0: number, mpp: number | null, width: number): ScaleBar {
  const unit = mpp ?? 1;
  const most = (width / css_per_l0) * unit;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [...STEPS].reverse().find((candidate) => candidate * power <= most * (1 + 1e-9)) ?? 1;
  const length = step * power;
  return { label: lengthLabel(length, mpp !== null), width: (length / unit) * css_per_l0 };
}

function lengthLabel(length: number, known: boolean): string {
  if (!known) return withUnit(trim(length), "px");
  if (length >= 1000) return t("common.lengthMm", { length: trim(length / 1000) });
  if (length >= 1) return t("common.lengthUm", { length: trim(length) });
  return t("navigation.lengthNm", { length: trim(length * 1000) });
}

/** Where a point of the slide is, from its upper left corner: in mm to the micrometre, in pixels where their size is not known. */
export function positionLabel(
  { l0_x, l0_y }: { readonly l0_x: number; readonly l0_y: number },
  mpp: { readonly x: number; readonly y: number } | null,
): string {
  if (!mpp) return withUnit(`x ${groupedNumber(Math.round(l0_x))} y ${groupedNumber(Math.round(l0_y))}`, "px");
  const mm = (l0: number, mppOfAxis: number): string => decimal(((l0 * mppOfAxis) / 1000).toFixed(3));
  return withUnit(`x ${mm(l0_x, mpp.x)} y ${mm(l0_y, mpp.y)}`, "mm");
}

function trim(value: number): string {
  return decimal(Number(value.toPrecision(6)));
}

/** What a slide shows at 1:1, and whether the size of its pixels alone says so. */
export interface Magnification {
  readonly own: number;
  readonly equivalent: boolean;
}

/** Tubes and adapters account for so much between an objective and the size of its pixels; more, and they tell of different things. */
const ADAPTED = 0.25;

/** By the objective that the file states, if the size of a pixel agrees; else by what that size is equivalent to. */
export function ownMagnification(mpp: number | null, objectivePower: number | null): Magnification | null {
  const bySize = mpp === null ? null : 10 / mpp;
  if (objectivePower !== null && (bySize === null || Math.abs(objectivePower / bySize - 1) <= ADAPTED))
    return { own: objectivePower, equivalent: false };
  return bySize === null ? null : { own: nominalOf(bySize), equivalent: true };
}

export function slideMagnification(mpp: number | null, objectivePower: number | null): number | null {
  return ownMagnification(mpp, objectivePower)?.own ?? null;
}

/** What the screen shows now, in objective terms. */
export function shownMagnification(
  device_per_l0: number,
  mpp: number | null,
  objectivePower: number | null,
): number | null {
  const own = slideMagnification(mpp, objectivePower);
  return own === null ? null : own * device_per_l0;
}

/** What the screen shows now: `20×`; in per cent of full resolution where nothing says a magnification. */
export function shownLabel(
  device_per_l0: number,
  { mpp, objectivePower }: { readonly mpp: { readonly x: number } | null; readonly objectivePower: number | null },
): string {
  const shown = shownMagnification(device_per_l0, mpp?.x ?? null, objectivePower);
  return shown === null
    ? withUnit(decimal(Number((100 * device_per_l0).toPrecision(3))), "%")
    : magnificationLabel(shown);
}

/** `0.25 µm/px, 40×`; `1.3 µm/px (about 7.7× equivalent)` where no objective says so; `no scale`. */
export function scaleText(mpp: number | null, objectivePower: number | null): string {
  const magnification = ownMagnification(mpp, objectivePower);
  const size = mpp === null ? t("common.noScale") : withUnit(decimal(Number(mpp.toPrecision(4))), "µm/px");
  if (!magnification) return size;
  return magnification.equivalent
    ? `${size} (${equivalentLabel(magnification.own)})`
    : `${size}, ${magnificationLabel(magnification.own)}`;
}

/** For lists: `40×`, `about 7.7× equivalent`, `no scale`. */
export function magnificationText(mpp: number | null, objectivePower: number | null): string {
  const magnification = ownMagnification(mpp, objectivePower);
  if (!magnification) return t("common.noScale");
  return magnification.equivalent ? equivalentLabel(magnification.own) : magnificationLabel(magnification.own);
}

/** `about 7.7× equivalent` */
export function equivalentLabel(magnification: number): string {
  return t("navigation.equivalent", { magnification: Number(magnification.toPrecision(2)) });
}
