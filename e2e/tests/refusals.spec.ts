// Pages that cannot be shown: one panel each with the right words, and a way back.
import type { Page } from "@playwright/test";
import { expectNothingSerious } from "../harness/axe.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { storePicture } from "../harness/looks.ts";
import { address, slideIsOpen } from "../harness/microscope.ts";
import { signedIn } from "../harness/people.ts";
import { expect, test } from "../harness/test.ts";

const SCREENS = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
];

const panel = (page: Page) => page.getByTestId("refusal");

/** Nothing sticks out on a laptop or a phone; a picture of each for the eye. */
async function looksWell(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()!;
  for (const screen of SCREENS) {
    await page.setViewportSize(screen);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(over, `${name} at ${screen.width}: pixels that stick out`).toBeLessThanOrEqual(0);
    await storePicture(page, test.info().outputPath(`${name}-${screen.width}.png`));
  }
  await page.setViewportSize(before);
}

const NOWHERE: Readonly<Record<string, string>> = {
  "/nowhere": "Page not found",
  "/slides/none": "Slide not found",
  "/tours/none": "Tour not found",
  "/quizzes/none": "Quiz not found",
  "/cases/none": "Case not found",
  "/recordings/none": "Recording not found",
  "/incoming/none": "Preview not found",
  "/join/22222222": "Session not found",
  "/compare": "No slides chosen",
  [`/compare?slide=${SLIDES.specimen}`]: "Only one slide chosen",
  [`/compare?slide=${SLIDES.specimen}&slide=none`]: "Slide B cannot be shown",
  [`/compare?slide=none&slide=${SLIDES.specimen}`]: "Slide A cannot be shown",
  "/compare?slide=none&slide=nothing": "Slide not found",
  "/account": "This service has no accounts",
  "/people": "This service has no accounts",
  "/sign-in": "This service has no accounts",
  "/edge": "This service is not an edge",
};

for (const [path, title] of Object.entries(NOWHERE)) {
  test(`${path} says “${title}” and leads back to the gallery`, async ({ page }) => {
    await page.goto(address() + path);
    await expect(panel(page).getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(panel(page)).not.toContainText(/sign in|shared with you/i); // there are no accounts
    await looksWell(page, path.replaceAll(/\W+/g, "-"));
    await expectNothingSerious(page, path);
    await panel(page).getByRole("link", { name: "Back to the gallery" }).click();
    await expect(page.getByTestId("slide-card").first()).toBeVisible();
    await expect(panel(page)).toHaveCount(0);
    expect(page.url()).toBe(`${address()}/`);
  });
}

test("a recording that is gone can be put aside on the page of a slide", async ({ page }) => {
  await page.goto(`${address()}/slides/${SLIDES.specimen}?recording=none`);
  await panel(page).getByRole("button", { name: "Continue without the recording" }).click();
  await slideIsOpen(page);
  await expect(panel(page)).toHaveCount(0);
  expect(new URL(page.url()).search).toBe("");
});

test("of two slides the one that is there can be opened, or compared with another", async ({ page }) => {
  const start = `${address()}/compare?slide=${SLIDES.specimen}&slide=none`;
  await page.goto(start);
  await panel(page)
    .getByRole("button", { name: /^Open .* on its own$/ })
    .click();
  await slideIsOpen(page);
  expect(new URL(page.url()).pathname).toBe(`/slides/${SLIDES.specimen}`);
  await page.goto(start);
  await panel(page).getByRole("button", { name: "Choose another slide" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /fiducial/ })
    .click();
  await expect(page.getByTestId("compare-page")).toHaveAttribute("data-ready", "true");
  expect(new URL(page.url()).search).toBe(`?slide=${SLIDES.specimen}&slide=${SLIDES.fiducial}`);
});

test("a tour without stops says so and leads to its slide", async ({ page, request }) => {
  const tour = { version: 1, title: "Empty", text: "", waypoints: [] };
  const made = await request.post(`${address()}/api/v1/tours?slide=${SLIDES.specimen}`, { data: tour });
  const { id, revision } = (await made.json()) as { id: string; revision: number };
  await page.goto(`${address()}/tours/${id}`);
  await expect(panel(page).getByRole("heading", { name: "“Empty” has no stops yet" })).toBeVisible();
  await panel(page).getByRole("button", { name: "Open the slide" }).click();
  await slideIsOpen(page);
  await request.delete(`${address()}/api/v1/tours/${id}`, { headers: { "If-Match": `"r${revision}"` } });
});

test("while the service does not answer, a page waits for it and says so", async ({ page }) => {
  await page.route("**/api/v1/tours/none", (route) => route.abort());
  await page.goto(`${address()}/tours/none`);
  await expect(panel(page).getByRole("heading", { name: "The service does not answer" })).toBeVisible();
  await page.unroute("**/api/v1/tours/none");
  await expect(panel(page).getByRole("heading", { name: "Tour not found" })).toBeVisible();
});

test("pages for some roles say so to others, who ask the service for nothing that it would refuse", async ({
  browser,
  services,
}) => {
  const service = await services.clinic(SLIDES.large);
  const vera = await signedIn(browser, service, "vera");
  const stranger = await (await browser.newContext()).newPage();
  const refused: string[] = [];
  for (const page of [vera.page, stranger])
    page.on("response", (answer) => [401, 403].includes(answer.status()) && refused.push(answer.url()));
  try {
    for (const [path, name, people] of [
      ["/audit", "the audit log", "administrators"],
      ["/people", "users and groups", "administrators"],
      ["/trash", "the trash", "instructors"],
    ] as const) {
      await vera.page.goto(service.address + path);
      await expect(panel(vera.page).getByRole("heading", { name: `You cannot view ${name}` })).toBeVisible();
      await expect(panel(vera.page)).toContainText(`Only ${people} can view it. You are signed in as Vera (Viewer).`);
      await expect(vera.page.getByRole("link", { name: "Download" })).toHaveCount(0);
      await looksWell(vera.page, `vera${path.replace("/", "-")}`);
      await stranger.goto(service.address + path);
      await expect(panel(stranger).getByRole("heading", { name: `Sign in to view ${name}` })).toBeVisible();
      await expect(panel(stranger).getByRole("link", { name: "Sign in" })).toHaveAttribute(
        "href",
        `/sign-in?next=${encodeURIComponent(path)}`,
      );
    }
    await vera.page.goto(`${service.address}/cases/none`);
    await expect(panel(vera.page)).toContainText("or it is not shared with you");
    await panel(vera.page).getByRole("link", { name: "Back to the gallery" }).click();
    await expect(vera.page.getByTestId("empty-gallery")).toBeVisible();
    expect(refused).toEqual([]);
  } finally {
    await Promise.all([vera.context.close(), stranger.context().close()]);
  }
});
