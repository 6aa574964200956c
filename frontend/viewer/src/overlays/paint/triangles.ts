/** A ring as triangles, by cutting ears off. Pure. */

/** Corner numbers of the triangles of one ring without holes, counted from its first corner; `corners`: x, y of each, from the number `from` to `to`. */
export function trianglesOf(corners: ArrayLike<number>, from: number, to: number): number[] {
  const x = (i: number): number => corners[2 * (from + i)]!;
  const y = (i: number): number => corners[2 * (from + i) + 1]!;
  /** Twice the area; positive where the turn is that of the ring (OV4). */
  const turn = (a: number, b: number, c: number): number =>
    (x(b) - x(a)) * (y(c) - y(a)) - (y(b) - y(a)) * (x(c) - x(a));
  const left = Array.from({ length: to - from }, (_, i) => i);
  const isEar = (a: number, b: number, c: number): boolean =>
    turn(a, b, c) > 0 &&
    left.every((p) => p === a || p === b || p === c || turn(a, b, p) < 0 || turn(b, c, p) < 0 || turn(c, a, p) < 0);
  const found: number[] = [];
  let tried = 0;
  for (let i = 0; left.length > 2; ) {
    const count = left.length;
    const [a, b, c] = [left[i % count]!, left[(i + 1) % count]!, left[(i + 2) % count]!];
    tried += 1;
    const isFlat = turn(a, b, c) === 0;
    // A ring that crosses itself may have no ear: then any corner is cut, so that it ends.
    if (isFlat || tried > count || isEar(a, b, c)) {
      if (!isFlat) found.push(a, b, c);
      left.splice((i + 1) % count, 1);
      tried = 0;
    } else i = (i + 1) % count;
  }
  return found;
}
