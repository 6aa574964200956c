// Where the browser cannot rebuild pixels itself, the service makes them, and the viewer says so.
import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { TILE, address, counters, expectExact, openSlide } from "../harness/microscope.ts";

const LACKS: Record<string, () => void> = {
  "WebAssembly is missing": () => Reflect.deleteProperty(window, "WebAssembly"),
  "web workers are missing": () => Reflect.deleteProperty(window, "Worker"),
};

for (const [lack, remove] of Object.entries(LACKS)) {
  test(`when ${lack} the viewer draws the service's tiles and says so`, async ({ page }) => {
    await page.addInitScript(remove);
    await openSlide(page, SLIDES.specimen);
    await expect(page.getByTestId("fallback-notice")).toBeVisible();
    await expectExact(page);
    const { pixelTiles, blocks } = await counters(page);
    expect(pixelTiles).toBeGreaterThan(0);
    expect(blocks).toBe(0);
    expect(await drawnTile(page)).toBe(await servedTile(await page.evaluate(() => window.__wavescope.slide().digest)));
  });
}

/** The tile (1, 1) of level 0 as the fallback draws it at 1:1. */
async function drawnTile(page: Page): Promise<string> {
  return page.evaluate(async (side) => {
    window.__wavescope.viewport.setPlane(0);
    const { ln_x, ln_y } = await window.__wavescope.viewport.goTo(side, side, 0);
    await window.__wavescope.idle();
    return window.hashOfRgb(window.__wavescope.readCanvas(side - ln_x, side - ln_y, side, side).rgba);
  }, TILE);
}

async function servedTile(digest: string): Promise<string> {
  const answer = await fetch(`${address()}/api/v1/slides/${SLIDES.specimen}/v/${digest}/tiles/0/0/1/1.png`);
  const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
  return createHash("sha256")
    .update(data.filter((_, i) => i % 4 !== 3))
    .digest("hex");
}
