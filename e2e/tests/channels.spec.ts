// A slide of several channels: what is on is fetched and mixed on the canvas, exactly as the service mixes it.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { PNG } from "pngjs";
import { openSlide } from "../harness/microscope.ts";
import { Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const SLIDE = "cells";
const folder = temporaryFolder();
let service: Service;

test.beforeAll(async () => {
  const store = join(folder, "store");
  wavescope(store, ["ingest", "specimen:900x700?seed=4&channels=6", "--id", SLIDE, "--quality", "40dB"]);
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
