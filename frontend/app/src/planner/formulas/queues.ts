/** Waiting times of stations, and how they spread (planning/queues.py). */

/** Seconds of waiting. */
export interface Wait {
  readonly mean: number;
  readonly variance: number;
}

export const NONE: Wait = { mean: 0, variance: 0 };
const FULL: Wait = { mean: Infinity, variance: Infinity };

/** The probability that a visit waits in M/M/c (Erlang C). */
export function blocked(offered: number, servers: number): number {
  let lost = 1; // Erlang B, by its recursion
  for (let count = 1; count <= servers; count++) lost = (offered * lost) / (count + offered * lost);
  return lost / (1 - (offered / servers) * (1 - lost));
}

/** M/G/c: `arrivals` per second, `service` in seconds with its squared coefficient of variation. */
export function wait(arrivals: number, service: number, variation: number, servers = 1): Wait {
  const offered = arrivals * service;
  if (offered >= servers) return FULL;
  if (offered <= 0) return NONE;
  const probability = blocked(offered, servers);
  if (probability <= 0) return NONE; // too small for a number: many processors, almost all idle
  const mean = (((probability * service) / (servers - offered)) * (1 + variation)) / 2;
  return { mean, variance: mean * mean * (2 / probability - 1) };
}

/** The regularised incomplete gamma function P(shape, x): by its series, else by its continued fraction. */
export function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0;
  const scale = Math.exp(shape * Math.log(x) - x - logGamma(shape));
  if (x < shape + 1) {
    let term = 1 / shape;
    let total = term;
    for (let step = 1; step < 1000 && term >= total * 1e-14; step++) {
      term *= x / (shape + step);
      total += term;
    }
    return Math.min(1, total * scale);
  }
  return Math.max(0, 1 - scale * fraction(shape, x));
}

/** Lentz's method. */
function fraction(shape: number, x: number): number {
  const tiny = 1e-300;
  let b = x + 1 - shape;
  let c = 1 / tiny;
  let d = 1 / b;
  let found = d;
  for (let step = 1; step < 1000; step++) {
    const factor = -step * (step - shape);
    b += 2;
    d = factor * d + b;
    d = Math.abs(d) < tiny ? tiny : d;
    c = b + factor / c;
    c = Math.abs(c) < tiny ? tiny : c;
    d = 1 / d;
    found *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return found;
}

/** By Stirling's series. */
function logGamma(value: number): number {
  let x = value;
  let shift = 0;
  for (; x < 12; x++) shift -= Math.log(x);
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * x * x)) / (x * x)) / (x * x)) / x;
  return shift + (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
