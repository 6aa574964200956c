// Extended depth of field of a slide of several channels and focal planes: each channel is computed by itself, then mixed (ZS8).
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { START, lookAt } from "../harness/looks.ts";
import { useAllHands } from "../harness/hands.ts";
import { expectExact, openSlide } from "../harness/microscope.ts";
import { Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: START, contextOptions: { reducedMotion: "reduce" } });

const SLIDE = "cells";
const PLANES = 3;
const folder = temporaryFolder();
let service: Service;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const store = join(folder, "store");
  wavescope(store, ["ingest", `specimen:700x600x${PLANES}?seed=4&channels=2`, "--id", SLIDE, "--quality", "lossless"]);
  service = await Service.start(store);
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

const badge = (page: Page) => page.getByTestId("focus-badge");

/** The bytes of a tile as it is mixed of its plane, or computed now, and how much neighbouring pixels differ on average. */
const mixed = (page: Page, z: number) =>
  page.evaluate(async (z) => {
    const { slide, decodePixels } = window.__wavescope;
    const { rgba } = await decodePixels({ z, level: 0, x: 1, y: 1 }, slide().layers);
    let sharpness = 0;
    for (let i = 4; i < rgba.length; i++) sharpness += Math.abs(rgba[i]! - rgba[i - 4]!) / rgba.length;
    return { hash: await window.hashOfRgb(rgba), sharpness };
  }, z);

test("of two channels it is sharper than every plane, follows windows and channels, and ends with another plane (ZS3, ZS8)", async ({
  page,
}) => {
  await openSlide(page, SLIDE, service.address, "#x=350&y=300&scale=1&plane=1");
  const single = [];
  for (let z = 0; z < PLANES; z++) single.push(await mixed(page, z));
  await page.keyboard.press("Shift+Z");
  await expect(badge(page)).toHaveText("Extended depth of field (computed)");
  await expectExact(page);
  const computed = await mixed(page, 1);
  expect(computed.sharpness).toBeGreaterThan(Math.max(...single.map(({ sharpness }) => sharpness)));
  expect(await mixed(page, 0), "whatever plane was looked at").toEqual(computed);

  await useAllHands(page);
  await expect(badge(page)).toBeVisible();

  await page.keyboard.press("l");
  const panel = page.getByTestId("channels");
  await panel
    .getByRole("slider", { name: /^White point of / })
    .first()
    .press("ArrowLeft");
  await expectExact(page);
  const brighter = await mixed(page, 1);
  expect(brighter.hash).not.toBe(computed.hash);
  await panel.getByRole("checkbox").first().uncheck();
  await expectExact(page);
  const one = await mixed(page, 1);
  expect(one.hash).not.toBe(brighter.hash);
  await expect(badge(page)).toBeVisible();
  await expectNothingSeriousInEither(page, "extended depth of field of channels");
  expect(await lookAt(page, "focus-of-channels")).toEqual([]);

  await panel.getByRole("checkbox").first().check();
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("]");
  await expect(badge(page)).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => window.__wavescope.viewport.viewLink().plane)).toBe(2);
  await expectExact(page);
  expect((await mixed(page, 2)).hash).not.toBe(brighter.hash);
});
