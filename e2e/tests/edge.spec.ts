// An edge as admins see it, and what it shows while its origin is stopped (`npm run e2e:edge`).
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { SCREENSHOTS, lookAt } from "../harness/looks.ts";
import { idle, openSlide, slideIsOpen, tileState } from "../harness/microscope.ts";
import { sharedClinic, sharedService } from "../harness/sharedService.ts";
import { signedIn } from "../harness/people.ts";
import { expect, test } from "../harness/test.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });
test.beforeEach(() => test.slow(SCREENSHOTS));

const own = sharedService();
const clinic = sharedClinic(SLIDES.large);

/** A figure of the page in bytes: "1.5 MB of 2.1 GB" is 1 500 000. */
function bytesOf(text: string): number {
  const [, number, unit] = /([\d.,]+)\s(B|kB|MB|GB)/.exec(text)!;
  return Number(number!.replaceAll(",", "")) * { B: 1, kB: 1e3, MB: 1e6, GB: 1e9 }[unit as "B"];
}

/** Pixels of the plots that are not empty. */
const drawn = (page: Page): Promise<number[]> =>
  page.locator(".uplot canvas").evaluateAll((canvases: HTMLCanvasElement[]) =>
    canvases.map((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, i) => i % 4 === 3 && value > 0).length;
    }),
  );

test("an admin comes from the users to the status of the edge, which follows what is viewed (PG30)", async ({
  browser,
}, info) => {
  const { page } = await signedIn(browser, clinic.service, "adam", "/people");
  await page.getByRole("link", { name: "Open status of the edge" }).click();
  await expect(page).toHaveURL(/\/edge$/);
  const cached = page.locator("dt", { hasText: /^Memory$/ }).locator("+ dd");
  const memory = async (): Promise<number> => {
    const response = await page.request.get(`${clinic.service.address}/api/v1/edge/status`);
    const { samples } = (await response.json()) as { samples: { memory_bytes: number }[] };
    return samples.at(-1)!.memory_bytes;
  };
  const before = await memory();
  expect((await drawn(page)).every((pixels) => pixels > 500)).toBe(true);
  await expect(page.getByTestId("origin")).toHaveAttribute("data-state", "ok");

  const ivan = await signedIn(browser, clinic.service, "ivan");
  await openSlide(ivan.page, SLIDES.large, clinic.service.address);
  const place = [3000 * Math.random(), 3000 * Math.random()] as const; // where no other spec has looked
  await ivan.page.evaluate(([x, y]) => window.__wavescope.viewport.fit(x + 1000, y + 1000, 1366, 768), place);
  await idle(ivan.page);
  await expect.poll(memory).toBeGreaterThan(before + 10_000);
  await expect
    .poll(async () => Math.abs(bytesOf((await cached.textContent())!) - (await memory())))
    .toBeLessThan(100_000);
  const summary = page.getByTestId("edge-summary");
  await expect.poll(async () => bytesOf(await summary.innerText())).toBeGreaterThan(0);
  await ivan.context.close();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await lookAt(page, `edge-${colorScheme}`)).toEqual([]);
    for (const width of SCREENSHOTS ? [1440, 820, 390] : []) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: info.outputPath(`edge-${colorScheme}-${width}.png`), fullPage: true });
    }
  }
  await clinic.service.stopOrigin();
  await expect(page.getByTestId("origins-lost")).toBeVisible();
  expect.soft(await lookAt(page, "edge-lost")).toEqual([]);
  await clinic.service.startOrigin();
  await expect(page.getByTestId("origins-lost")).toHaveCount(0);
  await page.context().close();
});

test("users without the right to read the status are refused (PG30)", async ({ browser }) => {
  const { page, context } = await signedIn(browser, clinic.service, "vera");
  await page.goto(`${clinic.service.address}/edge`);
  await expect(page.getByTestId("refusal")).toBeVisible();
  await context.close();
});

test("while the origin is stopped the edge shows a slide that was viewed, with a mark that goes when the origin is back (ED22)", async ({
  browser,
  page,
}) => {
  const { service } = own;
  await openSlide(page, SLIDES.specimen, service.address);
  await service.stopOrigin();

  const context = await browser.newContext(); // a browser that has nothing stored itself
  const other = await context.newPage();
  await other.goto(`${service.address}/slides/${SLIDES.specimen}`);
  const mark = other.getByTestId("offline-notice");
  await expect(mark).toContainText("Offline: shows what is cached nearby");
  await slideIsOpen(other);
  const tiles = await tileState(other);
  expect(tiles.length).toBeGreaterThan(0);
  expect(tiles.map(({ state }) => state)).toEqual(tiles.map(() => "exact"));
  expect.soft(await lookAt(other, "edge-offline")).toEqual([]);

  await service.startOrigin();
  await expect(mark).toHaveCount(0);
  await idle(other);
  await context.close();
});
