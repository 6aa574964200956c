// The controls of the viewer: objectives, limits, turning, mirroring, going to a position, focus by wheel and keys, gamepad.
import type { Page } from "@playwright/test";
import { expect, test, useTransport } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { expectExact, openSlide, viewState } from "../harness/microscope.ts";

declare global {
  interface Window {
    /** The gamepad of the test; whether it is plugged in; how often the page has asked for gamepads. */
    __pad: { axes: number[]; buttons: { value: number }[] };
    __plugged: boolean;
    __polled: number;
  }
}

test.use({ viewport: { width: 1366, height: 768 } });

const viewLink = (page: Page) => page.evaluate(() => window.__wavescope.viewport.viewLink());
const scaleIs = (page: Page, scale: number) =>
  page.waitForFunction((to) => Math.abs(window.__wavescope.viewport.state().scale / to - 1) < 1e-4, scale);

test("objectives by button and key, and digital zoom beyond 1:1 that the scale bar shows in amber", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen); // 0.25 um per pixel: 40x
  await page.getByRole("button", { name: "Objective 10×" }).click();
  await scaleIs(page, 0.25);
  await expect(page.getByRole("button", { name: "Objective 10×" })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByTestId("magnification")).toHaveText("10×");
  await page.keyboard.press("7");
  await scaleIs(page, 1);
  const mark = page.getByTestId("scale-mark");
  await expect(mark).toHaveAttribute("data-beyond", "false");
  await page.keyboard.press("9");
  await scaleIs(page, 2.5);
  await expect(mark).toHaveAttribute("data-beyond", "true");
  await expect(mark).toContainText("Digital zoom");
  for (let i = 0; i < 5; i++) await page.keyboard.press("+");
  await scaleIs(page, 4);
});

test("turned and mirrored, keys and mouse still move the way they point, and nothing but the turn changes", {
  tag: "@static",
}, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" }); // no flick when the mouse is let go
  await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=0.5");
  for (let i = 0; i < 6; i++) await page.keyboard.press("r");
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().rotation === 90);
  await expectExact(page);
  const spot = { x: 1400, y: 1100 };
  const onCanvas = () => page.evaluate(({ x, y }) => window.__wavescope.viewport.toCanvas(x, y), spot);
  const still = async (): Promise<void> => {
    await page.evaluate(() => window.__wavescope.idle());
  };
  let before = await onCanvas();
  await page.keyboard.press("ArrowRight");
  await still();
  let after = await onCanvas();
  expect(after.canvas_x).toBeLessThan(before.canvas_x - 50);
  expect(after.canvas_y).toBeCloseTo(before.canvas_y, 0);
  await page.keyboard.press("Shift+m");
  await still();
  before = await onCanvas();
  const box = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.move(box.x + 500, box.y + 300);
  await page.mouse.down();
  await page.mouse.move(box.x + 600, box.y + 340, { steps: 5 });
  await page.mouse.up();
  await still();
  after = await onCanvas();
  expect(Math.abs(after.canvas_x - before.canvas_x - 100)).toBeLessThan(3);
  expect(Math.abs(after.canvas_y - before.canvas_y - 40)).toBeLessThan(3);
});

test("a right angle turns the very pixels, and mirroring mirrors them", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  const [upright, turned, mirrored] = await page.evaluate(async () => {
    const { viewport, idle, readCanvas } = window.__wavescope;
    const size = 300;
    const shots: number[][] = [];
    for (const [rotation, flip] of [
      [0, false],
      [90, false],
      [90, true],
    ] as const) {
      viewport.show({ l0_x: 1300, l0_y: 1000, scale: 1, rotation, flip }, true);
      await idle();
      const [a, b] = [viewport.toCanvas(1200, 900), viewport.toCanvas(1200 + size, 900 + size)];
      const [left, top] = [Math.round(Math.min(a.canvas_x, b.canvas_x)), Math.round(Math.min(a.canvas_y, b.canvas_y))];
      shots.push([...new Uint32Array(readCanvas(left, top, size, size).rgba.buffer)]);
    }
    // Turned back: where a pixel (x, y) of the upright picture lies in the turned one.
    const back = (of: number[], at: (x: number, y: number) => number): number[] =>
      shots[0]!.map((_, i) => of[at(i % size, Math.floor(i / size))]!);
    return [shots[0]!, back(shots[1]!, (x, y) => x * size + (size - 1 - y)), back(shots[2]!, (x, y) => x * size + y)];
  });
  // The slide settles on whole pixels: by one pixel at most.
  const same = (other: number[]): boolean =>
    [-1, 0, 1].some((dx) =>
      [-1, 0, 1].some((dy) => {
        for (let y = 2; y < 298; y++)
          for (let x = 2; x < 298; x++) if (upright[y * 300 + x] !== other[(y + dy) * 300 + x + dx]) return false;
        return true;
      }),
    );
  expect(new Set(upright).size).toBeGreaterThan(200);
  expect(same(turned)).toBe(true);
  expect(same(mirrored)).toBe(true);
});

test("the rotation control turns to any angle and back", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.getByTestId("rotation").click();
  await page.getByRole("textbox", { name: "Rotation in degrees" }).fill("33.5");
  await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.viewLink().rotation - 33.5) < 1e-6);
  await page.getByRole("button", { name: "Reset rotation" }).click();
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().rotation === 0);
});

test("goes to coordinates in micrometres at a magnification", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("g");
  const field = page.getByLabel("Coordinates, magnification or both");
  await field.fill("somewhere");
  await field.press("Enter");
  await expect(page.getByText("not understood")).toBeVisible();
  await field.fill("300 um, 250 um @ 20x");
  await field.press("Enter");
  await scaleIs(page, 0.5);
  const { l0_x, l0_y } = await viewLink(page);
  expect([Math.round(l0_x), Math.round(l0_y)]).toEqual([1200, 1000]);
});

test("focus moves by modifier and wheel, and the neighbouring planes are there before they are asked for", async ({
  page,
  context,
}) => {
  await useTransport(context, "batch"); // they are counted
  const batches: { planes: Set<number>; layers: Set<number> }[] = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/blocks:batch")) return;
    const { blocks } = request.postDataJSON() as { blocks: number[][] };
    batches.push({
      planes: new Set(blocks.map((block) => block[0]!)),
      layers: new Set(blocks.map((block) => block[6]!)),
    });
  });
  await openSlide(page, SLIDES.planes, undefined, "#x=900&y=700&scale=1&plane=3");
  await expect.poll(() => [1, 2, 4, 5].every((z) => batches.some(({ planes }) => planes.has(z)))).toBe(true);
  const ahead = batches.filter(({ planes }) => !planes.has(3));
  expect(ahead.every(({ layers }) => layers.size === 1 && layers.has(1))).toBe(true);

  const box = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.move(box.x + 600, box.y + 300);
  await page.keyboard.down("Alt");
  await page.mouse.wheel(0, -120);
  await page.keyboard.up("Alt");
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().plane === 4);
  expect((await viewState(page)).scale).toBeCloseTo(1, 6);
  await expectExact(page);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("[");
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().plane === 2);
  await expectExact(page);
});

test("a gamepad pans, zooms, focuses and changes objectives while it is connected", { tag: "@static" }, async ({
  page,
}) => {
  await page.addInitScript(() => {
    const pad = {
      connected: true,
      axes: [0, 0, 0, 0],
      buttons: Array.from({ length: 17 }, () => ({ value: 0, pressed: false })),
    };
    Object.assign(window, { __pad: pad, __plugged: false, __polled: 0 });
    const getGamepads = () => {
      window.__polled += 1;
      return window.__plugged ? [pad] : [];
    };
    Object.assign(navigator, { getGamepads });
  });
  await openSlide(page, SLIDES.planes, undefined, "#x=900&y=700&scale=1&plane=3");
  const polled = () => page.evaluate(() => window.__polled);
  const before = await polled();
  expect(before).toBeLessThan(5);
  await page.evaluate(() => {
    window.__plugged = true;
    dispatchEvent(new Event("gamepadconnected"));
  });
  const hold = (change: { axis?: number; button?: number; value: number }) =>
    page.evaluate(({ axis, button, value }) => {
      if (axis !== undefined) window.__pad.axes[axis] = value;
      if (button !== undefined) window.__pad.buttons[button]!.value = value;
    }, change);
  await hold({ axis: 0, value: 1 });
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().l0_x > 1000);
  await hold({ axis: 0, value: 0 });
  await hold({ button: 5, value: 1 });
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().plane === 4);
  await hold({ button: 5, value: 0 });
  await hold({ button: 1, value: 1 });
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().scale === 0.5);
  await hold({ button: 1, value: 0 });
  await hold({ button: 7, value: 1 });
  await page.waitForFunction(() => window.__wavescope.viewport.viewLink().scale > 0.6);
  await page.evaluate(() => (window.__plugged = false));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const rest = await polled();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await polled()).toBe(rest);
});
