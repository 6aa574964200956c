// Phones and tablets: nothing that lies over the picture covers anything else, and nothing leaves the screen.
import { type Page, type TestInfo } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { openAnnotations, tool } from "../harness/annotating.ts";
import { storePicture } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { openComparison } from "../harness/comparison.ts";

const SCREENS = {
  "390x844": { width: 390, height: 844 },
  "360x740": { width: 360, height: 740 },
  "820x1180": { width: 820, height: 1180 },
  "844x390": { width: 844, height: 390 },
};

test.use({ hasTouch: true });

interface Box {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The boxes of all controls over the picture, and of what stands in the bars. */
const boxes = (page: Page): Promise<Box[]> =>
  page.evaluate(() => {
    const over = [
      "[data-testid=overview]",
      "[aria-label=Trail]",
      "[aria-label=Zoom]",
      "[aria-label=Rotation]",
      "[aria-label=Focus]",
      "[data-testid=scale-mark]",
      "[data-testid=turret]",
      "[data-testid=annotation-tools]",
      "[data-testid=annotation-tools] > p",
      "[data-testid=fidelity]",
      "[data-testid=link-status]",
      "[data-testid=comparison-traffic]",
      "[data-testid=divider] > *",
      "header a",
      "header button",
      "header label",
      "header h1",
      "section button[class*=title]",
    ];
    return over
      .flatMap((one) =>
        [...document.querySelectorAll<HTMLElement>(one)].map((element, i) => ({
          name: `${one} ${i} ${element.getAttribute("aria-label") ?? ""}`,
          element,
        })),
      )
      .filter(
        ({ element }) =>
          element.checkVisibility() && element.offsetWidth > 1 && getComputedStyle(element).clipPath === "none",
      )
      .map(({ name, element }) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return { name, left, top, right, bottom };
      });
  });

async function expectApart(page: Page, info: TestInfo, name: string): Promise<void> {
  await page.mouse.move(1, 1);
  await storePicture(page, info.outputPath(`${name}.png`));
  const { width, height } = page.viewportSize()!;
  const found = await boxes(page);
  expect(found.length).toBeGreaterThan(8);
  const off = found.filter(
    ({ left, top, right, bottom }) => left < -0.5 || top < -0.5 || right > width + 0.5 || bottom > height + 0.5,
  );
  expect(off, `${name}: beyond the screen`).toEqual([]);
  const overlapping = found.flatMap((one, i) =>
    found
      .slice(i + 1)
      .filter(
        (other) =>
          Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.5 &&
          Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.5,
      )
      .map((other) => `${one.name} and ${other.name}`),
  );
  expect(overlapping, name).toEqual([]);
}

for (const [size, viewport] of Object.entries(SCREENS)) {
  test(`on ${size} nothing covers anything over a slide, with its tools, enlarged or with a panel`, async ({
    page,
  }, info) => {
    await page.setViewportSize(viewport);
    await openSlide(page, SLIDES.planes);
    await expectApart(page, info, "slide");
    await page.evaluate(() => window.__wavescope.viewport.show({ scale: 2.5 }, true));
    await page.evaluate(() => window.__wavescope.idle());
    await expectApart(page, info, "enlarged");
    await page.getByRole("button", { name: "Slide information" }).tap();
    await expect(page.getByTestId("side-panel")).toBeVisible();
    await expectApart(page, info, "information");
    await openAnnotations(page, SLIDES.planes);
    await expectApart(page, info, "annotations");
    await tool(page, "Polygon").tap();
    await expectApart(page, info, "drawing");
  });

  test(`on ${size} nothing covers anything over two slides, side by side or one over the other`, async ({
    page,
  }, info) => {
    await page.setViewportSize(viewport);
    await openComparison(page, SLIDES.specimen, SLIDES.planes);
    await expectApart(page, info, "side");
    await openComparison(page, SLIDES.specimen, SLIDES.planes, "&mode=swipe");
    await expectApart(page, info, "swipe");
  });
}
