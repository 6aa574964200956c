// Viewers of other people open a slide by its address, each on a page of its own: Mirador, OpenSeadragon, Leaflet, OpenLayers,
// and dicom-microscopy-viewer, with which Slim draws.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { PNG } from "pngjs";
import { SLIDES } from "../harness/globalSetup.ts";
import { address } from "../harness/microscope.ts";
import { expect, test } from "../harness/test.ts";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const slide = (id: string): string => `${address()}/api/v1/slides/${id}`;

/** A page at the service's own address, which loads files of packages and then runs a script. */
async function openPage(page: Page, files: readonly string[], script: string): Promise<void> {
  const at = `${address()}/other-software/`;
  await page.route(`${at}**`, (route) => {
    const name = decodeURIComponent(route.request().url().slice(at.length));
    if (name !== "") return route.fulfill({ path: `${MODULES}/${name}` });
    const tags = files.map((file) =>
      file.endsWith(".css") ? `<link rel="stylesheet" href="${file}">` : `<script src="${file}"></script>`,
    );
    const style = "<style>html, body, #viewer { height: 100%; margin: 0; background: white }</style>";
    const body = `<!doctype html><meta charset="utf-8"><title>-</title>${style}${tags.join("")}<div id="viewer"></div>`;
    return route.fulfill({ contentType: "text/html", body: `${body}<script>${script}</script>` });
  });
  await page.goto(at);
}

/** Whether the middle of the page shows tissue: pixels of many colours. */
async function showsTissue(page: Page): Promise<boolean> {
  const { data } = PNG.sync.read(await page.screenshot({ clip: { x: 540, y: 260, width: 200, height: 200 } }));
  const colours = new Set<number>();
  for (let at = 0; at < data.length; at += 4) colours.add(data.readUIntBE(at, 3));
  return colours.size > 200;
}

test("Mirador opens a manifest and draws tiles of the slide (IF2, IF7, IF10)", async ({ page }) => {
  const tiles: string[] = [];
  page.on("response", (answer) => {
    if (
      /\/v\/\w+\/iiif\/3\/(planes\/\d+\/)?\d+,\d+,\d+,\d+\/\d+,\d+\/0\/default\.jpg$/.test(answer.url()) &&
      answer.ok()
    )
      tiles.push(answer.url());
  });
  const windows = JSON.stringify([{ manifestId: `${slide(SLIDES.specimen)}/iiif/manifest` }]);
  await openPage(page, ["mirador/dist/mirador.min.js"], `Mirador.viewer({ id: "viewer", windows: ${windows} });`);
  const { title } = (await (await fetch(slide(SLIDES.specimen))).json()) as { title: string };
  await expect(page.getByRole("heading", { name: title })).toBeVisible();
  await expect.poll(() => tiles.length).toBeGreaterThan(0);
  await expect.poll(() => showsTissue(page)).toBe(true);
});

test("Mirador shows the focal planes of a slide as a choice (IF14, IF15)", async ({ page }) => {
  const shown = new Set<string>();
  page.on("response", (answer) => {
    const plane = /\/iiif\/3\/planes\/(\d+)\/\d+,\d+,\d+,\d+\/\d+,\d+\/0\/default\.jpg$/.exec(answer.url())?.[1];
    if (plane !== undefined && answer.ok()) shown.add(plane);
  });
  const windows = [{ manifestId: `${slide(SLIDES.planes)}/iiif/manifest` }];
  const panels = { defaultSideBarPanel: "layers", sideBarOpen: true, panels: { layers: true } };
  const options = JSON.stringify({ id: "viewer", windows, window: panels });
  await openPage(page, ["mirador/dist/mirador.min.js"], `Mirador.viewer(${options});`);
  const layers = page.getByRole("listitem").filter({ hasText: /Focal plane \d of 7/ });
  await expect(layers).toHaveCount(7);
  await expect.poll(() => [...shown]).toEqual(["3"]); // the middle one first
  await layers.filter({ hasText: "Focal plane 7 of 7" }).getByRole("button", { name: "Show layer" }).click();
  await expect.poll(() => [...shown]).toEqual(["3", "6"]);
  await expect.poll(() => showsTissue(page)).toBe(true);
});

test("Mirador draws the shapes of annotations (IF12, AN18)", async ({ page }) => {
  const square = [
    [400, 300],
    [1100, 300],
    [1100, 900],
    [400, 300],
  ]; // prettier-ignore
  const box = [
    [1200, 300],
    [1800, 300],
    [1800, 900],
    [1200, 900],
    [1200, 300],
  ]; // prettier-ignore
  const shapes = {
    polygon: { kind: "polygon", geometry: { type: "Polygon", coordinates: [square] } },
    ellipse: { kind: "ellipse", geometry: { type: "Polygon", coordinates: [box] } },
    line: {
      kind: "line",
      geometry: {
        type: "LineString",
        coordinates: [
          [400, 1200],
          [1800, 1500],
        ],
      },
    }, // prettier-ignore
    point: { kind: "point", geometry: { type: "Point", coordinates: [2000, 1200] } },
  };
  const at = `${slide(SLIDES.specimen)}/annotations`;
  const headers = { "Content-Type": "application/json", Origin: address(), "If-None-Match": "*" };
  for (const [id, content] of Object.entries(shapes)) {
    const body = JSON.stringify({ ...content, name: id, class: "Tumour" });
    expect((await fetch(`${at}/mirador-${id}`, { method: "PUT", headers, body })).status).toBe(201);
  }
  try {
    await page.addInitScript(() => {
      const drawn: string[] = ((window as unknown as { drawn: string[] }).drawn = []);
      const known = new Map<Path2D, string>();
      const Real = window.Path2D;
      window.Path2D = class extends Real {
        constructor(path?: string | Path2D) {
          super(path);
          if (typeof path === "string") known.set(this, path);
        }
      };
      const context = CanvasRenderingContext2D.prototype as unknown as { stroke: (path?: Path2D) => void };
      const { stroke } = context;
      context.stroke = function (this: CanvasRenderingContext2D, path) {
        const text = path && known.get(path);
        if (text && this.globalAlpha > 0) drawn.push(text);
        return path ? stroke.call(this, path) : stroke.call(this);
      };
    });
    const windows = [{ manifestId: `${slide(SLIDES.specimen)}/iiif/manifest` }];
    const shown = { highlightAllAnnotations: true, sideBarOpen: true, defaultSideBarPanel: "annotations" };
    const options = JSON.stringify({ id: "viewer", windows, window: shown });
    await openPage(page, ["mirador/dist/mirador.min.js"], `Mirador.viewer(${options});`);
    for (const start of ["M 400,300 1100,300", "M 1200.0,600.0 A 300.0,300.0", "M 400,1200 1800,1500", "M 2000,1200 h"])
      await expect
        .poll(() => page.evaluate(() => (window as unknown as { drawn: string[] }).drawn), start)
        .toContainEqual(expect.stringContaining(start));
  } finally {
    for (const id of Object.keys(shapes))
      await fetch(`${at}/mirador-${id}`, { method: "DELETE", headers: { Origin: address(), "If-Match": '"r1"' } });
  }
});

const SEADRAGON = "openseadragon/build/openseadragon/openseadragon.min.js";

for (const [name, source, path] of [
  ["Deep Zoom (DZ1, DZ2)", "DziTileSource", "deepzoom/0/jpg.dzi"],
  ["Deep Zoom with overlap (DZ1, DZ2)", "DziTileSource", "deepzoom/1/png.dzi"],
  ["the IIIF Image API 3 (IF1, IF2)", "IIIFTileSource", "iiif/3/info.json"],
  ["the IIIF Image API 2 (IF1, IF2)", "IIIFTileSource", "iiif/2/info.json"],
] as const)
  test(`OpenSeadragon opens a slide by ${name}`, async ({ page }) => {
    await openPage(
      page,
      [SEADRAGON],
      `const viewer = OpenSeadragon({ id: "viewer", tileSources: "${slide(SLIDES.specimen)}/${path}", showNavigationControl: false });
       viewer.addHandler("open", () => { document.title = viewer.world.getItemAt(0).source instanceof OpenSeadragon.${source} ? "open" : "other"; });`,
    );
    await expect(page).toHaveTitle("open");
    await expect.poll(() => showsTissue(page)).toBe(true);
  });

/** A script that runs the lines of the specification which begin with a word. */
function specifiedLines(word: string): string {
  const text = readFileSync(new URL("../../shared/spec/deep-zoom.md", import.meta.url), "utf8");
  const lines = new RegExp(`\`\`\`js\n(const ${word}[\\s\\S]*?)\`\`\``).exec(text)![1]!.replace('"map"', '"viewer"');
  return `(async () => { const manifest = await (await fetch("${slide(SLIDES.specimen)}")).json(); const S = manifest.url; ${lines} })();`;
}

test("Leaflet shows a slide by the lines of the specification (DZ5)", async ({ page }) => {
  await openPage(page, ["leaflet/dist/leaflet.css", "leaflet/dist/leaflet.js"], specifiedLines("scale"));
  await expect(page.locator(".leaflet-tile-loaded").first()).toBeVisible();
  await expect.poll(() => showsTissue(page)).toBe(true);
});

const LAYERS = ["ol/ol.css", "ol/dist/ol.js"];

test("OpenLayers shows a slide by the lines of the specification (DZ5)", async ({ page }) => {
  await openPage(page, LAYERS, specifiedLines("extent"));
  await expect.poll(() => showsTissue(page)).toBe(true);
});

for (const api of ["3", "2"])
  test(`OpenLayers shows a slide by the IIIF Image API ${api} (IF1, IF2)`, async ({ page }) => {
    const tiles: string[] = [];
    page.on("response", (answer) => {
      if (/\/iiif\/\d\/[^/]+\/[^/]+\/0\/default\.jpg$/.test(answer.url()) && answer.ok()) tiles.push(answer.url());
    });
    const script = `(async () => {
      const info = await (await fetch("${slide(SLIDES.specimen)}/iiif/${api}/info.json")).json();
      const source = new ol.source.IIIF(new ol.format.IIIFInfo(info).getTileSourceOptions());
      const view = new ol.View({ resolutions: source.getTileGrid().getResolutions(), extent: source.getTileGrid().getExtent() });
      const map = new ol.Map({ target: "viewer", layers: [new ol.layer.Tile({ source })], view });
      map.getView().fit(source.getTileGrid().getExtent());
    })();`;
    await openPage(page, LAYERS, script);
    await expect.poll(() => showsTissue(page)).toBe(true);
    expect(tiles.length).toBeGreaterThan(0);
  });

test("dicom-microscopy-viewer, which Slim is made of, draws frames and the overview of a slide (DW1, DW4, DW10)", async ({
  page,
}) => {
  const frames = new Set<string>();
  page.on("response", (answer) => {
    const syntax = /transfer-syntax=([\d.]+)/.exec(answer.headers()["content-type"] ?? "")?.[1] ?? "";
    if (/\/frames\/\d+$/.test(answer.url()) && answer.ok()) frames.add(syntax);
  });
  const folder = "dicom-microscopy-viewer/dist/dynamic-import/";
  const files = ["dicomweb-client/build/dicomweb-client.js", `${folder}dicomMicroscopyViewer.min.js`];
  const script = `window.PUBLIC_LIB_URL = "/other-software/${folder}"; (async () => {
    const client = new DICOMwebClient.api.DICOMwebClient({ url: "${address()}/api/v1/dicomweb" });
    const queryParams = { ContainerIdentifier: "${SLIDES.specimen}", InstanceNumber: 1 };
    const [found] = await client.searchForInstances({ queryParams });
    const [studyInstanceUID, seriesInstanceUID] = ["0020000D", "0020000E"].map((tag) => found[tag].Value[0]);
    const documents = await client.retrieveSeriesMetadata({ studyInstanceUID, seriesInstanceUID });
    const { metadata, viewer } = dicomMicroscopyViewer;
    const images = documents.map((one) => new metadata.VLWholeSlideMicroscopyImage({ metadata: one }));
    const shown = new viewer.VolumeImageViewer({ client, metadata: images, controls: [] });
    shown.render({ container: "viewer" });
    document.title = String(shown.getAllOpticalPaths().length);
  })();`;
  await openPage(page, files, script);
  await expect(page).toHaveTitle("1");
  await expect.poll(() => [...frames]).toEqual(["1.2.840.10008.1.2.4.50"]);
  await expect.poll(() => showsTissue(page)).toBe(true);
});

test("the information panel has the addresses for other software (IF10)", async ({ page }) => {
  await page.goto(`${address()}/slides/${SLIDES.specimen}`);
  await page.getByRole("button", { name: "Slide information" }).click();
  const manifest = page.getByTestId("addresses").getByLabel("IIIF manifest (Mirador)", { exact: true });
  expect((await fetch(await manifest.inputValue())).status).toBe(200);
});
