import { describe, expect, it } from "vitest";
import { type SeenView, addView, coveredParts, seenMap } from "./seenViews";
import { type FieldShape, type SlidePlace, nextUnseen, stopBefore } from "./serpentine";
import { type TissueMask, gridOf } from "./tissue";

const size = { width: 5120, height: 2560 };
const grid = gridOf(size); // cells of 10 pixels

function maskOf(isTissue: (l0_x: number, l0_y: number) => boolean): TissueMask {
  const cells = Uint8Array.from({ length: grid.columns * grid.rows }, (_, i) =>
    Number(isTissue(10 * (i % grid.columns) + 5, 10 * Math.floor(i / grid.columns) + 5)),
  );
  return { ...grid, cells, count: cells.reduce((sum, one) => sum + one, 0) };
}

const FIELD = { l0_width: 1000, l0_height: 600, rotation: 0 };
const piece = maskOf((x, y) => Math.hypot((x - 2500) / 1800, (y - 1200) / 900) < 1);

const viewAt = ({ l0_x, l0_y }: SlidePlace, { l0_width, l0_height, rotation }: FieldShape): SeenView => ({
  l0_x: l0_x - l0_width / 2,
  l0_y: l0_y - l0_height / 2,
  ...{ l0_width, l0_height, rotation, scale: 1, seconds: 1, sharp: true },
});

/** All stops until everything is seen. */
function walk(mask: TissueMask, field: FieldShape): { stops: SlidePlace[]; views: readonly SeenView[] } {
  const stops: SlidePlace[] = [];
  let views: readonly SeenView[] = [];
  for (;;) {
    const place = nextUnseen(mask, seenMap(mask, views, [1]), 0, field, stops.at(-1) ?? null);
    if (!place || stops.length > 1000) return { stops, views };
    stops.push(place);
    views = addView(views, viewAt(place, field));
  }
}

/** Every field of the way, as if nothing had ever been seen. */
function way(mask: TissueMask, field: FieldShape): SlidePlace[] {
  const nothing = new Uint8Array(mask.cells.length);
  const first = nextUnseen(mask, nothing, 0, field, null)!;
  const stops = [first];
  for (;;) {
    const place = nextUnseen(mask, nothing, 0, field, stops.at(-1)!)!;
    if (place.l0_x === first.l0_x && place.l0_y === first.l0_y) return stops;
    stops.push(place);
  }
}

describe("the way through the tissue (CV5)", () => {
  it("goes through rows from the top, to the right and back to the left", () => {
    const { stops } = walk(piece, FIELD);
    const rows = [...new Set(stops.map(({ l0_y }) => l0_y))];
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
    const directions = rows.map((row) => {
      const columns = stops.filter(({ l0_y }) => l0_y === row).map(({ l0_x }) => l0_x);
      return columns.every((x, i) => i === 0 || x > columns[i - 1]!) ? 1 : -1;
    });
    expect(directions.length).toBeGreaterThan(2);
    directions.slice(1).forEach((direction, i) => expect(direction).toBe(-directions[i]!));
  });

  it("sees all tissue, in no more fields than touch it, whatever the field and its rotation", () => {
    for (const l0_width of [700, 3000])
      for (const l0_height of [600, 1999])
        for (const rotation of [0, 30, 90, 135]) {
          const shape = { l0_width, l0_height, rotation };
          const { stops, views } = walk(piece, shape);
          expect(coveredParts(piece, seenMap(piece, views, [1]), 1), JSON.stringify(shape)).toEqual([1]);
          const reach = (size.width + 2 * l0_width) * (size.height + 2 * l0_width);
          expect(stops.length).toBeLessThan(4 + (2 * reach) / (0.81 * l0_width * l0_height));
        }
  });

  it("leaves out glass, and what was seen at this objective", () => {
    const two = maskOf((x) => x < 400 || x > 4700);
    expect(walk(two, FIELD).stops.every(({ l0_x }) => l0_x < 1000 || l0_x > 4000)).toBe(true);
    const seen = seenMap(
      two,
      [{ ...viewAt({ l0_x: 200, l0_y: 1280 }, { l0_width: 400, l0_height: 2560, rotation: 0 }), scale: 0.5 }],
      [0.5, 1],
    ); // prettier-ignore
    expect(nextUnseen(two, seen, 0, FIELD, null)!.l0_x).toBeGreaterThan(4000);
    expect(nextUnseen(two, seen, 1, FIELD, null)!.l0_x).toBeLessThan(1000);
  });

  it("goes on from where it was, begins again at its end, and ends when nothing is left", () => {
    const stops = way(piece, FIELD);
    const { views } = walk(piece, FIELD);
    const nothing = new Uint8Array(piece.cells.length);
    expect(nextUnseen(piece, nothing, 0, FIELD, stops[3]!)).toEqual(stops[4]);
    expect(nextUnseen(piece, nothing, 0, FIELD, stops.at(-1)!)).toEqual(stops[0]);
    expect(nextUnseen(piece, seenMap(piece, views, [1]), 0, FIELD, stops[3]!)).toBeNull();
  });

  it("goes back the same way, over what was seen, to its beginning", () => {
    const stops = way(piece, FIELD);
    const back: (SlidePlace | null)[] = [stops.at(-1)!];
    for (let at = back[0]!; at; at = stopBefore(piece, FIELD, at)!) back.push(stopBefore(piece, FIELD, at));
    expect(back).toEqual([...stops.toReversed(), null]);
  });
});
