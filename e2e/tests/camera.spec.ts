// The camera: the view as a picture with what is wanted beside it, as a link, and on a page of views that is printed.
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { PNG } from "pngjs";
import { expectNothingSeriousInEither } from "../harness/axe.ts";
import { change, clear, openAnnotations } from "../harness/annotating.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import { lookAt, storePicture } from "../harness/looks.ts";
import { openSlide, slideIsOpen } from "../harness/microscope.ts";
import { sharedService } from "../harness/sharedService.ts";
import { smallTargets } from "../harness/targets.ts";
import { expect, test } from "../harness/test.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const own = sharedService();
const dialog = (page: Page) => page.getByRole("dialog", { name: "Camera" });
const part = (page: Page, name: string) => dialog(page).getByRole("checkbox", { name });

async function saved(page: Page): Promise<Buffer> {
  const download = page.waitForEvent("download");
  await dialog(page).getByRole("button", { name: "Save", exact: true }).click();
  return readFileSync(await (await download).path());
}

/** Tags of the first directory of a TIFF that is written big-endian, with their first value. */
function tagsOf(file: Buffer): Map<number, number> {
  const directory = file.readUInt32BE(4);
  const entries = Array.from({ length: file.readUInt16BE(directory) }, (_, i) => directory + 2 + 12 * i);
  return new Map(
    entries.map((at) => {
      const [type, value] = [file.readUInt16BE(at + 2), file.readUInt32BE(at + 8)];
      const number = type === 3 ? file.readUInt16BE(at + 8) : value;
      return [file.readUInt16BE(at), type === 5 ? file.readUInt32BE(value) / file.readUInt32BE(value + 4) : number];
    }),
  );
}

test("the view is copied as a picture with its scale bar, and as a link that shows the same (PG70)", async ({
  page,
}) => {
  await openSlide(page, SLIDES.specimen);
  await page.evaluate(() => window.__wavescope.light.set({ ...window.__wavescope.light.read(), stain: { stain: 1 } }));
  await page.getByRole("button", { name: "Camera" }).click();
  await dialog(page).getByRole("button", { name: "Copy", exact: true }).click();
  await expect(page.getByText("The view was copied")).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const picture = await item!.getType("image/png");
    return [...new Uint8Array(await picture.arrayBuffer())];
  });
  const { width, height } = PNG.sync.read(Buffer.from(copied));
  const canvas = await page.getByTestId("viewer").boundingBox();
  expect([width, height]).toEqual([canvas!.width, canvas!.height + 44]);

  await page.getByRole("button", { name: "Camera" }).click();
  await dialog(page).getByRole("button", { name: "Copy link" }).press("Enter");
  await expect(page.getByText("Link copied")).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain("light=%7B%22stain%22%3A1%7D");
  expect(link).toBe(page.url());
});

test("a picture has what was chosen for it, and the choice stays; a TIFF says how many pixels a cm has (PG70)", async ({
  page,
}) => {
  const { service } = own;
  const ring = [
    [1300, 1000],
    [1500, 1000],
    [1500, 1200],
    [1300, 1200],
    [1300, 1000],
  ];
  const content = { kind: "polygon", geometry: { type: "Polygon", coordinates: [ring] }, name: "Here" };
  await clear(service.address, SLIDES.specimen);
  await change(service.address, SLIDES.specimen, [{ id: "a", revision: 0, content }]);
  await page.setViewportSize({ width: 900, height: 600 }); // every pixel is compared
  await openAnnotations(page, SLIDES.specimen, service.address);
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 1400, l0_y: 1100, scale: 0.5 }, true));
  await page.evaluate(() => window.__wavescope.idle());
  const pixels = await page.evaluate(() => {
    const { width, height } = document.querySelector<HTMLCanvasElement>(
      "[data-testid=viewer] .openseadragon-canvas canvas",
    )!;
    return { width, height, shown: [...window.__wavescope.readShown(0, 0, width, height).rgba] };
  });
  await page.keyboard.press("Control+Enter"); // to the picture
  await page.getByRole("button", { name: "Camera" }).click();
  const drawn = PNG.sync.read(await saved(page));
  expect([drawn.width, drawn.height]).toEqual([pixels.width, pixels.height + 44]);
  const differs = (data: Buffer): boolean => pixels.shown.some((value, i) => i % 4 !== 3 && data[i] !== value);
  expect(differs(drawn.data)).toBe(true); // by the annotation

  await page.getByRole("button", { name: "Camera" }).click();
  for (const name of ["Scale bar", "Name", "Magnification", "Annotations"]) await part(page, name).uncheck();
  const bare = PNG.sync.read(await saved(page));
  expect([bare.width, bare.height]).toEqual([pixels.width, pixels.height]);
  expect(differs(bare.data)).toBe(false);

  await page.reload();
  await slideIsOpen(page);
  await page.evaluate(() => window.__wavescope.idle());
  await page.getByRole("button", { name: "Camera" }).click();
  await expect(part(page, "Annotations")).not.toBeChecked();
  await dialog(page).getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: /^TIFF/ }).click();
  const file = await saved(page);
  const tags = tagsOf(file);
  expect([tags.get(256), tags.get(257), tags.get(277), tags.get(296)]).toEqual([pixels.width, pixels.height, 3, 3]);
  const mpp = await service.json<{ mpp: { x: number } }>(`/api/v1/slides/${SLIDES.specimen}`);
  expect(tags.get(282)).toBeCloseTo((10_000 * 0.5) / mpp.mpp.x, 1);
  const rgb = pixels.shown.filter((_, i) => i % 4 !== 3);
  expect(file.subarray(tags.get(273)).equals(Buffer.from(rgb))).toBe(true);
});

test("views, bookmarks and a count lie on a page as they are printed, and stay in the browser (PG72, PG73, PG74)", async ({
  page,
}) => {
  const { service } = own;
  await clear(service.address, SLIDES.specimen);
  await change(
    service.address,
    SLIDES.specimen,
    [400, 500, 600].map((x, i) => ({
      id: `m${i}`,
      revision: 0,
      content: { kind: "point", geometry: { type: "Point", coordinates: [x, 400] }, class: "Mitosis" },
    })),
  );
  await openSlide(page, SLIDES.specimen, service.address, "#x=1400&y=1100&scale=1");
  await page.getByRole("button", { name: "Camera" }).click();
  await dialog(page).getByRole("button", { name: "Add to page" }).click();
  await expect(page.getByText("Added to the page of views: 1 item")).toBeVisible();
  await page.getByTestId("panel-rail").getByRole("button", { name: "Bookmarks" }).click();
  for (const name of ["Gland", "Vessel"]) {
    await page.getByRole("textbox", { name: "Name of the new bookmark" }).fill(name);
    await page.keyboard.press("Enter");
  }
  const before = await page.evaluate(() => window.__wavescope.viewport.viewLink());
  await page.getByRole("button", { name: "Add all to the page of views" }).click();
  await expect(page.getByText("Added to the page of views: 3 items")).toBeVisible();
  const after = await page.evaluate(() => window.__wavescope.viewport.viewLink());
  expect([after.l0_x, after.l0_y, after.scale].map((value) => Math.round(value * 100))).toEqual(
    [before.l0_x, before.l0_y, before.scale].map((value) => Math.round(value * 100)),
  );
  await page.getByTestId("panel-rail").getByRole("button", { name: "Annotations" }).click();
  await page.getByTestId("side-panel").getByText("Counting", { exact: true }).click();
  await page.getByRole("combobox", { name: "Preset" }).selectOption("Ki-67 index");
  await page
    .getByRole("textbox", { name: "Add a class" })
    .or(page.getByRole("combobox", { name: "Add a class" }))
    .fill("Mitosis");
  await page.keyboard.press("Enter");
  await page.getByTestId("count-panel").getByRole("button", { name: "Add to page" }).click();
  await page.getByRole("button", { name: "Open page" }).last().click();

  const sheets = page.getByTestId("sheet");
  await expect(sheets).toHaveCount(1);
  await expect(sheets.getByRole("img")).toHaveCount(3);
  await expect(page.getByTestId("sheet-count").getByRole("row", { name: /^Mitosis/ })).toContainText("3");
  await page.getByRole("textbox", { name: "Title on the sheets" }).fill("Case 7");
  await page.getByRole("textbox", { name: "Caption of item 2" }).fill("A gland");
  await page.getByRole("button", { name: "Move item 2 up" }).press("Enter");
  await page.getByRole("combobox", { name: "Items per sheet" }).selectOption("2");
  await expect(sheets).toHaveCount(2);
  await page.reload();
  await expect(sheets).toHaveCount(2);
  await expect(sheets.first().locator("figcaption").first()).toHaveText("A gland");
  await expect(sheets.first()).toContainText("Case 7");
  await expectNothingSeriousInEither(page, "page of views");
  expect(await lookAt(page, "page-of-views")).toEqual([]);

  for (const [paper, direction, width, height] of [
    ["a4", "portrait", 595, 842],
    ["letter", "landscape", 792, 612],
  ] as const) {
    await page.getByRole("combobox", { name: "Paper" }).selectOption(paper);
    await page.getByRole("combobox", { name: "Direction" }).selectOption(direction);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const boxes = [...pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, w, h]) => [
      Math.round(Number(w)),
      Math.round(Number(h)),
    ]);
    expect(boxes, `${paper} ${direction}`).toEqual([
      [width, height],
      [width, height],
    ]);
  }
  const link = page.getByRole("link", { name: "Open the view of item 2" });
  expect(await link.getAttribute("href")).toContain(`/slides/${SLIDES.specimen}#x=1400&y=1100&scale=1`);
  await page.getByRole("button", { name: "Clear page" }).click();
  await expect(page.getByText("Nothing here yet")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(sheets).toHaveCount(2);
});

test("a link rebuilds a page of views: pictures, captions, table and layout, by keys, and it is undone (PG75)", async ({
  page,
  browser,
}) => {
  const { service } = own;
  await openSlide(page, SLIDES.specimen, service.address, "#x=1400&y=1100&scale=1");
  const add = async (count: number): Promise<void> => {
    await page.getByRole("button", { name: "Camera" }).click();
    await dialog(page).getByRole("button", { name: "Add to page" }).click();
    await expect(page.getByText(`Added to the page of views: ${count} item`).first()).toBeVisible();
  };
  await add(1);
  await openSlide(page, SLIDES.planes, service.address, "#x=700&y=500&scale=0.8&rotation=30&plane=5");
  await add(2);
  await page.getByRole("button", { name: "Open page" }).last().click();
  await page.getByRole("textbox", { name: "Title on the sheets" }).fill("Case 7");
  await page.getByRole("textbox", { name: "Caption of item 2" }).fill("A gland & more");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Link copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const pictures = (shown: Page) =>
    shown
      .getByTestId("sheet")
      .getByRole("img")
      .evaluateAll((all) =>
        Promise.all(
          all.map(async (one) => {
            const image = one as HTMLImageElement;
            await image.decode();
            const pen = Object.assign(document.createElement("canvas"), { width: 64, height: 64 }).getContext("2d")!;
            pen.drawImage(image, 0, 0, 64, 64);
            return {
              width: image.naturalWidth,
              height: image.naturalHeight,
              rgba: [...pen.getImageData(0, 0, 64, 64).data],
            };
          }),
        ),
      );
  const before = await pictures(page);

  const other = await (await browser.newContext({ viewport: { width: 820, height: 1180 } })).newPage();
  await other.goto(link);
  await expect(other.getByTestId("linked-page")).toContainText("The link has a page of 2 items");
  await expectNothingSeriousInEither(other, "the link of a page of views");
  await other.getByRole("button", { name: "Show this page" }).press("Enter");
  await expect(other.getByTestId("views-item")).toHaveCount(2, { timeout: 60_000 });
  await expect(other.getByTestId("linked-page")).toHaveCount(0);
  await expect(other.getByTestId("sheet").first()).toContainText("Case 7");
  await expect(other.locator("figcaption").nth(1)).toHaveText("A gland & more");
  const after = await pictures(other);
  expect(after.map(({ width, height }) => [width, height])).toEqual(before.map(({ width, height }) => [width, height]));
  for (const [i, { rgba }] of after.entries()) {
    const off = rgba.reduce((sum, value, at) => sum + Math.abs(value - before[i]!.rgba[at]!), 0) / rgba.length;
    expect(off).toBeLessThan(2);
  }
  await other.getByRole("button", { name: "Undo" }).click();
  await expect(other.getByTestId("views-item")).toHaveCount(0);

  await other.goto(link.replace(SLIDES.planes, "gone"));
  await other.reload();
  await other.getByRole("button", { name: "Show this page" }).click();
  await expect(other.getByText("1 item is not shown")).toBeVisible({ timeout: 60_000 });
  await expect(other.getByTestId("views-item")).toHaveCount(1);
  await other.context().close();
});

test("a region is exported with name, magnification and scale bar (WI145)", async ({ page }) => {
  await openSlide(page, SLIDES.specimen, own.service.address, "#x=1400&y=1100&scale=0.5");
  await page.getByRole("button", { name: "Camera" }).click();
  await dialog(page).getByText("Region", { exact: true }).click();
  for (const name of ["Scale bar", "Name", "Magnification"]) await part(page, name).check();
  const asked = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/exports?"));
  await dialog(page).getByRole("button", { name: "Export" }).click();
  const query = new URL((await asked).url()).searchParams;
  expect([query.get("name"), query.get("magnification"), query.get("scale_bar")]).toEqual(["true", "20×", "true"]);
  await storePicture(page, "test-results/export-region.png");
});

test("the camera fits every screen, and keys alone are enough (PG71)", async ({ page }) => {
  await openSlide(page, SLIDES.specimen);
  await page.keyboard.press("Shift+E");
  await expect(dialog(page).getByRole("radio", { name: "Region" })).toBeChecked();
  await dialog(page).getByRole("radio", { name: "Region" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(dialog(page).getByRole("radio", { name: "Receipt" })).toBeChecked();
  await page.keyboard.press("ArrowLeft");
  await expect(dialog(page).getByTestId("view-form")).toBeVisible();
  await expectNothingSeriousInEither(page, "camera");
  expect(await lookAt(page, "camera")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });

  test("the camera is tapped, and every control can be tapped (PG53)", async ({ page }) => {
    await openSlide(page, SLIDES.specimen);
    await page.getByRole("button", { name: "Camera" }).tap();
    await expect(dialog(page)).toBeVisible();
    expect(await smallTargets(page)).toEqual([]);
    await dialog(page).getByRole("button", { name: "Save", exact: true }).tap();
    await expect(page.getByText(/The view was saved as/)).toBeVisible();
  });
});
