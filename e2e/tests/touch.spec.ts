// Fingers on a tablet: one moves the slide, two zoom and turn it; panels make room for the picture upright and across.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { type Point, fingers } from "../harness/fingers.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide, viewState } from "../harness/microscope.ts";

const TABLETS = { "768x1024": { width: 768, height: 1024 }, "1024x768": { width: 1024, height: 768 } };

test.use({ hasTouch: true, viewport: TABLETS["768x1024"] });

const rotation = (page: Page): Promise<number> => page.evaluate(() => window.__wavescope.viewport.viewLink().rotation);

test("one finger moves the slide, two zoom it and do not turn it unasked", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  const start = await viewState(page);
  await fingers(
    page,
    [
      [330, 500],
      [430, 500],
    ],
    [
      [230, 505],
      [530, 495],
    ],
  );
  await page.waitForFunction((scale) => window.__wavescope.viewport.state().scale > 1.8 * scale, start.scale);
  await expect.poll(() => rotation(page)).toBe(0);
  const zoomed = await viewState(page);
  await fingers(page, [[400, 600]], [[250, 600]]);
  await page.waitForFunction((left) => window.__wavescope.viewport.state().l0_x > left, zoomed.l0_x);
});

test("two fingers that turn, turn the slide", { tag: "@static" }, async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await fingers(
    page,
    [
      [284, 500],
      [484, 500],
    ],
    [
      [314, 430],
      [454, 570],
    ],
  );
  await expect.poll(async () => Math.round(await rotation(page))).toBeGreaterThan(30);
  expect(await rotation(page)).toBeLessThan(45); // the fingers turned by 45 degrees; the first few are not taken for a turn
});

/** Where a point of the page lies on the slide. */
const onSlide = (page: Page, [x, y]: Point): Promise<Point> =>
  page.evaluate(
    ([px, py]) => {
      const { left, top, width, height } = document.querySelector("[data-testid=viewer]")!.getBoundingClientRect();
      const { l0_x, l0_y, l0_width, l0_height } = window.__wavescope.viewport.state();
      return [l0_x + ((px! - left) / width) * l0_width, l0_y + ((py! - top) / height) * l0_height] as const;
    },
    [x, y],
  );

/** How far, in CSS pixels, what lay under two fingers lies from them after they have moved. */
async function drift(page: Page, from: readonly Point[], to: readonly Point[]): Promise<number> {
  const held = await Promise.all(from.map((point) => onSlide(page, point)));
  await fingers(page, from, to);
  await page.evaluate(() => window.__wavescope.idle());
  const { width } = (await page.getByTestId("viewer").boundingBox())!;
  const pixel = (await viewState(page)).l0_width / width;
  const now = await Promise.all(to.map((point) => onSlide(page, point)));
  return Math.max(...held.map(([x, y], i) => Math.hypot(x - now[i]![0], y - now[i]![1]) / pixel));
}

const PAIRS: Record<string, readonly [readonly Point[], readonly Point[]]> = {
  "a spread of 160 px": [
    [
      [300, 500],
      [460, 500],
    ],
    [
      [220, 500],
      [540, 500],
    ],
  ],
  "a spread aside": [
    [
      [200, 400],
      [320, 440],
    ],
    [
      [160, 460],
      [460, 560],
    ],
  ],
  "a pan": [
    [
      [300, 450],
      [420, 480],
    ],
    [
      [420, 590],
      [540, 620],
    ],
  ],
  "a pinch": [
    [
      [200, 500],
      [560, 560],
    ],
    [
      [320, 500],
      [460, 524],
    ],
  ],
};

for (const [name, [from, to]] of Object.entries(PAIRS))
  test(`two fingers hold what lies under them: ${name} (PG51)`, { tag: "@static" }, async ({ page }) => {
    await openSlide(page, SLIDES.specimen);
    await page.evaluate(() => window.__wavescope.viewport.fit(1000, 800, 900, 1000));
    await page.evaluate(() => window.__wavescope.idle());
    expect(await drift(page, from, to)).toBeLessThan(3);
  });

test("two fingers hold a mirrored slide, and again after one of them was lifted (PG51)", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen);
  await page.evaluate(() => window.__wavescope.viewport.fit(1000, 800, 900, 1000));
  await page.keyboard.press("Shift+m");
  await page.evaluate(() => window.__wavescope.idle());
  const link = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: Point[]) =>
    link.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ id, x, y })) });
  const centre = async (): Promise<number> => {
    await page.evaluate(() => window.__wavescope.idle());
    const { l0_x, l0_width } = await viewState(page);
    return l0_x + l0_width / 2;
  };
  const { width } = (await page.getByTestId("viewer").boundingBox())!;
  const start = await centre();
  const pixel = (await viewState(page)).l0_width / width;
  await touch("touchStart", [300, 450], [420, 450]);
  await touch("touchMove", [340, 450], [460, 450]);
  await link.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [{ id: 1, x: 460, y: 450 }] });
  await touch("touchStart", [340, 450], [500, 600]);
  await touch("touchMove", [360, 450], [520, 600]);
  await link.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [{ id: 1, x: 520, y: 600 }] });
  await touch("touchMove", [380, 450]); // the other one drags on
  expect(Math.abs((await centre()) - start - 80 * pixel)).toBeLessThan(3 * pixel); // to the right: mirrored
  await touch("touchEnd");
  expect(Math.abs(await rotation(page))).toBe(0); // the second finger came down elsewhere, it did not turn
});

test("two fingers move and zoom what lies beside an open panel, and under hidden controls (PG80, PG82)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen);
  const scale = async (): Promise<number> => (await viewState(page)).scale;
  const spread = (): Promise<void> =>
    fingers(
      page,
      [
        [330, 300],
        [430, 300],
      ],
      [
        [280, 300],
        [480, 300],
      ],
    );
  await page.getByTestId("panel-rail").getByRole("button", { name: "Bookmarks" }).tap();
  let before = await scale();
  await spread();
  await expect.poll(scale).toBeGreaterThan(1.5 * before);
  await page.getByRole("button", { name: "Settings" }).tap();
  await page.getByRole("button", { name: "Hide controls" }).tap();
  await expect(page.getByTestId("side-panel")).toBeHidden();
  before = await scale();
  await spread();
  await expect.poll(scale).toBeGreaterThan(1.5 * before);
  await page.getByRole("button", { name: "Show controls" }).tap();
  await expect(page.getByTestId("side-panel")).toBeVisible();
});

for (const [name, viewport] of Object.entries(TABLETS)) {
  test(
    `on a tablet of ${name} every panel leaves the picture room, and its buttons are large enough for fingers`,
    { tag: "@static" },
    async ({ page }, info) => {
      await page.setViewportSize(viewport);
      await openSlide(page, SLIDES.specimen);
      const upright = viewport.height > viewport.width;
      for (const button of await page.getByTestId("panel-rail").getByRole("button").all()) {
        await button.tap();
        await expect(page.getByTestId("side-panel")).toBeInViewport({ ratio: 0.99 });
        const panel = (await page.getByTestId("side-panel").boundingBox())!;
        const viewer = (await page.getByRole("main").boundingBox())!; // the part of the picture that is free
        if (upright) expect(viewer.y + viewer.height).toBeLessThanOrEqual(panel.y + 1);
        else expect(viewer.x + viewer.width).toBeLessThanOrEqual(panel.x + 1);
        expect(viewer.width * viewer.height).toBeGreaterThan(0.4 * viewport.width * viewport.height);
        await storePicture(page, info.outputPath(`${await button.getAttribute("aria-label")}-${name}.png`));
      }
      const small = await page
        .locator("button:visible, a[href]:visible")
        .evaluateAll((all) =>
          all
            .filter((one) => one.getBoundingClientRect().width < 22 || one.getBoundingClientRect().height < 22)
            .map((one) => one.outerHTML.slice(0, 120)),
        );
      expect(small).toEqual([]);
    },
  );
}
