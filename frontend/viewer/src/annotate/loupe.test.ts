import { expect, it, vi } from "vitest";

vi.mock("openseadragon", () => ({ default: { pixelDensityRatio: 1 } }));
const { AWAY, RADIUS, loupePlace } = await import("./loupe");

const VIEWS = [
  { width: 390, height: 700 },
  { width: 820, height: 1100 },
  { width: 844, height: 300 },
  { width: 1366, height: 650 },
];

it("is inside the view and never under the finger, wherever that is (AN44)", () => {
  for (const view of VIEWS)
    for (let x = 0; x <= view.width; x += 13)
      for (let y = 0; y <= view.height; y += 11) {
        const at = loupePlace({ x, y }, view);
        const name = JSON.stringify({ view, x, y, at });
        expect(at.x >= RADIUS && at.x <= view.width - RADIUS, name).toBe(true);
        expect(at.y >= RADIUS && at.y <= view.height - RADIUS, name).toBe(true);
        expect(Math.hypot(at.x - x, at.y - y), name).toBeGreaterThanOrEqual(AWAY);
      }
});

it("is above the finger, and beside it at the upper edge (AN44)", () => {
  const view = { width: 390, height: 700 };
  expect(loupePlace({ x: 200, y: 400 }, view)).toEqual({ x: 200, y: 400 - AWAY });
  expect(loupePlace({ x: 300, y: 100 }, view)).toEqual({ x: 300 - AWAY, y: 100 });
  expect(loupePlace({ x: 100, y: 100 }, view)).toEqual({ x: 100 + AWAY, y: 100 });
});
