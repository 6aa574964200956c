/** Scale bar and magnification: pure. A level-0 pixel of 10 um is 1x: at 1:1 on the screen, 0.25 um/px looks like 40x. */

export interface ScaleBar {
  readonly label: string;
  /** CSS pixels. */
  readonly width: number;
}

const STEPS = [1, 2, 5];

/** The longest round length that fits into `room` CSS pixels; in pixels of level 0 where the size of a pixel is not known. */
export function scaleBar(css_per_l0: number, mpp: number | null, room: number): ScaleBar {
  const unit = mpp ?? 1;
  const most = (room / css_per_l0) * unit;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [...STEPS].reverse().find((one) => one * power <= most * (1 + 1e-9)) ?? 1;
  const length = step * power;
  return { label: lengthLabel(length, mpp !== null), width: (length / unit) * css_per_l0 };
}

function lengthLabel(length: number, known: boolean): string {
  if (!known) return `${trim(length)} px`;
  if (length >= 1000) return `${trim(length / 1000)} mm`;
  if (length >= 1) return `${trim(length)} µm`;
  return `${trim(length * 1000)} nm`;
}

function trim(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** The slide's own magnification: by the size of its pixels, else by what its scanner says. */
export function slideMagnification(mpp: number | null, objectivePower: number | null): number | null {
  return mpp !== null ? 10 / mpp : objectivePower;
}

/** What the screen shows now, in objective terms. */
export function shownMagnification(device_per_l0: number, mpp: number | null, objectivePower: number | null): number | null {
  const own = slideMagnification(mpp, objectivePower);
  return own === null ? null : own * device_per_l0;
}

/** `12.5×`, `40×`, `0.31×`. */
export function magnificationLabel(magnification: number): string {
  const digits = magnification >= 10 ? 1 : 2;
  return `${String(Number(magnification.toFixed(digits)))}×`;
}
