// Annotations without a graphics card: the processor draws them, as WebGL would, into a picture that moves along with the view.
import type { Page } from "@playwright/test";
import {
  change,
  clear,
  click,
  onScreen,
  openAnnotations,
  pretendGraphicsCard,
  saved,
  state,
} from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

const ring = (x: number, y: number, radius: number, corners: number): number[][] =>
  Array.from({ length: corners + 1 }, (_, i) => {
    const turn = ((i % corners) / corners) * 2 * Math.PI;
    return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
  });

/** Polygons, lines and points of many sizes, all over the slide. */
function mixed(name: string): { id: string; revision: number; content: unknown }[] {
  return Array.from({ length: 900 }, (_, i) => {
    const [x, y] = [60 + (i % 30) * 95, 60 + Math.floor(i / 30) * 65];
    const color = [
      [200, 30, 30],
      [0, 110, 180],
      [0, 150, 110],
    ][i % 3];
    const content = [
      { kind: "polygon", geometry: { type: "Polygon", coordinates: [ring(x, y, 6 + (i % 13) * 4, 20)] }, color },
      {
        kind: "line",
        geometry: {
          type: "LineString",
          coordinates: [
            [x, y],
            [x + 60, y + (i % 40)],
          ],
        },
        color,
      },
      { kind: "point", geometry: { type: "Point", coordinates: [x, y] }, color },
    ][i % 7 === 0 ? 2 : i % 2];
    return { id: `${name}${i}`, revision: 0, content };
  });
}

test.beforeEach(() => clear(own.service.address, SLIDES.specimen));

const VIEWS = [
  { scale: 0.3, rotation: 0, flip: false },
  { scale: 1, rotation: 0, flip: false },
  { scale: 0.7, rotation: 33, flip: true },
] as const;

async function look(page: Page, view: object): Promise<void> {
  await page.evaluate((place) => {
    const { width, height } = window.__wavescope.slide();
    window.__wavescope.viewport.show({ l0_x: width / 2, l0_y: height / 2, ...place }, true);
  }, view);
  await page.evaluate(() => window.__wavescope.idle());
  await page.waitForFunction(() => window.__wavescope.annotations.state().settled);
}

/** All pixels, premultiplied, in base 64: what lies in a picture that is seen through. */
const picture = async (page: Page): Promise<Buffer> => {
  const text = await page.evaluate(async () => {
    const { rgba } = window.__wavescope.annotations.readPicture();
    for (let i = 0; i < rgba.length; i += 4)
      for (let part = 0; part < 3; part += 1) rgba[i + part] = (rgba[i + part]! * rgba[i + 3]!) / 255;
    const bytes = new Blob([new Uint8Array(rgba)]);
    return new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve((reader.result as string).split(",")[1]!);
      reader.readAsDataURL(bytes);
    });
  });
  return Buffer.from(text, "base64");
};

test("the processor is chosen, and draws what WebGL draws", async ({ page, browser }) => {
  test.slow(); // the processor draws for WebGL, too
  await change(own.service.address, SLIDES.specimen, mixed("like"));
  const context = await browser.newContext({ viewport: page.viewportSize()! });
  const other = await context.newPage();
  await other.addInitScript(pretendGraphicsCard);
  for (const one of [page, other]) await openAnnotations(one, SLIDES.specimen, own.service.address);
  expect([(await state(page)).painter, (await state(other)).painter]).toEqual(["canvas", "webgl"]);
  for (const view of VIEWS) {
    await Promise.all([page, other].map((one) => look(one, view)));
    const [drawn, wanted] = [await picture(page), await picture(other)];
    expect(drawn.length).toBe(wanted.length);
    let [inked, unlike] = [0, 0];
    for (let i = 0; i < wanted.length; i += 4) {
      const most = Math.max(...[0, 1, 2, 3].map((part) => Math.abs(drawn[i + part]! - wanted[i + part]!)));
      if (wanted[i + 3]! > 0) inked += 1;
      if (most > 32) unlike += 1;
    }
    expect(inked, JSON.stringify(view)).toBeGreaterThan(5000);
    expect(unlike / inked, JSON.stringify(view)).toBeLessThan(0.01);
  }
  await context.close();
});

test("WebGL that turns out to be slow is left for the processor, under whatever name", async ({ page }) => {
  await change(own.service.address, SLIDES.specimen, mixed("slow"));
  await page.addInitScript(pretendGraphicsCard);
  await page.addInitScript(() => {
    let late = 0;
    const real = performance.now.bind(performance);
    performance.now = () => real() + late;
    WebGL2RenderingContext.prototype.readPixels = () => void (late += 60); // milliseconds until all is drawn
  });
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  for (let step = 0; step < 12; step += 1)
    await page.evaluate((x) => window.__wavescope.viewport.fit(x, 200, 1600, 900), 20 * step);
  await expect.poll(async () => (await state(page)).painter).toBe("canvas");
  await saved(page);
  await expect(page.getByTestId("annotation-canvas")).toHaveCount(1);
  await look(page, VIEWS[1]);
  expect((await picture(page)).some((value) => value > 0)).toBe(true);
});

test("while the view moves the picture moves along; at rest all is drawn, and objects are hit where they are seen", async ({
  page,
}) => {
  const [x, y] = [1400, 900];
  const content = {
    kind: "polygon",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [x, y],
          [x + 120, y],
          [x + 120, y + 120],
          [x, y + 120],
          [x, y],
        ],
      ],
    },
  };
  await change(own.service.address, SLIDES.specimen, [{ id: "square", revision: 0, content }]);
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await look(page, { scale: 1, l0_x: x, l0_y: y });
  const alpha = (): Promise<number> =>
    page.evaluate(
      ([l0_x, l0_y]) => {
        const at = window.__wavescope.annotations.inViewer(l0_x!, l0_y!);
        return window.__wavescope.annotations.readPixel(Math.floor(at.x), Math.floor(at.y))[3]!;
      },
      [x, y + 60],
    );
  const drawnAnew = await page.evaluate(() => {
    const put = CanvasRenderingContext2D.prototype.putImageData;
    const counter = { times: 0 };
    CanvasRenderingContext2D.prototype.putImageData = function (this: CanvasRenderingContext2D, ...all: unknown[]) {
      if (this.canvas.dataset.testid === "annotation-canvas") counter.times += 1;
      return (put as (...all: unknown[]) => void).apply(this, all);
    };
    const seen: number[] = [];
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    return (async () => {
      const { l0_x, l0_y } = window.__wavescope.viewport.viewLink();
      for (let step = 1; step <= 20; step += 1) {
        window.__wavescope.viewport.show({ l0_x: l0_x + 8 * step, l0_y: l0_y + 4 * step, scale: 1 }, true);
        await frame();
        const at = window.__wavescope.annotations.inViewer(1400, 960);
        seen.push(window.__wavescope.annotations.readPixel(Math.floor(at.x), Math.floor(at.y))[3]!);
      }
      return { times: counter.times, seen };
    })();
  });
  expect(drawnAnew.seen.filter((value) => value < 100)).toEqual([]); // seen in every frame
  expect(drawnAnew.times).toBe(0); // 160 pixels are within the margin
  await look(page, { scale: 1, l0_x: x + 2500, l0_y: y }); // beyond any margin: it lies out of view
  await look(page, { scale: 0.8, l0_x: x - 300, l0_y: y - 200, rotation: 20 });
  expect(await alpha()).toBeGreaterThan(180);
  await click(page, [[x + 60, y + 60]]);
  expect((await state(page)).selected).toEqual(["square"]);
  const { x: screenX, y: screenY } = await onScreen(page, x, y);
  const handles = await page.locator(".wavescope-marks > path:not([data-handles])").getAttribute("d");
  const box = (await page.getByTestId("viewer").boundingBox())!;
  const corners = [...handles!.matchAll(/M([\d.-]+) ([\d.-]+)/g)].map(([, hx, hy]) =>
    Math.hypot(Number(hx) + 4 + box.x - screenX, Number(hy) + 4 + box.y - screenY),
  );
  expect(Math.min(...corners)).toBeLessThan(1.5);
});
