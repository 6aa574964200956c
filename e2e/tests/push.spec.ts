// Blocks that the service pushes over a WebSocket make the same picture, and a page without WebSockets shows everything (WI122, WI123).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { TILE, counters, expectExact, openSlide } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

/** Hashes of two fields that are shown one after the other. */
async function fields(page: Page): Promise<string[]> {
  return page.evaluate(async (side) => {
    const hashes = [];
    for (const tile of [1, 3]) {
      await window.__wavescope.viewport.goTo(side * tile, side, 0);
      await window.__wavescope.idle();
      hashes.push(await window.hashOfRgb(window.__wavescope.readCanvas(0, 0, side, side).rgba));
    }
    return hashes;
  }, TILE);
}

async function openedWith(page: Page, transport: string): Promise<void> {
  await page.addInitScript((value) => localStorage.setItem("wavescope.transport", value), transport);
  await page.setViewportSize({ width: 700, height: 600 });
  await openSlide(page, SLIDES.specimen);
}

test("pushed blocks make the pixels that batches make, and none is fetched twice (WI119, WI122)", async ({
  page,
  browser,
}) => {
  await openedWith(page, "push");
  const pushed = await fields(page);
  await expectExact(page);
  const { pushedBlocks, blocks, batches, log } = await counters(page);
  expect(pushedBlocks).toBe(blocks);
  expect(batches).toBe(0);
  const lines = log.filter((line) => line.startsWith("block "));
  expect(new Set(lines).size).toBe(lines.length);

  const other = await (await browser.newContext()).newPage();
  await openedWith(other, "batch");
  expect(await fields(other)).toEqual(pushed);
  await other.context().close();
});

test("where WebSockets are blocked, everything is shown all the same (WI123)", async ({ page }) => {
  await page.routeWebSocket(/\/push$/, (socket) => socket.close({ code: 1011 }));
  await openedWith(page, "push");
  await fields(page);
  await expectExact(page);
  const { pushedBlocks, batches } = await counters(page);
  expect([pushedBlocks, batches > 0]).toEqual([0, true]);
});
