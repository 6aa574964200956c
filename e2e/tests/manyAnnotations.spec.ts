// 20,000 annotations of four files without a graphics card: the frames of a moving view are as frequent as without them, also where one
// layer is faded and another is locked.
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

const own = sharedService();

const COUNT = 20_000;
const FILES = 4;
const CORNERS = 12;
const FRAMES = 24;
const LIMIT = 50; // milliseconds from frame to frame; twice as long as without annotations where that is longer
const SCALES = [0.35, 1];

/** Small polygons in rows, all over the slide; every fourth of them, from one on. */
function polygons(width: number, height: number, file: number): string {
  const columns = 160;
  const [across, down] = [width / columns, height / (COUNT / columns)];
  const features = Array.from({ length: COUNT }, (_, i) => {
    const [x, y] = [((i % columns) + 0.5) * across, (Math.floor(i / columns) + 0.5) * down];
    const ring = Array.from({ length: CORNERS + 1 }, (_, k) => {
      const turn = ((k % CORNERS) / CORNERS) * 2 * Math.PI;
      return [x + 0.45 * across * Math.cos(turn), y + 0.45 * down * Math.sin(turn)].map((one) =>
        Number(one.toFixed(2)),
      );
    });
    return { type: "Feature", geometry: { type: "Polygon", coordinates: [ring] }, properties: {} };
  });
  return JSON.stringify({ type: "FeatureCollection", features: features.filter((_, i) => i % FILES === file) });
}

/** The median of the milliseconds from frame to frame while the view moves on a slanted line, a step a frame. */
async function frameTime(page: Page, scale: number): Promise<number> {
  const times = await page.evaluate(
    async ([scale, frames]) => {
      const { width, height } = window.__wavescope.slide();
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const show = (part: number): void => {
        const [l0_x, l0_y] = [width * (0.4 + 0.2 * part), height * (0.4 + 0.2 * part)];
        window.__wavescope.viewport.show({ l0_x, l0_y, scale: scale! }, true);
      };
      show(0);
      await window.__wavescope.idle();
      while (!window.__wavescope.annotations.state().settled) await frame();
      const found: number[] = [];
      for (let i = 0; i <= frames!; i += 1) {
        show(i / frames!);
        found.push(await frame());
      }
      return found;
    },
    [scale, FRAMES],
  );
  const between = times.slice(1).map((time, i) => time - times[i]!);
  return between.sort((a, b) => a - b)[between.length >> 1]!;
}

/** Opens the slide and waits until all of its annotations are there and drawn. */
async function openWith(page: Page, count: number): Promise<void> {
  await openSlide(page, SLIDES.specimen, own.service.address);
  await page.waitForFunction((all) => {
    const { count, settled, save } = window.__wavescope.annotations.state();
    return count === all && settled && save === "saved";
  }, count);
}

/** Fades the layer of one file and locks that of another, as a user does. */
async function styleLayers(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Annotations", exact: true });
  await button.click();
  const opacity = page.getByRole("slider", { name: "Opacity of layer cells-1" });
  await opacity.press("Home");
  await expect(opacity).toHaveAttribute("aria-valuenow", "10");
  await page.getByRole("button", { name: "Lock layer cells-2" }).click();
  await button.click();
  await expect(page.getByTestId("side-panel")).toBeHidden();
}

test("20,000 annotations in layers slow no frame of a moving view without a graphics card", async ({ page }, info) => {
  test.setTimeout(480_000); // they are imported and read
  await openWith(page, 0);
  const alone: number[] = [];
  for (const scale of SCALES) alone.push(await frameTime(page, scale));
  const { width, height } = await page.evaluate(() => window.__wavescope.slide());
  for (let file = 0; file < FILES; file += 1) {
    const at = `${own.service.address}/api/v1/slides/${SLIDES.specimen}/annotations:import`;
    const body = polygons(width, height, file);
    const answer = await fetch(`${at}?format=geojson&name=cells-${file}`, { method: "POST", body });
    expect(await answer.json()).toMatchObject({ created: COUNT / FILES });
  }
  await page.goto("about:blank");
  await openWith(page, COUNT);
  for (const how of ["plain", "one faded, one locked"]) {
    if (how !== "plain") await styleLayers(page);
    for (const [i, scale] of SCALES.entries()) {
      const time = await frameTime(page, scale);
      const words = `${how}, at ${scale}: ${time.toFixed(1)} ms, ${alone[i]!.toFixed(1)} ms without annotations`;
      info.annotations.push({ type: "frames", description: words });
      expect(time, words).toBeLessThan(Math.max(LIMIT, 2 * alone[i]!));
    }
  }
});
