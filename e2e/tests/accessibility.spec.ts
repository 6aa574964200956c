// For everybody: all by keyboard, motion kept still. What axe says of every page, panel and dialog is in screenshots.spec.ts.
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openSlide, viewState } from "../harness/microscope.ts";

declare global {
  interface Window {
    /** The elements that have had the focus. */
    seen: Set<Element>;
  }
}

test("everything on the slide page can be reached by the Tab key, with a visible focus", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("l");
  await expect(page.getByRole("slider", { name: "Gamma" })).toBeVisible(); // a part that is loaded on demand
  const controls = page.locator("a[href], button:not([disabled]), input:not([disabled]), [tabindex='0']");
  // Parts of the page come on demand: a round in which one came is made again.
  await expect(async () => {
    const wanted = await controls.evaluateAll(
      (all) =>
        all.filter((one) => {
          const input = one instanceof HTMLInputElement ? one : null; // of radio buttons only the one that is on is reached
          return one.checkVisibility() && input?.type !== "hidden" && !(input?.type === "radio" && !input.checked);
        }).length,
    );
    await page.evaluate(() => (window.seen = new Set()));
    const faint: string[] = [];
    for (let i = 0; i < wanted + 5; i++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(lookAtFocus);
      if (name) faint.push(name);
    }
    expect(faint, "without a visible focus").toEqual([]);
    expect(await page.evaluate(() => window.seen.size)).toBe(wanted);
  }).toPass({ timeout: 30_000 });
});

/** Notes the element that has the focus; its name if nothing shows so. Runs in the page. */
function lookAtFocus(): string | null {
  const focused = document.activeElement!;
  if (focused === document.body) return null;
  window.seen.add(focused);
  const around = [focused, focused.parentElement!, focused.nextElementSibling ?? focused];
  const shown = around.some((one) =>
    ["", "::after"].some((part) => {
      const style = getComputedStyle(one, part || undefined);
      const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
      return (
        outlined ||
        (part !== "" && style.content !== "none" && parseFloat(style.borderTopWidth) >= 2) ||
        style.boxShadow !== "none"
      );
    }),
  );
  return shown ? null : focused.outerHTML.slice(0, 120);
}

test("the focus comes back after full screen", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.getByRole("button", { name: "Zoom in" }).focus();
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await expect(page.getByRole("button", { name: "Zoom in" })).toBeFocused();
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement === null);
  await expect(page.getByRole("button", { name: "Zoom in" })).toBeFocused();
  await page.getByRole("button", { name: "Full screen" }).click();
  await page.waitForFunction(() => document.fullscreenElement !== null);
  await expect(page.getByRole("button", { name: "Leave full screen" })).toBeFocused();
});

test("who wants no motion gets none: moves are there at once", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openSlide(page, SLIDES.specimen);
  const { scale } = await viewState(page);
  const after = await page.evaluate(async () => {
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return window.__wavescope.viewport.state().scale;
  });
  expect(after).toBeCloseTo(1.5 * scale);
});
