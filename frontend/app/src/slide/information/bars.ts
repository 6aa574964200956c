/** Heights of bars, 0 to 100, for amounts that differ by orders of magnitude: by their square root. Pure. */
export function barsOf(amounts: readonly number[]): { readonly bars: number[]; readonly most: number } {
  const most = Math.max(0, ...amounts);
  return { bars: amounts.map((amount) => (most === 0 ? 0 : 100 * Math.sqrt(amount / most))), most };
}
