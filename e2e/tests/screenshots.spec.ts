// Every page, panel and dialog, each loaded once: nothing cut off, nothing covered, and nothing serious for axe in either colour scheme.
// With WAVESCOPE_SCREENSHOTS=1 at all four sizes, and with pictures for people to look at (harness/looks.ts).
import { readFileSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { START, type Ways, closed, lookAtAll, next, pressed, read, readNext } from "../harness/looks.ts";
import { openSlide, slideIsOpen, store } from "../harness/microscope.ts";
import { comparisonIsOpen } from "../harness/comparison.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { Service, copyStore, removeFolder } from "../harness/service.ts";
import { expect, test } from "../harness/test.ts";
import { choose, row, storedQuestion } from "../harness/uploading.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: START });

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

const onGallery = async (page: Page, query = ""): Promise<void> => {
  await page.goto(service.address + query);
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
};

const cardMenu = (page: Page): Promise<void> =>
  page
    .getByTestId("slide-card")
    .first()
    .getByRole("button", { name: /^More actions for/ })
    .click();

/** A dialog of the first card, when another one of it is open. */
const fromCard = (item: string) =>
  readNext(async (page) => {
    await closed(page);
    await cardMenu(page);
    await page.getByRole("menuitem", { name: item }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  });

/** Another panel of the slide that is open. */
const panel = (name: string, then: (page: Page) => Promise<void> = async () => {}) =>
  readNext(async (page) => {
    await page.getByTestId("panel-rail").getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("complementary", { name })).toBeVisible();
    await then(page);
  });

const comparison = async (page: Page, rest: string): Promise<void> => {
  await page.goto(`${service.address}/compare?slide=${SLIDES.specimen}&slide=${rest}`);
  await comparisonIsOpen(page);
};

const file = (name: string): string => join(dirname(service.store), name);

const GALLERY: Ways = {
  gallery: read((page) => onGallery(page)),
  "card-menu": next(async (page) => {
    await cardMenu(page);
    await expect(page.getByRole("menuitem").first()).toBeVisible();
  }),
  rename: fromCard("Rename"),
  tags: fromCard("Tags"),
  "add-to-case": fromCard("Add to case"),
  "gallery-chosen": next(async (page) => {
    await closed(page);
    for (const box of (await page.getByTestId("slide-card").getByRole("checkbox").all()).slice(0, 2))
      await box.check({ force: true });
    await expect(page.getByTestId("selection-bar")).toBeVisible();
  }),
  "gallery-search": (page) => onGallery(page, "/?search=s&label=profile%3Alossless&sort=oldest"),
  "gallery-nothing-found": async (page) => {
    await page.goto(`${service.address}/?search=nothing+of+this+name`);
    await expect(page.getByRole("searchbox", { name: "Search slides" })).toBeVisible();
    await expect(page.getByTestId("slide-card")).toHaveCount(0);
  },
  "gallery-empty": async (page) => {
    const none = await service.json<object>("/api/v1/slides?search=nothing-of-this-name");
    await page.route(/\/api\/v1\/slides(\?|$)/, (route) => route.fulfill({ json: none }));
    await page.goto(service.address);
    await expect(page.getByTestId("empty-gallery")).toBeVisible();
    await page.unrouteAll();
  },
};

const INCOMING: Ways = {
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
    await expect(row(page, "mark.png").first()).toHaveAttribute("data-phase", "done", { timeout: 60_000 });
    await choose(page, file("mark.png"));
    await expect(storedQuestion(page, "mark.png")).toBeVisible();
  },
};

const OTHERS: Ways = {
  case: read(async (page) => {
    await page.goto(`${service.address}/cases/${collection}`);
    await expect(page.getByTestId("case-slide").first()).toBeVisible();
  }),
  "case-add": next(async (page) => {
    await pressed(page, "Add slides");
    await expect(page.getByRole("dialog").getByRole("checkbox").first()).toBeVisible();
  }),
  trash: read(async (page) => {
    await page.goto(`${service.address}/trash`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }),
  join: async (page) => {
    await page.goto(`${service.address}/join`);
    await expect(page.getByLabel("Code")).toBeVisible();
  },
  "no-such-slide": read(async (page) => {
    await page.goto(`${service.address}/slides/nobody`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }),
  "no-such-page": read(async (page) => {
    await page.goto(`${service.address}/nowhere`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }),
};

const PANELS: Ways = {
  slide: read(async (page) => {
    await openSlide(page, SLIDES.specimen, service.address, "#x=1400&y=1000&scale=0.5");
    const names = [
      "Slide information",
      "Image adjustments",
      "Annotations",
      "Overlays",
      "Bookmarks",
      "Tours",
      "Live session",
    ];
    const rail = page.getByTestId("panel-rail").getByRole("button");
    for (const [i, name] of names.entries()) await expect(rail.nth(i)).toHaveAccessibleName(name);
    await expect(rail, "each panel is a state below").toHaveCount(names.length);
  }),
  information: panel("Slide information", (page) => expect(page.getByTestId("stored-bytes")).toBeVisible()),
  "light-plain": panel("Image adjustments"),
  annotations: panel("Annotations", async (page) => {
    await page.waitForFunction(
      () => window.__wavescope.annotations.state().count === 2 && window.__wavescope.annotations.state().settled,
    );
    await page.getByTestId("annotation-tools").getByRole("button", { name: "Polygon", exact: true }).click();
  }),
  overlays: panel("Overlays"),
  bookmarks: panel("Bookmarks", (page) =>
    page.getByRole("group", { name: "Coverage" }).getByRole("button", { name: "Coverage", exact: true }).click(),
  ),
  "session-none": panel("Live session"),
  tours: panel("Tours"),
  "tour-edited": readNext(async (page) => {
    await pressed(page, "New tour");
    await page.getByLabel("Title", { exact: true }).fill("Three fields");
    for (let i = 0; i < 2; i++) await pressed(page, "Add this view");
    await expect(page.getByTestId("waypoint")).toHaveCount(2);
  }),
};

const SLIDES_OF_ALL_KINDS: Ways = {
  "slide-in-case": read((page) =>
    openSlide(page, SLIDES.specimen, service.address, `?case=${collection}#x=1400&y=1000&scale=0.5`),
  ),
  enlarged: (page) => openSlide(page, SLIDES.planes, service.address, "#x=1400&y=1000&scale=2.5"),
  "without-scale": (page) => openSlide(page, SLIDES.fiducial, service.address),
  calibration: next(async (page) => {
    const information = page.getByTestId("panel-rail").getByRole("button", { name: "Slide information", exact: true });
    await information.click();
    await pressed(page, "Calibrate");
    await page.getByText("By known length").click();
    await information.click(); // as on a phone, where there is no room for both
  }),
  damaged: (page) => openSlide(page, damaged, service.address, "#x=200&y=200&scale=1"),
  light: async (page) => {
    await openSlide(page, SLIDES.profiled, service.address);
    await page.getByTestId("panel-rail").getByRole("button", { name: "Image adjustments", exact: true }).click();
    await expect(page.getByTestId("side-panel")).toBeVisible();
  },
  tour: read(async (page) => {
    await page.goto(`${service.address}/tours/${tour}`);
    await slideIsOpen(page);
    await expect(page.locator(".wavescope-marks [data-pointed]")).toHaveCount(1);
  }),
};

const DIALOGS: Ways = {
  export: async (page) => {
    await openSlide(page, SLIDES.specimen, service.address);
    await page.keyboard.press("Shift+E");
    await page.getByRole("dialog").getByText("Coordinates").click();
    await expect(page.getByTestId("export-expected")).toContainText(/about/);
  },
  rotation: next(async (page) => {
    await closed(page);
    await page.getByTestId("rotation").click();
    await expect(page.getByRole("dialog")).toBeVisible();
  }),
  keys: readNext(async (page) => {
    await closed(page);
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  }),
  commands: readNext(async (page) => {
    await closed(page);
    await page.keyboard.press("Control+k");
    await expect(page.getByPlaceholder("Search commands")).toBeVisible();
  }),
  "choose-second": next(async (page) => {
    await closed(page);
    await pressed(page, /^Compare/);
    await expect(page.getByRole("dialog").getByRole("button", { name: /fiducial/ })).toBeVisible();
  }),
};

const COMPARISONS: Ways = {
  compare: read((page) => comparison(page, SLIDES.planes)),
  swipe: readNext(async (page) => {
    await page.getByText("Swipe", { exact: true }).click();
    await expect(page.getByTestId("divider")).toBeVisible();
  }),
  "compare-choose": readNext(async (page) => {
    await pressed(page, "Synthetic specimen");
    await expect(page.getByTestId("slide-choices").getByRole("button").first()).toBeVisible();
  }),
  landmarks: read(async (page) => {
    await comparison(page, `${SLIDES.specimen}#marks=900,800,900,800;1900,900,1900,912;1500,1700,1500,1700`);
    await page.keyboard.press("Shift+l");
    await expect(page.getByTestId("landmark")).toHaveCount(3);
  }),
  "compare-without-slides": read(async (page) => {
    await page.goto(`${service.address}/compare`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }),
};

for (const [name, ways] of Object.entries({
  "the gallery": GALLERY,
  "what comes in": INCOMING,
  "cases, the trash and what is not there": OTHERS,
  "a slide with each panel": PANELS,
  "slides of all kinds": SLIDES_OF_ALL_KINDS,
  "a slide with each dialog": DIALOGS,
  "two slides": COMPARISONS,
}))
  test(`${name}: nothing is cut off or covered, and axe finds nothing serious`, ({ page }) => lookAtAll(page, ways));
