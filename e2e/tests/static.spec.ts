// Exported slides on a plain web server, with no service at all (shared/spec/static.md).
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { Page } from "@playwright/test";
import { PNG } from "pngjs";
import { expectNothingSerious } from "../harness/axe.ts";
import { expect, test } from "../harness/test.ts";
import { addOverlay, overlaysSettled } from "../harness/overlaying.ts";
import { addRaster, heatAt } from "../harness/rastering.ts";
import { dropFile } from "../harness/exports.ts";
import { SLIDES } from "../harness/globalSetup.ts";
import {
  TILE,
  counters,
  expectExact,
  fidelity,
  idle,
  installHash,
  slideIsOpen,
  store,
  viewState,
} from "../harness/microscope.ts";
import { ROOT, Service, copyStore, realSlide, removeFolder, temporaryFolder, wavescope } from "../harness/service.ts";
import { installPackage } from "../harness/npmPackage.ts";
import { MINERVA_FILE } from "../harness/slides.ts";
import { makeReactPage } from "../harness/reactPage.ts";
import { HAS_NGINX, WebServer } from "../harness/webServer.ts";

type Package = typeof import("../../frontend/embed/index.d.ts");

test.skip(!HAS_NGINX, "nginx is not installed");

const SLIDE = SLIDES.specimen;
/** Its views are large: real tissue where this machine has it. */
const MEASURED = realSlide(MINERVA_FILE) ? SLIDES.minerva : SLIDES.large;
const PLANE = 1;
const LAYERS = [1, 2];

interface Level {
  readonly level: number;
  readonly tiles_x: number;
  readonly tiles_y: number;
}

interface ShownTile {
  readonly level: number;
  readonly x: number;
  readonly y: number;
  readonly layers: number;
}

/** Some tiles of every level, with each number of layers. */
function tilesOf(sizes: readonly Level[]): ShownTile[] {
  return sizes.flatMap(({ level, tiles_x, tiles_y }) =>
    [0, 0.5, 1].flatMap((part) =>
      LAYERS.map((layers) => ({
        level,
        x: Math.floor(part * (tiles_x - 1)),
        y: Math.floor(part * (tiles_y - 1)),
        layers,
      })),
    ),
  );
}

const REGION = {
  type: "Feature",
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [600, 450],
        [800, 450],
        [800, 600],
        [600, 600],
        [600, 450],
      ],
    ],
  },
  properties: { classification: { name: "tumour" }, measurements: { Probability: 0.75 } },
}; // prettier-ignore

let folder: string;
let web: WebServer;
let other: WebServer;
/** Servers of one test. */
let own: { stop(): Promise<void> }[] = [];

test.afterEach(async () => {
  await Promise.all(own.map((server) => server.stop()));
  own = [];
});

/** What the service showed before it was stopped: SHA-256 of RGB, and the RGBA of the tile in the middle of level 0. */
const served = new Map<ShownTile, string>();
let middle: { readonly x: number; readonly y: number; readonly rgba: Buffer };

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = temporaryFolder();
  const service = await Service.start(copyStore(store()));
  const annotation = { kind: "point", geometry: { type: "Point", coordinates: [700, 500] }, name: "exported" };
  const saved = await fetch(`${service.address}/api/v1/slides/${SLIDE}/annotations:batch`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: service.address },
    body: JSON.stringify({ changes: [{ id: "one", revision: 0, content: annotation }] }),
  });
  expect(saved.status).toBe(200);
  const { url, sizes } = await service.json<{ url: string; sizes: Level[] }>(`/api/v1/slides/${SLIDE}`);
  for (const tile of tilesOf(sizes)) {
    const { level, x, y, layers } = tile;
    const answer = await fetch(`${service.address}${url}/tiles/${PLANE}/${level}/${x}/${y}.png?layers=${layers}`);
    const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    served.set(tile, hashOf(data));
    const half = sizes[level]!;
    const central = x === Math.floor((half.tiles_x - 1) / 2) && y === Math.floor((half.tiles_y - 1) / 2);
    if (level === 0 && central && layers === LAYERS.at(-1)) middle = { x, y, rgba: data };
  }
  await service.stop();
  addOverlay(service, SLIDE, "Regions", JSON.stringify([REGION]));
  addRaster(service, SLIDES.lossless, "Heat", ["heat", 600, 400], ["--score", "Probability", "--transform", "2"]);
  wavescope(service.store, ["export", SLIDE, join(folder, "slide"), "--annotations", "--overlays"]);
  wavescope(service.store, ["export", SLIDE, join(folder, "slide.wsz"), "--overlays"]);
  wavescope(service.store, ["export", MEASURED, join(folder, "measured"), "--page"]);
  wavescope(service.store, ["export", SLIDES.lossless, join(folder, "raster"), "--page", "--overlays"]);
  removeFolder(dirname(service.store));
  for (const [name, target] of [
    ["frontend/dist/exported", "page"],
    ...["openseadragon", "openseadragon-5", "openseadragon-4"].map(
      (version) => [`e2e/node_modules/${version}/build/openseadragon/openseadragon.js`, `${version}.js`] as const,
    ),
  ] as const)
    cpSync(join(ROOT, name), join(folder, target), { recursive: true });
  const installed = installPackage(join(folder, "project"));
  cpSync(installed.folder, join(folder, "package"), { recursive: true });
  web = await WebServer.start(folder);
  other = await WebServer.start(folder, { shared: true });
});

test.beforeEach(({ page }) => page.addInitScript(installHash));

test.afterAll(async () => {
  await web.stop();
  await other.stop();
  removeFolder(folder);
});

const hashOf = (rgba: Uint8Array): string =>
  createHash("sha256")
    .update(rgba.filter((_, i) => i % 4 !== 3))
    .digest("hex");

/** Hashes of what the page's worker decodes, and of what is drawn at 1:1. */
const pixelsOf = (page: Page, tile: ShownTile): Promise<string[]> =>
  page.evaluate(
    async ({ level, x, y, layers, plane, side }) => {
      const { decodePixels, limitLayers, viewport, idle, readCanvas } = window.__wavescope;
      const { rgba, width, height } = await decodePixels({ z: plane, level, x, y }, layers);
      limitLayers(layers);
      viewport.setPlane(plane);
      const { ln_x, ln_y } = await viewport.goTo(side * x * 2 ** level, side * y * 2 ** level, level);
      await idle();
      const shown = readCanvas(side * x - ln_x, side * y - ln_y, width, height);
      return Promise.all([window.hashOfRgb(rgba), window.hashOfRgb(shown.rgba)]);
    },
    { ...tile, plane: PLANE, side: TILE },
  );

async function expectPixels(page: Page, tiles = [...served.keys()]): Promise<void> {
  for (const tile of tiles) {
    const expected = served.get(tile)!;
    expect(await pixelsOf(page, tile), JSON.stringify(tile)).toEqual([expected, expected]);
  }
  await page.evaluate(() => window.__wavescope.limitLayers(null));
}

/** A few tiles: all of them are compared where the folder is opened. */
const someTiles = (): ShownTile[] => [...served.keys()].filter((_, i) => i % 7 === 3);

test("a folder is opened, zoomed, and shows bit for bit what the service shows; nothing but the web server is asked (SH5, SH9)", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const failed: string[] = [];
  page.on("response", (response) => response.status() >= 400 && failed.push(response.url()));
  await page.goto(`${web.address}/slide/`);
  await slideIsOpen(page);
  await expectExact(page);
  const before = await viewState(page);
  await page.getByTestId("viewer").press("+");
  await idle(page);
  expect((await viewState(page)).scale).toBeGreaterThan(before.scale);
  expect(await fidelity(page)).toBe("exact");
  await expectPixels(page);
  expect(failed).toEqual([]);
  const strange = asked.filter((url) => !url.startsWith(`${web.address}/slide/`) && !/^(blob|data):/.test(url));
  expect(strange).toEqual([]);
});

test("annotations of the export are shown, and cannot be changed; what needs the service is absent (SH9)", async ({
  page,
}) => {
  await page.goto(`${web.address}/slide/`);
  await slideIsOpen(page);
  await page.getByTestId("panel-rail").getByRole("button", { name: "Annotations" }).click();
  await expect(page.getByTestId("annotation-count")).toContainText("1");
  const { save } = await page.evaluate(() => window.__wavescope.annotations.state());
  expect(save).toBe("saved");
  const rail = page.getByTestId("panel-rail").getByRole("button");
  await expect(rail).toHaveCount(5);
  for (const name of [/share/i, /live session/i, /compare/i, /sign in/i])
    await expect(page.getByRole("button", { name })).toHaveCount(0);
  await page.getByTestId("annotation-list").getByRole("option").click();
  await expect(page.getByTestId("side-panel").getByRole("button", { name: /delete/i })).toHaveCount(0);
});

for (const [kind, address] of [
  ["a folder", "/slide/"],
  ["a file", "/page/?file=../slide.wsz"],
] as const)
  test(`overlays of the export are shown from ${kind}, and the pointer tells what they are (SH34)`, async ({
    page,
  }) => {
    await page.goto(`${web.address}${address}`);
    await slideIsOpen(page);
    await page.getByTestId("panel-rail").getByRole("button", { name: "Overlays" }).click();
    const card = page.getByTestId("overlay");
    await expect(card).toContainText("1 object");
    await overlaysSettled(page);
    await expect(card.getByTestId("overlay-class")).toContainText("tumour");
    await expect(card.getByRole("button", { name: /delete/i })).toHaveCount(0);
    await expect(card.getByRole("link")).toHaveCount(0);
    await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 700, l0_y: 525, scale: 1 }, true));
    await idle(page);
    await overlaysSettled(page);
    const at = await page.evaluate(() => window.__wavescope.overlays!.inViewer(700, 525));
    await page.getByTestId("viewer").hover({ position: at });
    await expect(page.getByTestId("overlay-pointed")).toContainText("tumour");
    await expect(page.getByTestId("overlay-pointed")).toContainText("Probability 0.75");
  });

test("a raster of the export is shown, and the pointer tells its value (SH34, OV72)", async ({ page }) => {
  await page.goto(`${web.address}/raster/`);
  await slideIsOpen(page);
  await page.getByTestId("panel-rail").getByRole("button", { name: "Overlays" }).click();
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 601, l0_y: 401, scale: 4 }, true));
  await idle(page);
  await overlaysSettled(page);
  await expect(page.getByTestId("overlay")).toContainText("600 × 400 pixels");
  const at = await page.evaluate(() => window.__wavescope.overlays!.inViewer(601, 401));
  await page.getByTestId("viewer").hover({ position: at });
  await expect(page.getByTestId("overlay-pointed")).toHaveText(
    `Probability ${Number(heatAt(300, 200)!.toPrecision(4))}`,
  );
});

test("axe finds nothing serious on a slide, on the page without one, and where none can be opened (SH9)", async ({
  page,
}) => {
  await page.goto(`${web.address}/slide/`);
  await slideIsOpen(page);
  await page.getByTestId("panel-rail").getByRole("button", { name: "Annotations" }).click();
  await expect(page.getByTestId("annotation-count")).toContainText("1");
  await expectNothingSerious(page, "a slide with its annotations");
  await page.goto(`${web.address}/page/`);
  await expect(page.getByTestId("exported-start")).toBeVisible();
  await expectNothingSerious(page, "the page without a slide");
  await page.goto(`${web.address}/page/?file=nothing.wsz`);
  await expect(page.getByTestId("exported-failure")).toBeVisible();
  await expectNothingSerious(page, "a slide that cannot be opened");
});

test("one file is opened by its address, also from another site (SH7, SH10)", async ({ page }) => {
  for (const file of ["../slide.wsz", `${other.address}/slide.wsz`]) {
    await page.goto(`${web.address}/page/?file=${encodeURIComponent(file)}`);
    await slideIsOpen(page);
    await expectExact(page);
    await expectPixels(page, someTiles());
  }
});

test("one file is opened from the disk by drag and drop, with no server at all (SH7)", async ({ page }) => {
  const server = await WebServer.start(folder);
  own.push(server);
  await page.goto(`${server.address}/page/`, { waitUntil: "networkidle" });
  await expect(page.getByTestId("exported-start")).toBeVisible();
  await server.stop();
  await dropFile(page, join(folder, "slide.wsz"));
  await slideIsOpen(page);
  await expectExact(page);
  await expectPixels(page, someTiles());
});

test("a second file that is dropped opens as a whole, not at the place of the first (SH7)", async ({ page }) => {
  await page.goto(`${web.address}/page/`);
  await expect(page.getByTestId("exported-start")).toBeVisible();
  await dropFile(page, join(folder, "slide.wsz"));
  await slideIsOpen(page);
  const whole = await viewState(page);
  await page.evaluate(() => window.__wavescope.viewport.show({ l0_x: 1400, l0_y: 1100, scale: 1, plane: 0 }, true));
  await page.waitForURL(/#x=1400&y=1100&scale=1/);
  await dropFile(page, join(folder, "slide.wsz"));
  await page.waitForFunction(() => window.__wavescope.page !== "slide" || !location.hash.includes("x=1400"));
  await slideIsOpen(page);
  const { l0_width, plane } = await viewState(page);
  expect(l0_width / whole.l0_width).toBeCloseTo(1, 2);
  expect(plane).toBe(whole.plane);
});

test("what cannot be opened is said: no file, half a file, a server without ranges (SH8)", async ({ page }) => {
  const plain = await WebServer.start(folder, { ranges: false });
  own.push(plain);
  const whole = readFileSync(join(folder, "slide.wsz"));
  writeFileSync(join(folder, "half.wsz"), whole.subarray(0, whole.length / 2));
  const failure = page.getByTestId("exported-failure");
  for (const [address, reason] of [
    [`${web.address}/page/?file=nothing.wsz`, /not an exported slide/],
    [`${web.address}/page/?file=../half.wsz`, /not an exported slide/],
    [`${plain.address}/page/?file=../slide.wsz`, /range requests/],
    [`${plain.address}/slide/`, /range requests/],
    [`${web.address}/page/?file=${encodeURIComponent(`${plain.address}/slide.wsz`)}`, /does not allow/],
  ] as const) {
    await page.goto(address);
    await expect(failure, address).toContainText(reason);
  }
});

/** A page without any framework, beside the package and the slide. */
async function openBare(page: Page, name: string, body: string): Promise<void> {
  writeFileSync(join(folder, name), `<!doctype html><body style="margin:0">${body}`);
  await page.goto(`${web.address}/${name}`);
}

test("the package's slide gives the service's pixels in a bare page, from a folder and from a file (SH20)", async ({
  page,
}) => {
  await openBare(page, "bare.html", "");
  for (const src of ["/slide/", "/slide.wsz"]) {
    const tiles = someTiles();
    const hashes = await page.evaluate(
      async ([src, tiles, plane]) => {
        const { openSlide } = (await import(new URL("/package/index.js", location.href).href)) as Package;
        const slide = await openSlide(src);
        const found: string[] = [];
        for (const { layers, ...tile } of tiles)
          found.push(await window.hashOfRgb((await slide.tile({ ...tile, plane }, layers)).rgba));
        const outside = await slide.tile({ level: 0, x: -1, y: 0 }).catch((error: unknown) => (error as Error).name);
        slide.close();
        return [...found, outside];
      },
      [src, tiles, PLANE] as const,
    );
    expect(hashes, src).toEqual([...tiles.map((tile) => served.get(tile)), "RangeError"]);
  }
});

/** Of each version of OpenSeadragon: what makes it draw with each of its drawers. */
const DRAWERS = [
  ["openseadragon-4", "canvas", { useCanvas: true }],
  ["openseadragon-4", "html", { useCanvas: false }],
  ...["openseadragon-5", "openseadragon"].flatMap((version) =>
    (["canvas", "webgl", "html"] as const).map((drawer) => [version, drawer, { drawer }] as const),
  ),
] as const;

for (const [version, drawer, options] of DRAWERS)
  test(`the package's tile source works in a page's own ${version} with its drawer ${drawer} (SH21)`, async ({
    page,
  }) => {
    await openBare(
      page,
      "osd.html",
      `<div id="viewer" style="width:800px;height:600px;background:black"></div><script src="/${version}.js"></script>`,
    );
    const pictured = await page.evaluate(
      async ([tile, plane, options]) => {
        const { openSlide, tileSourceOf } = (await import(new URL("/package/index.js", location.href).href)) as Package;
        const slide = await openSlide("/slide/");
        const { OpenSeadragon } = window as unknown as { OpenSeadragon: typeof import("openseadragon") };
        const shown = { showNavigationControl: false, immediateRender: true, maxZoomPixelRatio: 4, ...options };
        const tileSources = [tileSourceOf(OpenSeadragon, slide, plane)];
        const viewer = OpenSeadragon({ id: "viewer", tileSources, ...shown });
        const failed = new Promise<never>((_, reject) => {
          viewer.addHandler("open-failed", ({ message }) => reject(new Error(message)));
          viewer.addHandler("tile-load-failed", ({ message }) => reject(new Error(message)));
        });
        const opened = new Promise<void>((resolve) => viewer.addHandler("open", () => resolve()));
        await Promise.race([opened, failed]);
        const item = viewer.world.getItemAt(0);
        viewer.viewport.zoomTo(viewer.viewport.imageToViewportZoom(1), undefined, true);
        viewer.viewport.panTo(item.imageToViewportCoordinates(256 * tile.x + 128, 256 * tile.y + 128), true);
        const drawn = new Promise<void>((resolve) => {
          const look = (): void => {
            if (item.getFullyLoaded()) resolve();
          };
          viewer.addHandler("animation-finish", look);
          item.addHandler("fully-loaded-change", look);
        });
        await Promise.race([drawn, failed]);
        const corner = viewer.viewport.pixelFromPoint(
          item.imageToViewportCoordinates(256 * tile.x, 256 * tile.y),
          true,
        );
        return { x: Math.round(corner.x), y: Math.round(corner.y), major: OpenSeadragon.version.major };
      },
      [{ x: middle.x, y: middle.y }, PLANE, options] as const,
    );
    expect(pictured.major).toBe(Number(version.split("-")[1] ?? 6));
    const clip = { x: pictured.x, y: pictured.y, width: 256, height: 256 };
    const difference = async (): Promise<number> => {
      const { data } = PNG.sync.read(await page.screenshot({ clip }));
      return data.reduce((sum, value, at) => sum + Math.abs(value - middle.rgba[at]!), 0) / data.length;
    };
    await expect.poll(difference).toBeLessThan(2); // a drawer may resample by a hair
  });

test("the custom element shows a slide and reports its view; a frame speaks with its parent (SH22, SH23)", async ({
  page,
}) => {
  await openBare(page, "element.html", "");
  const reported = await page.evaluate(async () => {
    const { defineViewer } = (await import(new URL("/package/index.js", location.href).href)) as Package;
    defineViewer();
    const viewer = document.createElement("wavescope-viewer");
    viewer.style.cssText = "width:800px;height:600px";
    const next = (name: string) =>
      new Promise<CustomEvent<object>>((resolve) =>
        viewer.addEventListener(name, (event) => resolve(event as CustomEvent<object>), { once: true }),
      );
    const ready = next("ready");
    viewer.setAttribute("src", "/slide.wsz");
    document.body.append(viewer);
    const { detail } = await ready;
    viewer.show({ l0_x: 500, l0_y: 400, scale: 1 }, true);
    const view = viewer.view!;
    const failure = next("failure");
    viewer.setAttribute("src", "/nothing.wsz");
    const { detail: error } = await failure;
    viewer.remove();
    return {
      detail,
      x: Math.round(view.l0_x),
      scale: view.scale,
      error: (error as Error).name,
      left: viewer.childElementCount,
    };
  });
  expect(reported).toMatchObject({
    detail: { id: SLIDE, planes: 3 },
    x: 500,
    scale: 1,
    left: 0,
    error: "CorruptError",
  });

  await openBare(page, "frame.html", "");
  const view = await page.evaluate(async () => {
    const frame = Object.assign(document.createElement("iframe"), { src: "/slide/", width: "800", height: "600" });
    const message = (type: string, accept: (data: { view: { l0_x: number } }) => boolean = () => true) =>
      new Promise<{ view: { l0_x: number } }>((resolve) =>
        addEventListener("message", ({ data }: MessageEvent<{ type?: string; view: { l0_x: number } } | null>) => {
          if (data?.type === type && accept(data)) resolve(data);
        }),
      );
    const ready = message("wavescope:ready");
    document.body.append(frame);
    await ready;
    const moved = message("wavescope:view", ({ view }) => Math.round(view.l0_x) === 700);
    frame.contentWindow!.postMessage({ type: "wavescope:show", view: { l0_x: 700, l0_y: 600, scale: 0.7 } }, "*");
    return (await moved).view;
  });
  expect(view).toMatchObject({ scale: 0.7 });
});

test("a page speaks with the frame of an export on another site as the tutorial shows it (SH23)", async ({ page }) => {
  const tutorial = readFileSync(join(ROOT, "shared/tutorials/static-hosting.md"), "utf8");
  const [, code] = /^```html\n(.*?)^```$/ms.exec(tutorial)!;
  await openBare(page, "tutorial.html", code!.replace("https://slides.example/liver/", `${other.address}/slide/`));
  await expect(page).toHaveTitle(/specimen/);
  await page.getByRole("button", { name: "Show the area" }).click();
  await expect(page.locator("output")).toHaveText("700, 600");
});

test("the custom element works in a page of React that a bundler made (SH22)", async ({ page }) => {
  await makeReactPage(join(folder, "project"), join(folder, "react"));
  await page.goto(`${web.address}/react/?src=/slide/`);
  await expect(page.getByText(`ready: ${SLIDE}`)).toBeVisible();
  await expect(page.locator("wavescope-viewer canvas").first()).toBeVisible();
  await page.getByRole("button").click(); // React removes the element
  await expect(page.locator("wavescope-viewer")).toHaveCount(0);
});

test("the package's slide of a service on another site gives its pixels (SH20)", async ({ page }) => {
  const service = await Service.start(copyStore(store()), { env: { WAVESCOPE_CORS_ORIGINS: web.address } });
  own.push({ stop: () => service.stop().then(() => removeFolder(dirname(service.store))) });
  await openBare(page, "remote.html", "");
  const tiles = someTiles();
  const hashes = await page.evaluate(
    async ([src, tiles, plane]) => {
      const { openSlide } = (await import(new URL("/package/index.js", location.href).href)) as Package;
      const slide = await openSlide(src);
      const found: string[] = [];
      for (const { layers, ...tile } of tiles)
        found.push(await window.hashOfRgb((await slide.tile({ ...tile, plane }, layers)).rgba));
      return found;
    },
    [`${service.address}/slides/${SLIDE}`, tiles, PLANE] as const,
  );
  await page.goto(`${service.address}/exported/index.html`);
  await expect(page.getByTestId("exported-start")).toBeVisible(); // the service has the page, for files of the disk (SH9)
  expect(hashes).toEqual(tiles.map((tile) => served.get(tile)));
});

/** Bytes of all layers of a block, by the index of its shard (ST10), which the page does not read; 0: it is empty. */
function blockBytes(root: string, key: string): number {
  const [z, , level, x, y] = key.split("/").map(Number) as [number, number, number, number, number];
  const shard = readFileSync(join(root, `levels/${level}/c.${z}.0.0.${y >> 4}.${x >> 4}`));
  const entry = shard.length - 4100 + 16 * (16 * (y & 15) + (x & 15));
  return shard.readBigUInt64LE(entry) === 2n ** 64n - 1n ? 0 : Number(shard.readBigUInt64LE(entry + 8));
}

test("a view of 1920 x 1080 reads at most a quarter more than it needs (SH6)", async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  const read: { path: string; bytes: number }[] = [];
  page.on("response", (response) => {
    if (response.status() !== 206) return;
    read.push({ path: new URL(response.url()).pathname, bytes: Number(response.headers()["content-length"]) });
  });
  await page.goto(`${web.address}/measured/#x=6000&y=5000&scale=1`);
  await slideIsOpen(page);
  await expectExact(page);
  const { log } = await counters(page);
  const blocks = new Set(log.flatMap((line) => /^block (\S+)/.exec(line)?.[1] ?? []));
  const root = join(folder, "measured");
  const needed = [...blocks].reduce((sum, key) => sum + blockBytes(root, key), 0);
  const ofLevels = read.filter(({ path }) => path.includes("/levels/")).reduce((sum, { bytes }) => sum + bytes, 0);
  const all = read.reduce((sum, { bytes }) => sum + bytes, 0);
  console.log(
    `${blocks.size} blocks in ${read.length} reads: ${needed} bytes needed, ${ofLevels} of shards and ${all} in all read: ` +
      `${((100 * (all - needed)) / needed).toFixed(1)} % over-read`,
  );
  expect(needed).toBeGreaterThan(100_000);
  expect(all).toBeLessThanOrEqual(1.25 * needed);
});
