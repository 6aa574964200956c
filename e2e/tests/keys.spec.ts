// Keys, the keyboard map and the command palette: one list of commands behind all three.
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { lookAt } from "../harness/looks.ts";
import { address, openSlide, viewState } from "../harness/microscope.ts";

test.beforeEach(({ page }) => openSlide(page, SLIDES.specimen));

test("keys work wherever the focus is, but not while something is typed", { tag: "@static" }, async ({ page }) => {
  const before = await viewState(page);
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await page.keyboard.press("1");
  await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((left) => window.__wavescope.viewport.state().l0_x > left, (await viewState(page)).l0_x);
  await page.keyboard.press("]");
  await page.waitForFunction((plane) => window.__wavescope.viewport.state().plane === plane + 1, before.plane);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search commands").fill("0[f");
  await page.keyboard.press("Escape");
  await expect(page.getByPlaceholder("Search commands")).toBeHidden();
  expect((await viewState(page)).scale).toBeCloseTo(1);
  expect((await viewState(page)).plane).toBe(before.plane + 1);
});

test("the keyboard map opens on ?, lists what the keys do and gives the focus back", { tag: "@static" }, async ({
  page,
}) => {
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("?");
  const map = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(map.getByText("Full resolution, 1:1")).toBeVisible();
  await expect(map.getByText("Next plane")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(map).toBeHidden();
  await expect(page.getByTestId("viewer")).toBeFocused();
});

test("letters and signs can be kept to the picture", { tag: "@static" }, async ({ page }) => {
  await page.keyboard.press("?");
  const map = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await map.getByRole("switch").click();
  await page.keyboard.press("Escape");
  await expect(map).toBeHidden();
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await page.keyboard.press("?");
  await page.getByTestId("viewer").focus();
  const before = (await viewState(page)).scale;
  await page.keyboard.press("+");
  await page.waitForFunction((scale) => window.__wavescope.viewport.state().scale > scale, before);
  await expect(map).toBeHidden();
});

test("the key that selects all takes the open panel's text, and not the page's", async ({ page }) => {
  const selected = (): Promise<string> => page.evaluate(() => getSelection()!.toString());
  await page.getByTestId("viewer").focus();
  await page.keyboard.press("Control+a");
  expect(await selected()).toBe("");
  await page.keyboard.press("i");
  const panel = page.getByTestId("side-panel");
  await expect(panel).toContainText("Bytes");
  await page.keyboard.press("Control+a");
  expect(await selected()).toContain("Bytes");
  expect(await selected()).not.toContain("fetched, ");
});

test("the palette finds a command by its words and runs it", { tag: "@static" }, async ({ page }) => {
  await page.getByRole("button", { name: "Command palette" }).click();
  await page.getByPlaceholder("Search commands").fill("full reso");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => Math.abs(window.__wavescope.viewport.state().scale - 1) < 1e-6);
  await expect(page.getByPlaceholder("Search commands")).toBeHidden();
});

for (const path of ["slides/specimen", "compare?slide=specimen&slide=planes"]) {
  test(`the command palette shows which command Enter runs, and gives its rows room (${path.split("?")[0]})`, async ({
    page,
  }) => {
    await page.goto("about:blank");
    await page.goto(`${address()}/${path}`);
    await page.getByRole("button", { name: "Command palette" }).click();
    const palette = page.getByRole("dialog", { name: "Command palette" });
    const rows = palette.getByRole("button").filter({ hasText: /\S/ });
    await expect(rows.first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    const [selected, other] = [
      palette.locator("[data-selected]"),
      palette.locator("button:not([data-selected])").last(),
    ];
    await expect(selected).toHaveCount(1);
    const ground = (row: typeof selected): Promise<string> =>
      row.evaluate((one) => getComputedStyle(one).backgroundColor);
    expect(await ground(selected)).not.toBe("rgba(0, 0, 0, 0)");
    expect(await ground(selected)).not.toBe(await ground(other));
    const padding = await other.evaluate((row) => Number.parseFloat(getComputedStyle(row).paddingInlineStart));
    expect(padding).toBeGreaterThanOrEqual(12);
    expect(await lookAt(page, `command-palette-${path.split("/")[0]!.split("?")[0]}`)).toEqual([]);
  });
}
