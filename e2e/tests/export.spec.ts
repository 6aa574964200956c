// A region becomes a file: as shown, as typed, whole as a pyramid; with progress, and no longer when it is cancelled.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "@playwright/test";
import { lookAt } from "../harness/looks.ts";
import { expect, test } from "../harness/test.ts";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { change } from "../harness/annotating.ts";
import { dropFile } from "../harness/exports.ts";
import { address, idle, openSlide, slideIsOpen, store } from "../harness/microscope.ts";
import { removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { sharedService } from "../harness/sharedService.ts";
import { row } from "../harness/uploading.ts";

const own = sharedService();

const dialog = (page: Page) => page.getByRole("dialog", { name: "Camera" });
const progress = (page: Page) => page.getByTestId("export-progress");

async function choose(page: Page, select: string, option: string | RegExp): Promise<void> {
  await dialog(page).getByRole("combobox", { name: select }).click();
  await page.getByRole("option", { name: option }).click();
}

async function save(page: Page): Promise<Buffer> {
  await expect(progress(page)).toHaveAttribute("data-state", "done", { timeout: 60_000 });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save file" }).click(),
  ]);
  return readFileSync(await download.path());
}

test("the view is exported as a PNG that holds the very pixels of its level", async ({ page }) => {
  await openSlide(page, SLIDES.lossless);
  await page.evaluate(() => window.__wavescope.viewport.goTo(200, 100, 0));
  await idle(page);
  await page.keyboard.press("Shift+E");
  await expect(page.getByTestId("export-expected")).toContainText(/about .*\s[kM]B/);
  await dialog(page).getByText("Coordinates").click();
  for (const [label, value] of [
    ["x", "300"],
    ["y", "200"],
    ["Width", "640"],
    ["Height", "480"],
  ] as const)
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
  await expect(page.getByTestId("export-expected")).toContainText("640 × 480 px");
  await dialog(page).getByRole("button", { name: "Export" }).click();
  const file = PNG.sync.read(await save(page));
  const region = `${address()}/api/v1/slides/${SLIDES.lossless}/region?x=300&y=200&width=640&height=480`;
  const served = PNG.sync.read(Buffer.from(await (await fetch(region)).arrayBuffer()));
  expect([file.width, file.height, file.data.equals(served.data)]).toEqual([640, 480, true]);
});

test("a whole slide is exported as a BigTIFF, or not when it is cancelled", async ({ page }) => {
  await openSlide(page, SLIDES.large);
  await page.keyboard.press("Shift+E");
  await dialog(page).getByText("Whole slide").click();
  await choose(page, "Resolution", /^Full resolution/);
  await choose(page, "Format", "TIFF pyramid, lossless");
  await dialog(page).getByRole("button", { name: "Export" }).click();
  await expect(progress(page).getByRole("status")).toContainText(/Writing .*: [1-9]\d*\s?%/);
  await progress(page).getByRole("button", { name: "Cancel" }).click();
  await expect(progress(page)).toHaveAttribute("data-state", "cancelled");
  await page.getByRole("button", { name: "Another region" }).click();
  await dialog(page).getByText("Whole slide").click();
  await choose(page, "Resolution", /^1 : 4/);
  await choose(page, "Format", "TIFF pyramid, JPEG");
  await dialog(page).getByRole("button", { name: "Export" }).click();
  const head = (await save(page)).subarray(0, 4);
  expect([...head]).toEqual([0x49, 0x49, 43, 0]);
});

test("an export that a restart of the service has ended says so, and is begun again", async ({ page }) => {
  await openSlide(page, SLIDES.large, own.service.address);
  await page.keyboard.press("Shift+E");
  await dialog(page).getByText("Whole slide").click();
  await choose(page, "Resolution", /^Full resolution/);
  await choose(page, "Format", "TIFF pyramid, lossless");
  await dialog(page).getByRole("button", { name: "Export" }).click();
  await expect(progress(page)).toHaveAttribute("data-state", "running");
  await own.service.stop("SIGKILL");
  await own.service.startAgain();
  await expect(progress(page)).toHaveAttribute("data-state", "lost");
  await expect(progress(page).getByRole("status")).toContainText("The service was restarted");
  await progress(page).getByRole("button", { name: "Export again" }).click();
  await expect(progress(page).getByRole("status")).toContainText(/Writing .*: \d+\s?%/);
  await progress(page).getByRole("button", { name: "Cancel" }).click(); // it writes no longer beside the next test
  await expect(progress(page)).toHaveAttribute("data-state", "cancelled");
});

test("an exported folder that is opened from the disk says what to do instead (SH33)", async ({ page }) => {
  const folder = join(temporaryFolder(), "slide");
  wavescope(store(), ["export", SLIDES.specimen, folder, "--page"]);
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
  await expect(page.getByRole("heading", { name: "This slide needs a web server" })).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveCount(3);
  removeFolder(dirname(folder));
});

test("a whole slide is exported as one file with its annotations; the page of exported slides opens it, and the gallery imports it (WI143, SH25)", async ({
  page,
}) => {
  test.slow();
  const { service } = own;
  const content = { kind: "point", geometry: { type: "Point", coordinates: [400, 300] }, name: "Mitosis" };
  await change(service.address, SLIDES.specimen, [{ id: "a", revision: 0, content }]);
  await openSlide(page, SLIDES.specimen, service.address);
  await page.keyboard.press("Shift+E");
  await dialog(page).getByText("Slide (.wsz)").click();
  await dialog(page).getByLabel("Annotations").check();
  await dialog(page).getByRole("button", { name: "Export" }).click();
  await expect(progress(page)).toHaveAttribute("data-state", "done", { timeout: 60_000 });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save file" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${SLIDES.specimen}.wsz`);
  const path = await download.path();
  await page.goto(`${service.address}/exported/index.html`);
  await page.getByTestId("exported-start").waitFor();
  await dropFile(page, path);
  await slideIsOpen(page);
  await expect(page).toHaveTitle(/Synthetic specimen/);
  await expect
    .poll(() => page.evaluate(() => window.__wavescope.annotations.list().map(({ name }) => name)))
    .toEqual(["Mitosis"]);
  await page.goto(service.address);
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
  await dropFile(page, path);
  await expect(row(page, "slide")).toHaveAttribute("data-phase", "done", { timeout: 60_000 });
  await row(page, "slide").getByRole("button", { name: "Open" }).click();
  await slideIsOpen(page);
  const { id, digest } = await page.evaluate(() => window.__wavescope.slide());
  const { digest: first } = await service.json<{ digest: string }>(`/api/v1/slides/${SLIDES.specimen}`);
  expect(id).not.toBe(SLIDES.specimen);
  expect(digest).toBe(first);
});

test("a picture is exported with a scale bar below it, a TIFF with nothing drawn", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("Shift+E");
  await dialog(page).getByText("Coordinates").click();
  for (const [label, value] of [
    ["x", "300"],
    ["y", "200"],
    ["Width", "640"],
    ["Height", "480"],
  ] as const)
    await dialog(page).getByLabel(label, { exact: true }).fill(value);
  await choose(page, "Resolution", /^Full resolution/);
  await choose(page, "Format", "TIFF pyramid, lossless");
  await expect(dialog(page).getByRole("checkbox", { name: "Scale bar" })).toBeDisabled();
  await choose(page, "Format", "PNG, lossless");
  await dialog(page).getByRole("checkbox", { name: "Scale bar" }).check();
  await dialog(page).getByRole("checkbox", { name: "Annotations" }).check();
  expect(await lookAt(page, "export-dialog")).toEqual([]);
  await dialog(page).getByRole("button", { name: "Export", exact: true }).click();
  const file = PNG.sync.read(await save(page));
  expect([file.width, file.height]).toEqual([640, 480 + 44]);
});
