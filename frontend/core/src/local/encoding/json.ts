/** JSON as the store has it (ST3): one sequence of bytes for one value. */

/** A number that is written with a point or an exponent, also where it is whole. */
export class Real {
  constructor(readonly value: number) {}
}

export type Value = string | number | boolean | null | Real | readonly Value[] | { readonly [name: string]: Value };

/** A number that may be absent. */
export const realOrNull = (value: number | null | undefined): Real | null => (value == null ? null : new Real(value));

/** Canonical form (ST3). */
export const canonical = (value: Value): string => written(value, null, 0);

/** With a line for each member, in ASCII: the form of the documents of Zarr. */
export const indented = (value: Value): string => `${written(value, 1, 0)}\n`;

function written(value: Value, indent: number | null, depth: number): string {
  if (value instanceof Real) return realText(value.value);
  if (typeof value === "string") return indent === null ? JSON.stringify(value) : ascii(JSON.stringify(value));
  if (value === null || typeof value !== "object") {
    if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer`);
    return String(value);
  }
  const inner = (one: Value): string => written(one, indent, depth + 1);
  const colon = indent === null ? ":" : ": ";
  const members = isList(value)
    ? value.map(inner)
    : Object.keys(value)
        .sort(byCodePoints)
        .map((name) => `${written(name, indent, depth)}${colon}${inner(value[name]!)}`);
  const [open, close] = isList(value) ? "[]" : "{}";
  if (indent === null || members.length === 0) return `${open}${members.join(",")}${close}`;
  const line = (at: number): string => `\n${" ".repeat(indent * at)}`;
  return `${open}${members.map((one) => line(depth + 1) + one).join(",")}${line(depth)}${close}`;
}

const isList = (value: object): value is readonly Value[] => Array.isArray(value);

function byCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const difference = left[i]!.codePointAt(0)! - right[i]!.codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (c) => (c === "\u007f" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`));

/** The shortest decimal of a binary64, with exponents from 1e16 on and below 1e-4. */
function realText(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no JSON`);
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = ""] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const padded = digits.padEnd(exponent + 1, "0");
  return `${sign}${padded.slice(0, exponent + 1)}.${padded.slice(exponent + 1) || "0"}`;
}

/** To so many decimals. */
export const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** The nearest integer; of two, the even one. */
export function halfEven(value: number): number {
  const down = Math.floor(value);
  const over = value - down;
  if (over !== 0.5) return over < 0.5 ? down : down + 1;
  return down % 2 === 0 ? down : down + 1;
}
