// Every page, panel and dialog: nothing cut off, nothing covered. With WAVESCOPE_SCREENSHOTS=1 at all four sizes, and with pictures for people to look at (harness/looks.ts).
import { readFileSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, type Ways, lookAtAll, pressed } from "../harness/looks.ts";
import { openSlide, slideIsOpen, store } from "../harness/microscope.ts";
import { comparisonIsOpen } from "../harness/comparison.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { Service, copyStore, removeFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";
import { choose, row, storedQuestion } from "../harness/uploading.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: SIZES.desktop });

let service: Service;
let tour: string;
let collection: string;
let damaged: string;

test.beforeAll(async () => {
  service = await Service.start(copyStore(store()));
  const post = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${service.address}/api/v1/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };
  const outline = [
    [
      [700, 500],
      [1150, 480],
      [1250, 800],
      [900, 980],
      [620, 800],
      [700, 500],
    ],
  ];
  const changes = [
    {
      id: "11111111-1111-4111-8111-111111111111",
      revision: 0,
      content: { kind: "polygon", geometry: { type: "Polygon", coordinates: outline }, name: "Crypts", class: "Tumor" },
    },
    {
      id: "22222222-2222-4222-8222-222222222222",
      revision: 0,
      content: {
        kind: "line",
        geometry: {
          type: "LineString",
          coordinates: [
            [1500, 600],
            [2000, 700],
          ],
        },
        name: "Width",
      },
    },
  ];
  await post(`slides/${SLIDES.specimen}/annotations:batch`, { changes });
  const view = {
    l0_x: 950,
    l0_y: 720,
    l0_width: 1400,
    l0_height: 900,
    rotation: 0,
    flip: false,
    plane: 1,
    adjustments: null,
  };
  const waypoints = [
    {
      id: "w1",
      title: "Crypts",
      text: "Cut **across**, goblet cells around the lumen.",
      slide: null,
      view,
      annotations: [changes[0]!.id],
      marks: [],
    },
  ];
  tour = (
    await post<{ id: string }>(`tours?slide=${SLIDES.specimen}`, {
      title: "A first look",
      text: "What a colon looks like.",
      waypoints,
    })
  ).id;
  collection = (
    await post<{ id: string }>("cases", {
      title: "Colon, teaching",
      kind: "case",
      slides: [SLIDES.specimen, SLIDES.planes, SLIDES.lossless],
    })
  ).id;
  writeFiducial(file("mark.png"), 700, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  writeFiducial(file("held.png"), 800, 600, { l0_x: 350, l0_y: 300, radius: 96 });
  const held = await fetch(`${service.address}/api/v1/uploads?filename=held.png&start=false`, {
    method: "POST",
    body: readFileSync(file("held.png")),
  });
  expect(held.status).toBe(202);
  damaged = SLIDES.lossless;
  const { digest } = await service.json<{ digest: string }>(`/api/v1/slides/${damaged}`);
  truncateSync(join(service.store, "slides", digest, "levels", "0", "c.0.0.0.0.0"), 5000);
});

test.afterAll(async () => {
  await service.stop();
  removeFolder(dirname(service.store));
});

/** The specimen with a side panel open. */
const withPanel =
  (name: string, slide: string = SLIDES.specimen) =>
  async (page: Page): Promise<void> => {
    await openSlide(page, slide, service.address, "#x=1400&y=1000&scale=0.5");
    await page.getByTestId("panel-rail").getByRole("button", { name, exact: true }).click();
    await expect(page.getByTestId("side-panel")).toBeVisible();
  };

const onGallery = async (page: Page, query = ""): Promise<void> => {
  await page.goto(service.address + query);
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
};

const fromCard = async (page: Page, item: string): Promise<void> => {
  await onGallery(page);
  await pressed(page, /^More actions for/);
  await page.getByRole("menuitem", { name: item }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
};

const comparison = async (page: Page, rest: string): Promise<void> => {
  await page.goto(`${service.address}/compare?left=${SLIDES.specimen}&right=${rest}`);
  await comparisonIsOpen(page);
};

const file = (name: string): string => join(dirname(service.store), name);

const GALLERY: Ways = {
  gallery: (page) => onGallery(page),
  "gallery-search": (page) => onGallery(page, "/?search=s&label=profile%3Alossless&sort=oldest"),
  "gallery-nothing-found": async (page) => {
    await page.goto(`${service.address}/?search=nothing+of+this+name`);
    await expect(page.getByRole("searchbox", { name: "Search slides" })).toBeVisible();
    await expect(page.getByTestId("slide-card")).toHaveCount(0);
  },
  "gallery-chosen": async (page) => {
    await onGallery(page);
    for (const box of (await page.getByTestId("slide-card").getByRole("checkbox").all()).slice(0, 2))
      await box.check({ force: true });
    await expect(page.getByTestId("gathering")).toBeVisible();
  },
  "gallery-empty": async (page) => {
    const none = await service.json<object>("/api/v1/slides?search=nothing-of-this-name");
    await page.route(/\/api\/v1\/slides(\?|$)/, (route) => route.fulfill({ json: none }));
    await page.goto(service.address);
    await expect(page.getByTestId("empty-gallery")).toBeVisible();
    await page.unrouteAll();
  },
  "card-menu": async (page) => {
    await onGallery(page);
    await pressed(page, /^More actions for/);
    await expect(page.getByRole("menuitem").first()).toBeVisible();
  },
  rename: (page) => fromCard(page, "Rename"),
  tags: (page) => fromCard(page, "Tags"),
  "add-to-case": (page) => fromCard(page, "Add to case"),
  "upload-choice": async (page) => {
    await onGallery(page);
    await row(page, "held.png").getByRole("button", { name: "Choose" }).click();
    await expect(
      page.getByTestId("quality-choice").or(page.getByRole("dialog").getByRole("radio").first()).first(),
    ).toBeVisible();
  },
  incoming: async (page) => {
    await onGallery(page);
    await row(page, "held.png").getByRole("button", { name: "Preview" }).click();
    await expect(page.getByTestId("preview-banner")).toContainText("Not imported yet");
  },
  "already-stored": async (page) => {
    await onGallery(page);
    await choose(page, file("mark.png"));
    await expect(row(page, "mark.png").first()).toHaveAttribute("data-phase", "done");
    await choose(page, file("mark.png"));
    await expect(storedQuestion(page, "mark.png")).toBeVisible();
  },
  case: async (page) => {
    await page.goto(`${service.address}/cases/${collection}`);
    await expect(page.getByTestId("case-slide").first()).toBeVisible();
  },
  "case-add": async (page) => {
    await page.goto(`${service.address}/cases/${collection}`);
    await pressed(page, "Add slides");
    await expect(page.getByRole("dialog").getByRole("checkbox").first()).toBeVisible();
  },
  trash: async (page) => {
    await page.goto(`${service.address}/trash`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  },
  join: async (page) => {
    await page.goto(`${service.address}/join`);
    await expect(page.getByLabel("Code")).toBeVisible();
  },
};

const PANELS: Ways = {
  slide: (page) => openSlide(page, SLIDES.specimen, service.address, `?case=${collection}#x=1400&y=1000&scale=0.5`),
  enlarged: (page) => openSlide(page, SLIDES.planes, service.address, "#x=1400&y=1000&scale=2.5"),
  "without-scale": (page) => openSlide(page, SLIDES.fiducial, service.address),
  damaged: (page) => openSlide(page, damaged, service.address, "#x=200&y=200&scale=1"),
  information: async (page) => {
    await withPanel("Slide information")(page);
    await expect(page.getByTestId("stored-bytes")).toBeVisible();
  },
  calibration: async (page) => {
    await withPanel("Slide information", SLIDES.fiducial)(page);
    await pressed(page, "Calibrate");
    await page.getByText("By known length").click();
    await page.getByTestId("panel-rail").getByRole("button", { name: "Slide information", exact: true }).click(); // as on a phone, where there is no room for both
  },
  light: withPanel("Image adjustments", SLIDES.profiled),
  annotations: async (page) => {
    await withPanel("Annotations")(page);
    await page.waitForFunction(
      () => window.__wavescope.annotations.state().count === 2 && window.__wavescope.annotations.state().settled,
    );
    await page.getByTestId("annotation-tools").getByRole("button", { name: "Polygon", exact: true }).click();
  },
  bookmarks: async (page) => {
    await withPanel("Bookmarks")(page);
    await page
      .getByRole("group", { name: "Viewed areas" })
      .getByRole("button", { name: "Viewed areas", exact: true })
      .click();
  },
  tours: withPanel("Tours"),
  "tour-edited": async (page) => {
    await withPanel("Tours")(page);
    await pressed(page, "New tour");
    await page.getByLabel("Title", { exact: true }).fill("Three fields");
    for (let i = 0; i < 2; i++) await pressed(page, "Add this view");
    await expect(page.getByTestId("waypoint")).toHaveCount(2);
  },
  tour: async (page) => {
    await page.goto(`${service.address}/tours/${tour}`);
    await slideIsOpen(page);
    await expect(page.locator(".wavescope-marks [data-pointed]")).toHaveCount(1);
  },
  "session-none": withPanel("Live session"),
};

const DIALOGS: Ways = {
  export: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await pressed(page, "Export a region");
    await page.getByRole("dialog").getByText("Coordinates").click();
    await expect(page.getByTestId("export-expected")).toContainText(/about/);
  },
  rotation: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await page.getByTestId("rotation").click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  keys: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  },
  commands: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await page.keyboard.press("Control+k");
    await expect(page.getByPlaceholder("Search commands")).toBeVisible();
  },
  "choose-second": async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await pressed(page, /^Compare/);
    await expect(page.getByRole("dialog").getByRole("button", { name: /fiducial/ })).toBeVisible();
  },
  compare: (page) => comparison(page, SLIDES.planes),
  landmarks: async (page) => {
    await comparison(page, `${SLIDES.specimen}#marks=900,800,900,800;1900,900,1900,912;1500,1700,1500,1700`);
    await page.keyboard.press("Shift+l");
    await expect(page.getByTestId("landmark")).toHaveCount(3);
  },
  swipe: (page) => comparison(page, `${SLIDES.planes}&mode=swipe`),
};

test("the gallery, cases and what comes in: nothing is cut off or covered", ({ page }) => lookAtAll(page, GALLERY));
test("a slide with each panel: nothing is cut off or covered", ({ page }) => lookAtAll(page, PANELS));
test("a slide with each dialog, and two slides: nothing is cut off or covered", ({ page }) => lookAtAll(page, DIALOGS));
