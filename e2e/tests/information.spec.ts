// The slide's information: what it is, how it is stored and how true, and what looking at it cost.
import { expect, test, useTransport } from "../harness/test.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { LOOKED_AT, address, counters, expectExact, needs, openSlide } from "../harness/microscope.ts";

interface Manifest {
  readonly url: string;
  readonly bytes: number[][];
  readonly quality: { tiles: number; psnr: number[][] };
}

for (const slide of LOOKED_AT) {
  test(`the bytes and the quality of ${slide} are shown level by level as the service tells them`, async ({
    page,
  }, info) => {
    needs(slide);
    await openSlide(page, slide);
    await page.keyboard.press("i");
    const panel = page.getByTestId("information-panel");
    const { bytes, quality } = (await (await fetch(`${address()}/api/v1/slides/${slide}`)).json()) as Manifest;
    const rows = page.getByTestId("stored-bytes").getByRole("row");
    await expect(rows).toHaveCount(bytes.length + 1);
    await expect(rows.nth(1).getByRole("cell").last()).toHaveText(quality.psnr[0]!.at(-1)!.toFixed(1));
    await expect(panel).toContainText(`measured at import on ${quality.tiles} tiles`);
    const widths = await rows
      .nth(1)
      .locator("[data-layer]")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));
    const share = ([first, second]: number[]): number => first! / (first! + second!);
    expect(share(widths)).toBeCloseTo(share(bytes[0]!), 2);
    await storePicture(page, info.outputPath(`information-${slide}.png`));
  });
}

/** The focal plane that opens. */
const PLANE = 1;

test("the network's history grows with what is fetched and counts what was cached already", async ({
  page,
  context,
}) => {
  await useTransport(context, "batch"); // nothing comes ahead of a field
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("i");
  const history = page.getByTestId("traffic-history");
  await expect(history.locator("rect").first()).toBeAttached();
  await page.evaluate(() => window.__wavescope.viewport.goTo(0, 0, 0));
  await expectExact(page);
  const first = await counters(page);
  expect(first.log.some((line) => line.startsWith(`block ${PLANE}/`))).toBe(true);
  expect(first.entered).toBeGreaterThan(first.cached);
  await page.evaluate(() => window.__wavescope.viewport.goTo(1400, 1200, 0));
  await expectExact(page);
  const second = await counters(page);
  await page.evaluate(() => window.__wavescope.viewport.goTo(0, 0, 0));
  await expectExact(page);
  const third = await counters(page);
  const asked = third.log.slice(second.log.length);
  expect(asked.filter((line) => line.startsWith(`block ${PLANE}/`))).toEqual([]); // other planes come while nothing moves
  expect(third.entered - second.entered).toBeGreaterThan(0);
  expect(third.cached - second.cached).toBe(third.entered - second.entered);
  await expect(page.getByTestId("information-panel")).toContainText(`${third.cached} of ${third.entered}`);
});

test("the open panel stays open through another slide and a reload, and closes to where it was opened", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen);
  const button = page.getByRole("button", { name: "Slide information" });
  await button.click();
  await expect(page.getByTestId("side-panel")).toHaveAttribute("data-panel", "information");
  await openSlide(page, SLIDES.profiled);
  await expect(page.getByTestId("side-panel")).toContainText("lossless: every pixel as in the file");
  const [download] = await Promise.all([
    page.waitForResponse(/\/icc$/),
    page.evaluate(() => fetch(document.querySelector<HTMLAnchorElement>("a[href$='/icc']")!.href)),
  ]);
  expect(download.headers()["content-type"]).toBe("application/vnd.iccprofile");
  await page.getByRole("button", { name: "Close slide information" }).focus();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("side-panel")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("the panel begins with the slide and ends with what engineers read", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("i");
  const panel = page.getByTestId("information-panel");
  const sections = panel.locator("section");
  await expect(sections.first()).toHaveAccessibleName("Slide");
  await expect(sections.last()).toHaveAccessibleName("Technical");
  await expect(sections.last().getByTestId("stored-bytes")).toBeVisible();
  await expect(sections.last()).toContainText("Blocks requested");
  const words = await panel.locator("section:not(:last-child)").allInnerTexts();
  expect(words.join(" ")).not.toMatch(/level|layer|PSNR|block|channel|checksum/i);
});
