// Pictures of the main states at four sizes, for people to look at: e2e/test-results/screenshots/STATE-SIZE.png.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { idle, openSlide, slideIsOpen, store } from "../harness/microscope.ts";
import { pairIdle, pairIsOpen } from "../harness/pair.ts";
import { ROOT, Service, copyStore, removeFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";

const FOLDER = join(ROOT, "e2e", "test-results", "screenshots");
const SIZES = { desktop: [1920, 1080], laptop: [1366, 768], portrait: [768, 1024], landscape: [1024, 768] } as const;

test.use({ contextOptions: { reducedMotion: "reduce" } });

let service: Service;
let tour: string;
let collection: string;

test.beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  service = await Service.start(copyStore(store()));
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${service.address}/api/v1/${path}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const outline = [[[700, 500], [1150, 480], [1250, 800], [900, 980], [620, 800], [700, 500]]];
  const changes = [
    { id: "11111111-1111-4111-8111-111111111111", revision: 0, content: { kind: "polygon", geometry: { type: "Polygon", coordinates: outline }, name: "Crypts", class: "Tumor" } },
    { id: "22222222-2222-4222-8222-222222222222", revision: 0, content: { kind: "line", geometry: { type: "LineString", coordinates: [[1500, 600], [2000, 700]] }, name: "Width" } },
  ];
  await post(`slides/${SLIDES.specimen}/annotations:batch`, { changes });
  const view = { l0_x: 950, l0_y: 720, l0_width: 1400, l0_height: 900, rotation: 0, flip: false, plane: 1, adjustments: null };
  const waypoints = [{ id: "w1", title: "Crypts", text: "Cut **across**, goblet cells around the lumen.", slide: null, view, annotations: [changes[0]!.id], marks: [] }];
  tour = (await post<{ id: string }>(`tours?slide=${SLIDES.specimen}`, { title: "A first look", text: "What a colon looks like.", waypoints })).id;
  collection = (await post<{ id: string }>("cases", { title: "Colon, teaching", kind: "case", slides: [SLIDES.specimen, SLIDES.planes, SLIDES.lossless] })).id;
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(dirname(service.store));
});

/** How each state is come to. */
const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  gallery: async (page) => {
    await page.goto(service.address);
    await expect(page.getByTestId("slide-card").first()).toBeVisible();
  },
  case: async (page) => {
    await page.goto(`${service.address}/cases/${collection}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  },
  slide: async (page) => openSlide(page, SLIDES.specimen, service.address, `?case=${collection}#x=1400&y=1000&scale=0.5`),
  annotations: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await page.getByRole("button", { name: "Annotations", exact: true }).click();
    await page.waitForFunction(() => window.__wavescope.annotations.state().count === 2 && window.__wavescope.annotations.state().settled);
  },
  information: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await page.getByRole("button", { name: "Slide information", exact: true }).click();
    await expect(page.getByTestId("stored-bytes")).toBeVisible();
  },
  light: async (page) => {
    await openSlide(page, SLIDES.profiled, service.address);
    await page.getByRole("button", { name: "Image adjustments", exact: true }).click();
    await expect(page.getByRole("complementary", { name: "Image adjustments" })).toBeVisible();
  },
  tour: async (page) => {
    await page.goto(`${service.address}/tours/${tour}`);
    await slideIsOpen(page);
    await expect(page.locator(".wavescope-marks [data-pointed]")).toHaveCount(1);
  },
  compare: async (page) => {
    await page.goto(`${service.address}/compare?left=${SLIDES.specimen}&right=${SLIDES.planes}`);
    await pairIsOpen(page);
  },
  landmarks: async (page) => {
    await page.goto(`${service.address}/compare?left=${SLIDES.specimen}&right=${SLIDES.specimen}#marks=900,800,900,800;1900,900,1900,912;1500,1700,1500,1700`);
    await pairIsOpen(page);
    await page.keyboard.press("Shift+l");
    await expect(page.getByTestId("landmark")).toHaveCount(3);
    await pairIdle(page);
  },
  swipe: async (page) => {
    await page.goto(`${service.address}/compare?left=${SLIDES.planes}&right=${SLIDES.planes}&mode=swipe#left.x=900&left.y=700&left.scale=0.8&left.plane=0&right.x=900&right.y=700&right.scale=0.8&right.plane=3`);
    await pairIsOpen(page);
  },
};

/** Whether every picture in sight is drawn. Runs in the page. */
function picturesAreThere(): boolean {
  return [...document.images].every((one) => one.getBoundingClientRect().top > innerHeight || (one.complete && one.naturalWidth > 0));
}

for (const [size, [width, height]] of Object.entries(SIZES)) {
  test(`the main states at ${width} x ${height} fit the window and are kept as pictures`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    for (const [state, come] of Object.entries(STATES)) {
      await come(page);
      if (await page.evaluate(() => window.__wavescope.page === "slide")) await idle(page);
      await page.waitForFunction(picturesAreThere);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, `${state} is not wider than the window`).toBeLessThanOrEqual(width);
      await page.screenshot({ path: join(FOLDER, `${state}-${size}.png`) });
      await page.evaluate(() => sessionStorage.clear()); // panels stay open in a tab
    }
  });
}
