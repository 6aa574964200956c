// A slide of several channels: what is on is fetched and mixed on the canvas, exactly as the service mixes it.
import type { TestHooks } from "../../frontend/app/src/testHooks.ts";
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PNG } from "pngjs";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";
import { HAS_NGINX, WebServer } from "../harness/webServer.ts";

const SLIDE = "cells";
const MANY = "many";
const folder = temporaryFolder();
let service: Service;

test.beforeAll(async () => {
  test.setTimeout(240_000); // 40 channels are imported
  const store = join(folder, "store");
  wavescope(store, ["ingest", "specimen:900x700?seed=4&channels=6", "--id", SLIDE, "--quality", "0.3sigma"]);
  wavescope(store, ["ingest", "specimen:1200x1000?seed=5&channels=40", "--id", MANY, "--quality", "lossless"]);
  wavescope(store, ["ingest", "specimen:900x700?seed=4&channels=1", "--id", "one", "--quality", "lossless"]);
  service = await Service.start(store);
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

/** The channels of all blocks, pages and approximations that are requested from now on. */
function requested(page: Page): Set<number> {
  const channels = new Set<number>();
  page.on("request", (request) => {
    const [, one] = /\/(?:approximation|layer-index|blocks)\/\d+\/(\d+)/.exec(request.url()) ?? [];
    if (one !== undefined) channels.add(Number(one));
    if (!request.url().endsWith("blocks:batch")) return;
    const { blocks } = JSON.parse(request.postData() ?? "") as { blocks: readonly (readonly number[])[] };
    for (const block of blocks) channels.add(block[1]!);
  });
  return channels;
}

test("CM1 CM5: every tile is the mix that the service makes, of the channels that are on alone", async ({ page }) => {
  const channels = requested(page);
  await openSlide(page, SLIDE, service.address);
  await page.evaluate(() => window.__wavescope.idle());
  const { digest } = await page.evaluate(() => window.__wavescope.slide());
  for (const [level, x, y] of [
    [0, 1, 1],
    [0, 3, 2],
    [1, 0, 1],
    [2, 0, 0],
  ]) {
    const mixed = await page.evaluate(
      async (tile) => window.hashOfRgb((await window.__wavescope.decodePixels(tile, 2)).rgba),
      { z: 0, level: level!, x: x!, y: y! },
    );
    const answer = await fetch(
      `${service.address}/api/v1/slides/${SLIDE}/v/${digest}/tiles/0/${level}/${x}/${y}.png?layers=2`,
    );
    const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    const rgb = createHash("sha256").update(data.filter((_, i) => i % 4 !== 3));
    expect(mixed).toBe(rgb.digest("hex"));
  }
  expect([...channels].sort()).toEqual([0, 1, 2, 3]);
});

test("another window fetches nothing, another channel only itself", async ({ page }) => {
  await openSlide(page, SLIDE, service.address);
  await page.evaluate(() => window.__wavescope.idle());
  await page.evaluate(() => window.__wavescope.complete());
  await page.keyboard.press("l");
  const panel = page.getByTestId("channels");
  const before = await page.evaluate(() => window.hashOfRgb(window.__wavescope.readCanvas(300, 300, 200, 200).rgba));
  const channels = requested(page);
  await panel.getByRole("slider", { name: "White point of DAPI" }).press("ArrowLeft");
  await page.evaluate(() => window.__wavescope.idle());
  const after = await page.evaluate(() => window.hashOfRgb(window.__wavescope.readCanvas(300, 300, 200, 200).rgba));
  expect(after).not.toBe(before);
  expect([...channels]).toEqual([]);
  await panel.getByRole("checkbox", { name: "PanCK" }).check();
  await page.evaluate(() => window.__wavescope.idle());
  expect([...channels]).toEqual([5]);
});

const hash = (page: Page): Promise<string> =>
  page.evaluate(() => window.hashOfRgb(window.__wavescope.readCanvas(300, 300, 200, 200).rgba));

async function openPanel(page: Page, slide: string) {
  await openSlide(page, slide, service.address);
  await page.evaluate(() => window.__wavescope.idle());
  await page.evaluate(() => window.__wavescope.complete());
  await page.keyboard.press("l");
  return page.getByTestId("channels");
}

test("a channel by itself, contrast by its histogram, and all as they were", async ({ page }, info) => {
  const panel = await openPanel(page, SLIDE);
  const first = await hash(page);
  await expect(panel.getByTestId("histogram")).toHaveCount(4);
  await page.screenshot({ path: info.outputPath("channels.png") });
  const channels = requested(page);
  await panel.getByRole("button", { name: "Only CD3", exact: true }).click();
  await page.evaluate(() => window.__wavescope.idle());
  await expect(panel.getByRole("checkbox", { checked: true })).toHaveCount(1);
  expect(await hash(page)).not.toBe(first);
  await panel.getByRole("button", { name: "Automatic contrast of CD3" }).click();
  await panel.getByRole("button", { name: "Only CD3", exact: true }).click();
  await page.evaluate(() => window.__wavescope.idle());
  await expect(panel.getByRole("checkbox", { checked: true })).toHaveCount(4);
  expect(await hash(page)).not.toBe(first); // the contrast of CD3 is another
  await panel.getByRole("slider", { name: "Gamma of DAPI" }).press("ArrowRight");
  await panel.getByRole("button", { name: "Reset", exact: true }).click();
  await page.evaluate(() => window.__wavescope.idle());
  expect(await hash(page)).toBe(first);
  expect([...channels]).toEqual([]);
});

test("of forty channels the four that are on are fetched; another is searched for by its name", async ({ page }) => {
  const channels = requested(page);
  const panel = await openPanel(page, MANY);
  await expect(panel.getByText("Channels: 4 of 40 on")).toBeVisible();
  expect([...channels].sort()).toEqual([0, 1, 2, 3]);
  await panel.getByRole("searchbox", { name: "Search channels" }).fill("marker 3");
  await expect(panel.getByTestId("channel").first()).toContainText("Marker 3");
  await panel.getByRole("checkbox", { name: "Marker 33" }).check();
  await page.evaluate(() => window.__wavescope.idle());
  expect([...channels].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 32]);
});

test("CM8: a link fetches the channels of its mix alone, and each pane of a comparison those of its own", async ({
  page,
}) => {
  const channels = requested(page);
  await openSlide(
    page,
    MANY,
    service.address,
    "#x=600&y=500&scale=1&channels=20:FF0000:10-4000:100,33:00FF00:10-900:100",
  );
  await page.evaluate(() => window.__wavescope.idle());
  await page.evaluate(() => window.__wavescope.complete());
  expect([...channels].sort()).toEqual([20, 33]);
  channels.clear();
  const at = (pane: string, c: number): string =>
    `${pane}.x=600&${pane}.y=500&${pane}.scale=1&${pane}.channels=${c}:0000FF:0-4000:100`;
  await page.goto(`${service.address}/compare?slide=${MANY}&slide=${SLIDE}#${at("a", 21)}&${at("b", 5)}`);
  await page.waitForFunction(() => window.__wavescope?.comparison);
  await page.evaluate(async () => {
    const [A, B] = window.__wavescope.comparison! as [TestHooks, TestHooks];
    await Promise.all([A.complete(), B.complete()]);
  });
  expect([...channels].sort()).toEqual([21, 5]);
});

test("ST112: a slide of one deep channel is shown by its window", async ({ page }) => {
  const panel = await openPanel(page, "one");
  await expect(panel.getByRole("checkbox", { checked: true })).toHaveCount(1);
  await expect(panel.getByRole("checkbox")).toBeDisabled();
  const before = await hash(page);
  await panel.getByRole("slider", { name: "White point of DAPI" }).press("ArrowLeft");
  await page.evaluate(() => window.__wavescope.idle());
  expect(await hash(page)).not.toBe(before);
});

test("CM7: the status line tells the samples under the pointer: exact, or within an interval", async ({ page }) => {
  for (const [slide, expected] of [
    [MANY, /DAPI [\d,]+ · CD3 [\d,]+ · CD8 [\d,]+ · CD20 [\d,]+ · /],
    [SLIDE, /DAPI [\d,]+ ± \d+ · CD3 [\d,]+ ± \d+ · /],
  ] as const) {
    await openSlide(page, slide, service.address);
    await page.evaluate(() => window.__wavescope.viewport.goTo(100, 100, 0));
    await page.evaluate(() => window.__wavescope.complete());
    const { x, y } = (await page.locator("canvas").first().boundingBox())!;
    await page.evaluate(() => localStorage.setItem("wavescope.settings", JSON.stringify({ values: true })));
    await page.reload();
    await slideIsOpen(page);
    await expect(async () => {
      await page.mouse.move(x + 200, y + 200);
      await page.mouse.move(x + 210, y + 205);
      await expect(page.getByTestId("pointer-position")).toHaveText(expected, { timeout: 500 });
    }).toPass();
  }
  await expect(page.getByTestId("fidelity")).toHaveText("Fully loaded");
  await expect(page.getByTestId("fidelity")).toHaveAccessibleName(/Error: 0\.\d+ σ/);
});

test("CM8 WI137: the address has the mix; the link shows it to others, and the panel tells it", async ({
  page,
  browser,
}, info) => {
  const panel = await openPanel(page, SLIDE);
  await page.evaluate(() => window.__wavescope.viewport.goTo(100, 100, 0));
  await panel.getByRole("checkbox", { name: "CD8" }).uncheck();
  await panel.getByRole("slider", { name: "White point of DAPI" }).press("ArrowLeft");
  await page.evaluate(() => window.__wavescope.idle());
  await expect.poll(() => page.url()).toMatch(/&channels=0:[0-9A-F]{6}:\d+-\d+:\d+,1:[^,]+,3:[^,]+$/);
  const shown = await hash(page);
  const other = await browser.newPage({ viewport: page.viewportSize()! });
  await openSlide(other, SLIDE, service.address, new URL(page.url()).hash);
  await other.evaluate(() => window.__wavescope.idle());
  await other.evaluate(() => window.__wavescope.complete());
  await other.keyboard.press("l");
  await other.evaluate(() => window.__wavescope.viewport.goTo(100, 100, 0));
  await other.evaluate(() => window.__wavescope.idle());
  const list = other.getByTestId("channels");
  await expect(list.getByRole("checkbox", { name: "CD8" })).not.toBeChecked();
  await expect(list.getByRole("checkbox", { checked: true })).toHaveCount(3);
  await other.screenshot({ path: info.outputPath("from-link.png") });
  expect(shown).toMatch(/^[0-9a-f]{64}$/);
  expect(await hash(other)).toBe(shown);
  await list.getByRole("button", { name: "Reset", exact: true }).click();
  await other.evaluate(() => window.__wavescope.idle());
  await expect.poll(() => other.url()).not.toContain("channels=");
  expect(await hash(other)).not.toBe(shown);
  await other.close();
});

test("CM8: two panes show a slide in two mixes, as the address says", async ({ page }, info) => {
  const at = (pane: string, channels: string): string =>
    `${pane}.x=450&${pane}.y=350&${pane}.scale=1&${pane}.channels=${channels}`;
  const sides = [at("a", "0:0000FF:0-4000:100"), at("b", "1:FF0000:0-2000:100")];
  await page.goto(`${service.address}/compare?slide=${SLIDE}&slide=${SLIDE}#${sides.join("&")}`);
  await page.waitForFunction(() => window.__wavescope?.comparison);
  await page.evaluate(async () => {
    const [A, B] = window.__wavescope.comparison! as [TestHooks, TestHooks];
    await Promise.all([A.idle(), B.idle()]);
    await Promise.all([A.complete(), B.complete()]);
  });
  const seen = await page.evaluate(() => {
    const [A, B] = window.__wavescope.comparison! as [TestHooks, TestHooks];
    const sums = [A, B].map((pane) => {
      const { rgba } = pane.readCanvas(100, 200, 200, 200);
      return [0, 1, 2].map((c) => rgba.reduce((sum, value, i) => (i % 4 === c ? sum + value : sum), 0) > 0);
    });
    return sums;
  });
  await page.screenshot({ path: info.outputPath("compared.png") });
  expect(seen).toEqual([
    [false, false, true],
    [true, false, false],
  ]);
  expect(page.url()).toContain("a.channels=0:0000FF:0-4000:100");
});

test("SH2 ST110: an exported slide of channels is mixed from its files as by the service", async ({ page }) => {
  test.skip(!HAS_NGINX, "nginx is not installed");
  const tile = { z: 0, level: 0, x: 1, y: 1 };
  await openSlide(page, SLIDE, service.address);
  const hashOfTile = (): Promise<string> =>
    page.evaluate(async (one) => window.hashOfRgb((await window.__wavescope.decodePixels(one, 2)).rgba), tile);
  const expected = await hashOfTile();
  const out = join(folder, "exported");
  wavescope(join(folder, "store"), ["export", SLIDE, out, "--page"]);
  const web = await WebServer.start(out);
  try {
    await page.goto(`${web.address}/`);
    await page.waitForFunction(() => window.__wavescope?.page === "slide");
    await page.evaluate(() => window.__wavescope.idle());
    expect(await hashOfTile()).toBe(expected);
  } finally {
    await web.stop();
  }
});
