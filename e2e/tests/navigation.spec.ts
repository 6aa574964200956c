// Wheels, trackpads and the limits of moving: the zoom follows what hands do, and the slide stays on the screen.
import type { CDPSession, Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { list, openAnnotations } from "../harness/annotating.ts";
import { idle, openSlide, viewState } from "../harness/microscope.ts";
import { openComparison, comparisonIdle, seen } from "../harness/comparison.ts";

test.use({ viewport: { width: 1366, height: 768 } });

const CONTROL = 2; // of the protocol's modifiers

/** Real wheel events, as the browser makes them of a mouse's or trackpad's movement. */
async function wheel(
  page: Page,
  at: { x: number; y: number },
  deltas: readonly (readonly [number, number])[],
  modifiers = 0,
): Promise<void> {
  const link: CDPSession = await page.context().newCDPSession(page);
  for (const [deltaX, deltaY] of deltas)
    await link.send("Input.dispatchMouseEvent", { type: "mouseWheel", ...at, deltaX, deltaY, modifiers });
}

const spotOf = async (page: Page, viewer: string): Promise<{ x: number; y: number }> => {
  const box = (await page.getByTestId(viewer).boundingBox())!;
  return { x: Math.round(box.x + box.width * 0.4), y: Math.round(box.y + box.height * 0.6) };
};

const down = (pixels: number, times = 1): [number, number][] => Array.from({ length: times }, () => [0, pixels]);

/** By how much the view was zoomed, once it is still. */
async function zoomBy(page: Page, work: () => Promise<void>): Promise<number> {
  const before = (await viewState(page)).scale;
  await work();
  await idle(page);
  return (await viewState(page)).scale / before;
}

test.describe("the zoom follows the wheel", () => {
  test.beforeEach(async ({ page }) => openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=0.5"));

  test("a notch is a step, a small movement a small zoom, and as much back again", { tag: "@static" }, async ({
    page,
  }) => {
    const at = await spotOf(page, "viewer");
    expect(await zoomBy(page, () => wheel(page, at, down(-120)))).toBeCloseTo(1.25, 4);
    expect(await zoomBy(page, () => wheel(page, at, down(120)))).toBeCloseTo(1 / 1.25, 4);
    const one = await zoomBy(page, () => wheel(page, at, down(-1)));
    expect(one).toBeGreaterThan(1.001);
    expect(one).toBeLessThan(1.004);
    const many = await zoomBy(page, () => wheel(page, at, down(-4, 25)));
    expect(many).toBeCloseTo(1.25, 2);
    expect(await zoomBy(page, () => wheel(page, at, down(4, 25)))).toBeCloseTo(1 / many, 4);
  });

  test("a gentle pinch zooms by as much as the fingers go apart", { tag: "@static" }, async ({ page }) => {
    const at = await spotOf(page, "viewer");
    const apart = [1, 2, 4, 6, 8, 8, 6, 4, 2, 1].map((delta): [number, number] => [0, -delta]);
    expect(await zoomBy(page, () => wheel(page, at, apart, CONTROL))).toBeCloseTo(Math.exp(0.42), 3);
    expect(await page.evaluate(() => devicePixelRatio)).toBe(1); // the page itself was not zoomed
  });

  test("what is under the pointer stays there, also where the slide is turned and mirrored, and a swipe to the side does nothing", {
    tag: "@static",
  }, async ({ page }) => {
    await page.evaluate(() => window.__wavescope.viewport.show({ rotation: 30, flip: true }, true));
    await idle(page);
    const box = (await page.getByTestId("viewer").boundingBox())!;
    const at = await spotOf(page, "viewer");
    const under = await page.evaluate(
      ([x, y]) => {
        const { toCanvas } = window.__wavescope.viewport;
        const [o, a, b] = [toCanvas(0, 0), toCanvas(1, 0), toCanvas(0, 1)];
        const [ax, ay, bx, by] = [
          a.canvas_x - o.canvas_x,
          a.canvas_y - o.canvas_y,
          b.canvas_x - o.canvas_x,
          b.canvas_y - o.canvas_y,
        ];
        const [dx, dy, det] = [x! - o.canvas_x, y! - o.canvas_y, ax * by - ay * bx];
        return { l0_x: (dx * by - dy * bx) / det, l0_y: (ax * dy - ay * dx) / det };
      },
      [at.x - box.x, at.y - box.y],
    );
    expect(await zoomBy(page, () => wheel(page, at, down(-6, 12)))).toBeGreaterThan(1.1);
    const now = await page.evaluate(({ l0_x, l0_y }) => window.__wavescope.viewport.toCanvas(l0_x, l0_y), under);
    expect(Math.hypot(now.canvas_x - (at.x - box.x), now.canvas_y - (at.y - box.y))).toBeLessThan(1);
    const before = await viewState(page);
    await wheel(page, at, [
      [60, 3],
      [120, -8],
      [60, 0],
    ]);
    await idle(page);
    expect(await viewState(page)).toEqual(before);
  });
});

test("either of two slides is zoomed by as much as the wheel moves", async ({ page }) => {
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  await page.keyboard.press("1");
  await page.waitForFunction(() => Math.abs(window.__wavescope.comparison![1]!.viewport.state().scale - 1) < 1e-6);
  for (const viewer of ["viewer-A", "viewer-B"]) {
    await comparisonIdle(page);
    const before = await seen(page);
    await wheel(page, await spotOf(page, viewer), down(2, 10));
    await comparisonIdle(page);
    const after = await seen(page);
    for (const side of ["A", "B"] as const)
      expect(after[side].scale / before[side].scale, `${viewer}, ${side}`).toBeCloseTo(1.25 ** -0.2, 3);
  }
});

/** How much of the middle of the screen, off all controls, the slide covers: its centre's place on the slide, in parts of it. */
async function centre(page: Page): Promise<{ across: number; down: number }> {
  await idle(page);
  return page.evaluate(() => {
    const { l0_x, l0_y } = window.__wavescope.viewport.viewLink();
    const { width, height } = window.__wavescope.slide();
    return { across: l0_x / width, down: l0_y / height };
  });
}

for (const rotation of [0, 45, 200]) {
  test(`a slide turned by ${rotation} degrees is not moved off the screen, by keys or by hand`, {
    tag: "@static",
  }, async ({ page }) => {
    await openSlide(page, SLIDES.specimen);
    await page.evaluate((degrees) => window.__wavescope.viewport.show({ rotation: degrees }, true), rotation);
    const within = async (): Promise<void> => {
      const { across, down: along } = await centre(page);
      for (const part of [across, along]) {
        expect(part).toBeGreaterThanOrEqual(-1e-6);
        expect(part).toBeLessThanOrEqual(1 + 1e-6);
      }
    };
    await page.getByTestId("viewer").focus();
    for (const key of ["ArrowRight", "ArrowDown"])
      for (let i = 0; i < 4; i++) await page.keyboard.press(`Shift+${key}`);
    await within();
    const box = (await page.getByTestId("viewer").boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 300);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 20, box.y + box.height - 20, { steps: 6 });
    await page.mouse.move(box.x + 300, box.y + 300, { steps: 2 });
    await page.mouse.move(box.x + box.width - 20, box.y + box.height - 20, { steps: 6 });
    await within(); // also while it is held
    await page.mouse.up();
    await within();
  });
}

test("Escape in the panel deselects first, and closes the panel only then", async ({ page }) => {
  await openAnnotations(page, SLIDES.planes);
  const tools = page.getByTestId("annotation-tools");
  await tools.getByRole("button", { name: "Rectangle", exact: true }).click();
  const box = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.move(box.x + 400, box.y + 250);
  await page.mouse.down();
  await page.mouse.move(box.x + 500, box.y + 330, { steps: 4 });
  await page.mouse.up();
  const selected = (): Promise<number> => page.evaluate(() => window.__wavescope.annotations.state().selected.length);
  await expect.poll(selected).toBe(1);
  const panel = page.getByTestId("side-panel");
  await panel.getByRole("textbox", { name: "Name", exact: true }).fill("spot");
  await page.keyboard.press("Escape");
  await expect.poll(selected).toBe(0);
  await expect(panel).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  expect((await list(page)).map(({ name }) => name)).toContain("spot"); // what was typed is not lost
});
