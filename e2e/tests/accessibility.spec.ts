// For everybody: axe finds nothing serious on any page, panel or dialog, in both colour schemes; all by keyboard; motion kept still.
import { expectNothingSerious } from "../harness/axe.ts";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { address, openSlide, slideIsOpen, viewState } from "../harness/microscope.ts";
import { openComparison } from "../harness/comparison.ts";

declare global {
  interface Window {
    /** The elements that have had the focus. */
    seen: Set<Element>;
  }
}

for (const colorScheme of ["light", "dark"] as const) {
  test.describe(`in the ${colorScheme} scheme`, () => {
    test.use({ colorScheme });

    test("axe finds nothing serious in the gallery and its dialogs", async ({ page }) => {
      await page.goto(address());
      await expect(page.getByTestId("slide-card").first()).toBeVisible();
      await expectNothingSerious(page, "gallery");
      for (const item of ["Rename", "Tags", "Add to case"]) {
        await page
          .getByTestId("slide-card")
          .first()
          .getByRole("button", { name: /^More actions for/ })
          .click();
        await page.getByRole("menuitem", { name: item }).click();
        await expect(page.getByRole("dialog")).toBeVisible();
        await expectNothingSerious(page, `gallery: ${item}`);
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toBeHidden();
      }
    });

    test("axe finds nothing serious on the slide page, with each panel and dialog", async ({ page }, info) => {
      await openSlide(page, SLIDES.specimen);
      await expectNothingSerious(page, "slide");
      for (const button of await page.getByTestId("panel-rail").getByRole("button").all()) {
        const name = (await button.getAttribute("aria-label"))!;
        await button.click();
        await expect(page.getByRole("complementary", { name })).toBeVisible();
        await expectNothingSerious(page, name);
        await storePicture(page, info.outputPath(`${colorScheme}-${name.replaceAll(" ", "-")}.png`));
      }
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
      await expectNothingSerious(page, "keyboard map");
      await storePicture(page, info.outputPath(`${colorScheme}-keyboard-map.png`));
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
      await page.keyboard.press("Control+k");
      await expect(page.getByPlaceholder("Search commands")).toBeVisible();
      await expectNothingSerious(page, "palette");
      await storePicture(page, info.outputPath(`${colorScheme}-palette.png`));
    });

    test("axe finds nothing serious beside two slides, swiping, and with landmarks", async ({ page }) => {
      await openComparison(page, SLIDES.specimen, SLIDES.planes);
      await expectNothingSerious(page, "compare");
      await page.keyboard.press("Shift+l");
      for (const side of ["left", "right"]) {
        await page.getByTestId(`viewer-${side}`).focus();
        await page.keyboard.press("m");
      }
      await page.keyboard.press("m");
      await expect(page.getByTestId("landmark")).toHaveCount(1);
      await expectNothingSerious(page, "landmarks");
      await page.getByText("Swipe", { exact: true }).click();
      await expect(page.getByTestId("divider")).toBeVisible();
      await expectNothingSerious(page, "swipe");
      await page.getByRole("button", { name: "Synthetic specimen", exact: true }).first().click();
      await expect(page.getByTestId("slide-choices").getByRole("button").first()).toBeVisible();
      await expectNothingSerious(page, "choosing a slide");
      await page.goto(`${address()}/compare`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectNothingSerious(page, "compare without slides");
    });

    test("axe finds nothing serious in a case, in the trash, and in a tour", async ({ page, request }) => {
      const post = async (path: string, data: object): Promise<{ id: string }> => {
        const answer = await request.post(`${address()}/api/v1/${path}`, { data });
        expect(answer.ok()).toBe(true);
        return (await answer.json()) as { id: string };
      };
      const { id } = await post("cases", {
        title: `Seen by axe, ${colorScheme}`,
        kind: "case",
        slides: [SLIDES.specimen, SLIDES.planes],
      });
      await page.goto(`${address()}/cases/${id}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectNothingSerious(page, "case");
      await openSlide(page, SLIDES.specimen, address(), `?case=${id}`);
      await expectNothingSerious(page, "slide in its case");
      await page.goto(`${address()}/trash`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectNothingSerious(page, "trash");
      await openSlide(page, SLIDES.specimen);
      await page.keyboard.press("t");
      await page.getByRole("button", { name: "New tour", exact: true }).click();
      await page.getByRole("button", { name: "Add this view" }).click();
      await expect(page.getByTestId("tour-saved")).toHaveAttribute("data-state", "saved");
      await expectNothingSerious(page, "recording a tour");
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.waitForURL(/tour=/);
      const tour = new URL(page.url()).searchParams.get("tour")!;
      await page.goto(`${address()}/tours/${tour}`);
      await slideIsOpen(page);
      await expect(page.getByTestId("tour-player")).toBeVisible();
      await expectNothingSerious(page, "playing a tour");
      const { revision } = (await (await request.get(`${address()}/api/v1/tours/${tour}`)).json()) as {
        revision: number;
      };
      const gone = await request.delete(`${address()}/api/v1/tours/${tour}`, {
        headers: { "If-Match": `"r${revision}"` },
      });
      expect(gone.status()).toBe(204);
      await request.delete(`${address()}/api/v1/cases/${id}`);
    });

    test("axe finds nothing serious where there is no such slide or page", async ({ page }) => {
      for (const path of ["/slides/nobody", "/nowhere"]) {
        await page.goto(address() + path);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        await expectNothingSerious(page, path);
      }
    });
  });
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
        all.filter((one) => one.checkVisibility() && !(one instanceof HTMLInputElement && one.type === "hidden"))
          .length,
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
