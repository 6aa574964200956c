// From its first picture on nothing inside the slide is ever blank, whatever the hands do and however slowly tiles arrive. The
// ground behind the canvas is magenta, and every frame is looked at.
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { framesSeen, watchFrames } from "../harness/frames.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { address, expectExact, needs, slideIsKnown } from "../harness/microscope.ts";

test.use({ viewport: { width: 960, height: 640 } });

async function openSlowly(page: Page, slide: string, hash = ""): Promise<void> {
  await watchFrames(page);
  const link = await page.context().newCDPSession(page);
  await link.send("Network.enable");
  await link.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 20,
    downloadThroughput: 600_000,
    uploadThroughput: 600_000,
  });
  await page.goto(`${address()}/slides/${slide}${hash}`);
  await page.waitForFunction(slideIsKnown);
  await page.waitForFunction(() => window.__frames.frames > 0);
}

async function nothingWasBlank(page: Page, atLeast: number): Promise<void> {
  await expectExact(page);
  const { frames, bad } = await framesSeen(page);
  test.info().annotations.push({ type: "frames", description: `${frames}` });
  expect(bad).toEqual([]);
  expect(frames).toBeGreaterThan(atLeast);
}

/** After as many more frames. Where none would come, because all is there and nothing moves, the view is pushed a little for each. */
const frames = async (page: Page, count: number): Promise<void> => {
  await page.evaluate(async (more) => {
    const { fidelity, viewport } = window.__wavescope;
    const rests = (): boolean => {
      const [at, to] = [viewport.state(), viewport.viewLink()];
      const apart = [
        at.l0_x + at.l0_width / 2 - to.l0_x,
        at.l0_y + at.l0_height / 2 - to.l0_y,
        at.rotation - to.rotation,
        100 * (at.scale / to.scale - 1),
      ];
      return apart.every((far) => Math.abs(far) < 0.5);
    };
    for (
      const end = window.__frames.frames + more;
      window.__frames.frames < end;
      await new Promise(requestAnimationFrame)
    ) {
      if (fidelity() === "exact" && rests()) viewport.show({ l0_x: viewport.viewLink().l0_x + 7.3 }, true);
    }
  }, count);
};

const show = (page: Page, place: object, immediately = false): Promise<void> =>
  page.evaluate(([to, at]) => window.__wavescope.viewport.show(to, at), [place, immediately] as const);

test("while panning and zooming, from the first picture of a deep link on", async ({ page }) => {
  await openSlowly(page, SLIDES.large, "#x=4000&y=3000&scale=1");
  await frames(page, 5);
  for (const key of [
    "Shift+ArrowRight",
    "Shift+ArrowRight",
    "Shift+ArrowDown",
    "-",
    "-",
    "-",
    "ArrowLeft",
    "+",
    "+",
    "+",
    "+",
    "+",
    "0",
    "1",
  ]) {
    await page.keyboard.press(key);
    await frames(page, 4);
  }
  const box = (await page.getByTestId("viewer").boundingBox())!;
  await page.mouse.move(box.x + 700, box.y + 400);
  await page.mouse.down();
  await page.mouse.move(box.x + 100, box.y + 100, { steps: 8 });
  await page.mouse.up();
  for (const turn of [-400, -400, 700, 300, -500]) {
    await page.mouse.wheel(0, turn);
    await frames(page, 3);
  }
  await show(page, { l0_x: 8000, l0_y: 6500, scale: 1.7 }, true);
  await nothingWasBlank(page, 60);
});

test("while the slide is turned, mirrored and moved", async ({ page }) => {
  await openSlowly(page, SLIDES.large, "#x=4000&y=3000&scale=0.37&rotation=30");
  for (const place of [
    { rotation: 47, scale: 0.8 },
    { rotation: 90 },
    { flip: true },
    { rotation: 200.5, l0_x: 5500 },
    { scale: 2.3, l0_y: 4200 },
    { scale: 0.09, rotation: 315 },
  ]) {
    await show(page, place);
    await frames(page, 12);
  }
  await nothingWasBlank(page, 40);
  for (const scale of [1, 0.77, 0.5, 0.3, 1.3]) {
    await show(page, { scale, rotation: 33 + scale }, true);
    await expectExact(page);
  }
  await nothingWasBlank(page, 45);
});

for (const slide of [SLIDES.planes, SLIDES.region]) {
  test(`while focusing through ${slide} and jumping about on it`, async ({ page }) => {
    needs(slide);
    await openSlowly(page, slide, "#x=900&y=700&scale=1&plane=3");
    const planes = await page.evaluate(() => window.__wavescope.slide().planes);
    for (let step = 0; step < 8; step++) {
      await page.evaluate((z) => window.__wavescope.viewport.setPlane(z), (step * 3) % planes);
      await frames(page, 3);
      await show(page, { l0_x: 300 + 170 * step, l0_y: 250 + 110 * step }, step % 2 === 0);
      await frames(page, 3);
    }
    await nothingWasBlank(page, 30);
  });
}
