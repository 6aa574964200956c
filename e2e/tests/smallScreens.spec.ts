// Phones and tablets, each page loaded once: nothing that lies over the picture covers anything else, nothing leaves the screen, and
// every control can be tapped, also the checkbox of a card that is not hovered.
import { type Page, type TestInfo } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { saved, tool } from "../harness/annotating.ts";
import { settled, storePicture } from "../harness/looks.ts";
import { address, openSlide } from "../harness/microscope.ts";
import { openComparison } from "../harness/comparison.ts";
import { smallTargets } from "../harness/targets.ts";

const PHONE = { width: 390, height: 844 };
/** Where nothing may cover anything. */
const SCREENS = {
  "390x844": { width: 390, height: 844 },
  "360x740": { width: 360, height: 740 },
  "820x1180": { width: 820, height: 1180 },
  "844x390": { width: 844, height: 390 },
};

/** Where every target is measured. */
const TARGETS = {
  "1366x768": { width: 1366, height: 768 },
  "390x844": PHONE,
  "820x1180": { width: 820, height: 1180 },
};
/** Panels beside which all that lies over the slide has its place. */
const COVERED = ["Slide information", "Annotations"];

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

/** Everything lies apart on each of the screens, and every target can be tapped on those of TARGETS (PG53). */
async function expectUsable(page: Page, info: TestInfo, name: string, covered = true): Promise<void> {
  const small: string[] = [];
  for (const [size, viewport] of Object.entries({ ...TARGETS, ...SCREENS })) {
    await page.setViewportSize(viewport);
    await page.evaluate(settled);
    if (covered && size in SCREENS) await expectApart(page, info, `${name}-${size}`);
    if (size in TARGETS) small.push(...(await smallTargets(page)).map((one) => `${name} on ${size}: ${one}`));
  }
  expect([...new Set(small)]).toEqual([]);
}

test("nothing covers anything over a slide, with its tools, enlarged or with a panel, and every target reaches 44 pixels (PG53)", async ({
  page,
}, info) => {
  await page.setViewportSize(PHONE);
  await openSlide(page, SLIDES.planes);
  await expectUsable(page, info, "slide");
  await page.evaluate(() => window.__wavescope.viewport.show({ scale: 2.5 }, true));
  await page.evaluate(() => window.__wavescope.idle());
  await expectUsable(page, info, "enlarged");
  for (const button of await page.getByTestId("panel-rail").getByRole("button").all()) {
    await page.setViewportSize(PHONE);
    const name = (await button.getAttribute("aria-label"))!;
    await button.scrollIntoViewIfNeeded();
    await button.tap();
    await expect(page.getByTestId("side-panel")).toBeVisible();
    if (name === "Annotations") await saved(page);
    await expectUsable(page, info, name, COVERED.includes(name));
    await page.setViewportSize(PHONE);
    await button.tap();
    await expect(page.getByTestId("side-panel")).toBeHidden();
  }
  await page.getByRole("button", { name: "Annotations" }).tap();
  await tool(page, "Polygon").tap();
  await expectUsable(page, info, "drawing");
});

test("nothing covers anything over two slides, side by side or one over the other, and every target reaches 44 pixels (PG53)", async ({
  page,
}, info) => {
  await page.setViewportSize(PHONE);
  await openComparison(page, SLIDES.specimen, SLIDES.planes);
  await expectUsable(page, info, "side");
  await page.setViewportSize(PHONE);
  await page.getByText("Swipe", { exact: true }).tap();
  await expect(page.getByTestId("divider")).toBeVisible();
  await expectUsable(page, info, "swipe");
});

const chosen = (page: Page) => page.locator("[data-testid=slide-card][data-chosen]");

test("in the gallery every target reaches 44 pixels (PG53); the checkbox of a card is seen without hovering, and one tap on it selects", async ({
  page,
}, info) => {
  await page.goto(address());
  const card = page.getByTestId("slide-card").first();
  await expect(card).toBeVisible();
  await expectUsable(page, info, "gallery", false);
  const box = card.getByRole("checkbox");
  await expect(box).toBeVisible();
  expect(await box.evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true);
  await box.tap();
  await expect(chosen(page)).toHaveCount(1);
});
