// Each part of the microscope with the mouse, a trackpad and two fingers, which move the slide and change nothing else; then on every
// screen, where nothing is cut off or covered, with what axe says in light and dark. What has no picture is scrolled by them, or stays.
// Keys, and what each part does: in a spec of its own.
import type { Locator, Page } from "@playwright/test";
import { clear, change, click, list, openAnnotations, show, tool } from "../harness/annotating.ts";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { comparisonIsOpen } from "../harness/comparison.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { useAllHands, useAllHandsBeside } from "../harness/hands.ts";
import { SCREENSHOTS, START, lookAt } from "../harness/looks.ts";
import { expectExact, openSlide, viewState } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { expect, test } from "../harness/test.ts";

test.use({ viewport: START, contextOptions: { reducedMotion: "reduce" } });

const own = sharedService();
const HERE = "#x=1400&y=1000&scale=0.5";

interface Part {
  readonly open: (page: Page) => Promise<void>;
  /** What no hand may change. */
  readonly stays: (page: Page) => Promise<unknown>;
  readonly viewer?: string;
  /** What lies over the picture or has none. */
  readonly beside?: (page: Page) => Locator;
  /** The button of the mouse that moves the slide. */
  readonly button?: "middle";
}

const openHere = (page: Page, slide: string = SLIDES.specimen): Promise<void> =>
  openSlide(page, slide, own.service.address, HERE);
const onPanel = (page: Page) => page.getByTestId("side-panel");
const openPanel = async (page: Page, name: string): Promise<void> => {
  await openHere(page);
  await page.getByTestId("panel-rail").getByRole("button", { name, exact: true }).click();
  await expect(onPanel(page)).toBeVisible();
};

function ringOf(x: number, y: number, size = 300): number[][] {
  return [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
    [x, y],
  ];
}

/** The user's own annotations, and those of two files. */
async function annotate(): Promise<void> {
  const at = own.service.address;
  await clear(at, SLIDES.specimen);
  const content = (x: number, group: string) => ({
    kind: "rectangle",
    geometry: { type: "Polygon", coordinates: [ringOf(x, 500)] },
    class: group,
    name: x === 600 ? "An invasive front with a rather long name, as people give them" : "",
  });
  const changes = [600, 1000, 1400].map((x, i) => ({
    id: `part-${x}`,
    revision: 0,
    content: content(x, ["Tumour", "Stroma", "Necrosis"][i]!),
  }));
  await change(at, SLIDES.specimen, changes);
  for (const [i, name] of ["tumour.geojson", "cells of a rather long file name.geojson"].entries()) {
    const geometry = { type: "Polygon", coordinates: [ringOf(700 + 500 * i + Math.random(), 1000)] };
    const body = JSON.stringify({
      type: "FeatureCollection",
      features: [{ type: "Feature", geometry, properties: {} }],
    });
    const url = `${at}/api/v1/slides/${SLIDES.specimen}/annotations:import?format=geojson&name=${encodeURIComponent(name)}`;
    expect((await fetch(url, { method: "POST", body })).status).toBe(200);
  }
}

const drawn = async (page: Page) => ({ objects: await list(page), selected: (await state(page)).selected });
const state = (page: Page) => page.evaluate(() => window.__wavescope.annotations.state());

const dialog = (page: Page) => page.getByRole("dialog");
const ticked = (box: Locator) =>
  box.locator("input").evaluateAll((all) => all.map((one) => [(one as HTMLInputElement).checked, one.ariaValueNow]));

const PARTS: Readonly<Record<string, Part>> = {
  annotations: {
    open: async (page) => {
      await annotate();
      await openAnnotations(page, SLIDES.specimen, own.service.address);
      await show(page, 400, 300, 1600, 900);
      await expect(page.getByTestId("layers").getByRole("group")).toHaveCount(3);
    },
    stays: drawn,
  },
  "an annotation that is selected, and a tool": {
    open: async (page) => {
      await annotate();
      await openAnnotations(page, SLIDES.specimen, own.service.address);
      await show(page, 400, 300, 1600, 900);
      await click(page, [[600, 600]]);
      await expect(page.getByTestId("annotation-editor")).toBeVisible();
      await tool(page, "Brush").click();
    },
    stays: async (page) => [await drawn(page), await tool(page, "Brush").getAttribute("aria-pressed")],
    button: "middle",
  },
  counting: {
    open: async (page) => {
      await clear(own.service.address, SLIDES.specimen);
      await openAnnotations(page, SLIDES.specimen, own.service.address);
      await onPanel(page).getByText("Counting", { exact: true }).click();
      await show(page, 400, 300, 1600, 900);
      await page.getByTestId("count-panel").getByRole("button", { name: "Start counting" }).click();
      await click(page, [
        [900, 700],
        [1100, 800],
      ]);
    },
    stays: drawn,
  },
  coverage: {
    open: async (page) => {
      await openHere(page);
      await page.keyboard.press("Shift+V");
      await expect(page.getByTestId("coverage-parts").getByRole("listitem").first()).toBeVisible();
    },
    stays: (page) => page.getByRole("button", { name: "Coverage", exact: true }).getAttribute("aria-pressed"),
  },
  "a stain view": {
    open: async (page) => {
      await openPanel(page, "Image adjustments");
      await page.getByTestId("stains").getByText("Eosin", { exact: true }).click();
      await expect(page.getByTestId("light-badge")).toHaveText("Eosin");
    },
    stays: (page) => page.getByTestId("light-badge").textContent(),
  },
  "extended depth of field": {
    open: async (page) => {
      await openHere(page, SLIDES.planes);
      await page.keyboard.press("Shift+Z");
      await expect(page.getByTestId("focus-badge")).toBeVisible();
      await expectExact(page);
    },
    stays: (page) => page.getByTestId("focus-badge").textContent(),
  },
  "presenter mode": {
    open: async (page) => {
      await openHere(page);
      await page.getByRole("button", { name: "Settings" }).click();
      await page.getByRole("button", { name: "Presenter mode" }).click();
    },
    stays: (page) => page.getByTestId("pointer-mark").count(),
  },
  "four slides": {
    open: async (page) => {
      const ids = [SLIDES.specimen, SLIDES.planes, SLIDES.specimen, SLIDES.planes];
      await page.goto(`${own.service.address}/compare?${ids.map((id) => `slide=${id}`).join("&")}`);
      await comparisonIsOpen(page);
    },
    stays: (page) => page.getByTestId("link-status").textContent(),
    viewer: "viewer-C",
  },
  "two slides, one over the other": {
    open: async (page) => {
      await page.goto(`${own.service.address}/compare?slide=${SLIDES.specimen}&slide=${SLIDES.planes}`);
      await comparisonIsOpen(page);
      await page.getByText("Swipe", { exact: true }).click();
      await expect(page.getByTestId("divider")).toBeVisible();
    },
    stays: (page) => page.getByTestId("link-status").textContent(),
    viewer: "viewer-A",
  },
  "the camera": {
    open: async (page) => {
      await openHere(page);
      await page.getByRole("button", { name: "Camera" }).click();
      await expect(page.getByTestId("view-form")).toBeVisible();
    },
    stays: async (page) => [await viewState(page), await ticked(dialog(page))],
    beside: (page) => dialog(page),
  },
  "a page of views": {
    open: async (page) => {
      await openHere(page);
      for (const count of [1, 2]) {
        await page.getByRole("button", { name: "Camera" }).click();
        await dialog(page).getByRole("button", { name: "Add to page" }).click();
        await expect(page.getByText(`Added to the page of views: ${count} item`).first()).toBeVisible();
      }
      await page.getByRole("button", { name: "Open page" }).last().click();
      await page.reload();
      await expect(page.getByTestId("sheet").getByRole("img")).toHaveCount(2);
    },
    stays: (page) => page.getByTestId("views-item").allTextContents(),
    beside: (page) => page.getByTestId("views-page"),
  },
  "a case": {
    open: async (page) => {
      const description = "What was found, with **all** that belongs to it.\n\n".repeat(12);
      const body = JSON.stringify({
        title: "A case with a rather long title, as people give them",
        slides: [SLIDES.specimen, SLIDES.planes, SLIDES.fiducial],
        description,
      });
      const made = await fetch(`${own.service.address}/api/v1/cases`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      await page.goto(`${own.service.address}/cases/${((await made.json()) as { id: string }).id}`);
      await expect(page.getByTestId("case-slide")).toHaveCount(3);
      await expect(page.getByTestId("case-description").locator("strong")).toHaveCount(12);
    },
    stays: async (page) => [page.url(), await page.getByTestId("case-slide").allTextContents()],
    beside: (page) => page.getByTestId("case-page"),
  },
  settings: {
    open: async (page) => {
      await openHere(page);
      await page.getByRole("button", { name: "Settings" }).click();
      await expect(page.getByTestId("settings")).toBeVisible();
    },
    stays: async (page) => [await viewState(page), await ticked(dialog(page))],
    beside: (page) => dialog(page),
  },
};

for (const [name, { open, stays, viewer, button, beside }] of Object.entries(PARTS))
  test(`${name}: all hands move the slide and change nothing else; all screens show it, light and dark`, async ({
    page,
  }) => {
    if (SCREENSHOTS) test.slow();
    await open(page);
    const before = await stays(page);
    if (beside) await useAllHandsBeside(page, beside(page));
    else await useAllHands(page, viewer, button);
    expect(await stays(page)).toEqual(before);
    expect.soft(await lookAt(page, `part-${name.replace(/\W+/g, "-")}`)).toEqual([]);
    await expectNothingSeriousInEither(page, name);
  });
