// Annotations between two browsers, through a crash of the service, and in and out of files.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import {
  change,
  clear,
  drag,
  storedAnnotations,
  list,
  openAnnotations,
  saved,
  show,
  tool,
} from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { sharedService } from "../harness/sharedService.ts";
import { ROOT } from "../harness/service.ts";

const QUPATH = join(ROOT, "shared", "vectors", "annotations", "qupath.geojson");
const DESKTOP = { width: 1366, height: 768 };

const own = sharedService();

test.beforeEach(() => clear(own.service.address, SLIDES.specimen));

async function person(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ viewport: DESKTOP })).newPage();
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
  return page;
}

const rectangle = (x: number, y: number) => ({
  kind: "rectangle",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [x, y],
        [x + 200, y],
        [x + 200, y + 200],
        [x, y + 200],
        [x, y],
      ],
    ],
  },
});

/** Drags the right lower corner of the selected rectangle. */
async function stretch(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.getByRole("option").first().click();
  await drag(page, [from, to]);
}

test("two browsers that edit at once lose nothing (AN12)", async ({ browser }) => {
  await change(own.service.address, SLIDES.specimen, [{ id: "shared", revision: 0, content: rectangle(600, 400) }]);
  const [one, other] = [await person(browser), await person(browser)];
  await Promise.all([one.context().setOffline(true), other.context().setOffline(true)]);
  await stretch(one, [800, 600], [1000, 600]);
  await stretch(other, [800, 600], [800, 900]);
  for (const [page, x] of [
    [one, 300],
    [other, 1100],
  ] as const) {
    await tool(page, "Arrow").click();
    await drag(page, [
      [x, 300],
      [x + 100, 350],
    ]);
    await expect(page.getByTestId("annotation-save")).toHaveAttribute("data-save", "unsaved");
  }
  await one.context().setOffline(false);
  await saved(one);
  await other.context().setOffline(false);
  await saved(other);
  await expect(other.getByTestId("annotation-notice")).toContainText("rectangle (version of local user)");
  const names = (page: Page): Promise<string[]> =>
    list(page).then((all) => all.map(({ kind, name }) => `${kind} ${name}`.trim()).sort());
  const all = ["arrow", "arrow", "rectangle", "rectangle rectangle (version of local user)"];
  await expect.poll(() => names(one), { timeout: 30_000 }).toEqual(all);
  expect(await names(other)).toEqual(all);
  const boxes = (await storedAnnotations(own.service.address, SLIDES.specimen)).filter(
    ({ content }) => content!.kind === "rectangle",
  );
  const sizes = boxes.map(({ content }) => {
    const [, , [right, bottom]] = (content!.geometry.coordinates as number[][][])[0]! as [
      number[],
      number[],
      [number, number],
    ];
    return [Math.round(right / 10), Math.round(bottom / 10)].join(" ");
  });
  expect(sizes.sort()).toEqual(["100 60", "80 90"]);
  await Promise.all([one.context().close(), other.context().close()]);
});

test("a crash of the service while drawing is reported, nothing is lost, and all is saved when it is back (AN11)", async ({
  page,
}) => {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await show(page, 200, 200, 1600, 900);
  await own.service.stop("SIGKILL");
  await tool(page, "Rectangle").click();
  await drag(page, [
    [600, 400],
    [900, 600],
  ]);
  await expect(page.getByTestId("annotation-save")).toHaveAttribute("data-save", "unsaved");
  await expect(page.getByTestId("annotation-save")).toContainText("Not saved");
  await tool(page, "Ellipse").click();
  await drag(page, [
    [1000, 400],
    [1200, 600],
  ]);
  await own.service.startAgain();
  await saved(page);
  expect(
    (await storedAnnotations(own.service.address, SLIDES.specimen)).map(({ content }) => content!.kind).sort(),
  ).toEqual(["ellipse", "rectangle"]);
});

test("classes of a file that have no colour get one from their name, the same for everybody, and are listed (AN24)", async ({
  page,
  browser,
}) => {
  const feature = (name: string, x: number) => ({
    type: "Feature",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [x, 300],
          [x + 150, 300],
          [x + 150, 450],
          [x, 450],
          [x, 300],
        ],
      ],
    },
    properties: { objectType: "annotation", classification: { name } },
  });
  const buffer = Buffer.from(
    JSON.stringify({ type: "FeatureCollection", features: [feature("Gland", 400), feature("Nerve", 700)] }),
  );
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await page
    .locator('input[type="file"][accept*="geojson"]')
    .setInputFiles({ name: "classes.geojson", mimeType: "application/geo+json", buffer });
  await expect(page.getByTestId("import-report")).toHaveText("2 annotations added.");
  const colors = async (one: Page): Promise<string[]> => {
    const found = ["Gland", "Nerve"].map((name) => one.getByLabel(`Colour of ${name}`).inputValue());
    return Promise.all(found);
  };
  const [gland, nerve] = (await colors(page)) as [string, string];
  expect(gland).not.toBe(nerve);
  expect([gland, nerve]).not.toContain("#ffd60a"); // of those without a class
  const rgb = [1, 3, 5].map((at) => parseInt(gland.slice(at, at + 2), 16)).join(", ");
  await expect(page.getByRole("option", { name: /Gland/ }).locator("span").first()).toHaveCSS(
    "background-color",
    `rgb(${rgb})`,
  );
  await expect(page.getByLabel("Class for new annotations").getByRole("option", { name: "Nerve" })).toHaveCount(1);
  const other = await person(browser);
  expect(await colors(other)).toEqual([gland, nerve]);
  await other.context().close();
});

test("a file of QuPath comes in and goes out again, and goes out as Web Annotations and as a table (AN16-AN19)", async ({
  page,
}) => {
  await openAnnotations(page, SLIDES.specimen, own.service.address);
  await page.locator('input[type="file"][accept*="geojson"]').setInputFiles(QUPATH);
  await expect(page.getByTestId("import-report")).toHaveText("7 annotations added.");
  await expect(page.getByTestId("annotation-count")).toHaveText("7 annotations");
  await expect(page.getByRole("option", { name: /Region 1 · Tumor/ })).toBeVisible();
  await page.locator('input[type="file"][accept*="geojson"]').setInputFiles(QUPATH);
  await expect(page.getByTestId("import-report")).toHaveText("0 annotations added. 7 already there.");
  const saveAs = async (name: string): Promise<string> => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
    return readFileSync(await download.path(), "utf8");
  };
  type Feature = {
    id: string;
    geometry: { type: string; isEllipse?: boolean; plane?: unknown; coordinates: number[][][] };
    properties: unknown;
  };
  const read = (text: string): Feature[] => (JSON.parse(text) as { features: Feature[] }).features;
  const given = read(readFileSync(QUPATH, "utf8"));
  const written = read(await saveAs("GeoJSON (QuPath)"));
  const box = ({ geometry: { coordinates } }: Feature): number[] => {
    const [xs, ys] = [coordinates[0]!.map(([x]) => x!), coordinates[0]!.map(([, y]) => y!)];
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  };
  for (const feature of given) {
    const found = written.find(({ id }) => id === feature.id)!;
    expect(found.properties).toEqual(feature.properties);
    if (!feature.geometry.isEllipse) expect(found).toEqual(feature);
    else {
      expect(found.geometry).toMatchObject({ type: "Polygon", isEllipse: true, plane: feature.geometry.plane });
      expect(box(found)).toEqual(box(feature));
    }
  }
  const annotations = JSON.parse(await saveAs("Web Annotations")) as {
    type: string;
    items: { target: { selector: { type: string } } }[];
  };
  expect([annotations.type, annotations.items.length]).toEqual(["AnnotationPage", 7]);
  expect(new Set(annotations.items.map(({ target }) => target.selector.type))).toEqual(
    new Set(["SvgSelector", "FragmentSelector"]),
  );
  const rows = (await saveAs("Measurements (CSV)")).trim().split("\r\n");
  expect([rows.length, rows[0]!.includes("length_um")]).toEqual([8, true]);
});
