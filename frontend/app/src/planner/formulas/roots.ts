/** The root of a function, in few steps that are the same in every language (planning/roots.py). */

const STEPS = 200;
const TOLERANCE = 1e-12;

/** Where a rising function is 0: below at `low`, not below at `high`. Regula falsi (Illinois), else halving. */
export function risingRoot(fn: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  let [atLow, atHigh] = [fn(low), fn(high)];
  let side = 0;
  for (let step = 0; step < STEPS; step++) {
    if (high - low <= TOLERANCE * high || atHigh === 0) break;
    let middle = (low + high) / 2;
    if (step % 4 < 3 && Number.isFinite(atLow) && Number.isFinite(atHigh) && atHigh > atLow) {
      const guess = high - (atHigh * (high - low)) / (atHigh - atLow);
      if (low < guess && guess < high) middle = guess;
    }
    const found = fn(middle);
    if (found < 0) {
      [low, atLow] = [middle, found];
      if (side < 0) atHigh /= 2;
      side = -1;
    } else {
      [high, atHigh] = [middle, found];
      if (side > 0) atLow /= 2;
      side = 1;
    }
  }
  return high;
}
