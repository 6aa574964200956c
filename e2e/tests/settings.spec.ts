// What lies around the picture, and what the user chooses for every slide: hidden controls, presenter mode, wheel, theme, touch.
import type { Page } from "@playwright/test";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { lookAt, storePicture } from "../harness/looks.ts";
import { openSlide, slideIsOpen, viewState } from "../harness/microscope.ts";
import { smallTargets } from "../harness/targets.ts";
import { expect, test } from "../harness/test.ts";

const HERE = "#x=1400&y=1100&scale=0.5";
const settings = (page: Page) => page.getByRole("dialog", { name: "Settings" });
const hidden = ["panel-rail", "turret", "scale-mark", "fidelity", "overview"];

/** Where the middle of the view lies on the screen. */
const onPage = async (page: Page): Promise<{ x: number; y: number }> => {
  const { x, y } = await page.evaluate(() => window.__wavescope.annotations.inViewer(1400, 1100));
  const box = (await page.getByTestId("viewer").boundingBox())!;
  return { x: box.x + x, y: box.y + y };
};

async function expectHidden(page: Page, is: boolean): Promise<void> {
  for (const name of hidden) await expect(page.getByTestId(name), name).toBeVisible({ visible: !is });
  await expect(page.getByRole("banner")).toBeVisible({ visible: !is });
}

test("a key hides all controls and brings them back, and the tissue stays where it is (PG82)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await page.keyboard.press("Control+Enter");
  const before = await onPage(page);
  await page.keyboard.press("Shift+Q");
  await expectHidden(page, true);
  const size = page.viewportSize()!;
  await expect.poll(() => page.getByTestId("viewer").boundingBox()).toEqual({ x: 0, y: 0, ...size });
  await expect
    .poll(async () => {
      const now = await onPage(page);
      return Math.hypot(now.x - before.x, now.y - before.y);
    })
    .toBeLessThan(1.5);
  await storePicture(page, "test-results/hidden.png");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Escape");
  await expectHidden(page, false);
  await page.keyboard.press("Shift+Q");
  await page.keyboard.press("Tab"); // the focus is not trapped: the way back is reached by it
  await expect(page.getByRole("button", { name: "Show controls" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expectHidden(page, false);
});

test("Tab moves the focus from the picture; only who chose so hides the controls by it (PG82)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  const viewer = page.getByTestId("viewer");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Tab");
  await expectHidden(page, false);
  expect(await viewer.evaluate((element) => element.contains(document.activeElement))).toBe(false);
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await settings(page).getByRole("switch", { name: "Tab on the picture hides the controls" }).press("Space");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Tab");
  await expectHidden(page, true);
  await page.keyboard.press("Tab");
  await expectHidden(page, false);
  await page.keyboard.press("Shift+Tab");
  expect(await viewer.evaluate((element) => element.contains(document.activeElement))).toBe(false);
});

test("presenter mode has a large scale and a mark around the pointer, and ends by Escape (PG83)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  const small = (await page.getByTestId("magnification").boundingBox())!;
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search commands").fill("presenter");
  await page.keyboard.press("Enter");
  await expect(page.getByPlaceholder("Search commands")).toBeHidden(); // else it takes the wheel
  await expect(page.getByTestId("turret")).toBeHidden();
  const large = (await page.getByTestId("magnification").boundingBox())!;
  expect(large.height).toBeGreaterThan(small.height * 1.5);
  await page.mouse.move(500, 400);
  const mark = (await page.getByTestId("pointer-mark").boundingBox())!;
  expect([mark.x + mark.width / 2, mark.y + mark.height / 2]).toEqual([500, 400]);
  await page.mouse.wheel(0, -100); // what lies under the mark gets the events
  await expect.poll(async () => (await viewState(page)).scale).toBeGreaterThan(0.55);
  await expectNothingSeriousInEither(page, "presenter");
  expect(await lookAt(page, "presenter")).toEqual([]);
  await page.keyboard.press("Escape");
  await expectHidden(page, false);
  await expect(page.getByTestId("pointer-mark")).toHaveCount(0);
});

test("the wheel and a trackpad move the slide where the user chose so, a pinch zooms; the choice stays (PG84)", {
  tag: "@static",
}, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await page.getByRole("button", { name: "Settings" }).click();
  await settings(page).getByText("Move", { exact: true }).click();
  await page.keyboard.press("Escape");
  await page.mouse.move(600, 400);
  const before = await onPage(page);
  for (let i = 0; i < 10; i++) await page.mouse.wheel(6, 4); // a stream of small movements
  await expect
    .poll(async () => {
      const now = await onPage(page);
      return [Math.round(now.x - before.x), Math.round(now.y - before.y)];
    })
    .toEqual([-60, -40]);
  const { scale } = await viewState(page);
  expect(scale).toBeCloseTo(0.5, 6);
  await page.keyboard.down("Control");
  for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -4); // a pinch
  await page.keyboard.up("Control");
  await expect.poll(async () => (await viewState(page)).scale).toBeGreaterThan(0.6);
  await page.reload();
  await slideIsOpen(page);
  const again = (await viewState(page)).scale;
  await page.mouse.move(600, 400);
  await page.mouse.wheel(0, 120);
  await page.evaluate(() => window.__wavescope.idle());
  expect((await viewState(page)).scale).toBeCloseTo(again, 6);
});

test("the settings fit every screen, keys alone are enough, and the theme is the chosen one (PG84)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await expectNothingSeriousInEither(page, "settings");
  expect(await lookAt(page, "settings")).toEqual([]);
  await settings(page).getByRole("radio", { name: "Light" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await settings(page).getByRole("button", { name: "Keyboard shortcuts" }).press("Enter");
  await expect(page.getByTestId("keyboard-map")).toContainText("Hide controls");
});

test("the status line has fidelity, magnification and the pointer in mm, and values only where they are wanted (PG81)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await page.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), stain: { stain: 1 } }));
  const expectPosition = (text: RegExp): Promise<void> =>
    expect(async () => {
      await page.mouse.move(600, 400);
      await page.mouse.move(610, 400);
      await expect(page.getByTestId("pointer-position")).toHaveText(text, { timeout: 500 });
    }).toPass();
  await expect(page.getByTestId("status-magnification")).toHaveText("20×");
  await expectPosition(/^x \d\.\d{3} y \d\.\d{3}\smm$/);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search commands").fill("values under");
  await page.keyboard.press("Enter");
  await expectPosition(/Eosin -?\d\.\d\d · .*\smm$/);
});

test("the overview folds and shows the label to those who may see it, on request alone (PG85)", async ({ page }) => {
  let pictures = 0;
  let images = ["label"];
  const box = '<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120"/></svg>';
  await page.route(/\/identity$/, (route) => route.fulfill({ json: { images, texts: 0 } }));
  await page.route(/\/identity\/images\/label$/, (route) => {
    pictures += 1;
    return route.fulfill({ contentType: "image/svg+xml", body: box });
  });
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  const button = page.getByRole("button", { name: "Label of the slide" });
  await expect(button).toBeVisible();
  expect(pictures).toBe(0);
  const before = await page.getByTestId("turret").boundingBox();
  await button.press("Enter");
  await expect(page.getByTestId("slide-label")).toBeVisible();
  expect(pictures).toBe(1);
  expect(await page.getByTestId("turret").boundingBox()).toEqual(before);
  await expectNothingSeriousInEither(page, "label");
  expect(await lookAt(page, "label")).toEqual([]);
  await page.getByRole("button", { name: "Overview", exact: true }).click();
  await expect(page.getByTestId("overview")).toBeHidden();
  await page.reload();
  await expect(button).toBeVisible();
  await expect(page.getByTestId("slide-label")).toHaveCount(0);
  images = [];
  await page.reload();
  await slideIsOpen(page);
  await expect(button).toHaveCount(0);
});

const keysOf = (page: Page, command: string) => settings(page).locator(`[data-command="${command}"]`);

async function openKeys(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await settings(page).getByRole("tab", { name: "Keys" }).click();
}

test("a key is changed by pressing the new one; conflicts are shown and swapped, and all that shows keys follows (PG88, PG95)", {
  tag: "@static",
}, async ({ page }) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await openKeys(page);
  await expectNothingSeriousInEither(page, "keys");
  expect(await lookAt(page, "keys")).toEqual([]);
  await settings(page).getByPlaceholder("Search commands").fill("panels");
  await expect(keysOf(page, "zoom.in")).toHaveCount(0);
  const [information, bookmarks] = [keysOf(page, "panel.information"), keysOf(page, "panel.bookmarks")];
  await information.getByRole("button", { name: "Slide information: I" }).press("Enter");
  await page.keyboard.press("Escape"); // the command keeps its key, the settings stay open
  await expect(information.getByRole("button", { name: "Slide information: I" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await expect(information.getByRole("status")).toContainText("Space cannot be chosen");
  await page.keyboard.press("b");
  await expect(information.getByRole("status")).toHaveText("B is the key of “Bookmarks”.");
  await expect(information.getByRole("button", { name: "Swap keys" })).toBeFocused();
  await expectNothingSeriousInEither(page, "key-conflict");
  expect(await lookAt(page, "key-conflict")).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(information.getByRole("button", { name: "Slide information: B" })).toBeFocused();
  await expect(bookmarks.getByRole("button", { name: "Bookmarks: I" })).toBeVisible();
  await settings(page).getByPlaceholder("Search commands").fill("");
  await keysOf(page, "page.settings").getByRole("button", { name: "Settings: No key" }).click();
  await page.keyboard.press("F2");
  await expect(keysOf(page, "page.settings").getByRole("button", { name: "Settings: F2" })).toBeFocused();
  await keysOf(page, "page.settings").getByRole("button", { name: "Add a second key for Settings" }).press("Enter");
  await page.keyboard.press("F4");
  await expect(keysOf(page, "page.settings").getByRole("button", { name: "Settings: F2, F4" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(settings(page)).toBeHidden();

  await page.reload();
  await slideIsOpen(page);
  await expect(page.getByTestId("status-magnification")).toBeVisible(); // the later parts are here
  await page.keyboard.press("b");
  await expect(page.getByTestId("side-panel")).toHaveAttribute("data-panel", "information");
  await page.keyboard.press("i");
  await expect(page.getByTestId("side-panel")).toHaveAttribute("data-panel", "bookmarks");
  await page.keyboard.press("i");
  await page.getByTestId("panel-rail").getByRole("button", { name: "Bookmarks" }).hover();
  await expect(page.getByRole("tooltip", { name: "Bookmarks (I)" })).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByTestId("keyboard-map").getByText("Slide information").locator("..")).toContainText("B");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("keyboard-map")).toBeHidden();
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search commands").fill("slide information");
  await expect(page.getByRole("button", { name: /Slide information ?B/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByPlaceholder("Search commands")).toBeHidden();

  await page.keyboard.press("F4");
  await settings(page).getByRole("tab", { name: "Keys" }).click();
  await bookmarks.getByRole("button", { name: "Reset the keys of Bookmarks" }).click();
  await expect(information.getByRole("button", { name: "Slide information: I" })).toBeVisible();
  await expect(keysOf(page, "page.settings").getByRole("button", { name: "Settings: F2, F4" })).toBeVisible();
  await settings(page).getByRole("button", { name: "Reset all keys" }).click();
  await expect(keysOf(page, "page.settings").getByRole("button", { name: "Settings: No key" })).toBeVisible();
});

test("a keyboard without Latin letters presses the keys of the same places (PG88)", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await page.evaluate(() =>
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "и", code: "KeyB", cancelable: true })),
  );
  await expect(page.getByTestId("side-panel")).toHaveAttribute("data-panel", "bookmarks");
});

test("touch mode makes every control large with a mouse as well, and stays (PG86)", { tag: "@static" }, async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  expect(await smallTargets(page)).not.toEqual([]);
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await settings(page).getByRole("radiogroup", { name: "Touch mode" }).getByText("On", { exact: true }).click();
  expect(await smallTargets(page)).toEqual([]);
  expect(await lookAt(page, "touch-settings")).toEqual([]);
  await settings(page).getByRole("tab", { name: "Keys" }).click();
  expect(await smallTargets(page)).toEqual([]);
  expect(await lookAt(page, "touch-keys")).toEqual([]);
  await page.reload();
  await slideIsOpen(page);
  await expect(page.getByTestId("status-magnification")).toBeVisible();
  for (const name of ["Slide information", "Image adjustments", "Annotations", "Bookmarks"]) {
    await page.getByTestId("panel-rail").getByRole("button", { name, exact: true }).click();
    await expect(page.getByTestId("side-panel")).toBeVisible();
    expect(await smallTargets(page), name).toEqual([]);
  }
  expect(await lookAt(page, "touch")).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await settings(page).getByRole("radiogroup", { name: "Touch mode" }).getByText("Off", { exact: true }).click();
  expect(await smallTargets(page)).not.toEqual([]);
});

test("the compact density shows more rows in panels and in the gallery, without a jump, and stays (PG87)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen, undefined, HERE);
  await page.getByTestId("panel-rail").getByRole("button", { name: "Slide information" }).click();
  const facts = page.getByRole("group", { name: "Slide information, contents" });
  const height = () => facts.evaluate((element) => element.scrollHeight);
  const before = await height();
  await page.getByRole("button", { name: "Settings" }).press("Enter");
  await settings(page).getByText("Compact", { exact: true }).click();
  await expectNothingSeriousInEither(page, "compact-settings");
  expect(await lookAt(page, "compact-settings")).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await height()).toBeLessThan(before);
  expect(await lookAt(page, "compact-panel")).toEqual([]);
  await page.goto(new URL("/?view=list", page.url()).href);
  const row = page.getByTestId("slide-card").first();
  await expect.poll(async () => (await row.boundingBox())!.height).toBe(48);
  await expectNothingSeriousInEither(page, "compact-list");
  expect(await lookAt(page, "compact-list")).toEqual([]);
  await page.getByRole("button", { name: "Grid" }).click();
  expect(await lookAt(page, "compact-grid")).toEqual([]);
  await page.getByRole("button", { name: "Settings" }).click();
  await expect(settings(page).getByRole("tab"), "a page without commands has no keys").toHaveCount(0);
  await settings(page).getByText("Comfortable", { exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "List" }).click();
  await expect.poll(async () => (await row.boundingBox())!.height).toBe(60);
});

test.describe("with fingers", () => {
  test.use({ hasTouch: true, isMobile: true });

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 820, height: 1180 },
  ]) {
    test(`every control of the slide, the settings and the camera reaches 44 pixels (${viewport.width}, PG53)`, async ({
      page,
    }) => {
      await page.setViewportSize(viewport);
      await openSlide(page, SLIDES.specimen);
      expect(await smallTargets(page)).toEqual([]);
      const measured = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("button, [role=button]")]
          .filter((one) => one.checkVisibility())
          .map((one) => ({
            name: one.ariaLabel ?? one.textContent,
            box: one.getBoundingClientRect().toJSON() as DOMRect,
          }))
          .filter(({ box }) => box.width < 44 || box.height < 44)
          .map(({ name, box }) => `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`),
      );
      expect(measured).toEqual([]);
      await page.getByRole("button", { name: "Settings" }).tap();
      await expect(settings(page)).toBeVisible();
      expect(await smallTargets(page)).toEqual([]);
      await settings(page).getByRole("tab", { name: "Keys" }).tap();
      await keysOf(page, "panel.bookmarks").getByRole("button", { name: "Bookmarks: B" }).tap();
      await expect(keysOf(page, "panel.bookmarks").getByRole("button", { name: "Press the new key" })).toBeVisible();
      expect(await smallTargets(page)).toEqual([]);
      await keysOf(page, "panel.bookmarks").getByRole("button", { name: "No key" }).tap();
      await expect(keysOf(page, "panel.bookmarks").getByRole("button", { name: "Bookmarks: No key" })).toBeVisible();
      await keysOf(page, "panel.bookmarks").getByRole("button", { name: "Reset the keys of Bookmarks" }).tap();
      await expect(keysOf(page, "panel.bookmarks").getByRole("button", { name: "Bookmarks: B" })).toBeVisible();
      await settings(page).getByRole("tab", { name: "General" }).tap();
      await settings(page).getByRole("button", { name: "Hide controls" }).tap();
      await expectHidden(page, true);
      await page.getByRole("button", { name: "Show controls" }).tap();
      await expect(page.getByTestId("turret")).toBeVisible();
    });
  }
});
