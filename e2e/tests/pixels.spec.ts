// The one promise: what is drawn at 1:1, what the worker makes, what the service's PNG holds, and what a slow decoder that shares
// no code with the kernel makes, is the same picture bit for bit: on every level, with every number of layers, in any order.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "../harness/test.ts";
import { PNG } from "pngjs";
import { REGION_FILE, SLIDES } from "../harness/globalSetup.ts";
import { TILE, type Tile, address, needs, openSlide } from "../harness/microscope.ts";
import { SHARE, sampled, shuffled } from "../harness/sampled.ts";
import { PYTHON, ROOT, realSlide } from "../harness/service.ts";

/** Room for one whole tile: a larger window would draw its neighbours, too, for every tile and every number of layers. */
const WINDOW = { width: 1024, height: 768 };
const BUSY = 0.05; // a tile counts as busy with more than this share of nonzero coefficients

interface Size {
  readonly level: number;
  readonly width: number;
  readonly height: number;
  readonly tiles_x: number;
  readonly tiles_y: number;
}

interface Manifest {
  readonly url: string;
  readonly layers: number;
  readonly sizes: readonly Size[];
}

interface Expected extends Omit<Tile, "z"> {
  readonly layers: number;
  readonly nonzero: number;
  readonly sha256: string;
}

const manifestOf = async (slide: string): Promise<Manifest> =>
  (await fetch(`${address()}/api/v1/slides/${slide}`)).json() as Promise<Manifest>;

const nameOf = ({ level, x, y }: Omit<Tile, "z">, layers: number): string => `${level}/${x}/${y} K=${layers}`;

/** Every tile of every level, with its valid size and whether it lies at the right or lower border. */
function allTiles({ sizes }: Manifest) {
  return sizes.flatMap(({ level, width, height, tiles_x, tiles_y }) =>
    Array.from({ length: tiles_x * tiles_y }, (_, i) => {
      const [x, y] = [i % tiles_x, Math.floor(i / tiles_x)];
      const valid = { width: Math.min(TILE, width - TILE * x), height: Math.min(TILE, height - TILE * y) };
      return { level, x, y, ...valid, border: x === tiles_x - 1 || y === tiles_y - 1 };
    }),
  );
}

type Placed = ReturnType<typeof allTiles>[number];

/** The slow decoder's hashes. */
async function slowly(slide: string, plane: number, tiles: Placed[]): Promise<Expected[]> {
  const list = JSON.stringify(tiles.map(({ level, x, y }) => [level, x, y]));
  const script = join(ROOT, "e2e", "harness", "expected_pixels.py");
  const { stdout } = await promisify(execFile)(PYTHON, [script, address(), slide, String(plane), list], {
    maxBuffer: 1 << 26,
  });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Expected);
}

async function servedHash(
  { url }: Manifest,
  plane: number,
  { level, x, y, width, height }: Placed,
  layers: number,
): Promise<string> {
  const answer = await fetch(`${address()}${url}/tiles/${plane}/${level}/${x}/${y}.png?layers=${layers}`);
  const png = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
  expect([png.width, png.height]).toEqual([width, height]);
  return createHash("sha256")
    .update(png.data.filter((_, i) => i % 4 !== 3))
    .digest("hex");
}

/** Shows the tile at exactly 1:1 with at most `layers` layers and hashes the canvas at its position. */
const drawnHash = (page: Page, tile: Placed, layers: number): Promise<string> =>
  page.evaluate(
    async ({ level, left, top, width, height, layers }) => {
      const { viewport, limitLayers, idle, readCanvas } = window.__wavescope;
      limitLayers(layers);
      const { ln_x, ln_y } = await viewport.goTo(left * 2 ** level, top * 2 ** level, level);
      await idle();
      return window.hashOfRgb(readCanvas(left - ln_x, top - ln_y, width, height).rgba);
    },
    { ...tile, left: TILE * tile.x, top: TILE * tile.y, layers },
  );

const workerHash = (page: Page, plane: number, tile: Placed, layers: number): Promise<string> =>
  page.evaluate(
    async ({ z, level, x, y, layers }) =>
      window.hashOfRgb((await window.__wavescope.decodePixels({ z, level, x, y }, layers)).rgba),
    { ...tile, z: plane, layers },
  );

/** Hashes by tile and K, however they are made, in a shuffled order: ancestors are then in every state. */
async function collect(
  tiles: Placed[],
  layers: number,
  seed: number,
  make: (tile: Placed, k: number) => Promise<string>,
) {
  const jobs = tiles.flatMap((tile) => Array.from({ length: layers }, (_, i) => ({ tile, k: i + 1 })));
  const hashes: Record<string, string> = {};
  for (const { tile, k } of shuffled(jobs, seed)) hashes[nameOf(tile, k)] = await make(tile, k);
  return hashes;
}

/** How many tiles of a slide the slow decoder goes through in the long form: it takes about a second for each. */
const SLOWLY: Record<string, number> = { [SLIDES.specimen]: 40, [SLIDES.lossless]: 400, [SLIDES.region]: 400 };
const PLANE: Record<string, number> = { [SLIDES.specimen]: 1, [SLIDES.lossless]: 0, [SLIDES.region]: 0 };
const proven = { busy: 0, border: 0 };

for (const slide of Object.keys(SLOWLY)) {
  test(`the tiles of ${slide} are drawn, decoded and served as the same pixels, with every number of layers`, async ({
    page,
  }) => {
    test.setTimeout(900_000);
    needs(slide);
    const plane = PLANE[slide]!;
    const manifest = await manifestOf(slide);
    const tiles = sampled(allTiles(manifest), 3);
    const checked = tiles.slice(0, Math.ceil(SLOWLY[slide]! / SHARE));
    const slow = slowly(slide, plane, checked);
    slow.catch(() => undefined); // reported below, when it is awaited
    await page.setViewportSize(WINDOW);
    await openSlide(page, slide);
    await page.evaluate((z) => window.__wavescope.viewport.setPlane(z), plane);

    const served = await collect(tiles, manifest.layers, 1, (tile, k) => servedHash(manifest, plane, tile, k));
    expect(await collect(tiles, manifest.layers, 2, (tile, k) => drawnHash(page, tile, k)), "drawn").toEqual(served);
    expect(
      await collect(tiles, manifest.layers, 3, (tile, k) => workerHash(page, plane, tile, k)),
      "in the worker",
    ).toEqual(served);

    const expected = await slow;
    for (const one of expected)
      expect(served[nameOf(one, one.layers)], `slow decoder: ${nameOf(one, one.layers)}`).toBe(one.sha256);
    expect(expected).toHaveLength(checked.length * manifest.layers);
    proven.busy += expected.filter((one) => one.layers === manifest.layers && one.nonzero > BUSY).length;
    proven.border += checked.filter((tile) => tile.border).length;
  });
}

test("among the tiles that the slow decoder confirmed are enough busy ones and enough at the border", () => {
  const enough = (whole: number): number => (SHARE === 1 ? whole : 1);
  expect(proven.border).toBeGreaterThanOrEqual(enough(10));
  expect(proven.busy).toBeGreaterThanOrEqual(enough(realSlide(REGION_FILE) ? 30 : 10)); // the specimen is smoother than real tissue
});

test("while a view refines, every tile that says it shows K layers shows exactly pixels(tile, K)", async ({ page }) => {
  const manifest = await manifestOf(SLIDES.specimen);
  await openSlide(page, SLIDES.specimen);
  const link = await page.context().newCDPSession(page);
  await link.send("Network.enable");
  await link.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 30,
    downloadThroughput: 60_000,
    uploadThroughput: 60_000,
  });
  const looks = await page.evaluate(refine, TILE);
  expect(new Set(looks.map(({ K }) => K)).size).toBe(manifest.layers);
  for (const { level, x, y, K, hash } of looks) {
    const tile = allTiles(manifest).find((one) => one.level === level && one.x === x && one.y === y)!;
    expect(hash, nameOf(tile, K)).toBe(await servedHash(manifest, 1, tile, K));
  }
});

/** In every frame until all is exact: the tiles wholly in view that show a new K, as drawn. Runs in the page. */
async function refine(side: number): Promise<{ level: number; x: number; y: number; K: number; hash: string }[]> {
  const { viewport, tileState, readCanvas, fidelity } = window.__wavescope;
  viewport.setPlane(1);
  const { ln_x, ln_y, level, width, height } = await viewport.goTo(2 * side, 2 * side, 0);
  const looks: { level: number; x: number; y: number; K: number; hash: Promise<string> }[] = [];
  const seen = new Set<string>();
  for (let done = false; !done; ) {
    await new Promise(requestAnimationFrame);
    done = fidelity() === "exact";
    for (const tile of tileState()) {
      const [left, top] = [side * tile.x - ln_x, side * tile.y - ln_y];
      const inside = left >= 0 && top >= 0 && left + tile.width <= width && top + tile.height <= height;
      const key = `${tile.level}/${tile.x}/${tile.y}/${tile.K}`;
      if (tile.level !== level || tile.K === 0 || tile.plane !== tile.z || !inside || seen.has(key)) continue;
      seen.add(key);
      const { x, y, K } = tile;
      looks.push({ level, x, y, K, hash: window.hashOfRgb(readCanvas(left, top, tile.width, tile.height).rgba) });
    }
  }
  return Promise.all(looks.map(async (look) => ({ ...look, hash: await look.hash })));
}
