// What is seen more rarely: notices, ends and failures, and dialogs within dialogs. Nothing cut off or covered.
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { SLIDES } from "../harness/globalSetup.ts";
import { SIZES, START, type Ways, closed, lookAtAll, next, pressed } from "../harness/looks.ts";
import { openSlide } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { writeFiducial } from "../harness/pictures.ts";
import { expect, test } from "../harness/test.ts";
import { choose, row } from "../harness/uploading.ts";

test.use({ contextOptions: { reducedMotion: "reduce" }, viewport: START });

const own = sharedService();
const HERE = "#x=1400&y=1000&scale=0.5";

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${own.service.address}/api/v1/${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

const visit = (page: Page, path: string) => page.goto(own.service.address + path);

const openGallery = async (page: Page): Promise<void> => {
  await visit(page, "/");
  await expect(page.getByTestId("slide-card").first()).toBeVisible();
};

const openSpecimen = (page: Page, query = HERE): Promise<void> =>
  openSlide(page, SLIDES.specimen, own.service.address, query);

const openPanel = async (page: Page, name: string): Promise<void> => {
  await page.getByTestId("panel-rail").getByRole("button", { name, exact: true }).click();
  await expect(page.getByTestId("side-panel")).toBeVisible();
};

const file = (name: string): string => join(dirname(own.service.store), name);

/** No request of the page reaches the service any more. */
const cutOff = (page: Page) => page.route("**/api/v1/**", (route) => route.abort());

/** What is missing stays missing: the pictures are taken without waiting for it. */
const neverIdle = (page: Page) =>
  page.evaluate(() => void Object.assign(window.__wavescope, { idle: () => Promise.resolve() }));

const SLIDE: Ways = {
  "go-to": async (page) => {
    await openSpecimen(page);
    await page.keyboard.press("g");
    await page.getByRole("dialog").getByRole("textbox").fill("somewhere");
    await pressed(page, "Go");
    await expect(page.getByText("Not understood")).toBeVisible();
  },
  "commands-none": next(async (page) => {
    await closed(page);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search commands").fill("nothing of this name");
    await expect(page.getByText("No command found")).toBeVisible();
  }),
  "export-done": async (page) => {
    await openSpecimen(page, "#x=1400&y=1000&scale=0.2");
    await page.keyboard.press("Shift+E");
    await page.getByRole("dialog").getByRole("button", { name: "Export", exact: true }).click();
    await expect(page.getByTestId("export-progress")).toHaveAttribute("data-state", "done");
  },
  fallback: async (page) => {
    await openSpecimen(page, `?fallback=1${HERE}`);
    await expect(page.getByTestId("fallback-notice")).toBeVisible();
  },
  offline: async (page) => {
    await openSpecimen(page);
    await cutOff(page);
    await page.evaluate(() => void window.__wavescope.viewport.goTo(400, 300, 0));
    await expect(page.getByTestId("offline-notice")).toBeVisible();
    await neverIdle(page);
  },
  "light-adjusted": async (page) => {
    await openSpecimen(page);
    await openPanel(page, "Image adjustments");
    await pressed(page, "Use centre of view");
    await page.getByRole("slider", { name: "Brightness" }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await pressed(page, "Pick background");
    await expect(page.getByTestId("light-badge")).toBeVisible();
  },
  "annotation-chosen": async (page) => {
    await send("POST", `slides/${SLIDES.specimen}/annotations:batch`, {
      changes: [
        {
          id: randomUUID(),
          revision: 0,
          content: {
            kind: "rectangle",
            geometry: {
              type: "Polygon",
              coordinates: [
                [
                  [900, 700],
                  [1700, 700],
                  [1700, 1300],
                  [900, 1300],
                  [900, 700],
                ],
              ],
            },
            name: "An invasive front with a rather long name, as people give them",
            text: "Mitoses: 7 in 10 fields.",
            class: "Tumour, poorly differentiated",
          },
        },
      ],
    });
    await openSpecimen(page);
    await openPanel(page, "Annotations");
    await page.getByTestId("annotation-list").getByRole("option").first().click();
    await expect(page.getByTestId("annotation-editor")).toBeVisible();
  },
  "tour-marks": next(async (page) => {
    await openPanel(page, "Tours");
    await pressed(page, "New tour");
    await pressed(page, "Add this view");
    await pressed(page, "Add an arrow");
    const viewer = (await page.getByTestId("viewer").boundingBox())!;
    await page.mouse.click(viewer.x + viewer.width / 2, viewer.y + viewer.height / 2);
    await page.getByLabel("Text of arrow 1").fill("Goblet cells");
    await pressed(page, "Add those in view");
    await pressed(page, "Add a rectangle");
  }),
  "tour-empty": async (page) => {
    const { id } = await send<{ id: string }>("POST", `tours?slide=${SLIDES.specimen}`, {
      format: "wavescope-tour",
      version: 1,
      title: "Nothing yet",
      waypoints: [],
    });
    await visit(page, `/tours/${id}`);
    await expect(page.getByTestId("refusal")).toBeVisible();
  },
};

const GALLERY: Ways = {
  "gallery-filters": async (page) => {
    await page.setViewportSize(SIZES.phone);
    await openGallery(page);
    await pressed(page, "Cases and filters");
    await expect(page.getByTestId("facets")).toBeVisible();
  },
  "new-case": next(async (page) => {
    await pressed(page, "New");
    await expect(page.getByRole("dialog")).toBeVisible();
  }),
  "gallery-offline": async (page) => {
    await openGallery(page);
    await cutOff(page);
    await page.getByRole("searchbox", { name: "Search slides" }).fill("spec");
    await expect(page.getByTestId("service-offline")).toBeVisible();
  },
  "case-empty": async (page) => {
    const { id } = await send<{ id: string }>("POST", "cases", {
      title: "Nothing yet",
      kind: "collection",
      slides: [],
    });
    await visit(page, `/cases/${id}`);
    await expect(page.getByTestId("case-page")).toBeVisible();
  },
  "case-rename": async (page) => {
    const { id } = await send<{ id: string }>("POST", "cases", {
      title: "A case with a title that is longer than those who named it meant it to be",
      kind: "case",
      slides: [SLIDES.fiducial, SLIDES.planes],
    });
    await visit(page, `/cases/${id}`);
    await pressed(page, "Edit");
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "case-delete": next(async (page) => {
    await closed(page);
    await pressed(page, "Delete");
    await expect(page.getByRole("button", { name: /^Delete the case/ })).toBeVisible();
  }),
  "upload-quality": async (page) => {
    writeFiducial(file("large.png"), 6000, 5000, { l0_x: 350, l0_y: 300, radius: 96 });
    await openGallery(page);
    await choose(page, file("large.png"));
    await row(page, "large.png")
      .getByRole("button", { name: /^Change/ })
      .click();
    await expect(page.getByRole("dialog").getByRole("radio").first()).toBeVisible();
  },
};

const ENDS: Ways = {
  "compare-none": async (page) => {
    await visit(page, "/compare");
    await expect(page.getByTestId("refusal")).toBeVisible();
  },
  "join-unknown": async (page) => {
    await visit(page, "/join/22222222");
    await expect(page.getByTestId("refusal")).toBeVisible();
  },
  "no-accounts": async (page) => {
    await visit(page, "/account");
    await expect(page.getByTestId("refusal")).toBeVisible();
  },
  "link-incomplete": async (page) => {
    await visit(page, "/open");
    await expect(page.getByTestId("link-failure")).toBeVisible();
  },
};

test("a slide with notices and smaller dialogs: nothing is cut off or covered", ({ page }) => lookAtAll(page, SLIDE));
test("the gallery, cases and imports that fail: nothing is cut off or covered", ({ page }) => lookAtAll(page, GALLERY));
test("what is not there: nothing is cut off or covered", ({ page }) => lookAtAll(page, ENDS));
