// Mixes of channels: chosen, saved, stepped through, taken back; and what carries one: sessions, tours, bookmarks, exports.
import { readFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { PNG } from "pngjs";
import { openSlide } from "../harness/microscope.ts";
import { Service, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { everyoneLeaves, join, person, startSession } from "../harness/session.ts";
import { expect, test } from "../harness/test.ts";

const CELLS = "cells";
const MANY = "many";
const folder = temporaryFolder();
let service: Service;

everyoneLeaves();

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const store = joinPath(folder, "store");
  wavescope(store, ["ingest", "specimen:500x400?seed=4&channels=6", "--id", CELLS, "--quality", "lossless"]);
  wavescope(store, ["ingest", "specimen:300x200?seed=5&channels=21", "--id", MANY, "--quality", "lossless"]);
  service = await Service.start(store);
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(folder);
});

async function panelOf(page: Page, slide: string, hash = ""): Promise<Locator> {
  await openSlide(page, slide, service.address, hash);
  await page.evaluate(() => window.__wavescope.idle());
  await page.keyboard.press("l");
  const panel = page.getByTestId("channels");
  await expect(panel.getByTestId("channel").first()).toBeVisible();
  return panel;
}

/** The names of the channels that are on. */
const on = (panel: Locator): Promise<string[]> =>
  panel
    .getByRole("checkbox", { checked: true })
    .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).labels![0]!.textContent));
const chosen = (panel: Locator): Locator => panel.getByRole("combobox", { name: "Mix" });
const act = async (page: Page, panel: Locator, name: string): Promise<void> => {
  await panel.getByRole("button", { name: "More actions for the mix" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
};
const mixOf = (page: Page): string => decodeURIComponent(/channels=([^&]*)/.exec(page.url())?.[1] ?? "");

test("many channels are stepped through in groups, by buttons and keys", async ({ page }) => {
  const panel = await panelOf(page, MANY);
  expect(await on(panel)).toEqual(["DAPI", "CD3", "CD8", "CD20"]);
  await panel.getByRole("button", { name: "Next mix" }).click();
  const second = await on(panel);
  expect([second.length, second[0], second.includes("CD3")]).toEqual([4, "DAPI", false]);
  await page.keyboard.press("j");
  await expect.poll(() => on(panel)).not.toEqual(second);
  await page.keyboard.press("Shift+J");
  await expect.poll(() => on(panel)).toEqual(second);
});

test("CM9: a mix is saved, chosen on another screen, renamed, moved, deleted and brought back", async ({
  page,
  browser,
}) => {
  const panel = await panelOf(page, CELLS);
  await panel.getByRole("checkbox", { name: "CD8" }).uncheck();
  await act(page, panel, "Save mix…");
  await panel.getByRole("textbox", { name: "Name of the mix" }).fill("B cells");
  await page.keyboard.press("Enter");
  await expect(chosen(panel)).toHaveValue("B cells");
  const saved = await on(panel);
  await panel.getByRole("button", { name: "Only DAPI", exact: true }).click();
  await act(page, panel, "Save mix…");
  await panel.getByRole("textbox", { name: "Name of the mix" }).fill("Nuclei");
  await panel.getByRole("button", { name: "Save", exact: true }).click();
  await expect(chosen(panel)).toHaveValue("Nuclei");
  await act(page, panel, "Move up");
  await act(page, panel, "Rename");
  await panel.getByRole("textbox", { name: "Name of the mix" }).fill("DAPI alone");
  await page.keyboard.press("Enter");
  await expect(chosen(panel)).toHaveValue("DAPI alone");
  const other = await browser.newPage();
  const list = await panelOf(other, CELLS);
  await chosen(list).click();
  await expect(other.getByRole("option").nth(0)).toHaveText("DAPI alone");
  await other.getByRole("option", { name: "B cells" }).click();
  await expect.poll(() => on(list)).toEqual(saved);
  await act(page, panel, "Delete"); // the other page has not read it
  await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await expect(chosen(panel)).toHaveValue("DAPI alone");
  await act(other, list, "Delete"); // from an older revision: the other one stays
  await expect(chosen(list)).not.toHaveValue("B cells");
  await chosen(list).click();
  await expect(other.getByRole("option").nth(0)).toHaveText("DAPI alone");
  await other.close();
});

test("a mix is copied to a slide with channels of the same names", async ({ page }) => {
  const panel = await panelOf(page, CELLS);
  await panel.getByRole("button", { name: "Only CD20", exact: true }).click();
  await act(page, panel, "Copy mix");
  await page.keyboard.press("l"); // an open panel opens again with the next slide
  await expect(panel).toBeHidden();
  const other = await panelOf(page, MANY);
  await act(page, other, "Paste mix");
  await expect.poll(() => on(other)).toEqual(["CD20"]);
});

test("the key after an item of a menu is for the page (PG119)", async ({ page }) => {
  const panel = await panelOf(page, CELLS);
  await panel.getByRole("button", { name: "More actions for the mix" }).click();
  await page.getByRole("menuitem", { name: "Copy mix" }).evaluate(async (item: HTMLElement) => {
    item.click();
    await new Promise(requestAnimationFrame);
    document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", { key: "l", bubbles: true }));
  });
  await expect(panel).toBeHidden();
});

test("what is changed is taken back and done again, by buttons and by keys in the panel", async ({ page }) => {
  const panel = await panelOf(page, CELLS);
  const window = panel.getByTestId("window").first();
  const first = await window.textContent();
  await panel.getByRole("slider", { name: "White point of DAPI" }).press("ArrowLeft");
  await panel.getByRole("slider", { name: "White point of DAPI" }).press("ArrowLeft");
  const changed = await window.textContent();
  expect(changed).not.toBe(first);
  await panel.getByRole("button", { name: "Reset", exact: true }).click();
  await expect(window).toHaveText(first!);
  await page.keyboard.press("Control+z");
  await expect(window).toHaveText(changed!);
  await page.keyboard.press("Control+z");
  await expect(window).toHaveText(first!);
  await expect(panel.getByRole("button", { name: "Undo" })).toBeDisabled();
  await panel.getByRole("button", { name: "Redo" }).click();
  await expect(window).toHaveText(changed!);
  await page.getByRole("button", { name: "Reset all" }).click();
  await expect(window).toHaveText(first!);
  await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await expect(window).toHaveText(changed!);
});

const MIX = "0:0000FF:0-4000:100,5:FF0000:0-2000:100";
const AT = `#x=150&y=100&scale=1&channels=${MIX}`;

test("CM8: the presenter's mix is everyone's in a session, of 21 channels, too", async ({ browser }) => {
  const ada = await person(browser, { width: 1280, height: 800 });
  const ben = await person(browser, { width: 1024, height: 768 });
  await openSlide(ada, MANY, service.address, AT);
  const code = await startSession(ada, "Ada");
  await join(ben, service.address, code, "Ben");
  await ben.keyboard.press("l");
  const list = ben.getByTestId("channels");
  await expect(list.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await ada.keyboard.press("l");
  const panel = ada.getByTestId("channels");
  while ((await panel.getByRole("checkbox", { checked: false }).count()) > 0)
    await panel.getByRole("checkbox", { checked: false }).first().check();
  await expect(list.getByText("Channels: 21 of 21 on")).toBeVisible();
});

test("CM8: bookmarks and tours have the mix", async ({ page }) => {
  await openSlide(page, CELLS, service.address, AT);
  await page.keyboard.press("Shift+B");
  await page.keyboard.press("l");
  const panel = page.getByTestId("channels");
  await panel.getByRole("button", { name: "Reset", exact: true }).click();
  await expect.poll(() => mixOf(page)).toBe("");
  await page.keyboard.press("b");
  await page.getByTestId("bookmark").getByRole("button").first().click();
  await expect.poll(() => mixOf(page)).toBe(MIX);
  const adjustments = { c1: [0xffffff, 0, 3000, 100] };
  const view = { l0_x: 200, l0_y: 200, l0_width: 400, l0_height: 300, rotation: 0, flip: false, plane: 0, adjustments };
  const tour = { title: "One stop", waypoints: [{ id: "w1", title: "CD3", view }] };
  await fetch(`${service.address}/api/v1/tours?slide=${CELLS}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(tour),
  });
  await page.keyboard.press("t");
  await page.getByRole("button", { name: "Play One stop" }).click();
  await expect.poll(() => mixOf(page)).toBe("1:FFFFFF:0-3000:100");
});

test("CM8: an exported picture has the mix", async ({ page }) => {
  await openSlide(page, CELLS, service.address, `#x=200&y=200&scale=1&channels=5:FF0000:0-2000:100`);
  await page.evaluate(() => window.__wavescope.idle());
  await page.keyboard.press("Shift+E");
  await page.getByRole("dialog", { name: "Camera" }).getByRole("button", { name: "Export" }).click();
  await expect(page.getByTestId("export-progress")).toHaveAttribute("data-state", "done");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Save file" }).click();
  const { data } = PNG.sync.read(readFileSync(await (await download).path()));
  const sums = [0, 1, 2].map((c) => data.reduce((sum, value, i) => (i % 4 === c ? sum + value : sum), 0));
  expect([sums[0]! > 0, sums[1], sums[2]]).toEqual([true, 0, 0]);
});
