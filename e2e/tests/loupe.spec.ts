// The loupe: what a finger covers while it draws or drags a corner.
import type { Page } from "@playwright/test";
import { drag, onScreen, openAnnotations, saved, tool } from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { fingers } from "../harness/fingers.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

const FREE = 40; // CSS pixels around the point of a finger that it covers

/** The object that is selected. */
const selected = (page: Page) =>
  page.evaluate(() => {
    const { state, list } = window.__wavescope.annotations;
    const [id] = state().selected;
    return list().find((one) => one.id === id)!;
  });
const loupe = (page: Page) => page.getByTestId("loupe");

/** The loupe is over the picture, not under the finger, and its middle has the colour that lies under the finger. */
async function expectLoupeFor(page: Page, x: number, y: number): Promise<void> {
  const box = (await loupe(page).boundingBox())!;
  const viewer = (await page.getByTestId("viewer").boundingBox())!;
  const radius = box.width / 2;
  expect(Math.hypot(box.x + radius - x, box.y + radius - y)).toBeGreaterThan(radius + FREE);
  for (const [edge, limit] of [
    [box.x, viewer.x],
    [box.y, viewer.y],
  ] as const)
    expect(edge).toBeGreaterThanOrEqual(limit); // prettier-ignore
  expect(box.x + box.width).toBeLessThanOrEqual(viewer.x + viewer.width);
  expect(box.y + box.height).toBeLessThanOrEqual(viewer.y + viewer.height);
  const [shown, under] = await page.evaluate(
    ([at_x, at_y]) => {
      const canvas = document.querySelector<HTMLCanvasElement>("[data-testid=loupe]")!;
      const beside = Math.round(canvas.width / 2 + 15 * devicePixelRatio); // beside the cross, twice as far as in the picture
      const shown = canvas.getContext("2d")!.getImageData(beside, beside, 1, 1).data;
      const place = (one: number) => Math.round((one + 7.5) * devicePixelRatio);
      return [[...shown], [...window.__wavescope.readCanvas(place(at_x!) - 1, place(at_y!) - 1, 3, 3).rgba]];
    },
    [x - viewer.x, y - viewer.y],
  );
  const nearest = Math.min(
    ...Array.from({ length: 9 }, (_, i) => Math.max(...[0, 1, 2].map((c) => Math.abs(under[4 * i + c]! - shown[c]!)))),
  ); // prettier-ignore
  expect(nearest, "the picture under the finger").toBeLessThanOrEqual(2);
}

for (const name of ["tablet", "phone"] as const)
  test.describe(name, () => {
    test.use({ viewport: SIZES[name], hasTouch: true });

    test(`on a ${name} a finger that draws sees what it covers, also at the upper edge; two fingers see none (AN44)`, async ({
      page,
    }) => {
      await openSlide(page, SLIDES.specimen, undefined, "#x=1400&y=1100&scale=1");
      await page.getByRole("button", { name: "Annotations", exact: true }).tap();
      await tool(page, "Rectangle").tap();
      await page.getByRole("button", { name: "Annotations", exact: true }).tap(); // the picture has the height again
      const viewer = (await page.getByTestId("viewer").boundingBox())!;
      const middle = { x: Math.round(viewer.x + viewer.width / 2), y: Math.round(viewer.y + viewer.height * 0.6) };
      await expect(loupe(page)).toHaveCount(0);
      await fingers(page, [[middle.x - 60, middle.y - 90]], [[middle.x, middle.y]], async () => {
        await expectLoupeFor(page, middle.x, middle.y);
        await storePicture(page, `test-results/loupe-${name}.png`);
      });
      await expect(loupe(page)).toHaveCount(0);
      const drawn = await selected(page);
      const corner = drawn.parts[0]!;
      const at = await onScreen(
        page,
        Math.max(...corner.filter((_, i) => i % 2 === 0)),
        Math.min(...corner.filter((_, i) => i % 2 === 1)),
      ); // prettier-ignore
      const upper = { x: Math.round(at.x + 10), y: Math.round(viewer.y + 40) };
      await fingers(page, [[at.x, at.y]], [[upper.x, upper.y]], () => expectLoupeFor(page, upper.x, upper.y));
      await expect(loupe(page)).toHaveCount(0);
      const dragged = await selected(page);
      expect(dragged.parts, "its corner was dragged").not.toEqual(drawn.parts);
      await fingers(
        page,
        [
          [middle.x - 50, middle.y],
          [middle.x + 50, middle.y],
        ],
        [
          [middle.x - 90, middle.y],
          [middle.x + 90, middle.y],
        ],
        async () => {
          await expect(loupe(page)).toHaveCount(0);
        },
      ); // prettier-ignore
    });
  });

test("a mouse and a trackpad see no loupe, and axe finds nothing (AN44)", async ({ page }) => {
  await openAnnotations(page, SLIDES.specimen);
  await tool(page, "Rectangle").click();
  let most = 0;
  await page.exposeFunction("sawLoupe", () => (most += 1));
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector("[data-testid=loupe]")) (window as unknown as { sawLoupe(): void }).sawLoupe();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await drag(page, [
    [600, 600],
    [800, 700],
    [900, 900],
  ]); // prettier-ignore
  await page.mouse.move(500, 400);
  for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -6);
  await saved(page);
  expect(most).toBe(0);
  await expectNothingSeriousInEither(page, "a drawn rectangle");
});
